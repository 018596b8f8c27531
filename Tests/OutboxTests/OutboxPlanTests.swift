// SPDX-License-Identifier: Apache-2.0
// How the outbox is looked through, which is empty whenever it is analyzed.

import Events
import Postgres
import Support
import Testing

@testable import Outbox

@Suite struct OutboxPlanTests {
    /// - Returns: the ids, in the order of the rows.
    private func wait(_ count: Int, _ subject: String, _ audience: Audience, in yard: Yard) async throws -> [Int64] {
        try await yard.database.query(
            """
            INSERT INTO outbox (event_id, type, subject, audience, envelope)
            SELECT gen_random_uuid(), 'a.B.v1', \(subject), \(audience.rawValue), ''
            FROM generate_series(1, \(Int64(count)))
            RETURNING id
            """
        ).all { try $0.next(Int64.self) }
    }

    private func last(_ subject: String, isLive: Bool, in yard: Yard) async throws -> Int64? {
        try await yard.database.query("SELECT last_of_line(\(subject), \(isLive))").one { try $0.next(Int64?.self) }
            ?? nil
    }

    @Test func rowsAreDeletedByTheirKeyHoweverManyThereWere() async throws {
        try await withYard { yard in
            let ids = try await wait(5000, "s", .services, in: yard)
            _ = try await yard.database.query("DELETE FROM outbox WHERE id = ANY (\(ids))")
            _ = try await yard.database.query("ANALYZE outbox")
            for setting in ["on", "off"] {
                let plan = try await yard.database.transaction { transaction in
                    _ = try await transaction.query(
                        "SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', \(setting), true)"
                    )
                    return try await transaction.query("EXPLAIN DELETE FROM outbox WHERE id = ANY ('{1,2,3}')").all {
                        try $0.next(String.self)
                    }
                }
                #expect(plan.contains { $0.contains("outbox_pkey") }, "\(plan)")
                #expect(!plan.contains { $0.contains("outbox_lines") || $0.contains("outbox_failed") }, "\(plan)")
            }
        }
    }

    @Test func theLastOfALineIsTheNewestThatIsThere() async throws {
        try await withYard { yard in
            let told = try await wait(3, "s", .services, in: yard)
            let live = try await wait(2, "s", .live, in: yard)
            let plain = try await wait(1, "s", .plain, in: yard)
            _ = try await wait(1, "t", .live, in: yard)
            #expect(try await last("s", isLive: true, in: yard) == live.last)
            #expect(try await last("s", isLive: false, in: yard) == plain.last)
            _ = try await yard.database.query("DELETE FROM outbox WHERE id = ANY (\(plain + told.suffix(1)))")
            #expect(try await last("s", isLive: false, in: yard) == told[1])
            #expect(try await last("u", isLive: false, in: yard) == nil)
            #expect(try await last("t", isLive: false, in: yard) == nil)
        }
    }

    @Test func theBacklogCountsWhatWaits() async throws {
        try await withYard { yard in
            let store = OutboxStore(database: yard.database)
            #expect(try await store.backlog().depth == 0)
            let ids = try await wait(7, "s", .services, in: yard)
            _ = try await yard.database.query(
                "UPDATE outbox SET recorded_at = now() - interval '1 hour' WHERE id = \(ids[3])"
            )
            let backlog = try await store.backlog()
            #expect(backlog.depth == 7 && backlog.age >= 3600 && backlog.unpublished == 0)
        }
    }
}
