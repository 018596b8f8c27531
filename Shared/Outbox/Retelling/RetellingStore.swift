// SPDX-License-Identifier: Apache-2.0
// The SQL of what is told again: to which queues, and how far that is.

import Events
import Postgres

/// A queue to which a service tells again what it owns.
struct RetellingRow: Sendable {
    let queue: String
    let rebuildID: String
    let types: [String]
    /// The name of the teller whose turn it is; empty before the first.
    let kind: String
    let position: [Int64]
    let told: Int64
    let attempts: Int
    /// How many events it may be told now.
    let room: Int64

    static let columns: SQL = """
        queue, CAST(rebuild_id AS text), types, kind, position, told, attempts::bigint, ahead - (told - applied)
        """
}

enum RetellingStore {
    /// How many events may be told before they are applied, when nothing is known of the pace, and when it is known to be fast.
    static let (least, most) = (50, 1000)
    /// Over how long the pace is measured at least.
    private static let measure: SQL = "now() - r.paced_at >= interval '500 milliseconds'"

    /// Notes how a rebuild stands, unless a later one of the queue is known; and how much it applies in a second, which is how
    /// far ahead of it is told from now on: what happens live comes behind that.
    static func keep<Asker>(_ news: RebuildAdvanced<Asker>, applied: Int64, in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO retellings AS r (queue, rebuild_id, types, applied, is_over)
            VALUES (
                \(news.queue), CAST(\(news.rebuildID) AS uuid), \(news.types), \(applied), \(news.isAbandoned)
            )
            ON CONFLICT (queue) DO UPDATE
            SET rebuild_id = excluded.rebuild_id, types = excluded.types,
                applied = CASE
                    WHEN r.rebuild_id = excluded.rebuild_id THEN greatest(r.applied, excluded.applied)
                    ELSE excluded.applied
                END,
                is_over = excluded.is_over OR (r.rebuild_id = excluded.rebuild_id AND r.is_over),
                kind = CASE WHEN r.rebuild_id = excluded.rebuild_id THEN r.kind ELSE '' END,
                position = CASE WHEN r.rebuild_id = excluded.rebuild_id THEN r.position ELSE '{}' END,
                told = CASE WHEN r.rebuild_id = excluded.rebuild_id THEN r.told ELSE 0 END,
                ahead = CASE
                    WHEN r.rebuild_id <> excluded.rebuild_id THEN \(least)
                    WHEN \(measure) THEN least(\(most), greatest(\(least), ceil(
                        (greatest(r.applied, excluded.applied) - r.paced_applied) / extract(epoch FROM now() - r.paced_at)
                    )))
                    ELSE r.ahead
                END,
                paced_at = CASE WHEN r.rebuild_id <> excluded.rebuild_id OR \(measure) THEN now() ELSE r.paced_at END,
                paced_applied = CASE
                    WHEN r.rebuild_id <> excluded.rebuild_id THEN excluded.applied
                    WHEN \(measure) THEN greatest(r.applied, excluded.applied)
                    ELSE r.paced_applied
                END,
                attempts = 0, due_at = now(), reason = NULL
            WHERE excluded.rebuild_id >= r.rebuild_id
            """
        )
    }

    /// Takes a queue that may be told more: not too far ahead of what was applied, nor while the outbox is full of other
    /// things. Nil when there is none, or others have them.
    static func next(outbox: Int, in transaction: some Transacting) async throws -> RetellingRow? {
        try await transaction.query(
            """
            SELECT \(RetellingRow.columns)
            FROM retellings
            WHERE NOT is_over AND due_at <= now() AND told - applied < ahead
                AND (SELECT count(*) FROM (SELECT FROM outbox LIMIT \(outbox + 1)) o) <= \(outbox)
            ORDER BY told - applied
            LIMIT 1
            FOR UPDATE SKIP LOCKED
            """
        ).one(as: RetellingRow.init)
    }

    static func advance(
        _ row: RetellingRow,
        to kind: String,
        after position: [Int64],
        telling count: Int,
        isOver: Bool,
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            UPDATE retellings
            SET kind = \(kind), position = \(position), told = told + \(count), is_over = \(isOver), attempts = 0,
                reason = NULL
            WHERE queue = \(row.queue)
            """
        )
    }

    /// Puts a queue off whose step failed: 1 s, then twice as long each time up to a minute.
    static func putOff(_ queue: String, reason: String, in database: some Querying) async throws {
        _ = try await database.query(
            """
            UPDATE retellings
            SET attempts = attempts + 1, due_at = now() + make_interval(secs => least(60, power(2, least(attempts, 6)))),
                reason = \(storable(reason))
            WHERE queue = \(queue)
            """
        )
    }

    static func countUnderWay(in database: some Querying) async throws -> Int {
        try await database.query("SELECT count(*) FROM retellings WHERE NOT is_over").number()
    }
}
