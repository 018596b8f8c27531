// SPDX-License-Identifier: Apache-2.0
// The SQL on blocks, mutes and notes.

import Domain
import Postgres

/// Reads and writes whom an account does not want to meet or see, and what it noted of others.
enum BlockStore {
    /// - Returns: whether the block is new.
    static func insertBlock(_ pair: Pair, id: Int64, in transaction: some Transacting) async throws -> Bool {
        try await transaction.query(
            """
            INSERT INTO blocks (account_id, target_id, id)
            VALUES (\(pair.actor), \(pair.target), \(id))
            ON CONFLICT (account_id, target_id) DO NOTHING
            """
        ).affected > 0
    }

    enum Table: Sendable {
        case blocks, mutes

        fileprivate var name: SQL {
            switch self {
            case .blocks: "blocks"
            case .mutes: "mutes"
            }
        }
    }

    /// - Returns: whether there was one.
    static func delete(_ table: Table, _ pair: Pair, in transaction: some Transacting) async throws -> Bool {
        try await transaction.query(deletion(of: pair, from: table.name)).affected > 0
    }

    private static func deletion(of pair: Pair, from table: SQL) -> SQL {
        "DELETE FROM \(table) WHERE account_id = \(pair.actor) AND target_id = \(pair.target)"
    }

    /// Mutes, or changes a mute; an entry keeps its place in the list.
    static func setMute(
        _ pair: Pair,
        id: Int64,
        notifications: Bool,
        expires: Timestamp?,
        in transaction: some Transacting
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

    /// Who saw nothing of somebody until a mute ended since a moment.
    static func mutesEnded(since moment: Timestamp) -> SQL {
        "SELECT m.account_id FROM mutes m WHERE m.expires_at > \(moment) AND m.expires_at <= statement_timestamp()"
    }

    /// Forgets some mutes that have ended; whoever was told of one was told its end.
    ///
    /// - Returns: how many.
    static func forgetMutes(before moment: Timestamp, in database: some Querying) async throws -> Int {
        try await database.query(
            .deletingFirst(
                of: "mutes",
                by: "account_id, target_id",
                where: "expires_at < \(moment)",
                inOrderOf: "expires_at"
            )
        ).affected
    }

    static func setNote(_ pair: Pair, comment: String, in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO account_notes (account_id, target_id, comment)
            VALUES (\(pair.actor), \(pair.target), \(comment))
            ON CONFLICT (account_id, target_id) DO UPDATE SET comment = excluded.comment
            """
        )
    }

    static func deleteNote(_ pair: Pair, in transaction: some Transacting) {
        transaction.enqueue(deletion(of: pair, from: "account_notes"))
    }
}
