// SPDX-License-Identifier: Apache-2.0
// The way of a request: route, authenticate, limit, forward.

import Domain
import HTTPTypes
import NIOCore
import NIOHTTP1
import Surface
import Web

extension ClientConnection {
    func start(_ exchange: Exchange) {
        if exchange.head.headers.contains(name: "upgrade") { exchange.keepsAlive = false }
        let table = face == .clients ? dependencies.routes : dependencies.adminRoutes
        switch table.match(exchange.head.method, exchange.target.path) {
        case .none:
            exchange.isBuddyBuddy = BuddyBuddyRoutes.owns(exchange.target.path)
            if exchange.head.method == .OPTIONS { return answerOptions(exchange, allowed: []) }
            answer(.notFound, to: exchange)
        case .methods(let allowed):
            if exchange.head.method == .OPTIONS { return answerOptions(exchange, allowed: allowed) }
            exchange.isBuddyBuddy = BuddyBuddyRoutes.owns(exchange.target.path)
            exchange.allowed = allowed
            var problem = Problem(.methodNotAllowed, "method-not-allowed")
            problem.headers[.allow] = ClientConnection.list(allowed)
            answer(problem, to: exchange)
        case .route(let index):
            let route = table.routes[index]
            exchange.route = face == .clients ? index : -1
            exchange.rate = route.rate
            exchange.isPage = route.isPage
            exchange.isKeyed = route.isKeyed
            exchange.isCostly = route.isCostly
            switch route.destination {
            case .local(let local): answer(local, to: exchange)
            case .stream(let stream): open(stream, exchange)
            case .buddyBuddy(let index): translate(index, exchange)
            case .socketIO: serveSocketIO(exchange)
            case .service(let service):
                exchange.service = service
                authenticate(exchange, token: Token.bearer(exchange.head.headers)) {
                    self.whenSmallBodyIsRead(exchange) { self.takeTurn(exchange) }
                }
            }
        }
    }

    var client: ClientAddress { address(of: exchange) }

    func address(of exchange: Exchange?) -> ClientAddress {
        let proxies = dependencies.config.trustedProxies
        guard let exchange else { return peer }
        guard proxies.contains(peer) else {
            if exchange.head.headers.contains(name: "x-forwarded-for") {
                dependencies.proxyWarning.note(peer, dependencies.logger, now: dependencies.now().milliseconds)
            }
            return peer
        }
        return proxies.client(of: peer, forwarded: exchange.head.headers["x-forwarded-for"])
    }

    private var scheme: String {
        let proxies = dependencies.config.trustedProxies
        if !proxies.isEmpty, proxies.contains(peer),
            let told = exchange?.head.headers.first(name: "x-forwarded-proto"), told == "http" || told == "https"
        {
            return told
        }
        return dependencies.config.site.origin.hasPrefix("https://") ? "https" : "http"
    }

    // MARK: Authenticate

    /// Goes on when the token is good or there is none, and the budget is not used up.
    func authenticate(_ exchange: Exchange, token: String?, then proceed: @escaping () -> Void) {
        guard let token else { return limit(exchange, then: proceed) }
        guard Token.isPlausible(token) else { return judged(.invalid, exchange, then: proceed) }
        if let verdict = loop.authenticator.known(token) { return judged(verdict, exchange, then: proceed) }
        if let budget = dependencies.limiter.isExhausted(client, now: dependencies.now().milliseconds) {
            exchange.budget = budget
            return answerTooMany(exchange, budget)
        }
        loop.authenticator.ask(token) { [weak self] verdict in
            guard let self, self.exchange === exchange, !exchange.answerStarted else { return }
            self.judged(verdict, exchange, then: proceed)
            self.flush()
        }
    }

    private func judged(_ verdict: Verdict, _ exchange: Exchange, then proceed: @escaping () -> Void) {
        switch verdict {
        case .valid(let principal):
            exchange.principal = principal
            limit(exchange, then: proceed)
        case .invalid:
            limit(exchange) { self.answer(ClientConnection.invalidToken, to: exchange) }
        case .unavailable(let failure): answer(ClientConnection.problem(for: failure, of: .auth), to: exchange)
        }
    }

    static var invalidToken: Problem {
        var problem = Problem(
            .unauthorized,
            "invalid-token",
            detail: [
                .english: "The access token is invalid", .korean: "액세스 토큰이 올바르지 않습니다",
                .japanese: "アクセストークンが正しくありません",
            ]
        )
        problem.headers[.wwwAuthenticate] =
            #"Bearer realm="Madang", error="invalid_token", error_description="The access token is invalid""#
        return problem
    }

