// SPDX-License-Identifier: Apache-2.0
// Makes an event's effect happen once, however often it is delivered.

import Postgres
import ServiceKit

/// The events that one consumer has handled.
struct Inbox: Sendable {
    let consumer: String
    let database: Database

    /// Claims the events and applies those that are new, in their order, all in one transaction.
    ///
    /// - Returns: the ids of the new ones.
    func apply(_ arrivals: [Arrival]) async throws -> Set<String> {
        try await database.transaction { transaction in
            let new = try await claim(arrivals.map(\.id), in: transaction)
            Failpoint.reach("consumer.claimed")
            var waiting = new
            for arrival in arrivals where waiting.remove(arrival.id) != nil {
                let trace = TraceContext(traceparent: arrival.traceparent)?.child() ?? .random()
                try await TraceContext.$current.withValue(trace) { try await arrival.apply(transaction) }
            }
            return new
        }
    }

    private func claim(_ ids: [String], in transaction: Transaction) async throws -> Set<String> {
        let rows = try await transaction.query(
            """
            WITH claimed AS (
                INSERT INTO inbox (consumer, event_id)
                SELECT \(consumer), CAST(id AS uuid) FROM unnest(\(ids)) AS id
                ON CONFLICT DO NOTHING
                RETURNING event_id
            )
            SELECT id FROM unnest(\(ids)) AS id WHERE CAST(id AS uuid) IN (SELECT event_id FROM claimed)
            """
        )
        return Set(
            try rows.map { row in
                var columns = row.columns
                return try columns.next(String.self)
            }
        )
    }

    /// Notes that an event failed, or is about to be tried although it may end the process.
    ///
    /// - Returns: how often that has been noted.
    func noteAttempt(_ id: String, reason: String) async throws -> Int {
        let rows = try await database.query(
            """
            INSERT INTO delivery_attempts AS noted (queue, event_id, attempts, reason)
            VALUES (\(consumer), \(id), 1, \(reason))
            ON CONFLICT (queue, event_id) DO UPDATE
            SET attempts = noted.attempts + 1, reason = excluded.reason, last_at = now()
            RETURNING attempts
            """
        )
        guard let row = rows.first else { return 1 }
        var columns = row.columns
        return try columns.next()
    }

    /// Notes why an event goes to the dead letters; if it is replayed, its attempts begin anew.
    func noteDeath(_ id: String, type: String, reason: String) async throws {
        _ = try await database.query(
            """
            WITH forgotten AS (DELETE FROM delivery_attempts WHERE queue = \(consumer) AND event_id = \(id))
            INSERT INTO dead_letters (queue, event_id, type, reason)
            VALUES (\(consumer), \(id), \(type), \(reason))
            ON CONFLICT (queue, event_id) DO UPDATE
            SET type = excluded.type, reason = excluded.reason, died_at = now()
            """
        )
    }
}
