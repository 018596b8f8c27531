// SPDX-License-Identifier: Apache-2.0
// Answers as bytes: a service's passed on, or the gateway's own.

import Domain
import HTTPTypes
import Logging
import NIOCore
import NIOHTTP1
import ServiceKit
import Surface
import Synchronization
import Web

extension ClientConnection {
    enum AnswerLength {
        /// No body by definition, and no length.
        case empty
        case known(Int)
        /// Told by chunks, or to an old client by the connection's end.
        case unknown
        /// Told by the connection's end.
        case untilClose
    }

    /// Writes the head of an answer.
    func startAnswer(
        _ exchange: Exchange,
        status: HTTPResponseStatus,
        length: AnswerLength,
        isOwn: Bool = true,
        fields: (inout ByteBuffer) -> Void
    ) {
        exchange.answerStarted = true
        exchange.replay = nil
        exchange.status = Int(status.code)
        if exchange.remainingBody > Exchange.replayLimit { exchange.keepsAlive = false }
        if dependencies.isStopping.load(ordering: .relaxed) { exchange.keepsAlive = false }
        var framing: StaticString = ""
        switch length {
        case .unknown:
            if exchange.head.version.minor >= 1 {
                exchange.answerIsChunked = !exchange.wantsNoBody
                framing = "Transfer-Encoding: chunked\r\n"
            } else {
                exchange.keepsAlive = false
            }
        case .untilClose: exchange.keepsAlive = false
        case .empty, .known: break
        }
        if output.capacity == 0 { output = loop.buffer() }
        output.writeStaticString("HTTP/1.1 ")
        output.writeString(String(status.code))
        output.writeStaticString(" ")
        output.writeString(status.reasonPhrase)
        output.writeStaticString("\r\n")
        fields(&output)
        output.writeStaticString(framing)
        if case .known(let count) = length {
            output.writeStaticString("Content-Length: ")
            output.writeString(String(count))
            output.writeStaticString("\r\n")
        }
        output.writeStaticString("X-Request-Id: ")
        output.writeString(exchange.requestID)
        output.writeStaticString("\r\n")
        if let budget = exchange.budget { write(budget) }
        if !exchange.isPage, exchange.head.headers.contains(name: "origin") {
            dependencies.headers.writeShared(&output)
        }
        dependencies.headers.writeSecurity(&output, isOwn: isOwn)
        if !exchange.keepsAlive {
            output.writeStaticString("Connection: close\r\n")
        } else if exchange.head.version.minor == 0 {
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

    // MARK: The gateway's own

    /// Answers at once with a whole body.
    func answer(
        _ status: HTTPResponseStatus,
        type: String,
        body: ByteBuffer,
        fields: String = "",
        to exchange: Exchange
    ) {
        startAnswer(exchange, status: status, length: .known(body.readableBytes)) { bytes in
            bytes.writeString("Content-Type: \(type)\r\n")
            bytes.writeString(fields)
        }
        if !exchange.wantsNoBody {
            output.writeImmutableBuffer(body)
            exchange.bytesOut += body.readableBytes
        }
        finished(exchange)
    }

    func answer(_ problem: Problem, to exchange: Exchange) {
        if exchange.isBuddyBuddy { return tell(failure(problem, exchange), to: exchange) }
        if let cause = problem.cause {
            dependencies.logger.warning(
                "no answer from a service",
                metadata: ["request_id": "\(exchange.requestID)", "cause": "\(cause)"]
            )
        }
        let language = Language(acceptLanguage: exchange.head.headers.first(name: "accept-language"))
        let answer = problem.answer(language: language, requestID: exchange.requestID)
        dropUpstream(exchange)
        let status = HTTPResponseStatus(statusCode: answer.status.code, reasonPhrase: answer.status.reasonPhrase)
        startAnswer(exchange, status: status, length: .known(answer.body.count)) { bytes in
            for field in answer.headers where field.name != .contentLength {
                let name = field.name.rawName
                guard Forward.passesBack(name) else { continue }
                bytes.writeString("\(name): \(field.value)\r\n")
            }
        }
        if !exchange.wantsNoBody {
            output.writeBytes(answer.body)
            exchange.bytesOut += answer.body.count
        }
        finished(exchange)
    }

    /// Answers a request that cannot be understood, and trusts nothing that follows on the connection.
    func refuse(_ fault: RequestFault, head: HTTPRequestHead? = nil) {
        if let exchange, exchange.answerStarted {
            dropUpstream(exchange)
            context?.close(promise: nil)
            return
        }
        if let exchange { dropUpstream(exchange) }
        let problem: Problem =
            switch fault {
            case .malformed(let place): .badRequest("\(place)")
            case .targetTooLong: Problem(.uriTooLong, "uri-too-long")
            case .headersTooLarge: Problem(.requestHeaderFieldsTooLarge, "headers-too-large")
            case .bodyTooLarge: Problem(.contentTooLarge, "body-too-large")
            case .unsupportedExpectation: Problem(.expectationFailed, "expectation-failed")
            }
        let head = head ?? exchange?.head ?? HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
        guard let target = RequestTarget("/") else { return }
        let refused = Exchange(
            head: head,
            target: target,
            framing: .chunked,
            started: loop.monotonic,
            requestID: exchange?.requestID ?? loop.newRequestID()
        )
        refused.keepsAlive = false
        exchange = refused
        answer(problem, to: refused)
    }

    // MARK: A service's

    func upstreamHead(_ head: HTTPResponseHead) {
        guard let exchange, !exchange.answerStarted else { return }
        let length: AnswerLength
        if head.status.code == 204 || head.status.code == 304 {
            length = .empty
        } else if let count = head.headers.first(name: "content-length").flatMap(Int.init), count >= 0 {
            length = .known(count)
        } else {
            length = .unknown
        }
        var mayBeFramed = true
        // What is answered to somebody is for nobody else, unless the service knows better.
        var isPersonal = exchange.principal != nil
        startAnswer(exchange, status: head.status, length: length, isOwn: false) { bytes in
            for (name, value) in head.headers where Forward.passesBack(name) {
                if Forward.same(name, "x-frame-options") { mayBeFramed = false }
                if Forward.same(name, "cache-control") { isPersonal = false }
                // The gateway's own stand for all.
                if Forward.same(name, "x-content-type-options") || Forward.same(name, "referrer-policy") { continue }
                bytes.writeString(name)
                bytes.writeStaticString(": ")
                bytes.writeString(value)
                bytes.writeStaticString("\r\n")
            }
            if mayBeFramed { bytes.writeStaticString("X-Frame-Options: DENY\r\n") }
            if isPersonal { bytes.writeStaticString("Cache-Control: private, no-store\r\n") }
        }
        observe(exchange)
    }

    func upstreamBody(_ bytes: ByteBuffer) {
        guard let exchange, !exchange.wantsNoBody, bytes.readableBytes > 0 else { return }
        exchange.bytesOut += bytes.readableBytes
        if exchange.answerIsChunked {
            output.writeString(String(bytes.readableBytes, radix: 16))
            output.writeStaticString("\r\n")
        }
        if bytes.readableBytes <= 16 * 1024 || output.readableBytes > 0 && bytes.readableBytes <= 32 * 1024 {
            output.writeImmutableBuffer(bytes)
        } else {
            if output.readableBytes > 0 { context?.write(wrapOutboundOut(output), promise: nil) }
            output = ByteBuffer()
            context?.write(wrapOutboundOut(bytes), promise: nil)
        }
        if exchange.answerIsChunked { output.writeStaticString("\r\n") }
        if output.readableBytes > 64 * 1024 { flush() }
        noteHeldAnswer()
    }

    func upstreamEnd() {
        guard let exchange else { return }
        if exchange.answerIsChunked { output.writeStaticString("0\r\n\r\n") }
        exchange.connection = nil
        finished(exchange)
    }

    func upstreamPaused() { flush() }

    // MARK: Accounts

    private func observe(_ exchange: Exchange) {
        guard let service = exchange.service else { return }
        dependencies.latencies[service.index].observe(.milliseconds(loop.monotonic - exchange.started))
    }

    /// The access log and the count of requests.
    func account(_ exchange: Exchange) {
        loop.count(route: exchange.route, status: exchange.status)
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
