// SPDX-License-Identifier: Apache-2.0
// The way of a request that is answered by asking services: read it whole, run its work, answer.

import Domain
import HTTPTypes
import NIOCore
import NIOHTTP1
import ServiceKit
import Surface
import Web

enum WorkLimits {
    /// Octets of a body that is read. Less than what a connection keeps by itself.
    static let body = 60 * 1024
    /// Octets of a service's answer: 200 messages of the greatest length.
    static let answer = 4 << 20
    /// Requests to services for one request.
    static let calls = 6
}

extension ClientConnection {
    func serve(_ line: WorkLine, _ exchange: Exchange) {
        exchange.dialect = line.dialect
        if case .length(let length) = exchange.framing, length > WorkLimits.body, !exchange.mayBringFiles {
            return answer(Problem(.bodyTooLarge), to: exchange)
        }
        let token = line.token(exchange.head.headers, exchange.target)
        guard line.takesRefreshTokens else { return serve(line, exchange, token: token) }
        findAccessToken(token ?? "", exchange) { self.serve(line, exchange, token: $0) }
    }

    private func serve(_ line: WorkLine, _ exchange: Exchange, token: String?) {
        authenticate(exchange, token: token) {
            do {
                try line.require(exchange.principal)
            } catch {
                return self.refuse(with: error, exchange)
            }
            self.read(exchange, upTo: WorkLimits.body) { isWhole in
                self.takeFiles(exchange, isWhole: isWhole) {
                    guard isWhole || exchange.rest != nil else {
                        return self.answer(Problem(.bodyTooLarge), to: exchange)
                    }
                    self.takeTurn(exchange) { self.run(line, exchange) }
                }
            }
        }
    }

    /// Runs the work as a task on this event loop.
    private func run(_ line: WorkLine, _ exchange: Exchange) {
        state.accepts()
        var body = ByteBuffer()
        for part in exchange.body.unsent { body.writeImmutableBuffer(part) }
        exchange.body.sent(keeping: false)
        var headers = exchange.head.headers
        if exchange.rest != nil { headers.replaceOrAdd(name: "content-type", value: RestOfForm.type) }
        let bound = NIOLoopBound((connection: self, exchange: exchange), eventLoop: loop.eventLoop)
        let request = WorkRequest(
            names: RequestTarget.names(in: exchange.target.path, of: line.path),
            headers: headers,
            body: Array(body.readableBytesView),
            target: exchange.target,
            principal: exchange.principal,
            site: dependencies.config.site,
            language: line.language(of: exchange.head.headers),
            appleEnvironment: dependencies.config.appleEnvironment,
            askService: { call in
                try await withCheckedThrowingContinuation { continuation in
                    let (connection, exchange) = bound.value
                    connection.ask(call, line, exchange) { continuation.resume(with: $0) }
                }
            }
        )
        Task(executorPreference: loop.tasks) {
            let outcome: Result<WorkAnswer, any Error>
            do {
                outcome = .success(try await line.run(request))
            } catch {
                outcome = .failure(error)
            }
            let (connection, exchange) = bound.value
            // The client may have left meanwhile.
            guard connection.isOpen(exchange) else { return }
            switch outcome {
            case .success(let answer): connection.tell(answer, to: exchange)
            case .failure(let error): connection.refuse(with: error, exchange)
            }
        }
    }

    private func refuse(with error: any Error, _ exchange: Exchange) {
        if let dialect = exchange.dialect {
            return tell(dialect.answer(to: error, headers: exchange.head.headers), to: exchange)
        }
        if let refusal = error as? ServiceRefusal { return tell(refusal.answer, to: exchange) }
        let problem =
            error as? Problem ?? Problem(.internalServerError, "internal", cause: String(reflecting: error))
        answer(problem, to: exchange)
    }

