// SPDX-License-Identifier: Apache-2.0
// The WebSocket of an Engine.IO session.

public import NIOCore

/// Belongs to the event loop of its connection; the session may be on another.
public final class EngineWebSocket: WebSocketSession {
    enum Target {
        case new(SocketIORequest)
        case upgrade(sid: String, link: Int)
        /// The session has another WebSocket, or one that is about to take over.
        case taken
    }

    private let hub: NIOLoopBound<EngineHub>
    private let target: Target
    private var place: (sid: String, link: Int)?

    init(hub: NIOLoopBound<EngineHub>, target: Target) {
        self.hub = hub
        self.target = target
    }

    public func opened(_ connection: WebSocketConnection) {
        let hub = hub
        switch target {
        case .taken: connection.close(.normal)
        case .new(let request):
            let link = EngineServer.newNumber()
            let sid = hub.value.open(request, link: link, NIOLoopBound(connection, eventLoop: hub.eventLoop))
            place = (sid, link)
        case .upgrade(let sid, let link):
            place = (sid, link)
            guard let eventLoop = connection.eventLoop else { return }
            let bound = NIOLoopBound(connection, eventLoop: eventLoop)
            hub.run { hub in
                if let line = hub.line(sid) {
                    line.opened(link, bound)
                } else {
                    bound.run { $0.close(.goingAway) }
                }
            }
        }
    }

    public func received(text: ByteBuffer) {
        guard let (sid, link) = place else { return }
        hub.run { $0.line(sid)?.text(text, from: link) }
    }

    public func received(binary: ByteBuffer) {
        guard let (sid, link) = place else { return }
        hub.run { $0.line(sid)?.binary(binary, from: link) }
    }

    public func tick(now: Int64) {}

    public var awaitsTrust: Bool { true }

    public func closed() {
        guard let (sid, link) = place else { return }
        place = nil
        hub.run { $0.line(sid)?.ended(link) }
    }
}
