// SPDX-License-Identifier: Apache-2.0
// The SQL on blocks, mutes and notes.

import Domain
import Postgres

/// Reads and writes whom an account does not want to meet or see, and what it noted of others.
enum BlockStore {
    /// - Returns: whether the block is new.
    static func insertBlock(_ pair: Pair, id: Int64, in transaction: Transaction) async throws -> Bool {
        try await transaction.query(
            """
            INSERT INTO blocks (account_id, target_id, id)
            VALUES (\(pair.actor), \(pair.target), \(id))
            ON CONFLICT (account_id, target_id) DO NOTHING
            """
        ).affected > 0
    }

    /// - Returns: whether there was a block.
    static func deleteBlock(_ pair: Pair, in transaction: Transaction) async throws -> Bool {
        try await transaction.query(
            "DELETE FROM blocks WHERE account_id = \(pair.actor) AND target_id = \(pair.target)"
        ).affected > 0
    }

    /// Mutes, or changes a mute; an entry keeps its place in the list.
    static func setMute(
        _ pair: Pair,
        id: Int64,
        notifications: Bool,
        expires: Timestamp?,
        in transaction: Transaction
    ) {
        transaction.enqueue(
            """
            INSERT INTO mutes (account_id, target_id, id, notifications, expires_at)
            VALUES (\(pair.actor), \(pair.target), \(id), \(notifications), \(expires))
            ON CONFLICT (account_id, target_id)
            DO UPDATE SET notifications = excluded.notifications, expires_at = excluded.expires_at
            """
        )
    }

    /// - Returns: whether there was a mute.
    static func deleteMute(_ pair: Pair, in transaction: Transaction) async throws -> Bool {
        try await transaction.query(
            "DELETE FROM mutes WHERE account_id = \(pair.actor) AND target_id = \(pair.target)"
        ).affected > 0
    }

    /// Forgets some mutes that have ended; whoever was told of one was told its end.
    static func forgetMutes(before moment: Timestamp) -> SQL {
        """
        DELETE FROM mutes
        WHERE (account_id, target_id) IN (
            SELECT account_id, target_id FROM mutes WHERE expires_at < \(moment) ORDER BY expires_at LIMIT 1000
        )
        """
    }

    static func setNote(_ pair: Pair, comment: String, in transaction: Transaction) {
        transaction.enqueue(
            """
            INSERT INTO account_notes (account_id, target_id, comment)
            VALUES (\(pair.actor), \(pair.target), \(comment))
            ON CONFLICT (account_id, target_id) DO UPDATE SET comment = excluded.comment
            """
        )
    }

    static func deleteNote(_ pair: Pair, in transaction: Transaction) {
        transaction.enqueue(
            "DELETE FROM account_notes WHERE account_id = \(pair.actor) AND target_id = \(pair.target)"
        )
    }
}
