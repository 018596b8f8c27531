// SPDX-License-Identifier: Apache-2.0
// The way of a request of Buddy Buddy: read it whole, ask our services step by step, answer in its words.

import Domain
import Logging
import NIOCore
import NIOHTTP1
import Surface
import Web

enum BuddyBuddyLimits {
    /// Octets of a body that is read; what is larger can only be a file. Less than what a connection keeps by itself.
    static let body = 60 * 1024
    /// Octets of a service's answer: 200 messages of the greatest length.
    static let answer = 4 << 20
    /// Requests to services for one request of the app.
    static let steps = 6
}

extension ClientConnection {
    func translate(_ index: Int, _ exchange: Exchange) {
        exchange.isBuddyBuddy = true
        guard BuddyBuddyRoutes.all.indices.contains(index) else { return answer(.notFound, to: exchange) }
        let route = BuddyBuddyRoutes.all[index]
        if case .length(let length) = exchange.framing, length > BuddyBuddyLimits.body { return refuseBody(exchange) }
        let begin = {
            self.whenWhole(exchange) { self.begin(route, exchange) }
        }
        guard route.needsAccount else { return authenticate(exchange, token: nil, then: begin) }
        authenticate(exchange, token: exchange.head.headers.first(name: "authorization").map(Token.bare) ?? "") {
            begin()
        }
    }

    /// Goes on with the whole body, or refuses one that is too long before it has come.
    private func whenWhole(_ exchange: Exchange, _ proceed: @escaping () -> Void) {
        exchange.isAccepted = true
        if exchange.requestIsComplete { return proceed() }
        if exchange.unsentBytes > BuddyBuddyLimits.body { return refuseBody(exchange) }
        exchange.atTooLong = (BuddyBuddyLimits.body, { self.refuseBody(exchange) })
        exchange.atEnd = proceed
        resumeReading()
    }

    private func refuseBody(_ exchange: Exchange) {
        exchange.atEnd = nil
        exchange.atTooLong = nil
        let type = exchange.head.headers.first(name: "content-type")?.lowercased() ?? ""
        let isUpload = type.hasPrefix("multipart/") || type.hasPrefix("image/")
        tell(
            isUpload ? .uploads : BuddyBuddyFailure(413, .badRequest, "body-too-large"),
            to: exchange
        )
    }

    private func begin(_ route: BuddyBuddyRoute, _ exchange: Exchange) {
        guard self.exchange === exchange, !exchange.answerStarted else { return }
        var body = ByteBuffer()
        for part in exchange.unsent { body.writeImmutableBuffer(part) }
        exchange.unsent = []
        exchange.unsentBytes = 0
        let request = BuddyBuddyRequest(
            names: BuddyBuddyRequest.names(in: exchange.target.path, of: route.path),
            target: exchange.target,
            headers: exchange.head.headers,
            body: Array(body.readableBytesView),
            principal: exchange.principal
        )
        proceed(exchange, asked: 0) { () throws(BuddyBuddyFailure) in try route.translate(request) }
    }

    private func proceed(
        _ exchange: Exchange,
        asked: Int,
        _ next: () throws(BuddyBuddyFailure) -> BuddyBuddyStep
    ) {
        do throws(BuddyBuddyFailure) {
            switch try next() {
            case .tell(let json): tell(json, to: exchange)
            case .ask(let call, let then):
                guard asked < BuddyBuddyLimits.steps else { throw .broken }
                ask(call, exchange) { [weak self] outcome in
                    // The client may have left meanwhile.
                    guard let self, self.exchange === exchange, !exchange.answerStarted else { return }
                    self.proceed(exchange, asked: asked + 1) { () throws(BuddyBuddyFailure) in
                        try then(outcome.get())
                    }
                    self.flush()
                }
            }
        } catch {
            tell(error, to: exchange)
        }
    }

    // MARK: Services

    private func ask(
        _ call: ServiceCall,
        _ exchange: Exchange,
        _ completion: @escaping (Result<ServiceAnswer, BuddyBuddyFailure>) -> Void
    ) {
        switch call.identity {
        case .caller: send(call, principal: exchange.principal?.statement(for: call.service), exchange, completion)
        case .gateway: send(call, principal: nil, exchange, completion)
        case .token(let token):
            loop.authenticator.ask(token) { verdict in
                switch verdict {
                case .valid(let principal):
                    self.send(call, principal: principal.statement(for: call.service), exchange, completion)
                case .invalid: completion(.failure(.tokenOver))
                case .unavailable(let failure):
                    completion(.failure(self.failure(ClientConnection.problem(for: failure, of: .auth), exchange)))
                }
            }
        }
    }

