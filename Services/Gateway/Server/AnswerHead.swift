// SPDX-License-Identifier: Apache-2.0
// The head that every answer of HTTP has, a service's or the gateway's own.

import Domain
import Logging
import NIOCore
import NIOHTTP1
import Synchronization

extension ClientConnection {
    /// Writes the head of an answer.
    func startAnswer(
        _ exchange: Exchange,
        status: HTTPResponseStatus,
        length: AnswerLength,
        isOwn: Bool = true,
        fields: (inout ByteBuffer) -> Void
    ) {
        let framing = state.answerStarts(length, isStopping: dependencies.isStopping.load(ordering: .relaxed))
        exchange.body.sent(keeping: false)
        exchange.status = Int(status.code)
        if output.capacity == 0 { output = loop.buffer() }
        output.writeStaticString("HTTP/1.1 ")
        output.writeString(String(status.code))
        output.writeStaticString(" ")
        output.writeString(status.reasonPhrase)
        output.writeStaticString("\r\n")
        fields(&output)
        switch framing.field {
        case .none: break
        case .chunked: output.writeStaticString("Transfer-Encoding: chunked\r\n")
        case .length(let count):
            output.writeStaticString("Content-Length: ")
            output.writeString(String(count))
            output.writeStaticString("\r\n")
        }
        output.writeStaticString("X-Request-Id: ")
        output.writeString(exchange.requestID)
        output.writeStaticString("\r\n")
        if let budget = exchange.budget { write(budget) }
        if exchange.route?.isPage != true, exchange.head.headers.contains(name: "origin") {
            dependencies.headers.writeShared(&output)
        }
        dependencies.headers.writeSecurity(&output, isOwn: isOwn)
        if !framing.keepsAlive {
            output.writeStaticString("Connection: close\r\n")
        } else if framing.namesKeptConnection {
            output.writeStaticString("Connection: keep-alive\r\n")
        }
        output.writeStaticString("\r\n")
    }

    private func write(_ budget: Budget) {
        output.writeStaticString("X-RateLimit-Limit: ")
        output.writeString(String(budget.limit))
        output.writeStaticString("\r\nX-RateLimit-Remaining: ")
        output.writeString(String(budget.remaining))
        output.writeStaticString("\r\nX-RateLimit-Reset: ")
        output.writeString(loop.text(ofReset: budget.reset))
        output.writeStaticString("\r\n")
    }

    /// The access log and the count of requests.
    func account(_ exchange: Exchange) {
        loop.count(route: exchange.routeIndex, status: exchange.status)
        guard dependencies.config.logsAccess, dependencies.logger.logLevel <= .info else { return }
        dependencies.logger.info(
            "request",
            metadata: [
                "method": "\(exchange.head.method.rawValue)", "path": "\(exchange.target.path)",
                "status": "\(exchange.status)", "ms": "\(loop.monotonic - exchange.started)",
                "bytes": "\(exchange.bytesOut)", "request_id": "\(exchange.requestID)",
                "account": "\(exchange.principal?.accountID?.description ?? "-")",
                "address": "\(address(of: exchange).text)",
            ]
        )
    }
}
