// SPDX-License-Identifier: Apache-2.0
// What is served over Socket.IO: the contract between the protocol and what speaks through it.

public import NIOCore
public import NIOHTTP1

/// What answers the sockets of one event loop.
///
/// There is one for each event loop, made by the factory that the server is given. Everything is called on that loop,
/// and every method of a socket must be called on it too. Nothing here waits: whoever needs time answers later.
public protocol SocketIOApplication: AnyObject {
    /// A client asks for a namespace (CONNECT). Answered by `accept` or `refuse`, at once or later; until then the
    /// client hears nothing and may send nothing on the namespace.
    ///
    /// - Parameter auth: the payload of CONNECT, a JSON object as it came; nil without one.
    func connecting(_ socket: SocketIOSocket, auth: ByteBuffer?)

    /// An accepted socket sent an event.
    func received(_ event: SocketIOEvent, from socket: SocketIOSocket)

    /// The end of a socket that was neither refused nor ended before: called once, also for one still unanswered.
    func closed(_ socket: SocketIOSocket, reason: SocketIOClosure)
}

/// An event of a client (EVENT or BINARY_EVENT).
public struct SocketIOEvent {
    public let name: String
    /// What follows the name: each argument as JSON, as it came and known to be well-formed. Binary ones are
    /// placeholders, `{"_placeholder":true,"num":n}`, that name a place in `attachments`.
    public let arguments: [ByteBuffer]
    public let attachments: [ByteBuffer]
    /// Set when the client wants an acknowledgement.
    public let acknowledgement: SocketIOAcknowledgement?
}

/// Names the event that an acknowledgement is for.
public struct SocketIOAcknowledgement: Hashable, Sendable {
    public let id: UInt64

    public init(id: UInt64) { self.id = id }
}

/// Why a socket ended.
public enum SocketIOClosure: String, Sendable {
    /// The client left the namespace.
    case clientLeft
    /// `disconnect` was called.
    case serverLeft
    /// The connection went away.
    case connectionLost
    /// No answer to a ping.
    case heartbeatMissed
    /// The client broke the protocol.
    case violation
    /// The client did not read what it was sent.
    case tooSlow
    /// This process is stopping; clients come back elsewhere.
    case stopping
}

/// The request that opened the connection. The same for all namespaces on it, however the transport changes.
public struct SocketIORequest: Sendable {
    public let headers: HTTPHeaders
    /// What follows the question mark, undecoded.
    public let query: String
    /// The client's address, as text.
    public let address: String
    /// What the connection takes of the server; let go when the connection has ended.
    public let place: (any AnyObject & Sendable)?

    public init(headers: HTTPHeaders, query: String, address: String, place: (any AnyObject & Sendable)? = nil) {
        self.headers = headers
        self.query = query
        self.address = address
        self.place = place
    }

    /// The decoded value of a parameter of the query; nil without it.
    public func parameter(_ name: String) -> String? { Query.value(of: name, in: query) }
}

/// One namespace on one connection.
public final class SocketIOSocket {
    /// Unlike every other socket's id, and not to be guessed.
    public let id: String
    /// Begins with a slash.
    public let namespace: String
    public let request: SocketIORequest
    /// Whether it was accepted and has not ended.
    public internal(set) var isConnected = false
    /// For the application: whatever it keeps of the socket. Let go when the socket ends, after `closed`.
    public var state: AnyObject?
    /// Nil once the socket has ended.
    weak var line: (any SocketIOLine)?

    init(id: String, namespace: String, request: SocketIORequest, line: any SocketIOLine) {
        self.id = id
        self.namespace = namespace
        self.request = request
        self.line = line
    }

    /// Lets the client in. Without effect unless it is waiting for an answer.
    public func accept() { line?.accept(self) }

    /// Refuses the client with CONNECT_ERROR `{"message":…,"data":…}`. Without effect unless it waits for an answer.
    ///
    /// - Parameter data: JSON.
    public func refuse(message: String, data: ByteBuffer? = nil) { line?.refuse(self, message: message, data: data) }

    /// Sends an event. Without effect unless the socket is connected; the packet must be of the socket's namespace.
    public func emit(_ packet: SocketIOPacket) {
        if isConnected { line?.send(packet, from: self) }
    }

    /// Acknowledges an event. Once for an event; without effect unless the socket is connected.
    ///
    /// - Parameter arguments: each as JSON; binary ones as placeholders for `attachments`.
    public func acknowledge(
        _ acknowledgement: SocketIOAcknowledgement,
        _ arguments: [ByteBuffer],
        attachments: [ByteBuffer] = []
    ) {
        guard isConnected else { return }
        let packet = SocketIOPacket.acknowledgement(
            acknowledgement,
            arguments,
            attachments: attachments,
            namespace: namespace
        )
        line?.send(packet, from: self)
    }

    /// Ends the socket with DISCONNECT, and with `closing` the whole connection. A socket still unanswered is refused
    /// by its silent end only with `closing`; use `refuse` otherwise.
    public func disconnect(closing: Bool = false) { line?.disconnect(self, closing: closing) }
}

/// What carries sockets.
protocol SocketIOLine: AnyObject {
    func accept(_ socket: SocketIOSocket)
    func refuse(_ socket: SocketIOSocket, message: String, data: ByteBuffer?)
    func send(_ packet: SocketIOPacket, from socket: SocketIOSocket)
    func disconnect(_ socket: SocketIOSocket, closing: Bool)
}
