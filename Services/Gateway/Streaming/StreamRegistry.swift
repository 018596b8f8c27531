// SPDX-License-Identifier: Apache-2.0
// Who follows which stream, among the connections of one event loop.

import Domain
import Events
import NIOCore
import SocketIO
import Views

/// An open stream, however it is carried.
protocol StreamOutlet: AnyObject {
    func deliver(_ frame: StreamFrame)
    /// The token is no longer good.
    func revoked()
}

/// One update as one stream shows it; the bytes are made once for all who get it.
final class StreamFrame {
    let update: LiveUpdate
    private let labels: [String]

    init(_ update: LiveUpdate, labels: [String]) {
        self.update = update
        self.labels = labels
    }

    private(set) lazy var webSocket: ByteBuffer = {
        let json = JSONWriter.object(capacity: update.payload.count + update.payload.count / 8 + 128) { json in
            json.member("stream", labels)
            json.member("event", update.event)
            if !update.payload.isEmpty {
                // A text, by the protocol.
                json.name("payload")
                json.string(utf8: update.payload)
            }
        }
        return WebSocketFrame.text(json)
    }()

    private(set) lazy var serverSentEvent: ByteBuffer = {
        var bytes = ByteBuffer(string: "event: \(update.event)\n")
        for line in update.payload.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            bytes.writeStaticString("data: ")
            bytes.writeBytes(line)
            bytes.writeStaticString("\n")
        }
        bytes.writeStaticString("\n")
        return bytes
    }()
}

/// One connection in the registry.
final class Follower {
    let principal: KnownPrincipal
    let token: String
    weak var outlet: (any StreamOutlet)?
    fileprivate(set) var subscriptions: Subscriptions
    /// When the token must be asked about again.
    var verifyAt: Milliseconds
    /// When the stream ends, so that its client fetches what it missed and comes back.
    fileprivate(set) var endsAt: Milliseconds?
    /// Whether its session has ended, so that it has, too, as soon as its client has been told.
    fileprivate(set) var isRevoked = false

    init(principal: KnownPrincipal, token: String, limit: Int, outlet: any StreamOutlet, verifyAt: Milliseconds) {
        self.principal = principal
        self.token = token
        self.outlet = outlet
        self.verifyAt = verifyAt
        subscriptions = Subscriptions(limit: limit)
    }

    func isOver(now: Milliseconds) -> Bool { endsAt.map { now >= $0 } ?? false }
}

final class StreamRegistry {
    static let longestEnd: Milliseconds = 30_000

    private var followers: [ObjectIdentifier: Follower] = [:]
    private var byKey: [String: [ObjectIdentifier: Follower]] = [:]

    var count: Int { followers.count }
    /// Those that were not told to end.
    var openCount: Int { followers.values.count { !$0.isRevoked } }

    func add(_ follower: Follower) { followers[ObjectIdentifier(follower)] = follower }

    func remove(_ follower: Follower) {
        let id = ObjectIdentifier(follower)
        followers[id] = nil
        for key in follower.subscriptions.keys { drop(id, from: key) }
    }

    func subscribe(_ follower: Follower, to name: StreamName) -> Subscriptions.Change {
        let change = follower.subscriptions.add(name)
        if case .added(let key?) = change { byKey[key, default: [:]][ObjectIdentifier(follower)] = follower }
        return change
    }

    func unsubscribe(_ follower: Follower, from name: StreamName) {
        if let key = follower.subscriptions.remove(name) { drop(ObjectIdentifier(follower), from: key) }
    }

    private func drop(_ id: ObjectIdentifier, from key: String) {
        byKey[key]?[id] = nil
        if byKey[key]?.isEmpty == true { byKey[key] = nil }
    }

    func deliver(_ update: LiveUpdate) {
        var frames: [[String]: StreamFrame] = [:]
        let averse = Set(update.except)
        for key in update.streams {
            guard let followers = byKey[key] else { continue }
            for follower in followers.values {
                let account = follower.principal.accountID
                if let account, averse.contains(account) { continue }
                if let readers = update.readers, !readers.contains(account) { continue }
                for name in follower.subscriptions.names where name.key == key && name.passes(update) {
                    let frame = frames[name.labels] ?? StreamFrame(update, labels: name.labels)
                    frames[name.labels] = frame
                    follower.outlet?.deliver(frame)
                }
            }
        }
    }

    func revoke(_ session: SessionID) {
        for follower in followers.values where follower.principal.sessionID == session {
            follower.isRevoked = true
            follower.outlet?.revoked()
        }
    }

    /// News may have been missed, which streams cannot bring later: all end, a thousand a second, so that their clients
    /// fetch again as they do after every reconnection.
    func endAll(now: Milliseconds, random: () -> UInt64) {
        let span = min(StreamRegistry.longestEnd, 1000 + Milliseconds(followers.count))
        for follower in followers.values {
            follower.endsAt = min(follower.endsAt ?? .max, now + Milliseconds(random() % UInt64(span)))
        }
    }

    /// Revocations may have been missed: every token is asked about again, spread over `span`.
    func doubtAll(now: Milliseconds, span: Milliseconds, random: () -> UInt64) {
        for follower in followers.values {
            follower.verifyAt = now + Milliseconds(random() % UInt64(max(1, span)))
        }
    }
}
