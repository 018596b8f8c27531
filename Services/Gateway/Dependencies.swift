// SPDX-License-Identifier: Apache-2.0
// What every part of the gateway is given.

import Domain
import Logging
import Messaging
import NIOHTTP1
import ServiceKit
import SocketIO
import Surface
import Synchronization

/// What all event loops share.
final class GatewayDependencies: Sendable {
    let config: GatewayConfig
    let dialects: Dialects
    let routes: RouteTable
    let adminRoutes: RouteTable
    let tokens: KnownTokens
    let stored: StoredAnswers
    let limiter: RateLimiter
    let connections: ConnectionBudget
    let metrics: Metrics
    let logger: Logger
    let now: @Sendable () -> Timestamp
    let headers: StandingHeaders
    let pages: LocalPages
    /// Makes what answers Socket.IO on an event loop; asked once for each, on it.
    let application: @Sendable (GatewayLoop) -> any SocketIOApplication
    /// By service.
    let latencies: [Histogram]
    let chat: ChatCounters
    /// What the gateways tell each other.
    let live: LivePublisher
    let presence: PresenceBoard
    let budgets: SharedBudgets
    let costly = CostlyRequests()
    let proxyWarning = ProxyWarning()
    /// Sends what `live` is given; nil without a broker.
    let publisher: Publisher?
    /// Whether live updates reach us.
    let isLinked = Atomic(false)
    /// Whether revocations do.
    let hearsRevocations = Atomic(false)
    /// Set when the stop begins: not ready any more, and no connection outlives its request.
    let isStopping = Atomic(false)

    init(
        config: GatewayConfig,
        routes: [PublicRoute] = PublicSurface.all,
        dialects: [any Dialect] = [],
        metrics: Metrics,
        logger: Logger,
        application: @escaping @Sendable (GatewayLoop) -> any SocketIOApplication = { ChatApplication(loop: $0) },
        now: @escaping @Sendable () -> Timestamp = Timestamp.now
    ) throws {
        self.config = config
        self.dialects = Dialects(dialects)
        self.routes = RouteTable(routes + self.dialects.surface)
        adminRoutes = RouteTable([
            PublicRoute(method: .GET, path: "/metrics", destination: .local(.metrics), rate: .free),
            PublicRoute(method: .GET, path: "/health/live", destination: .local(.health), rate: .free),
            PublicRoute(method: .GET, path: "/health/ready", destination: .local(.ready), rate: .free),
        ])
        tokens = KnownTokens(capacity: config.limits.tokens, now: now)
        stored = StoredAnswers(capacity: config.limits.storedAnswers)
        limiter = RateLimiter(config.rateLimits, secret: config.internalSecret(.auth))
        connections = ConnectionBudget(config.connectionLimits, metrics: metrics)
        self.metrics = metrics
        self.logger = logger
        self.now = now
        self.application = application
        headers = StandingHeaders(site: config.site)
        pages = try LocalPages(config)
        chat = ChatCounters(metrics)
        publisher = config.broker.map { Publisher($0, logger: logger) }
        live = LivePublisher(publisher, metrics: metrics, logger: logger)
        // Each start is a new one to the others, whatever runs where.
        let gatewayID = String(UInt64.random(in: .min ... .max), radix: 16)
        presence = PresenceBoard(gatewayID: gatewayID, publisher: live)
        budgets = SharedBudgets(gatewayID: gatewayID, limiter: limiter, live: live, now: now)
        latencies = ServiceName.allCases.map { service in
            metrics.histogram(
                "madang_gateway_upstream_seconds",
                help: "Time from a request's head to the head of the service's answer.",
                labels: [("service", service.rawValue)]
            )
        }
    }
}
