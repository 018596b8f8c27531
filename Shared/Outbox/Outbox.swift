// SPDX-License-Identifier: Apache-2.0
// Events out of a transaction, events into a transaction.

package import Domain
package import Events
package import Logging
package import Messaging
package import Postgres
package import ServiceKit
package import ServiceLifecycle

extension Transaction {
    /// Writes an event into the outbox, in this transaction: it is told if and only if the transaction commits.
    package func record<E: Event>(_ event: E) throws { fatalError("stub") }
}

/// The tables `outbox`, `inbox` and what belongs to them, in the schema of the service.
package let outboxMigrations: MigrationSource = MigrationSource(name: "outbox", directory: "stub")

/// What a service does with one type of event, inside the transaction that notes that it was handled.
package struct Reaction: Sendable {
    package init<E: Event>(
        to _: E.Type,
        _ react: @escaping @Sendable (Envelope<E>, Transaction) async throws -> Void
    ) { fatalError("stub") }

    /// The type with its version.
    package var type: String { fatalError("stub") }
}

/// Thrown by a reaction when the event can never work: it goes to the dead letters with the reason.
package struct Unacceptable: Error, Sendable {
    package let reason: String
    package init(_ reason: String) { self.reason = reason }
}

/// One queue with its reactions: claims each event in the inbox and applies it, many deliveries to a transaction.
package struct EventQueue: Sendable {
    /// `<service>.<consumer>`, as in the broker's definitions.
    package let name: String
    package let reactions: [Reaction]

    package init(_ name: String, prefetch: Int = 64, _ reactions: [Reaction]) { fatalError("stub") }

    /// Applies an envelope as if it had been delivered: for tests of consumers.
    ///
    /// - Returns: whether it was new.
    package func apply(_ envelope: [UInt8], in database: Database) async throws -> Bool { fatalError("stub") }
}

/// A service's part in the exchange of events: relays its outbox and consumes its queues.
package struct EventExchange: Sendable {
    package init(
        service: String,
        database: Database,
        broker: BrokerConfiguration,
        queues: [EventQueue],
        metrics: Metrics,
        logger: Logger
    ) { fatalError("stub") }

    /// The relay, its publisher and a consumer for each queue, to be run in the service's group.
    package var services: [any Service] { fatalError("stub") }

    /// Whether the broker is reached; a service is ready without it.
    package var isConnected: Bool { fatalError("stub") }
}

/// `dead-letters list | replay [ID…] | drop [ID…]` for the queue `<service>.dead`.
package func deadLetters(service: String, broker: BrokerConfiguration, arguments: [String], logger: Logger) async throws { fatalError("stub") }
