// SPDX-License-Identifier: Apache-2.0
// What the services tell about just now, from the broker to the open streams.

import Events
import Logging
import Messaging
import NIOCore
import ServiceKit
import Synchronization

/// Hands live messages to every event loop.
struct LiveFeed: Sendable {
    /// After a loss every stream's token is asked about again, within this time.
    static let doubtSpan: Milliseconds = 3000

    let server: GatewayServer
    let dependencies: GatewayDependencies
    private let recent = RecentEvents()

    init(server: GatewayServer, dependencies: GatewayDependencies) {
        self.server = server
        self.dependencies = dependencies
    }

    /// Revocations have a queue of their own: none is dropped because of what else is told, and none waits behind it.
    func consumers(_ broker: BrokerConfiguration) -> [Consumer] {
        [
            consumer(broker, LiveMessage.updates, length: dependencies.config.limits.liveQueue) { updates(linked: $0) },
            consumer(broker, LiveMessage.ofTokens, length: nil) { revocations(linked: $0) },
        ]
    }

    private func consumer(
        _ broker: BrokerConfiguration,
        _ keys: [String],
        length: Int?,
        link: @escaping @Sendable (Bool) -> Void
    ) -> Consumer {
        Consumer(
            broker,
            queue: .temporary(exchange: Audience.live.rawValue, keys: keys, length: length),
            prefetch: 500,
            executor: server.tasks,
            logger: dependencies.logger,
            connected: { link(true) },
            disconnected: { link(false) }
        ) { deliveries in
            for delivery in deliveries { take(delivery) }
            // What the event loops have not got to yet waits at the broker, where it is bounded.
            _ = try? await server.collect { _ in true }
            return deliveries.map { _ in .acknowledge }
        }
    }

    /// - Parameter linked: whether live updates reach us from now on; what was told while they did not is missed.
    func updates(linked: Bool) {
        dependencies.budgets.link(linked)
        if !linked {
            dependencies.isLinked.store(false, ordering: .releasing)
            dependencies.metrics.count(
                "madang_gateway_live_losses_total",
                help: "Times that live updates may have been missed: the broker away, or more of them than we take."
            )
        }
        server.onEveryLoop { loop in
            guard linked else { return loop.chat.unlinked() }
            loop.streams.endAll(now: loop.monotonic, random: loop.nextRandom)
            loop.chat.doubtPlaces(now: loop.monotonic, span: LiveFeed.doubtSpan, random: loop.nextRandom)
            loop.chat.linked()
        }
        guard linked else { return }
        dependencies.presence.linked(now: LiveFeed.monotonic)
        dependencies.isLinked.store(true, ordering: .releasing)
    }

    /// - Parameter linked: whether revocations reach us from now on.
    func revocations(linked: Bool) {
        dependencies.tokens.link(linked)
        server.onEveryLoop { loop in
            guard linked else { return }
            loop.streams.doubtAll(now: loop.monotonic, span: LiveFeed.doubtSpan, random: loop.nextRandom)
            loop.chat.doubtTokens(now: loop.monotonic, span: LiveFeed.doubtSpan, random: loop.nextRandom)
        }
        dependencies.hearsRevocations.store(linked, ordering: .releasing)
    }

    private static var monotonic: Milliseconds { Milliseconds(NIODeadline.now().uptimeNanoseconds / 1_000_000) }

    /// Takes one message; what comes twice is dropped, and what is not understood is noted and left.
    func take(_ delivery: Delivery) {
        if let id = delivery.messageID, !recent.isNew(id) {
            dependencies.metrics.count(
                "madang_gateway_live_doubles_total",
                help: "Live messages that came a second time."
            )
            return
        }
        do {
            switch try LiveMessage(delivery.body, key: delivery.routingKey) {
            case .revoked(let session):
                dependencies.tokens.revoke(session)
                server.onEveryLoop { loop in
                    loop.streams.revoke(session)
                    loop.chat.revoke(session)
                }
            case .principalChanged(let account):
                dependencies.tokens.forget(account)
                server.onEveryLoop { $0.chat.doubtTokens(of: account, now: $0.monotonic) }
            case .update(let update): server.onEveryLoop { $0.streams.deliver(update) }
            case .chat(let live): server.onEveryLoop { $0.chat.deliver(live) }
            case .presence(let event):
                dependencies.budgets.note(event.gatewayID, at: LiveFeed.monotonic)
                dependencies.presence.heard(event, now: LiveFeed.monotonic)
            case .budgets(let event): dependencies.budgets.hear(event, at: LiveFeed.monotonic)
            case .typing(let event): server.onEveryLoop { $0.chat.typing(event) }
            case .other: break
            }
        } catch {
            dependencies.metrics.count(
                "madang_gateway_live_undecodable_total",
                help: "Live messages that could not be read."
            )
            dependencies.logger.warning("a live message could not be read", metadata: ["error": "\(error)"])
        }
    }
}
