// SPDX-License-Identifier: Apache-2.0
// The projection of blocks: who wants nothing to do with whom.

import Domain
import Outbox
import Postgres

enum BlockStore {
    /// Keeps what is said unless something newer is known.
    ///
    /// - Returns: whether it was kept.
    static func keep(
        _ blocker: AccountID,
        _ blocked: AccountID,
        active: Bool,
        version: Int64,
        at now: Timestamp,
        in transaction: some Transacting
    ) async throws -> Bool {
        try await transaction.query(
            """
            INSERT INTO blocks (blocker_id, blocked_id, version, active, changed_at)
            VALUES (\(blocker), \(blocked), \(version), \(active), \(now))
            ON CONFLICT (blocker_id, blocked_id) DO UPDATE
            SET version = excluded.version, active = excluded.active, changed_at = excluded.changed_at
            WHERE excluded.version > blocks.version
            """
        ).affected > 0
    }

    /// Keeps that a block holds, also in place of what is known at the same version.
    static func repair(
        _ blocker: AccountID,
        _ blocked: AccountID,
        version: Int64,
        at now: Timestamp,
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            INSERT INTO blocks (blocker_id, blocked_id, version, active, changed_at)
            VALUES (\(blocker), \(blocked), \(version), true, \(now))
            ON CONFLICT (blocker_id, blocked_id) DO UPDATE
            SET version = excluded.version, active = true,
                changed_at = CASE WHEN blocks.active THEN blocks.changed_at ELSE excluded.changed_at END
            WHERE excluded.version >= blocks.version
            """
        )
    }

    /// What goes in a rebuild: blocks that hold, of which nobody told.
    static let untold = UntoldRows(from: "blocks", where: "active", kind: "'block'", "blocker_id", "blocked_id")

    /// Whether a block holds between two people, whoever made it.
    static func exists(between one: AccountID, _ other: AccountID, in database: some Querying) async throws -> Bool {
        try await !database.query(
            """
            SELECT 1
            FROM blocks
            WHERE active AND (blocker_id, blocked_id) IN ((\(one), \(other)), (\(other), \(one)))
            """
        ).isEmpty
    }

    /// Removes some ends of blocks that came before a moment; a block that holds stays for ever.
    ///
    /// - Returns: how many.
    static func forgetEnded(before moment: Timestamp, in database: some Querying) async throws -> Int {
        try await database.query(
            """
            DELETE FROM blocks
            WHERE (blocker_id, blocked_id) IN (
                SELECT blocker_id, blocked_id
                FROM blocks
                WHERE NOT active AND changed_at < \(moment)
                LIMIT 1000
                FOR UPDATE SKIP LOCKED
            ) AND NOT active AND changed_at < \(moment)
            """
        ).affected
    }
}
