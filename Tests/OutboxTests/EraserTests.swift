// SPDX-License-Identifier: Apache-2.0
// Accounts are erased step by step, whatever happens between two steps, and that is told once.

import Domain
import Events
import Logging
import Postgres
import ServiceKit
import Support
import Synchronization
import Testing

@testable import Outbox

@Suite struct EraserTests {
    private struct Broken: Error {}

    private static let account = AccountID(77)

    private static func run(
        _ steps: [ErasureStep],
        _ body: @Sendable (Eraser, Database) async throws -> Void
    ) async throws {
        try await withDatabase(migrations: [outboxMigrations], schema: "chat") { database, _ in
            _ = try await database.query("CREATE TABLE belongings (id bigint PRIMARY KEY, account_id bigint NOT NULL)")
            _ = try await database.query(
                "INSERT INTO belongings SELECT i, CASE WHEN i <= 25 THEN 77 ELSE 78 END FROM generate_series(1, 30) i"
            )
            var logger = Logger(label: "outbox.tests")
            logger.logLevel = .critical
            let eraser = Eraser(
                service: "chat",
                steps: steps,
                database: database,
                metrics: Metrics(),
                logger: logger
            )
            try await body(eraser, database)
        }
    }

    /// Ten at a time.
    private static let belongings = ErasureStep("belongings") { account, transaction in
        try await transaction.query(
            "DELETE FROM belongings WHERE id IN (SELECT id FROM belongings WHERE account_id = \(account) LIMIT 10)"
        ).affected
    }

    private static func hear(_ database: Database) async throws {
        let envelope = Envelope(
            id: EventID.new(),
            time: .now(),
            traceparent: nil,
            data: AccountDeleted(accountID: account)
        )
        _ = try await EventQueue.erasing(of: "chat").apply(envelope.message(), in: database)
    }

    private static func isDue(_ database: Database) async throws {
        _ = try await database.query("UPDATE erasures SET due_at = now()")
    }

    private static func told(_ database: Database) async throws -> Int {
        try await database.query(
            "SELECT count(*) FROM outbox WHERE type = \(AccountErased<ErasureOwners.Chat>.type)"
        ).number()
    }

    @Test func whatIsFoundGoesAndIsToldOnce() async throws {
        try await Self.run([Self.belongings]) { eraser, database in
            #expect(try await !eraser.step(), "nobody was deleted")
            for _ in 0..<2 { try await Self.hear(database) }
            while try await eraser.step() {}
            #expect(try await database.query("SELECT id FROM belongings").count == 5)
            #expect(try await Self.told(database) == 0, "not before a round found nothing")
            try await Self.isDue(database)
            while try await eraser.step() {}
            #expect(try await Self.told(database) == 1)
            #expect(try await ErasingStore.isGone(Self.account, in: database))
            #expect(try await !ErasingStore.isGone(AccountID(78), in: database))
        }
    }

    @Test func whatComesLateGoesWithALaterRound() async throws {
        try await Self.run([Self.belongings]) { eraser, database in
            try await Self.hear(database)
            for _ in 0..<3 {
                while try await eraser.step() {}
                try await Self.isDue(database)
            }
            _ = try await database.query("INSERT INTO belongings VALUES (99, 77)")
            for _ in Eraser.rests {
                try await Self.isDue(database)
                while try await eraser.step() {}
            }
            #expect(try await database.query("SELECT id FROM belongings WHERE account_id = 77").isEmpty)
            #expect(try await Self.told(database) == 1)
        }
    }

    @Test func oneThatFailsIsPutOffAndBeginsAnew() async throws {
        let fails = Mutex(true)
        let broken = ErasureStep("broken") { _, _ in
            if fails.withLock({ $0 }) { throw Broken() }
            return 0
        }
        try await Self.run([Self.belongings, broken]) { eraser, database in
            try await Self.hear(database)
            while try await eraser.step() {}
            #expect(
                try await database.query("SELECT FROM erasures WHERE attempts = 1 AND step = 0 AND due_at > now()")
                    .count
                    == 1
            )
            #expect(try await Self.told(database) == 0)
            fails.withLock { $0 = false }
            for _ in 0..<3 {
                try await Self.isDue(database)
                while try await eraser.step() {}
            }
            #expect(try await Self.told(database) == 1)
        }
    }
}
