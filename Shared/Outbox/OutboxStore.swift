// SPDX-License-Identifier: Apache-2.0
// The SQL of the relay.

import Events
import Postgres

/// The outbox of one service.
struct OutboxStore: Sendable {
    private static let firsts = Catalogue.firsts.map { $0.type }

    let database: Database

    /// Writes rows, in their order. Gives of each its id and the last row of its line that is there already, which is not looked for
    /// where it is the first.
    static func insertion(of rows: [OutboxRow]) -> SQL {
        let told: SQL = """
            id, CASE WHEN type <> ALL (\(OutboxStore.firsts)) THEN last_of_line(subject, audience = \(Audience.live.rawValue)) END
            """
        if let row = rows.first, rows.count == 1 {
            return """
                INSERT INTO outbox (event_id, type, subject, audience, envelope)
                VALUES (CAST(\(row.eventID) AS uuid), \(row.type), \(row.subject), \(row.audience), \(row.envelope))
                RETURNING \(told)
                """
        }
        return """
            INSERT INTO outbox (event_id, type, subject, audience, envelope)
            SELECT CAST(event_id AS uuid), type, subject, audience, envelope
            FROM unnest(
                \(rows.map(\.eventID)), \(rows.map(\.type)), \(rows.map(\.subject)), \(rows.map(\.audience)), \(rows.map(\.envelope))
            ) AS recorded (event_id, type, subject, audience, envelope)
            RETURNING \(told)
            """
    }

    /// Whether everybody understands packs: nobody of a release before may run beside this one.
    func mayPack() async throws -> Bool {
        try await database.query("SELECT allowed FROM event_packs").one { try $0.next() } ?? false
    }

    /// Rows that are due and not `known`, the oldest first. A row waits for an earlier one of its subject that is not due.
    func page(known: [Int64]) async throws -> [OutboxRow] {
        try await database.query(
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
        ).all { columns in
            OutboxRow(
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
        /// Rows that were set aside.
        var unpublished = 0
    }

    /// By the index, which is short as soon as it is cleaned up; the table keeps the length of its longest backlog.
    func backlog() async throws -> Backlog {
        try await database.query(
            """
            SELECT count(*), coalesce(CAST(extract(epoch FROM now() - min(recorded_at)) AS float8), 0),
                (SELECT count(*) FROM unpublished)
            FROM (SELECT recorded_at FROM outbox ORDER BY id OFFSET 0) AS waiting
            """
        ).one { Backlog(depth: try $0.next(), age: try $0.next(), unpublished: try $0.next()) } ?? Backlog()
    }

    /// Takes rows out of the outbox that the broker refuses for good, with its reasons; they are kept for the operator.
    func setAside(_ rows: [(id: Int64, reason: String)]) async throws {
        _ = try await database.query(
            """
            WITH refused AS (
                DELETE FROM outbox
                USING unnest(\(rows.map(\.id)), \(rows.map { storable($0.reason) })) AS answer (row_id, reason)
                WHERE id = answer.row_id
                RETURNING id, event_id, type, subject, audience, envelope, recorded_at, answer.reason
            )
            INSERT INTO unpublished (id, event_id, type, subject, audience, envelope, recorded_at, reason)
            SELECT id, event_id, type, subject, audience, envelope, recorded_at, reason FROM refused
            ON CONFLICT DO NOTHING
            """
        )
    }

    struct Unpublished: Sendable {
        let eventID: String
        let type: String
        let reason: String
        let time: String
        let bytes: Int
    }

    /// What was set aside, the oldest first.
    func unpublished() async throws -> [Unpublished] {
        try await database.query(
            """
            SELECT CAST(event_id AS text), type, reason,
                to_char(refused_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), length(envelope)
            FROM unpublished
            ORDER BY id
            LIMIT 10000
            """
        ).all { columns in
            Unpublished(
                eventID: try columns.next(),
                type: try columns.next(),
                reason: try columns.next(),
                time: try columns.next(),
                bytes: try columns.next()
            )
        }
    }

    /// Puts what was set aside back into the outbox, behind what is there.
    ///
    /// - Returns: how many those were.
    func publishAgain(_ ids: [String]) async throws -> Int {
        try await database.query(
            """
            WITH again AS (
                DELETE FROM unpublished WHERE CAST(event_id AS text) = ANY(\(ids))
                RETURNING id, event_id, type, subject, audience, envelope, recorded_at
            )
            INSERT INTO outbox (event_id, type, subject, audience, envelope, recorded_at)
            SELECT event_id, type, subject, audience, envelope, recorded_at FROM again ORDER BY id
            """
        ).affected
    }

    func dropUnpublished(_ ids: [String]) async throws -> Int {
        try await database.query("DELETE FROM unpublished WHERE CAST(event_id AS text) = ANY(\(ids))").affected
    }
}
