// SPDX-License-Identifier: Apache-2.0
// A service with a database, a broker and one queue, for tests of the exchange.

import Domain
import Events
import Logging
import Messaging
import Outbox
import Postgres
import ServiceKit
import Support
import Synchronization
import Testing

let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

/// A database with the outbox's tables and a broker with the whole topology.
struct Yard: Sendable {
    static let queue = "notifications.activity"

    let database: Database
    let configuration: DatabaseConfiguration
    let broker: TestBroker
    let metrics = Metrics()

    /// The events of posts are told by this process and handled by it.
    func exchange(_ queues: [EventQueue]) -> EventExchange {
        EventExchange(
            service: "notifications",
            database: database,
            broker: broker.configuration,
            queues: queues,
            metrics: metrics,
            logger: quiet
        )
    }

    func record(_ events: PostUnliked...) async throws { try await record(events) }

    func record(_ events: [PostUnliked]) async throws {
        try await database.transaction { transaction in
            for event in events { try transaction.record(event) }
        }
    }

    func count(_ sql: SQL) async throws -> Int {
        let rows = try await database.query(sql)
        guard let row = rows.first else { return 0 }
        var columns = row.columns
        return try columns.next()
    }

    func outboxDepth() async throws -> Int { try await count("SELECT count(*) FROM outbox") }

    /// The versions written by `effects`, by subject, in the order of their writing.
    func effects() async throws -> [String: [Int64]] {
        var effects: [String: [Int64]] = [:]
        for row in try await database.query("SELECT subject, version FROM effects ORDER BY position") {
            var columns = row.columns
            let subject: String = try columns.next()
            effects[subject, default: []].append(try columns.next())
        }
        return effects
    }
}

func unliked(_ post: Int64, _ version: Int64) -> PostUnliked {
    PostUnliked(actorID: AccountID(1), postID: PostID(post), subjectVersion: version)
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

func withYard(_ body: @escaping @Sendable (Yard) async throws -> Void) async throws {
    try await withTestBroker { broker in
        try await withDatabase(migrations: [outboxMigrations], schema: "notifications") { database, configuration in
            _ = try await database.query(
                "CREATE TABLE effects (position bigserial PRIMARY KEY, subject text NOT NULL, version bigint NOT NULL)"
            )
            try await body(Yard(database: database, configuration: configuration, broker: broker))
        }
    }
}
