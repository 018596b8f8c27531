// SPDX-License-Identifier: Apache-2.0
// From a request to an open stream: refused with a real answer, or carried on as WebSocket or server-sent events.

import Domain
import HTTPTypes
import NIOCore
import NIOHTTP1
import SocketIO
import Web

/// Whose stream is opened, and its place among the streams.
struct AdmittedStream {
    let principal: KnownPrincipal
    let token: String
    let address: ClientAddress
    /// Held for as long as the stream is open.
    let place: ConnectionPlace
}

extension ClientConnection {
    func open(_ route: StreamRoute, _ exchange: Exchange) {
        let token = Token.ofStream(exchange.head.headers, exchange.target)
        switch route {
        case .events(let name):
            guard exchange.head.method == .GET else { return answer(.badRequest("method"), to: exchange) }
            admit(exchange, token: token) { admitted in self.openEvents(name, admitted, exchange) }
        case .webSocket:
            do throws(WebSocketHandshake.Fault) {
                let handshake = try WebSocketHandshake(exchange.head)
                admit(exchange, token: token) { admitted in self.openWebSocket(handshake, admitted, exchange) }
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
        then proceed: @escaping (AdmittedStream) -> Void
    ) {
        guard case .none = exchange.framing else { return answer(.badRequest("body"), to: exchange) }
        authenticate(exchange, token: token) {
            guard let token, let principal = exchange.principal else {
                var problem = Problem.unauthorized
                problem.headers[.wwwAuthenticate] = #"Bearer realm="Madang""#
                return self.answer(problem, to: exchange)
            }
            let place: ConnectionPlace
            switch self.loop.dependencies.connections.stream(from: self.client) {
            case .success(let given): place = given
            case .failure(let refusal): return self.answer(Problem(refusal), to: exchange)
            }
            if let account = principal.accountID, !place.claim(account) {
                return self.answer(Problem(ConnectionBudget.Refusal.account), to: exchange)
            }
            let admitted = AdmittedStream(
                principal: principal,
                token: token,
                address: self.client,
                place: place
            )
            // The request's end must have passed before the connection speaks another protocol.
            self.read(exchange) { _ in proceed(admitted) }
        }
    }

    private func openEvents(_ name: String, _ admitted: AdmittedStream, _ exchange: Exchange) {
        do throws(StreamName.Fault) {
            let name = try StreamName(name, tag: exchange.target.parameter("tag"), for: admitted.principal)
            startAnswer(exchange, status: .ok, length: .untilClose) { bytes in
                bytes.writeStaticString("Content-Type: text/event-stream; charset=utf-8\r\n")
                bytes.writeStaticString("Cache-Control: private, no-store\r\nX-Accel-Buffering: no\r\n")
            }
            writer.text(":)\n")
            hand(over: exchange, to: EventStream(loop: loop, admitted: admitted, name: name))
        } catch {
            answer(ClientConnection.problem(for: error), to: exchange)
        }
    }

    private func openWebSocket(
        _ handshake: WebSocketHandshake,
        _ admitted: AdmittedStream,
        _ exchange: Exchange
    ) {
        var first: Result<StreamName, StreamName.Fault>?
        if let name = exchange.target.parameter("stream") {
            do throws(StreamName.Fault) {
                first = .success(try StreamName(name, tag: exchange.target.parameter("tag"), for: admitted.principal))
            } catch {
                // One that is not there is told on the socket, which may be shared with others that are.
                guard error == .unknown || error == .missingTag else {
                    return answer(ClientConnection.problem(for: error), to: exchange)
                }
                first = .failure(error)
            }
        }
        let session = StreamSession(loop: loop, admitted: admitted, first: first)
        let connection = WebSocketConnection(limits.webSocket, session: session, timekeeper: loop)
        upgrade(exchange, answer: handshake.answer(), to: connection)
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
