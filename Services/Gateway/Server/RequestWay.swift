// SPDX-License-Identifier: Apache-2.0
// The way of a request until somebody has it: route, authenticate, limit.

import Domain
import HTTPTypes
import NIOHTTP1
import Surface
import Web

extension ClientConnection {
    func start(_ exchange: Exchange) {
        let table = face == .clients ? dependencies.routes : dependencies.adminRoutes
        let head = exchange.head
        let match = table.match(head.method, exchange.target.path)
        if case .route(let index) = match {
            exchange.route = table.routes[index]
            exchange.mayBringFiles = table.routes[index].form != nil
            if table.routes[index].takesUpload || exchange.mayBringFiles { state.takesUpload() }
        }
        if case .length(let length) = exchange.framing, length > exchange.mostBody(limits) {
            return refuse(.bodyTooLarge)
        }
        switch match {
        case .none:
            if head.method == .OPTIONS { return answerOptions(exchange, allowed: []) }
            exchange.dialect = dependencies.dialects.owner(of: exchange.target.path)
            answer(.notFound, to: exchange)
        case .methods(let allowed):
            if head.method == .OPTIONS { return answerOptions(exchange, allowed: allowed) }
            exchange.dialect = dependencies.dialects.owner(of: exchange.target.path)
            var problem = Problem(.methodNotAllowed, "method-not-allowed")
            problem.headers[.allow] = ClientConnection.list(allowed)
            answer(problem, to: exchange)
        case .route(let index):
            let route = table.routes[index]
            if head.method == .OPTIONS, head.headers.contains(name: "access-control-request-method") {
                return answerOptions(exchange, allowed: [])
            }
            if face == .clients { exchange.routeIndex = index }
            switch route.destination {
            case .local(let local):
                exchange.dialect = dependencies.dialects.owner(of: exchange.target.path)
                answer(local, to: exchange)
            case .stream(let stream): open(stream, exchange)
            case .dialect(let line): serve(dependencies.dialects.lines[line], exchange)
            case .joined(let endpoint): serve(endpoint.line, exchange)
            case .socketIO: serveSocketIO(exchange)
            case .service(let service):
                exchange.service = service
                authenticate(exchange, token: Token.bearer(head.headers)) { self.forward(exchange) }
            }
        }
    }

    // MARK: Whose request it is

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
            guard let self, self.isOpen(exchange) else { return }
            self.judged(verdict, exchange, then: proceed)
            self.flush()
        }
    }

    private func judged(_ verdict: Verdict, _ exchange: Exchange, then proceed: () -> Void) {
        switch verdict {
        case .valid(let principal):
            exchange.principal = principal
            limit(exchange, then: proceed)
        case .invalid: limit(exchange) { self.answer(.invalidToken, to: exchange) }
        case .unavailable(let failure): answer(Problem(failure, of: .auth), to: exchange)
        }
    }

    // MARK: Budgets

    private func limit(_ exchange: Exchange, then proceed: () -> Void) {
        let budget = dependencies.limiter.take(
            exchange.route?.rate ?? .free,
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
}
