// SPDX-License-Identifier: Apache-2.0
// From a request to an open stream: refused with a real answer, or carried on as WebSocket or server-sent events.

import Domain
import HTTPTypes
import NIOCore
import NIOHTTP1
import SocketIO
import Web

extension ClientConnection {
    func open(_ route: StreamRoute, _ exchange: Exchange) {
        let token = Token.ofStream(exchange.head.headers, exchange.target)
        switch route {
        case .events(let name):
            guard exchange.head.method == .GET else { return answer(.badRequest("method"), to: exchange) }
            admit(exchange, token: token) { principal, token in self.openEvents(name, principal, token, exchange) }
        case .webSocket:
            do throws(WebSocketHandshake.Fault) {
                let handshake = try WebSocketHandshake(exchange.head)
                admit(exchange, token: token) { principal, token in
                    self.openWebSocket(handshake, principal, token, exchange)
                }
            } catch {
                upgradeRequired(exchange)
            }
        }
    }

    private func upgradeRequired(_ exchange: Exchange) {
        var problem = Problem(.upgradeRequired, "upgrade-required")
        problem.headers[.upgrade] = "websocket"
        answer(problem, to: exchange)
    }

    private func admit(
        _ exchange: Exchange,
        token: String?,
        then proceed: @escaping (KnownPrincipal, String) -> Void
    ) {
        guard case .none = exchange.framing else { return answer(.badRequest("body"), to: exchange) }
        authenticate(exchange, token: token) {
            guard let token, let principal = exchange.principal else {
                var problem = Problem.unauthorized
                problem.headers[.wwwAuthenticate] = #"Bearer realm="Madang""#
                return self.answer(problem, to: exchange)
            }
            // The request's end must have passed before the connection speaks another protocol.
            if exchange.requestIsComplete {
                proceed(principal, token)
            } else {
                exchange.atEnd = { proceed(principal, token) }
            }
        }
    }

    private func openEvents(_ name: String, _ principal: KnownPrincipal, _ token: String, _ exchange: Exchange) {
        do throws(StreamName.Fault) {
            let name = try StreamName(name, tag: exchange.target.parameter("tag"), for: principal)
            startAnswer(exchange, status: .ok, length: .untilClose) { bytes in
                bytes.writeStaticString("Content-Type: text/event-stream; charset=utf-8\r\n")
                bytes.writeStaticString("Cache-Control: private, no-store\r\nX-Accel-Buffering: no\r\n")
            }
            output.writeStaticString(":)\n")
            hand(over: exchange, to: EventStream(loop: loop, principal: principal, token: token, name: name))
        } catch {
            answer(ClientConnection.problem(for: error), to: exchange)
        }
    }

    private func openWebSocket(
        _ handshake: WebSocketHandshake,
        _ principal: KnownPrincipal,
        _ token: String,
        _ exchange: Exchange
    ) {
        do throws(StreamName.Fault) {
            var first: StreamName?
            if let name = exchange.target.parameter("stream") {
                first = try StreamName(name, tag: exchange.target.parameter("tag"), for: principal)
            }
            exchange.status = 101
            exchange.answerStarted = true
            output.writeString(handshake.answer())
            let session = StreamSession(loop: loop, principal: principal, token: token, first: first)
            let connection = WebSocketConnection(limits.webSocket, session: session, timekeeper: loop)
            hand(over: exchange, to: connection)
        } catch {
            answer(ClientConnection.problem(for: error), to: exchange)
        }
    }

    private static func problem(for fault: StreamName.Fault) -> Problem {
        switch fault {
        case .unknown, .missingTag:
            Problem(.badRequest, "unknown-stream", detail: [.english: StreamRefusal.text(fault)])
        case .forbidden(let scope): .forbidden(scope: scope)
        case .needsAccount: .unauthorized
        }
    }
}
