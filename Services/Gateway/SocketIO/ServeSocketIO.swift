// SPDX-License-Identifier: Apache-2.0
// From a request to the Socket.IO session that it belongs to: polls, bodies and WebSockets.

import HTTPTypes
import NIOCore
import NIOHTTP1
import SocketIO
import Web

extension ClientConnection {
    /// Answered late, without a thread: the exchange is held until the session has something to say.
    func serveSocketIO(_ exchange: Exchange) {
        guard let server = loop.socketIO, !loop.isDraining else {
            return answer(.unavailable(cause: "stopping"), to: exchange)
        }
        // Only what opens a connection costs; polling has no share in the budgets of requests.
        guard exchange.target.parameter("sid") == nil else { return carry(exchange, server, request(exchange, nil)) }
        limitConnections(exchange) {
            switch self.dependencies.connections.stream(from: self.client) {
            case .success(let place): self.carry(exchange, server, self.request(exchange, place))
            case .failure(let refusal): self.answer(Problem(refusal), to: exchange)
            }
        }
    }

    private func request(_ exchange: Exchange, _ place: ConnectionPlace?) -> SocketIORequest {
        SocketIORequest(
            headers: exchange.head.headers,
            query: exchange.target.query ?? "",
            address: client.text,
            place: place
        )
    }

    private func carry(_ exchange: Exchange, _ server: EngineServer, _ request: SocketIORequest) {
        if exchange.head.headers.contains(name: "upgrade") { return upgrade(exchange, server, request) }
        let engine = EngineExchange(server, exchange.head, request) { [weak self, weak exchange] answer in
            guard let self, let exchange, self.isOpen(exchange) else { return }
            exchange.engine = nil
            self.answer(
                answer.status,
                type: answer.type,
                body: answer.body,
                fields: "Cache-Control: no-store\r\n",
                to: exchange
            )
        }
        exchange.engine = engine
        state.entersSession()
        engine.start()
    }

    private func upgrade(_ exchange: Exchange, _ server: EngineServer, _ request: SocketIORequest) {
        guard case .none = exchange.framing, let handshake = try? WebSocketHandshake(exchange.head) else {
            return refuse(exchange, .badRequest)
        }
        // The request's end must have passed before the connection speaks another protocol.
        read(exchange) { _ in self.admit(exchange, handshake, server, request) }
    }

    private func admit(
        _ exchange: Exchange,
        _ handshake: WebSocketHandshake,
        _ server: EngineServer,
        _ request: SocketIORequest
    ) {
        server.admit(exchange.head, request) { outcome in
            guard self.isOpen(exchange) else { return }
            switch outcome {
            case .success(let session):
                let deflate = server.settings.deflate.flatMap {
                    WebSocketDeflate(offers: handshake.extensions, preferred: $0)
                }
                let connection = WebSocketConnection(
                    server.settings.webSocket,
                    session: session,
                    timekeeper: self.loop,
                    deflate: deflate
                )
                self.upgrade(exchange, answer: handshake.answer(deflate: deflate), to: connection)
            case .failure(let refusal): self.refuse(exchange, refusal)
            }
        }
    }

    private func refuse(_ exchange: Exchange, _ refusal: EngineRefusal) {
        let refused = EngineAnswer.refused(refusal)
        answer(refused.status, type: refused.type, body: refused.body, to: exchange)
    }
}

extension GatewayLoop {
    /// Makes what serves Socket.IO on this event loop; the sessions' ids tell its `index`.
    func openHub(index: Int) -> NIOLoopBound<EngineHub> {
        let settings = dependencies.config.socketIO
        let spoken = SocketIOProtocol(settings, application: dependencies.application(self))
        let hub = EngineHub(settings.engine, eventLoop: eventLoop, index: index) { spoken.connection($0, $1) }
        self.hub = hub
        return NIOLoopBound(hub, eventLoop: eventLoop)
    }
}