    // MARK: Rate limit

    private func limit(_ exchange: Exchange, then proceed: () -> Void) {
        let budget = dependencies.limiter.take(
            exchange.rate,
            account: exchange.principal?.accountID?.rawValue,
            address: client,
            now: dependencies.now().milliseconds
        )
        exchange.budget = budget
        if let budget, !budget.isAllowed { return answerTooMany(exchange, budget) }
        proceed()
    }

    /// Goes on when the address may open another connection.
    func limitConnections(_ exchange: Exchange, then proceed: () -> Void) {
        let now = dependencies.now().milliseconds
        let budget = dependencies.limiter.take(.connection, account: nil, address: client, now: now)
        if let budget, !budget.isAllowed { return answerTooMany(exchange, budget) }
        proceed()
    }

    private func answerTooMany(_ exchange: Exchange, _ budget: Budget) {
        let wait = max(1000, budget.reset - dependencies.now().milliseconds)
        answer(.tooMany(retryAfter: .milliseconds(wait)), to: exchange)
    }

    // MARK: Forward

    /// No service waits for a slow client: a small body is read first, of a large one as much as may be sent again.
    private func whenSmallBodyIsRead(_ exchange: Exchange, _ proceed: @escaping () -> Void) {
        exchange.isAccepted = true
        let isEnough = exchange.requestIsComplete || exchange.framing == .none
        guard !isEnough, exchange.bodyBytes < Exchange.replayLimit else { return proceed() }
        let begin = { [weak exchange] in
            exchange?.atEnd = nil
            exchange?.atTooLong = nil
            proceed()
        }
        exchange.atEnd = begin
        exchange.atTooLong = (Exchange.replayLimit - 1, begin)
        resumeReading()
    }

    /// What is costly goes on when the account has not too much of it under way.
    private func takeTurn(_ exchange: Exchange) {
        guard exchange.isCostly else { return forward(exchange) }
        let holder: CostlyHolder =
            exchange.principal?.accountID.map { .account($0.rawValue) } ?? .address(client.network)
        let eventLoop = loop.eventLoop
        let bound = NIOLoopBound((self, exchange), eventLoop: eventLoop)
        let place = dependencies.costly.enter(holder) {
            eventLoop.execute { bound.value.0.turnHasCome(bound.value.1) }
        }
        guard let place else { return answer(.tooMany(retryAfter: .seconds(1)), to: exchange) }
        exchange.costly = place
        if place.isWaiting { exchange.costlySince = loop.monotonic } else { forward(exchange) }
    }

    private func turnHasCome(_ exchange: Exchange) {
        guard self.exchange === exchange, exchange.costlySince != nil, !exchange.answerStarted else { return }
        exchange.costlySince = nil
        forward(exchange)
        flush()
    }

    private func forward(_ exchange: Exchange, fresh: Bool = false) {
        guard let service = exchange.service else { return }
        let mayRepeat = exchange.isIdempotent && exchange.replay != nil
        exchange.ticket = loop.pool(service).acquire(self, fresh: fresh, mayRepeat: mayRepeat)
    }

    /// Whether the request may be sent once more, to another connection.
    private func retries(_ exchange: Exchange, after failure: UpstreamFailure, wasReused: Bool) -> Bool {
        guard failure == .closed, wasReused, !exchange.isRetried, !exchange.answerStarted, exchange.isIdempotent,
            let replay = exchange.replay
        else { return false }
        exchange.isRetried = true
        exchange.unsent = replay
        exchange.unsentBytes = exchange.bodyBytes
        return true
    }

    static func list(_ methods: [HTTPMethod]) -> String {
        var names = methods.map(\.rawValue)
        if methods.contains(.GET) { names.append("HEAD") }
        names.append("OPTIONS")
        return names.joined(separator: ", ")
    }

    private func answerOptions(_ exchange: Exchange, allowed: [HTTPMethod]) {
        let headers = exchange.head.headers
        if headers.contains(name: "access-control-request-method") {
            startAnswer(exchange, status: .noContent, length: .empty) { bytes in
                self.dependencies.headers.writePreflight(
                    &bytes,
                    wanted: headers.first(name: "access-control-request-headers")
                )
            }
        } else {
            startAnswer(exchange, status: .noContent, length: .empty) { bytes in
                if !allowed.isEmpty { bytes.writeString("Allow: \(ClientConnection.list(allowed))\r\n") }
            }
        }
        finished(exchange)
    }
}

