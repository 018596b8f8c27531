// SPDX-License-Identifier: Apache-2.0
// Messages to and from RabbitMQ.

package import Logging
package import ServiceLifecycle

/// How to reach a broker.
package struct BrokerConfiguration: Sendable {
    package var host: String
    package var port: Int
    package var user: String
    package var password: String
    package var virtualHost: String
    /// Seconds; a dead peer is noticed after two.
    package var heartbeat = 10
    /// Shown in the broker's list of connections.
    package var connectionName: String

    /// Parses `amqp://user:password@host:port/vhost` (percent-encoded; an absent vhost is `/`); nil when it is none.
    package init?(uri: String, connectionName: String) { fatalError("stub") }
}

/// A message to publish.
package struct Message: Sendable {
    package var exchange: String
    package var routingKey: String
    /// The AMQP message-id, by which a returned message is recognised.
    package var id: String
    package var headers: [String: String] = [:]
    package var body: [UInt8]
    package var persistent = true
    /// Whether the broker must give it back when no queue takes it.
    package var mandatory = true

    package init(exchange: String, routingKey: String, id: String, body: [UInt8]) {
        self.exchange = exchange
        self.routingKey = routingKey
        self.id = id
        self.body = body
    }
}

/// What became of a published message.
package enum PublishOutcome: Sendable, Equatable {
    /// Every queue it was routed to has it.
    case confirmed
    /// The broker could not take it.
    case refused
    /// No queue takes it.
    case returned(String)
}

/// Publishes with confirms over a connection of its own, which it reopens when it is lost.
package final class Publisher: Service, Sendable {
    /// - Parameter window: messages that may be unconfirmed at a time.
    package init(_ configuration: BrokerConfiguration, window: Int = 500, logger: Logger) { fatalError("stub") }

    package func run() async throws { fatalError("stub") }

    /// Waits until the broker has answered for every message, over as many connections as it takes; a message may be
    /// published twice when a connection was lost. Throws only when cancelled or closed.
    package func publish(_ messages: [Message]) async throws -> [PublishOutcome] { fatalError("stub") }

    package var isConnected: Bool { fatalError("stub") }
    /// Whether the broker has blocked us (`connection.blocked`: it is short of memory or disk).
    package var isBlocked: Bool { fatalError("stub") }
}

/// A message that arrived.
package struct Delivery: Sendable {
    package let exchange: String
    package let routingKey: String
    package let messageID: String?
    package let headers: [String: String]
    package let body: [UInt8]
    package let redelivered: Bool
    /// `x-delivery-count` of quorum queues; 0 at first.
    package let deliveryCount: Int
}

/// What to do with a delivery.
package enum Settlement: Sendable {
    case acknowledge
    /// Can never work: to the dead letters.
    case reject
    /// Back to the queue.
    case requeue
}

/// Consumes one queue over a connection of its own, which it reopens when it is lost.
package final class Consumer: Service, Sendable {
    package enum Queue: Sendable {
        /// Declared by the broker's definitions.
        case named(String)
        /// Exclusive to this connection, gone with it, bound to `exchange` by each of `keys`.
        case temporary(exchange: String, keys: [String])
    }

    /// - Parameters:
    ///   - prefetch: deliveries that may be unsettled at a time; also the largest batch.
    ///   - connected: called each time consuming begins, before the first delivery; after a loss, what was missed on a
    ///     temporary queue is missed.
    ///   - disconnected: called each time the connection is lost.
    ///   - handle: settles a batch; called for one batch at a time, in order. When it throws, the batch goes back to
    ///     the queue and consuming pauses until `ready` returns.
    ///   - ready: waits until what `handle` depends on is there again.
    package init(
        _ configuration: BrokerConfiguration,
        queue: Queue,
        prefetch: Int,
        logger: Logger,
        connected: @escaping @Sendable () -> Void = {},
        disconnected: @escaping @Sendable () -> Void = {},
        ready: @escaping @Sendable () async throws -> Void = {},
        handle: @escaping @Sendable ([Delivery]) async throws -> [Settlement]
    ) { fatalError("stub") }

    /// Consumes until graceful shutdown: then it stops taking deliveries, finishes the batch in hand, settles it and returns.
    package func run() async throws { fatalError("stub") }

    package var isConnected: Bool { fatalError("stub") }
}
