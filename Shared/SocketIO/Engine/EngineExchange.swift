// SPDX-License-Identifier: Apache-2.0
// One HTTP request of an Engine.IO endpoint and its answer, however late that is.

public import NIOCore
public import NIOHTTP1

/// Belongs to the event loop of the request's connection, and needs that loop to have a hub.
public final class EngineExchange {
    private let server: EngineServer
    private let head: HTTPRequestHead
    private let request: SocketIORequest
    private let answer: (EngineAnswer) -> Void
    private let number = EngineServer.newNumber()
    private var hub: NIOLoopBound<EngineHub>?
    private var sid: String?
    private var body: ByteBuffer?
    /// Octets that the body may have.
    private var limit: Int
    private var isDone = false

    /// - Parameter answer: called once, on the same event loop, unless `gone` was called before.
    public init(
        _ server: EngineServer,
        _ head: HTTPRequestHead,
        _ request: SocketIORequest,
        answer: @escaping (EngineAnswer) -> Void
    ) {
        self.server = server
        limit = server.settings.firstPayload
        self.head = head
        self.request = request
        self.answer = answer
    }

    /// The head of the request has come.
    public func start() {
        do throws(EngineRefusal) {
            let wish = try EngineWish(method: head.method, query: request.query, isUpgrade: false)
            guard let here = server.hubHere() else { throw .badRequest }
            let bound = NIOLoopBound(self, eventLoop: here.eventLoop)
            let number = number
            switch wish {
            case .open:
                guard !here.value.isStopping else { throw .badRequest }
                here.value.open(request, exchange: bound)
            case .poll(let sid):
                let hub = try hub(of: sid)
                hub.run { hub in
                    if let line = hub.line(sid) {
                        line.poll(number, bound)
                    } else {
                        bound.run { $0.deliver(.refused(.unknownSession)) }
                    }
                }
            case .send(let sid):
                let hub = try hub(of: sid)
                body = ByteBuffer()
                // Until the session has said whether its client is trusted, which takes no longer than a turn of its loop.
                limit = server.settings.maxPayload
                let first = server.settings.firstPayload
                hub.run { hub in
                    if let line = hub.line(sid) {
                        if !line.isTrusted { bound.run { $0.restrict(to: first) } }
                        line.postBegan(number, bound)
                    } else {
                        bound.run { $0.deliver(.refused(.unknownSession)) }
                    }
                }
            case .openWebSocket, .upgrade: throw .badRequest
            }
        } catch {
            deliver(.refused(error))
        }
    }

    private func hub(of sid: String) throws(EngineRefusal) -> NIOLoopBound<EngineHub> {
        guard let hub = server.hub(of: sid) else { throw .unknownSession }
        self.hub = hub
        self.sid = sid
        return hub
    }

    /// A part of the body. What is too long is refused at once; the rest of it may be dropped.
    public func receive(_ part: ByteBuffer) {
        guard !isDone, var collected = body else { return }
        guard collected.readableBytes <= limit - min(limit, part.readableBytes) else {
            body = nil
            return finish(nil)
        }
        body = nil
        collected.writeImmutableBuffer(part)
        body = collected
    }

    private func restrict(to limit: Int) {
        self.limit = limit
        guard !isDone, let body, body.readableBytes > limit else { return }
        self.body = nil
        finish(nil)
    }

    /// The request has come whole.
    public func end() {
        guard !isDone, let body else { return }
        self.body = nil
        finish(body)
    }

    private func finish(_ body: ByteBuffer?) {
        guard let sid, let hub else { return }
        let number = number
        hub.run { $0.line(sid)?.postEnded(number, body) }
    }

    /// The connection is gone: nobody waits for the answer.
    public func gone() {
        guard !isDone else { return }
        isDone = true
        guard let sid, let hub else { return }
        let number = number
        hub.run { $0.line(sid)?.cancelled(number) }
    }

    func deliver(_ answer: EngineAnswer) {
        guard !isDone else { return }
        isDone = true
        body = nil
        self.answer(answer)
    }
}
