// SPDX-License-Identifier: Apache-2.0
// The tables of the exchange do not grow for ever.

import Domain
import Postgres
import Support
import Testing

@testable import Outbox

@Suite struct OutboxSweepTests {
    private static let now = Timestamp(milliseconds: 1_790_000_000_000)

    private func ago(_ days: Int) -> Timestamp {
        Timestamp(milliseconds: Self.now.milliseconds - Int64(days) * 86_400_000)
    }

    private func sweep(_ yard: Yard, _ table: String) async throws -> Int {
        let sweep = try #require(OutboxSweeps.all(now: { Self.now }).first { $0.table == table })
        return try await sweep.finish(in: yard.database)
    }

    @Test func `what was handled is forgotten after 30 days, by each consumer, in steps`() async throws {
        try await withYard { yard in
            for (consumer, old) in [("a.one", 6000), ("b.two", 5500), ("c.three", 3)] {
                let ids =
                    (0..<old).map { _ in EventID.new(at: ago(31)) } + (0..<10).map { _ in EventID.new(at: ago(29)) }
                _ = try await yard.database.query(
                    """
                    INSERT INTO inbox (consumer, event_id, claimed_at)
                    SELECT \(consumer), CAST(id AS uuid), CASE WHEN number <= \(old) THEN \(ago(31)) ELSE \(ago(29)) END
                    FROM unnest(\(ids)) WITH ORDINALITY AS each (id, number)
                    """
                )
            }
            // Told long ago, handled lately: it waited.
            _ = try await yard.database.query(
                """
                INSERT INTO inbox (consumer, event_id, claimed_at)
                VALUES ('b.two', CAST(\(EventID.new(at: ago(200))) AS uuid), \(ago(1)))
                """
            )
            #expect(try await sweep(yard, "inbox") == 11_503)
            #expect(try await yard.count("SELECT count(*) FROM inbox") == 31)
            #expect(try await sweep(yard, "inbox") == 0)
        }
    }

    @Test func `attempts and the reasons of dead letters are forgotten`() async throws {
        try await withYard { yard in
            _ = try await yard.database.query(
                """
                INSERT INTO delivery_attempts (queue, event_id, attempts, reason, last_at)
                SELECT 'q', 'e' || n, 1, 'r', CASE WHEN n <= 4500 THEN \(ago(31)) ELSE \(ago(29)) END
                FROM generate_series(1, 4510) AS n
                """
            )
            _ = try await yard.database.query(
                """
                INSERT INTO dead_letters (queue, event_id, type, reason, died_at)
                SELECT 'q', 'e' || n, 't', 'r', CASE WHEN n <= 4500 THEN \(ago(91)) ELSE \(ago(89)) END
                FROM generate_series(1, 4510) AS n
                """
            )
            for table in ["delivery_attempts", "dead_letters"] { #expect(try await sweep(yard, table) == 4500) }
            #expect(try await yard.count("SELECT count(*) FROM delivery_attempts") == 10)
            #expect(try await yard.count("SELECT count(*) FROM dead_letters") == 10)
        }
    }

    @Test func `what waits goes only when nobody will ever need it`() async throws {
        try await withYard { yard in
            for (id, type, days) in [
                ("1", "chat.MessagePinned.v1", 8), ("2", "chat.MessagePinned.v1", 6), ("3", "posts.New.v1", 400),
            ] {
                _ = try await yard.database.query(
                    """
                    INSERT INTO waiting_events (queue, event_id, type, envelope, arrived_at)
                    VALUES ('q', \(id), \(type), \(Array("{}".utf8)), \(ago(days)))
                    """
                )
            }
            #expect(try await sweep(yard, "waiting_events") == 1)
            #expect(try await yard.count("SELECT count(*) FROM waiting_events") == 2)
        }
    }

    @Test func `sweeps find what they look for by an index`() async throws {
        try await withYard { yard in
            _ = try await yard.database.query(
                """
                INSERT INTO dead_letters (queue, event_id, type, reason, died_at)
                SELECT 'q', 'e' || n, 't', 'r', \(ago(1)) FROM generate_series(1, 20000) AS n
                """
            )
            _ = try await yard.database.query("ANALYZE dead_letters")
            let plan = try await yard.database.query(
                """
                EXPLAIN SELECT ctid FROM dead_letters WHERE died_at < \(ago(90)) ORDER BY died_at LIMIT 2000
                """
            ).all { try $0.next(String.self) }.joined(separator: "\n")
            #expect(plan.contains("dead_letters_died_at"), "\(plan)")
        }
    }
}
