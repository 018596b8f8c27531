// SPDX-License-Identifier: Apache-2.0
// Which uploads something shows.

import Domain
import Postgres

enum UseStore {
    /// Keeps what things show, where nothing newer is known of them.
    ///
    /// - Parameter showings: one of each thing at most.
    /// - Returns: the uploads that something shows now and did not before, and the other way round.
    static func keep(_ showings: [Showing], at now: Timestamp, in transaction: some Transacting) async throws
        -> [MediaID]
    {
        let pairs = showings.flatMap { showing in
            Set(showing.uploads).map { (kind: showing.kind, subject: showing.subject, upload: $0) }
        }
        let shown: SQL = """
            SELECT * FROM unnest(\(pairs.map(\.kind.rawValue)), \(pairs.map(\.subject)), \(pairs.map(\.upload)))
                AS p (kind, subject_id, upload_id)
            """
        return try await transaction.query(
            """
            WITH shown AS (
                \(shown)
            ), newer AS (
                INSERT INTO subjects (kind, id, version, touched_at)
                SELECT kind, id, version, \(now)
                FROM unnest(\(showings.map(\.kind.rawValue)), \(showings.map(\.subject)), \(showings.map(\.version)))
                    AS s (kind, id, version)
                ON CONFLICT (kind, id) DO UPDATE
                SET version = excluded.version, touched_at = excluded.touched_at
                WHERE subjects.version < excluded.version
                RETURNING kind, id
            ), ended AS (
                DELETE FROM uses
                USING newer
                WHERE uses.kind = newer.kind AND uses.subject_id = newer.id
                    AND NOT EXISTS (
                        SELECT FROM shown
                        WHERE shown.kind = uses.kind AND shown.subject_id = uses.subject_id
                            AND shown.upload_id = uses.upload_id
                    )
                RETURNING uses.upload_id
            ), begun AS (
                INSERT INTO uses (kind, subject_id, upload_id)
                SELECT shown.kind, shown.subject_id, shown.upload_id
                FROM shown JOIN newer ON newer.kind = shown.kind AND newer.id = shown.subject_id
                ON CONFLICT DO NOTHING
                RETURNING upload_id
            )
            SELECT upload_id FROM ended UNION SELECT upload_id FROM begun ORDER BY 1
            """
        ).all { try $0.next() }
    }

    static func lock(_ uploads: [MediaID], in transaction: some Transacting) async throws {
        _ = try await transaction.query(
            "SELECT id FROM uploads WHERE id = ANY (\(uploads)) ORDER BY id FOR UPDATE"
        )
    }

    /// Notes of uploads whether something shows them; those of others are nobody's.
    static func settle(_ uploads: [MediaID], at now: Timestamp, in transaction: some Transacting) {
        transaction.enqueue(
            """
            UPDATE uploads
            SET unused_since = CASE WHEN used.is_used THEN NULL ELSE coalesce(unused_since, \(now)) END
            FROM (
                SELECT u.id, EXISTS (SELECT FROM uses WHERE uses.upload_id = u.id) AS is_used
                FROM uploads u
                WHERE u.id = ANY (\(uploads))
            ) used
            WHERE uploads.id = used.id
            """
        )
    }

    static func forget(_ uploads: [MediaID], in transaction: some Transacting) {
        transaction.enqueue("DELETE FROM uses WHERE upload_id = ANY (\(uploads))")
    }

    /// Removes some of what is known of things that show nothing any more.
    static func forgetSubjects(before moment: Timestamp, in database: some Querying) async throws -> Int {
        try await database.query(
            """
            DELETE FROM subjects
            WHERE (kind, id) IN (
                SELECT kind, id FROM subjects
                WHERE touched_at < \(moment)
                    AND NOT EXISTS (SELECT FROM uses WHERE uses.kind = subjects.kind AND uses.subject_id = subjects.id)
                ORDER BY touched_at LIMIT 1000
            )
            """
        ).affected
    }
}
