// SPDX-License-Identifier: Apache-2.0
// The SQL of the relay.

import Postgres

/// The outbox of one service.
struct OutboxStore: Sendable {
    let database: Database

    /// Rows that are due and not `known`, the oldest first. A row waits for an earlier one of its subject that is not due.
    func page(known: [Int64]) async throws -> [OutboxRow] {
        let rows = try await database.query(
            """
            SELECT id, CAST(event_id AS text), type, subject, audience, envelope
            FROM outbox AS candidate
            WHERE due_at <= now()
              AND id <> ALL(\(known))
              AND NOT EXISTS (
                SELECT FROM outbox AS earlier
                WHERE earlier.subject = candidate.subject
                  AND earlier.id < candidate.id
                  AND earlier.attempts > 0
                  AND earlier.due_at > now()
              )
            ORDER BY id
            LIMIT \(RelayState.batchSize)
            """
        )
        return try rows.map { row in
            var columns = row.columns
            return OutboxRow(
                id: try columns.next(),
                eventID: try columns.next(),
                type: try columns.next(),
                subject: try columns.next(),
                audience: try columns.next(),
                envelope: try columns.next()
            )
        }
    }

    /// Forgets rows that the broker has. The commit does not wait for the disk: a row that comes back after a crash is
    /// published twice, which the inbox absorbs.
    func delete(_ ids: [Int64]) async throws {
        _ = try await database.query(
            """
            WITH relaxed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true) AS value)
            DELETE FROM outbox
            USING relaxed
            WHERE relaxed.value = 'off'
              AND id = ANY(\(ids))
            """
        )
    }

    /// Puts off rows that the broker did not take: 0.2 s, then twice as long each time up to 30 s.
    func postpone(_ ids: [Int64]) async throws {
        _ = try await database.query(
            """
            UPDATE outbox
            SET attempts = attempts + 1,
                due_at = now() + make_interval(secs => least(30, 0.2 * power(2, least(attempts, 10))))
            WHERE id = ANY(\(ids))
            """
        )
    }

    struct Backlog: Sendable {
        var depth = 0
        /// Seconds since the oldest row was recorded.
        var age = 0.0
    }

    func backlog() async throws -> Backlog {
        let rows = try await database.query(
            """
            SELECT count(*), coalesce(CAST(extract(epoch FROM now() - min(recorded_at)) AS float8), 0)
            FROM outbox
            """
        )
        guard let row = rows.first else { return Backlog() }
        var columns = row.columns
        return Backlog(depth: try columns.next(), age: try columns.next())
    }

    /// Forgets up to 5,000 of the events that were handled more than 30 days ago.
    ///
    /// - Returns: how many those were.
    func purge() async throws -> Int {
        _ = try await database.query("DELETE FROM delivery_attempts WHERE last_at < now() - interval '30 days'")
        return try await database.query(
            """
            DELETE FROM inbox
            WHERE ctid = ANY(ARRAY(
                SELECT ctid FROM inbox WHERE claimed_at < now() - interval '30 days' LIMIT 5000
            ))
            """
        ).affected
    }
}
