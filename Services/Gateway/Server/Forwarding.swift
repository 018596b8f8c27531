// SPDX-License-Identifier: Apache-2.0
// A request that a service answers: when it is sent, again perhaps, and given up.

import Domain
import NIOCore
import NIOHTTP1
import ServiceKit
import SocketIO
import Surface
import Web

extension ClientConnection: UpstreamReceiver {
    /// No service waits for a slow client: a small body is read first, of a large one as much as may be sent again.
    func forward(_ exchange: Exchange) {
        state.accepts()
        if case .none = exchange.framing { return takeTurn(exchange) { self.send(exchange) } }
        read(exchange, upTo: ExchangeState.replayLimit - 1) { isWhole in
            guard exchange.mayBringFiles else { return self.takeTurn(exchange) { self.send(exchange) } }
            self.takeFiles(exchange, isWhole: isWhole) { self.takeTurn(exchange) { self.send(exchange) } }
        }
    }

    /// What is costly goes on when the account has not too much of it under way.
    func takeTurn(_ exchange: Exchange, then proceed: @escaping () -> Void) {
        guard exchange.route?.isCostly == true else { return proceed() }
        let holder: CostlyHolder =
            exchange.principal?.accountID.map { .account($0.rawValue) } ?? .address(client.network)
        let eventLoop = loop.eventLoop
        let bound = NIOLoopBound((connection: self, exchange, proceed), eventLoop: eventLoop)
        let place = dependencies.costly.enter(holder) {
            eventLoop.execute {
                let (connection, exchange, proceed) = bound.value
                connection.turnHasCome(exchange, then: proceed)
            }
        }
        guard let place else { return answer(.tooMany(retryAfter: .seconds(1)), to: exchange) }
        exchange.costly = place
        if place.isWaiting { state.queues(now: loop.monotonic) } else { proceed() }
    }

    private func turnHasCome(_ exchange: Exchange, then proceed: () -> Void) {
        guard isOpen(exchange), state.leavesQueue() else { return }
        proceed()
        flush()
    }

    func send(_ exchange: Exchange, fresh: Bool = false) {
        guard let service = exchange.service else { return }
        let mayRepeat = exchange.isIdempotent && state.mayReplay
        exchange.ticket = loop.pool(service).acquire(self, fresh: fresh, mayRepeat: mayRepeat)
    }

    func dropUpstream(_ exchange: Exchange) {
        exchange.engine?.gone()
        exchange.engine = nil
        exchange.costly?.end()
        if let ticket = exchange.ticket, ticket.receiver != nil {
            ticket.cancel()
            if let service = exchange.service { loop.pool(service).abandoned() }
        }
        exchange.ticket = nil
        exchange.connection?.cancel()
        exchange.connection = nil
        state.releases()
    }

    // MARK: The service

    func upstreamReady(_ connection: UpstreamConnection) {
        guard let exchange, let service = exchange.service, state.sends() else { return connection.cancel() }
        exchange.ticket = nil
        exchange.connection = connection
        var additions = Forward.Additions(
            principal: exchange.principal?.statement(for: service),
            requestID: exchange.requestID,
            trace: toldTrace(of: exchange).map { .told($0) } ?? .begins(span: loop.newSpanID()),
            clientAddress: client.text,
            scheme: scheme(of: exchange),
            length: exchange.lengthForService,
            hasBody: exchange.framing != .none
        )
        exchange.storing = Storing(exchange, dependencies.stored)
        additions.storedTag = exchange.storing?.tag
        if let form = exchange.form {
            additions.method = .POST
            additions.contentType = form.type
            additions.language = exchange.dialect?.language(of: exchange.head.headers)
        } else if exchange.rest != nil {
            additions.contentType = RestOfForm.type
        }
        let target = exchange.form?.target ?? exchange.shownFile ?? exchange.target
        connection.send(Forward.request(exchange.head, target: target, to: service, additions))
        for bytes in exchange.body.unsent { connection.send(bytes) }
        exchange.body.sent(keeping: state.mayReplay)
        if state.isRead { connection.sendEnd() } else { connection.flush() }
        resumeReading()
    }

    func traceparent(of exchange: Exchange) -> String {
        toldTrace(of: exchange) ?? "00-\(exchange.requestID)-\(loop.newSpanID())-01"
    }

    /// What the client said of its trace; nil unless it is well-formed.
    private func toldTrace(of exchange: Exchange) -> String? {
        exchange.head.headers.first(name: "traceparent").flatMap { TraceContext(traceparent: $0)?.traceparent }
    }

    private func scheme(of exchange: Exchange) -> String {
        let proxies = dependencies.config.trustedProxies
        if !proxies.isEmpty, proxies.contains(peer),
            let told = exchange.head.headers.first(name: "x-forwarded-proto"), told == "http" || told == "https"
        {
            return told
        }
        return dependencies.config.site.origin.hasPrefix("https://") ? "https" : "http"
    }

    func upstreamFailed(_ failure: UpstreamFailure) {
        guard let exchange else { return }
        let mayBeStale = exchange.connection?.isReused == true && exchange.isIdempotent
        exchange.connection = nil
        exchange.ticket = nil
        switch state.fails(failure, mayBeStale: mayBeStale) {
        case .none: break
        case .close: abort()
        case .sendAgain:
            exchange.body.rewind()
            send(exchange, fresh: true)
        case .answer: answer(Problem(failure, of: exchange.service ?? .posts), to: exchange)
        }
    }

    func upstreamWritable() { resumeReading() }

    func upstreamPaused() { flush() }
}

extension Exchange {
    /// The body's length as the service is told; nil when it comes in chunks, or when there can be none.
    fileprivate var lengthForService: Int? {
        if let rest { return rest.length }
        return switch framing {
        case .length(let length): length
        case .chunked: nil
        case .none: head.method == .GET || head.method == .HEAD ? nil : 0
        }
    }
}