    func tell(_ answer: WorkAnswer, to exchange: Exchange) {
        dropUpstream(exchange)
        if let file = answer.file {
            guard let target = RequestTarget(file) else { return self.answer(.notFound, to: exchange) }
            exchange.shownFile = target
            exchange.service = .media
            send(exchange)
            return flush()
        }
        var fields = ""
        for (name, value) in answer.fields where !value.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            fields += "\(name): \(value)\r\n"
        }
        self.answer(
            HTTPResponseStatus(statusCode: answer.status),
            type: answer.type,
            body: ByteBuffer(bytes: answer.body),
            fields: fields,
            to: exchange
        )
    }

    // MARK: Services

    /// - Parameter completion: called once, with an error when the client has left meanwhile.
    private func ask(
        _ call: ServiceCall,
        _ line: WorkLine,
        _ exchange: Exchange,
        _ completion: @escaping (Result<ServiceAnswer, any Error>) -> Void
    ) {
        let language = line.language(of: exchange.head.headers)
        exchange.calls += 1
        guard exchange.calls <= WorkLimits.calls else {
            return completion(.failure(Problem(.broken, of: call.service)))
        }
        switch call.identity {
        case .caller:
            send(call, principal: exchange.principal?.statement(for: call.service), language, exchange, completion)
        case .gateway: send(call, principal: nil, language, exchange, completion)
        case .token(let token):
            loop.authenticator.ask(token) { verdict in
                switch verdict {
                case .valid(let principal):
                    self.send(call, principal: principal.statement(for: call.service), language, exchange, completion)
                case .invalid: completion(.failure(Problem.invalidToken))
                case .unavailable(let failure): completion(.failure(self.noted(failure, of: .auth, exchange)))
                }
            }
        }
    }

    private func send(
        _ call: ServiceCall,
        principal: String?,
        _ language: Language,
        _ exchange: Exchange,
        _ completion: @escaping (Result<ServiceAnswer, any Error>) -> Void
    ) {
        guard isOpen(exchange) else { return completion(.failure(CancellationError())) }
        let asked = loop.monotonic
        InternalCall.ask(
            loop.pool(call.service),
            request(for: call, principal: principal, language, exchange),
            body: ByteBuffer(bytes: call.body),
            answerLimit: WorkLimits.answer,
            mayRepeat: call.method == .GET || call.isKeyed
        ) { answer in
            if case .success = answer {
                self.dependencies.latencies[call.service.index].observe(.milliseconds(self.loop.monotonic - asked))
            }
            guard self.isOpen(exchange) else { return completion(.failure(CancellationError())) }
            switch answer {
            case .success(let answer): completion(.success(answer))
            case .failure(let failure): completion(.failure(self.noted(failure, of: call.service, exchange)))
            }
        }
    }

    private func request(
        for call: ServiceCall,
        principal: String?,
        _ language: Language,
        _ exchange: Exchange
    ) -> ServiceRequest {
        var secret: String?
        if case .gateway = call.identity { secret = dependencies.config.internalSecret(call.service) }
        let asked = exchange.head.headers
        return InternalCall.request(
            call.service,
            call.method,
            call.path,
            secret: secret,
            length: call.body.count,
            [
                ("accept", "application/json"),
                ("accept-language", language.rawValue),
                ("user-agent", asked.first(name: "user-agent")), ("x-madang-principal", principal),
                ("x-request-id", exchange.requestID), ("traceparent", traceparent(of: exchange)),
                ("x-forwarded-for", client.text), ("idempotency-key", call.isKeyed ? exchange.requestID : nil),
            ]
        )
    }

    /// Logs why a service gave no answer, and says what that is to the client.
    private func noted(_ failure: UpstreamFailure, of service: ServiceName, _ exchange: Exchange) -> Problem {
        let problem = Problem(failure, of: service)
        log(problem, of: exchange)
        return problem
    }
}

extension RequestTarget {
    /// The parts of a path where its pattern has names.
    fileprivate static func names(in path: String, of pattern: String) -> [String] {
        zip(pattern.split(separator: "/"), path.split(separator: "/")).compactMap { pattern, part in
            pattern.hasPrefix(":") ? PercentCoding.repaired(part.utf8) : nil
        }
    }
}
