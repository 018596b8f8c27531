// SPDX-License-Identifier: Apache-2.0
// A service with a database, a broker and one queue, for tests of the exchange.

import Domain
import Events
import Foundation
import Logging
import Messaging
import Postgres
import ServiceKit
import Support
import Synchronization
import Testing

@testable import Outbox

let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

/// A database with the outbox's tables and a broker with the whole topology.
struct Yard: Sendable {
    static let queue = "notifications.activity"

    /// Of the service.
    let database: Database
    /// Of the test, which may be slow.
    let reader: Database
    let configuration: DatabaseConfiguration
    let broker: TestBroker
    let metrics = Metrics()

    /// The same with another database's connections, or another broker.
    func with(_ database: Database? = nil, _ configuration: DatabaseConfiguration? = nil, broker: TestBroker? = nil)
        -> Yard
    {
        Yard(
            database: database ?? self.database,
            reader: reader,
            configuration: configuration ?? self.configuration,
            broker: broker ?? self.broker
        )
    }

    /// The events of posts are told by this process and handled by it.
    func exchange(_ queues: [EventQueue], logger: Logger = quiet) -> EventExchange {
        EventExchange(
            service: "notifications",
            database: database,
            broker: broker.configuration,
            queues: queues,
            metrics: metrics,
            logger: logger
        )
    }

    func record(_ events: PostUnliked...) async throws { try await record(events) }

    func record(_ events: [PostUnliked]) async throws {
        try await database.transaction { transaction in
            for event in events { try transaction.record(event) }
        }
    }

    func count(_ sql: SQL) async throws -> Int {
        let rows = try await reader.query(sql)
        guard let row = rows.first else { return 0 }
        var columns = row.columns
        return try columns.next()
    }

    /// What the operator's command prints.
    func deadLetters(
        _ verb: DeadLetters.Verb,
        _ ids: Set<String> = [],
        logger: Logger = quiet
    ) async throws -> [String] {
        let publisher = Publisher(broker.configuration, logger: quiet)
        let letters = DeadLetters(
            service: "notifications",
            broker: broker.configuration,
            database: database,
            publisher: publisher,
            logger: logger
        )
        return try await whileRunning([publisher]) { try await letters.run(verb, ids) }
    }

    func outboxDepth() async throws -> Int { try await count("SELECT count(*) FROM outbox") }

    /// The versions written by `effects`, by subject, in the order of their writing.
    func effects() async throws -> [String: [Int64]] {
        var effects: [String: [Int64]] = [:]
        for row in try await reader.query("SELECT subject, version FROM effects ORDER BY position") {
            var columns = row.columns
            let subject: String = try columns.next()
            effects[subject, default: []].append(try columns.next())
        }
        return effects
    }
}

/// Tells what is in the bodies, past the outbox.
func publish(_ yard: Yard, _ bodies: [(id: String, body: [UInt8])], key: String = PostUnliked.type) async throws {
    let publisher = Publisher(yard.broker.configuration, logger: quiet)
    let messages = bodies.map { Message(exchange: "events", routingKey: key, id: $0.id, body: $0.body) }
    let outcomes = try await whileRunning([publisher]) { try await publisher.publish(messages) }
    #expect(outcomes.allSatisfy { $0 == .confirmed })
}

func envelope<E: Event>(_ event: E, id: String = EventID.new()) throws -> [UInt8] {
    [UInt8](try JSONEncoder().encode(Envelope(id: id, time: .now(), traceparent: nil, data: event)))
}

func unliked(_ post: Int64, _ version: Int64) -> PostUnliked {
    PostUnliked(actorID: AccountID(1), postID: PostID(post), subjectVersion: version)
}

/// What a test does to an event before its effect, in the event's transaction.
typealias Before = @Sendable (PostUnliked, Transaction) async throws -> Void

/// As `effects`, with a hand in the transaction.
func effects(within before: @escaping Before) -> EventQueue {
    EventQueue(
        Yard.queue,
        [
            Reaction(to: PostUnliked.self) { envelope, transaction in
                try await before(envelope.data, transaction)
                _ = try await transaction.query(
                    "INSERT INTO effects (subject, version) VALUES (\(envelope.subject), \(envelope.version))"
                )
            }
        ]
    )
}

/// A reaction without any protection of its own: what comes twice is written twice.
func effects(_ before: @escaping @Sendable (PostUnliked) async throws -> Void = { _ in }) -> EventQueue {
    EventQueue(
        Yard.queue,
        [
            Reaction(to: PostUnliked.self) { envelope, transaction in
                try await before(envelope.data)
                _ = try await transaction.query(
                    "INSERT INTO effects (subject, version) VALUES (\(envelope.subject), \(envelope.version))"
                )
            }
        ]
    )
}

/// - Parameter deadline: of a transaction with one event.
func withYard(
    deadline: Duration = .seconds(60),
    _ body: @escaping @Sendable (Yard) async throws -> Void
) async throws {
    try await withTestBroker { broker in
        try await withDatabase(
            migrations: [outboxMigrations],
            schema: "notifications",
            configure: {
                $0.exclusive = 1
                $0.pipelined = 1
            }
        ) { reader, configuration in
            _ = try await reader.query(
                "CREATE TABLE effects (position bigserial PRIMARY KEY, subject text NOT NULL, version bigint NOT NULL)"
            )
            var configuration = configuration
            configuration.deadline = deadline
            configuration.exclusive = 4
            configuration.pipelined = 2
            try await running(configuration) { database, configuration in
                try await eventually("a connection of the service") { (try? await database.query("SELECT 1")) != nil }
                try await body(
                    Yard(database: database, reader: reader, configuration: configuration, broker: broker)
                )
            }
        }
    }
}
