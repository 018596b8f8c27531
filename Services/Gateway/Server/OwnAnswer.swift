// SPDX-License-Identifier: Apache-2.0
// Answers that the gateway gives itself: whole, at once. And what is noted of every answer.

import Domain
import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1
import ServiceKit
import Synchronization
import Web

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
        let reset = exchange.budget.map { loop.text(ofReset: $0.reset) }
        writer.head(
            status,
            framing,
            of: exchange,
            date: loop.date,
            reset: reset,
            isOwn: isOwn,
            fields: fields
        )
    }

    /// Answers at once with a whole body.
    ///
    /// - Parameter fields: further lines of the head, each with its end.
    func answer(
        _ status: HTTPResponseStatus,
        type: String,
        body: ByteBuffer,
        fields: String = "",
        to exchange: Exchange
    ) {
        answer(status, body: body, to: exchange) { bytes in
            bytes.writeString("Content-Type: \(type)\r\n")
            bytes.writeString(fields)
        }
    }

    func answer(_ problem: Problem, to exchange: Exchange) {
        log(problem, of: exchange)
        if wantsPage(exchange) { return showPage(of: problem, to: exchange) }
        if let dialect = exchange.dialect {
            return tell(dialect.answer(to: problem, headers: exchange.head.headers), to: exchange)
        }
        let language = Language(acceptLanguage: exchange.head.headers.first(name: "accept-language"))
        let answer = problem.answer(language: language, requestID: exchange.requestID)
        dropUpstream(exchange)
        let status = HTTPResponseStatus(statusCode: answer.status.code, reasonPhrase: answer.status.reasonPhrase)
        self.answer(status, body: ByteBuffer(bytes: answer.body), to: exchange) { bytes in
            for field in answer.headers where field.name != .contentLength {
                let name = field.name.rawName
                guard Forward.passesBack(name.utf8) else { continue }
                bytes.writeString("\(name): \(field.value)\r\n")
            }
        }
    }

    /// Says why a service gave no answer.
    func log(_ problem: Problem, of exchange: Exchange) {
        guard let cause = problem.cause else { return }
        dependencies.logger.warning(
            "no answer from a service",
            metadata: ["request_id": "\(exchange.requestID)", "cause": "\(cause)"]
        )
    }

    /// - Parameter isOwn: whether it carries the gateway's own policy for browsers.
    func answer(
        _ status: HTTPResponseStatus,
        body: ByteBuffer,
        isOwn: Bool = true,
        to exchange: Exchange,
        fields: (inout ByteBuffer) -> Void
    ) {
        startAnswer(exchange, status: status, length: .known(body.readableBytes), isOwn: isOwn, fields: fields)
        if !exchange.wantsNoBody {
            writer.whole(body)
            exchange.bytesOut += body.readableBytes
        }
        finished(exchange)
    }

    func answerOptions(_ exchange: Exchange, allowed: [HTTPMethod]) {
        let asked = exchange.head.headers
        startAnswer(exchange, status: .noContent, length: .empty) { bytes in
            if asked.contains(name: "access-control-request-method") {
                let wanted = asked.first(name: "access-control-request-headers")
                dependencies.headers.writePreflight(&bytes, wanted: wanted)
            } else if !allowed.isEmpty {
                bytes.writeString("Allow: \(ClientConnection.list(allowed))\r\n")
            }
        }
        finished(exchange)
    }

    /// Methods as `Allow` names them.
    static func list(_ methods: [HTTPMethod]) -> String {
        var names = methods.filter { $0 != .OPTIONS }.map(\.rawValue)
        if methods.contains(.GET) { names.append("HEAD") }
        names.append("OPTIONS")
        return names.joined(separator: ", ")
    }

    /// The access log and the count of requests.
    func account(_ exchange: Exchange) {
        loop.count(route: exchange.routeIndex, status: exchange.status)
        guard dependencies.config.logsAccess else { return }
        dependencies.logger.line(.info, "request") { line in
            line.member("account", exchange.principal?.accountID?.description ?? "-")
            line.member("address", address(of: exchange).text)
            line.member("bytes", Int64(exchange.bytesOut))
            line.member("method", exchange.head.method.rawValue)
            line.member("ms", loop.monotonic - exchange.started)
            line.member("path", exchange.target.path)
            line.member("request_id", exchange.requestID)
            line.member("status", Int64(exchange.status))
        }
    }
}
