// SPDX-License-Identifier: Apache-2.0
// The Mastodon streaming protocol over a WebSocket.

import Domain
import Events
import NIOCore
import SocketIO
import Surface
import Views

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

final class StreamSession: WebSocketSession, StreamOutlet {
    private let loop: GatewayLoop
    private let admitted: AdmittedStream
    private var connection: WebSocketConnection?
    private var follower: Follower?
    /// The stream that the address names, or why there is none.
    private var first: Result<StreamName, StreamName.Fault>?
    /// Messages in a row that were beyond the budget.
    private var refusals = 0

    /// So many are told so; then the client is cut off.
    private static let mostRefusals = 100

    init(loop: GatewayLoop, admitted: AdmittedStream, first: Result<StreamName, StreamName.Fault>?) {
        self.loop = loop
        self.admitted = admitted
        self.first = first
    }

    func opened(_ connection: WebSocketConnection) {
        self.connection = connection
        let follower = Follower(
            principal: admitted.principal,
            token: admitted.token,
            limit: loop.dependencies.config.limits.streamSubscriptions,
            outlet: self,
            verifyAt: loop.verification(of: admitted.principal)
        )
        self.follower = follower
        loop.streams.add(follower)
        switch first {
        case .success(let name)?: _ = loop.streams.subscribe(follower, to: name)
        case .failure(let fault)?: complain(of: fault)
        case nil: break
        }
        first = nil
    }

    func closed() {
        if let follower { loop.streams.remove(follower) }
        follower = nil
        connection = nil
        admitted.place.end()
    }

    func deliver(_ frame: StreamFrame) { connection?.send(frame.webSocket) }

    func revoked() { connection?.close(.policy) }

    func tick(now: Milliseconds) {
        guard let follower else { return }
        if follower.isOver(now: now) { connection?.close(.restart) }
        if now >= follower.verifyAt { loop.verify(follower) }
    }

    func received(binary: ByteBuffer) { connection?.close(.unsupported) }

    func received(text: ByteBuffer) {
        guard let follower, isWithinBudget() else { return }
        guard let request = try? JSONDecoder().decode(Request.self, from: Data(text.readableBytesView)) else {
            return complain("Invalid request", status: 400)
        }
        if request.type == "pleroma:authenticate" { return authenticated(request.token) }
        // Clients send frames of their own for keeping alive; what is no subscription is none of ours.
        guard request.type == "subscribe" || request.type == "unsubscribe" else { return }
        do throws(StreamName.Fault) {
            let name = try StreamName(request.stream ?? "", tag: request.tag, for: admitted.principal)
            if request.type == "unsubscribe" {
                loop.streams.unsubscribe(follower, from: name)
            } else if loop.streams.subscribe(follower, to: name) == .tooMany {
                complain("Too many subscriptions", status: 429)
            }
        } catch {
            complain(of: error)
        }
    }

    /// Pleroma-FE shows its token again once it is connected, and subscribes to nothing before it is answered. A connection
    /// is of the token that it was opened with; another one does not change whose it is.
    private func authenticated(_ token: String?) {
        let isKnown = token == admitted.token
        let answer = JSONWriter.object { json in
            json.member("type", "pleroma:authenticate")
            json.member("result", isKnown ? "success" : "error")
            if !isKnown { json.member("error", "unauthorized") }
        }
        let json = JSONWriter.object { json in
            json.member("event", "pleroma:respond")
            json.member("payload", String(decoding: answer, as: UTF8.self))
        }
        connection?.send(WebSocketFrame.text(json))
    }

    /// Whatever a client says costs what a request does.
    private func isWithinBudget() -> Bool {
        let budget = loop.dependencies.limiter.take(
            .read,
            account: admitted.principal.accountID?.rawValue,
            address: admitted.address,
            now: loop.dependencies.now().milliseconds
        )
        guard let budget, !budget.isAllowed else {
            refusals = 0
            return true
        }
        refusals += 1
        if refusals > StreamSession.mostRefusals {
            connection?.close(.policy)
        } else {
            complain("Too many requests", status: 429)
        }
        return false
    }

    /// One subscription cannot be; the others go on.
    private func complain(of fault: StreamName.Fault) {
        complain(StreamRefusal.text(fault), status: StreamRefusal.status(fault))
    }

    private func complain(_ error: String, status: Int) {
        let json = JSONWriter.object { json in
            json.member("error", error)
            json.member("status", status)
        }
        connection?.send(WebSocketFrame.text(json))
    }

    private struct Request: Decodable {
        let type: String
        let stream: String?
        let tag: String?
        let token: String?
    }
}

/// How a refused stream is told.
enum StreamRefusal {
    static func text(_ fault: StreamName.Fault) -> String {
        switch fault {
        case .unknown: "Unknown stream type"
        case .missingTag: "Missing tag name parameter"
        case .forbidden: "Access token does not have the required scopes"
        case .needsAccount: "Access token has no account"
        }
    }

    static func status(_ fault: StreamName.Fault) -> Int {
        switch fault {
        case .unknown, .missingTag: 400
        case .forbidden: 403
        case .needsAccount: 401
        }
    }
}

extension GatewayLoop {
    /// When a stream's token is to be asked about again: when what was said of it ends.
    func verification(of principal: KnownPrincipal) -> Milliseconds {
        let left = principal.expires - dependencies.now().milliseconds
        return monotonic + min(max(left, 1000), 600_000)
    }

    /// Asks whether the token of an open stream is still good.
    func verify(_ follower: Follower) {
        follower.verifyAt = monotonic + 600_000
        authenticator.ask(follower.token) { [weak self, weak follower] verdict in
            guard let self, let follower else { return }
            switch verdict {
            case .valid(let principal): follower.verifyAt = self.verification(of: principal)
            case .invalid: follower.outlet?.revoked()
            case .unavailable: follower.verifyAt = self.monotonic + 2000 + Milliseconds(self.nextRandom() % 3000)
            }
        }
    }
}