    private func send(
        _ call: ServiceCall,
        principal: String?,
        _ exchange: Exchange,
        _ completion: @escaping (Result<ServiceAnswer, BuddyBuddyFailure>) -> Void
    ) {
        guard self.exchange === exchange else { return }
        var headers = HTTPHeaders()
        headers.reserveCapacity(10)
        headers.add(name: "host", value: call.service.rawValue)
        headers.add(name: "accept", value: "application/json")
        for name in ["accept-language", "user-agent"] {
            if let value = exchange.head.headers.first(name: name) { headers.add(name: name, value: value) }
        }
        if let principal { headers.add(name: "x-madang-principal", value: principal) }
        if case .gateway = call.identity {
            headers.add(name: "x-madang-internal", value: dependencies.config.internalSecret(call.service))
        }
        headers.add(name: "x-request-id", value: exchange.requestID)
        headers.add(name: "traceparent", value: traceparent(of: exchange))
        headers.add(name: "x-forwarded-for", value: client.text)
        if call.isKeyed { headers.add(name: "idempotency-key", value: exchange.requestID) }
        if call.method != .GET { headers.add(name: "content-length", value: String(call.body.count)) }
        if !call.body.isEmpty { headers.add(name: "content-type", value: "application/json") }
        InternalCall.ask(
            loop.pool(call.service),
            HTTPRequestHead(version: .http1_1, method: call.method, uri: call.path, headers: headers),
            body: ByteBuffer(bytes: call.body),
            answerLimit: BuddyBuddyLimits.answer,
            mayRepeat: call.method == .GET || call.isKeyed
        ) { answer in
            switch answer {
            case .success(let answer): completion(.success(answer))
            case .failure(let failure):
                completion(
                    .failure(self.failure(ClientConnection.problem(for: failure, of: call.service), exchange))
                )
            }
        }
    }

    // MARK: Answers

    /// What the app is told of a problem; its cause is logged.
    func failure(_ problem: Problem, _ exchange: Exchange) -> BuddyBuddyFailure {
        if let cause = problem.cause {
            dependencies.logger.warning(
                "no answer from a service",
                metadata: ["request_id": "\(exchange.requestID)", "cause": "\(cause)"]
            )
        }
        let language = Language(acceptLanguage: exchange.head.headers.first(name: "accept-language"))
        return BuddyBuddyFailure(problem, language: language)
    }

    private func tell(_ json: [UInt8], to exchange: Exchange) {
        answer(
            .ok,
            type: "application/json; charset=utf-8",
            body: ByteBuffer(bytes: json),
            fields: "Cache-Control: private, no-store\r\n",
            to: exchange
        )
    }

    func tell(_ failure: BuddyBuddyFailure, to exchange: Exchange) {
        var fields = "Cache-Control: no-store\r\n"
        if let retryAfter = failure.retryAfter, Int(retryAfter) != nil { fields += "Retry-After: \(retryAfter)\r\n" }
        if !exchange.allowed.isEmpty { fields += "Allow: \(ClientConnection.list(exchange.allowed))\r\n" }
        dropUpstream(exchange)
        answer(
            HTTPResponseStatus(statusCode: failure.status),
            type: "application/json; charset=utf-8",
            body: ByteBuffer(bytes: failure.json),
            fields: fields,
            to: exchange
        )
    }
}

extension BuddyBuddyRequest {
    /// The parts of a path where its pattern has names.
    static func names(in path: String, of pattern: String) -> [String] {
        zip(pattern.split(separator: "/"), path.split(separator: "/")).compactMap { pattern, part in
            pattern.hasPrefix(":") ? PercentCoding.repaired(part.utf8) : nil
        }
    }
}

extension Token {
    /// The token with or without `Bearer` before it.
    static func bare(_ value: String) -> String {
        let scheme = value.utf8.prefix(7)
        guard scheme.count == 7, scheme.elementsEqual("bearer ".utf8, by: { $0 | 0x20 == $1 }) else { return value }
        return String(Substring(value.utf8.dropFirst(7).drop(while: { $0 == 0x20 })))
    }
}
