// SPDX-License-Identifier: Apache-2.0
// One namespace on one connection, one account, one channel: what a gateway's event loop keeps of each.

import Calls
import Domain
import NIOCore
import SocketIO

/// A client on one namespace.
final class ChatSocket {
    enum Phase {
        /// Not let in yet.
        case connecting
        case open
        case ended
    }

    /// An event of the client that waits for the one before it.
    struct Emit {
        enum Matter { case message, read }

        let matter: Matter
        let channel: ChannelID
        let body: ByteBuffer
        let acknowledgement: SocketIOAcknowledgement?
        /// Whether doing it twice is no different from doing it once.
        let isRepeatable: Bool
        /// Whether it is asked for by itself, because it could not be with others.
        var isAlone = false
    }

    let socket: SocketIOSocket
    let namespace: ChatNamespace
    let token: String
    let address: ClientAddress
    var principal: KnownPrincipal
    let account: ChatAccount
    /// What the client said it has; let go once it is let in.
    var positions: [ChannelID: ChatPosition]
    var catchUp = CatchUp<ChatItem>()
    var phase = Phase.connecting
    /// When the token must be asked about again.
    var verifyAt: Milliseconds
    var typing = TypingPace()
    var emits = CircularBuffer<Emit>()
    var isEmitting = false
    var isPresent = false
    /// Events in a row that were beyond the budget.
    var refusals = 0

    init(
        _ socket: SocketIOSocket,
        _ namespace: ChatNamespace,
        token: String,
        address: ClientAddress,
        principal: KnownPrincipal,
        account: ChatAccount,
        positions: [ChannelID: ChatPosition],
        verifyAt: Milliseconds
    ) {
        self.socket = socket
        self.namespace = namespace
        self.token = token
        self.address = address
        self.principal = principal
        self.account = account
        self.positions = positions
        self.verifyAt = verifyAt
    }

    /// Lets the client go, whether it was let in or not.
    func end(_ refusal: ChatRefusal, closing: Bool) {
        let phase = phase
        self.phase = .ended
        switch phase {
        case .connecting: refusal.refuse(socket)
        case .open: socket.disconnect(closing: closing)
        case .ended: break
        }
    }
}

/// An account with connections on this event loop.
final class ChatAccount {
    struct Room: Equatable {
        /// Nil until chat has said what it is.
        var isDirect: Bool?
        var playgroundID: PlaygroundID?
    }

    let id: AccountID
    var rooms: [ChannelID: Room] = [:]
    var playgrounds: [PlaygroundID] = []
    var sockets: [ObjectIdentifier: ChatSocket] = [:]
    var place = Presence.Place()
    /// What happened to its memberships since chat was asked for them; nil while it is not being asked.
    var recorded: [(channel: ChannelID, isMember: Bool)]?
    var waiting: [(RoomList?) -> Void] = []
    /// When to ask for its memberships again.
    var refreshAt: Milliseconds?

    init(_ id: AccountID) { self.id = id }
}

/// A channel to which accounts on this event loop belong.
final class ChatRoom {
    let id: ChannelID
    var feed = ChannelFeed<ChatItem>()
    var accounts: [AccountID: ChatAccount] = [:]
    /// Connections to the channel's own namespaces.
    var watchers: [ObjectIdentifier: ChatSocket] = [:]
    var retryAt: Milliseconds?

    init(_ id: ChannelID) { self.id = id }
}

/// Why a client is not let in.
enum ChatRefusal {
    case unauthorized
    case forbidden(Scope)
    case needsAccount
    case notFound
    case badRequest
    case tooMany(retryAfter: Milliseconds)
    case unavailable

    func refuse(_ socket: SocketIOSocket) {
        let (message, code): (String, String) =
            switch self {
            case .unauthorized: ("unauthorized", "unauthorized")
            case .forbidden: ("forbidden", "missing-scope")
            case .needsAccount: ("forbidden", "forbidden")
            case .notFound: ("not-found", "not-found")
            case .badRequest: ("bad-request", "bad-request")
            case .tooMany: ("unavailable", "too-many-requests")
            case .unavailable: ("unavailable", "unavailable")
            }
        var data = #"{"code":"\#(code)""#
        switch self {
        case .forbidden(let scope): data += #","scope":"\#(scope)""#
        case .tooMany(let wait): data += #","retry_after":\#(max(1, (wait + 999) / 1000))"#
        default: break
        }
        socket.refuse(message: message, data: ByteBuffer(string: data + "}"))
    }
}
