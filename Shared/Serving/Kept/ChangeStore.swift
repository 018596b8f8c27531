// SPDX-License-Identifier: Apache-2.0
// The tables `changes` and `change_floor`: what changed lately.

import Domain
import Foundation
public import Outbox
public import Postgres

/// The tables `changes` and `change_floor`, in the schema of a service that keeps answers.
public let changeMigrations = MigrationSource(name: "changes", directory: Bundle.module.bundlePath + "/Migrations")

/// Reads and forgets what changed.
public enum ChangeStore {
    /// One look at what changed.
    struct Look: Sendable {
        /// What was committed at that moment (PostgreSQL, 8.26 `pg_snapshot`).
        let snapshot: String
        /// Whether `subjects` are all that changed since the look before.
        let isComplete: Bool
        let subjects: [Int64]
        let moment: Timestamp

        /// The rows of either kind that the statement reads; where there are as many, there may be more.
        fileprivate static let most = 1000

        /// Reads the subjects of each row, and what all rows say of the look.
        fileprivate init(_ rows: Rows) throws {
            var subjects: [Int64] = []
            for row in rows {
                var columns = row.columns
                subjects += try columns.next([Int64]?.self) ?? []
            }
            guard var columns = rows.first?.columns else { throw PostgresError.misuse("a look found nothing") }
            _ = try columns.next([Int64]?.self)
            snapshot = try columns.next()
            isComplete = try columns.next(Bool?.self) == true && rows.count < Look.most
            moment = try columns.next()
            self.subjects = subjects
        }
    }

    /// What changed since a look; where that is not known any more, a look from which on it is.
    ///
    /// - Parameters:
    ///   - known: nil for a first look.
    ///   - passed: subjects that changed since a moment though nobody wrote anything.
    static func look(
        after known: Look?,
        passed: (Timestamp) -> SQL?,
        in database: some Querying
    ) async throws -> Look {
        let look = try await compare(known, passed: passed, in: database)
        guard !look.isComplete else { return look }
        try await begin(in: database)
        return try await compare(nil, passed: passed, in: database)
    }

    private static func compare(
        _ known: Look?,
        passed: (Timestamp) -> SQL?,
        in database: some Querying
    ) async throws -> Look {
        let also = known.flatMap { passed($0.moment) }.map { "UNION ALL (SELECT ARRAY(\($0)))" as SQL } ?? ""
        let rows = try await database.query(
            """
            SELECT changed.subjects, now.snapshot, now.is_complete, now.moment
            FROM (SELECT CAST(\(known?.snapshot) AS pg_snapshot) AS snapshot) known
            CROSS JOIN LATERAL (
                SELECT
                    CAST(pg_current_snapshot() AS text) AS snapshot,
                    (SELECT f.xid <= pg_snapshot_xmin(known.snapshot) FROM change_floor f) AS is_complete,
                    statement_timestamp() AS moment
            ) now
            LEFT JOIN LATERAL (
                (
                    SELECT c.subjects
                    FROM changes c
                    WHERE c.xid >= pg_snapshot_xmax(known.snapshot)
                    ORDER BY c.xid
                    LIMIT 1000
                )
                UNION ALL
                (
                    SELECT c.subjects
                    FROM changes c
                    WHERE c.xid = ANY (ARRAY(SELECT pg_snapshot_xip(known.snapshot)))
                    LIMIT 1000
                )
                \(also)
            ) changed ON true
            """
        )
        return try Look(rows)
    }

    /// Lets looks begin: there is no floor on a new database, and none after a crash.
    private static func begin(in database: some Querying) async throws {
        _ = try await database.query(
            """
            INSERT INTO change_floor (xid, next_xid, moved_at)
            SELECT near.xid, near.xid, statement_timestamp() FROM (SELECT pg_snapshot_xmin(pg_current_snapshot()) AS xid) near
            ON CONFLICT (is_only) DO NOTHING
            """
        )
    }

    /// Forgets what changed longer ago than whoever looks regularly asks for.
    public static let sweep = Sweep("changes", every: .seconds(60)) { database in
        let removed = try await removeOld(in: database)
        if removed == 0 { try await moveFloor(in: database) }
        return removed
    }

    /// Some of what lies below the floor. What lies above all that there is came from another cluster with a dump.
    ///
    /// - Returns: how many rows went.
    private static func removeOld(in database: some Querying) async throws -> Int {
        try await database.query(
            """
            DELETE FROM changes
            WHERE ctid = ANY (ARRAY(
                (SELECT c.ctid FROM changes c WHERE c.xid < (SELECT f.xid FROM change_floor f) ORDER BY c.xid LIMIT 5000)
                UNION ALL
                (
                    SELECT c.ctid FROM changes c
                    WHERE c.xid >= pg_snapshot_xmax(pg_current_snapshot())
                    ORDER BY c.xid
                    LIMIT 5000
                )
            ))
            """
        ).affected
    }

    /// Two minutes at least lie between two moves, so that whoever looked two minutes ago misses nothing.
    private static func moveFloor(in database: some Querying) async throws {
        _ = try await database.query(
            """
            UPDATE change_floor
            SET xid = next_xid, next_xid = pg_snapshot_xmin(pg_current_snapshot()), moved_at = statement_timestamp()
            WHERE moved_at < statement_timestamp() - interval '2 minutes'
            """
        )
    }
}
