// SPDX-License-Identifier: Apache-2.0
// One Engine.IO session with the requests and WebSockets that carry it.

public import NIOCore

/// Belongs to the event loop on which the session was opened; what carries it may be on others.
public final class EngineLine {
    public let sid: String
    var user: (any EngineUser)?
    private var session: EngineSession
    private unowned let hub: EngineHub
    private var exchanges: [(request: Int, exchange: NIOLoopBound<EngineExchange>)] = []
    private var links: [(link: Int, connection: NIOLoopBound<WebSocketConnection>)] = []
    private var isWaitingForNoop = false
    /// Whether the client has been let in somewhere.
    private(set) var isTrusted = false

    init(_ session: EngineSession, hub: EngineHub) {
        sid = session.sid
        self.session = session
        self.hub = hub
    }

    public var eventLoop: any EventLoop { hub.eventLoop }

    /// Milliseconds of a clock that never goes back.
    public var monotonic: Int64 { hub.monotonic }

    // MARK: For what speaks over it

    /// Sends messages, texts with their `4` in front.
    public func send(_ messages: [WebSocketMessage]) { perform(session.send(messages, now: hub.monotonic)) }

    /// The client was let in: from now on it may send as much at a time as anybody.
    public func trust() {
        guard !isTrusted else { return }
        isTrusted = true
        let most = hub.settings.maxPayload
        for (_, connection) in links { connection.run { $0.trust(message: most) } }
    }

    public func close(_ reason: SocketIOClosure, _ code: WebSocketCloseCode = .normal) {
        perform(session.close(reason, code, now: hub.monotonic))
    }

    // MARK: For what carries it

    func poll(_ request: Int, _ exchange: NIOLoopBound<EngineExchange>) {
        exchanges.append((request, exchange))
        step { $0.get(request, now: $1) }
        waitForNoop()
    }

    func postBegan(_ request: Int, _ exchange: NIOLoopBound<EngineExchange>) {
        exchanges.append((request, exchange))
        step { $0.postBegan(request, now: $1) }
    }

    /// - Parameter body: nil when it is too long.
    func postEnded(_ request: Int, _ body: ByteBuffer?) {
        // It may have come whole before it was heard that it may not be as long.
        let most = isTrusted ? hub.settings.maxPayload : hub.settings.firstPayload
        let body = body.flatMap { $0.readableBytes <= most ? $0 : nil }
        step { $0.postEnded(request, body, now: $1) }
    }

    func cancelled(_ request: Int) {
        exchanges.removeAll { $0.request == request }
        step { $0.cancelled(request, now: $1) }
    }

    func attach(_ link: Int) -> Bool {
        step { _, _ in [] }
        return session.attach(link, now: hub.monotonic)
    }

    func opened(_ link: Int, _ connection: NIOLoopBound<WebSocketConnection>) {
        links.append((link, connection))
        guard isTrusted else { return }
        let most = hub.settings.maxPayload
        connection.run { $0.trust(message: most) }
    }

    func text(_ text: ByteBuffer, from link: Int) {
        step { $0.text(text, from: link, now: $1) }
        waitForNoop()
    }

    func binary(_ bytes: ByteBuffer, from link: Int) { step { $0.binary(bytes, from: link, now: $1) } }

    func ended(_ link: Int) {
        links.removeAll { $0.link == link }
        step { $0.ended(link, now: $1) }
    }

    func tick(now: Int64) {
        perform(session.advance(now: now))
        user?.tick(now: now)
    }

    /// What was due before is done before.
    private func step(_ body: (inout EngineSession, Int64) -> [EngineSession.Action]) {
        let now = hub.monotonic
        perform(session.advance(now: now))
        perform(body(&session, now))
    }

    /// A poll that waits for an upgrade does not wait for the next tick.
    private func waitForNoop() {
        guard !isWaitingForNoop, let due = session.noopAt else { return }
        isWaitingForNoop = true
        let bound = NIOLoopBound(self, eventLoop: hub.eventLoop)
        hub.eventLoop.scheduleTask(in: .milliseconds(max(1, due - hub.monotonic))) {
            bound.value.isWaitingForNoop = false
            bound.value.step { _, _ in [] }
            bound.value.waitForNoop()
        }
    }

    private func perform(_ actions: [EngineSession.Action]) {
        for action in actions {
            switch action {
            case .answer(let request, let body): answer(request, .text(body))
            case .confirm(let request): answer(request, .text(ByteBuffer(string: "ok")))
            case .refuse(let request, let refusal): answer(request, .refused(refusal))
            case .send(let link, let message): connection(link)?.run { $0.send(message) }
            case .end(let link, let code): connection(link)?.run { $0.close(code) }
            case .text(let text): user?.received(text: text)
            case .binary(let bytes): user?.received(binary: bytes)
            case .closed(let reason): end(reason)
            }
        }
    }

    private func connection(_ link: Int) -> NIOLoopBound<WebSocketConnection>? {
        links.first { $0.link == link }?.connection
    }

    private func answer(_ request: Int, _ answer: EngineAnswer) {
        guard let index = exchanges.firstIndex(where: { $0.request == request }) else { return }
        exchanges.remove(at: index).exchange.run { $0.deliver(answer) }
    }

    private func end(_ reason: SocketIOClosure) {
        hub.remove(self)
        let user = user
        self.user = nil
        user?.closed(reason)
    }
}