extension ClientConnection: UpstreamReceiver {
    func upstreamReady(_ connection: UpstreamConnection) {
        guard let exchange, let service = exchange.service, !exchange.answerStarted else { return connection.cancel() }
        exchange.ticket = nil
        exchange.connection = connection
        let additions = Forward.Additions(
            principal: exchange.principal?.statement(for: service),
            requestID: exchange.requestID,
            traceparent: traceparent(of: exchange),
            clientAddress: client.text,
            scheme: scheme,
            length: length(of: exchange),
            hasBody: exchange.framing != .none
        )
        connection.send(Forward.request(exchange.head, target: exchange.target, to: service, additions))
        for bytes in exchange.unsent { connection.send(bytes) }
        exchange.unsent = []
        exchange.unsentBytes = 0
        if exchange.requestIsComplete { connection.sendEnd() } else { connection.flush() }
        resumeReading()
    }

    func traceparent(of exchange: Exchange) -> String {
        if let outside = exchange.head.headers.first(name: "traceparent"), Traceparent.isValid(outside) {
            return outside
        }
        return "00-\(exchange.requestID)-\(loop.newSpanID())-01"
    }

    private func length(of exchange: Exchange) -> Int? {
        switch exchange.framing {
        case .length(let length): length
        case .chunked: nil
        case .none: exchange.head.method == .GET || exchange.head.method == .HEAD ? nil : 0
        }
    }

    func upstreamFailed(_ failure: UpstreamFailure) {
        guard let exchange else { return }
        let wasReused = exchange.connection?.isReused ?? false
        exchange.connection = nil
        exchange.ticket = nil
        if exchange.answerStarted {
            // Half an answer: only the connection's end tells the client so.
            context?.close(promise: nil)
        } else if retries(exchange, after: failure, wasReused: wasReused) {
            forward(exchange, fresh: true)
        } else {
            answer(ClientConnection.problem(for: failure, of: exchange.service ?? .posts), to: exchange)
        }
    }

    func upstreamWritable() { resumeReading() }

    /// Ahead of the client by a bound, so that the service is soon free for others.
    var upstreamMayRead: Bool {
        guard let context, !context.channel.isWritable else { return true }
        return heldAnswer < limits.answerHold && loop.heldAnswers < limits.answersHeld
    }

    /// What a client is told for whom there is no room: those whom it is their own doing may wait a little longer.
    static func problem(for refusal: ConnectionBudget.Refusal) -> Problem {
        switch refusal {
        case .full:
            var problem = Problem.unavailable(cause: "no room for another connection")
            problem.headers[.retryAfter] = "2"
            return problem
        case .address, .account: return .tooMany(retryAfter: .seconds(5))
        }
    }

    static func problem(for failure: UpstreamFailure, of service: ServiceName) -> Problem {
        let cause = "\(service.rawValue): \(failure)"
        switch failure {
        case .refused(let retryAfter):
            var problem = Problem.unavailable(cause: cause)
            problem.headers[.retryAfter] = String(max(1, (retryAfter + 999) / 1000))
            return problem
        case .unreachable:
            var problem = Problem.unavailable(cause: cause)
            problem.headers[.retryAfter] = "1"
            return problem
        case .closed, .broken:
            var problem = Problem(.badGateway, "bad-gateway", cause: cause)
            problem.headers[.retryAfter] = "1"
            return problem
        case .timedOut:
            var problem = Problem(.gatewayTimeout, "gateway-timeout", cause: cause)
            problem.headers[.retryAfter] = "5"
            return problem
        }
    }
}

/// The `traceparent` of W3C Trace Context, version 00.
enum Traceparent {
    static func isValid(_ text: String) -> Bool {
        guard text.utf8.count == 55 else { return false }
        var index = 0
        var trace = false
        var span = false
        for byte in text.utf8 {
            switch index {
            case 0, 1: guard byte == UInt8(ascii: "0") else { return false }
            case 2, 35, 52: guard byte == UInt8(ascii: "-") else { return false }
            default:
                guard (48...57).contains(byte) || (97...102).contains(byte) else { return false }
                if byte != 48 {
                    if index < 35 { trace = true } else if index < 52 { span = true }
                }
            }
            index += 1
        }
        return trace && span
    }
}
