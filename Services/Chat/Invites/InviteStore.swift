// SPDX-License-Identifier: Apache-2.0
// The SQL on invitations.

import Domain
import Postgres

/// Reads and writes invitations.
enum InviteStore {
    /// What is read after the playground's row was locked is true until the end of the transaction.
    static func invite(_ code: String, in database: some Querying) async throws -> Invite? {
        try await database.query("SELECT \(Invite.columns) FROM invites WHERE code = \(code)")
            .one(as: Invite.init)
    }

    /// Invites that are good, newest first.
    static func good(
        for playground: PlaygroundID,
        at now: Timestamp,
        limit: Int,
        in database: some Querying
    ) async throws -> [Invite] {
        try await database.query(
            """
            SELECT \(Invite.columns)
            FROM invites
            WHERE \(isGood(for: playground, at: now))
            ORDER BY created_at DESC, code
            LIMIT \(limit)
            """
        ).all(as: Invite.init)
    }

    static func goodCount(
        for playground: PlaygroundID,
        at now: Timestamp,
        in database: some Querying
    ) async throws -> Int {
        try await database.query("SELECT count(*) FROM invites WHERE \(isGood(for: playground, at: now))").number()
    }

    /// `Invite.isGood` of a row.
    private static func isGood(for playground: PlaygroundID, at now: Timestamp) -> SQL {
        """
        playground_id = \(playground) AND revoked_at IS NULL
            AND (expires_at IS NULL OR expires_at > \(now)) AND (max_uses IS NULL OR uses < max_uses)
        """
    }

    static func insert(_ invite: Invite, in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO invites (code, playground_id, creator_id, created_at, expires_at, max_uses)
            VALUES (\(invite.code), \(invite.playgroundID), \(invite.creatorID), \(invite.createdAt),
                \(invite.expiresAt), \(invite.maxUses))
            """
        )
    }

    static func use(_ code: String, in transaction: some Transacting) {
        transaction.enqueue("UPDATE invites SET uses = uses + 1 WHERE code = \(code)")
    }

    static func revoke(
        _ code: String,
        of playground: PlaygroundID,
        at now: Timestamp,
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            UPDATE invites SET revoked_at = coalesce(revoked_at, \(now))
            WHERE code = \(code) AND playground_id = \(playground)
            """
        )
    }

    /// Removes some invitations that let nobody in any more: ended before a moment, or made before it and used up.
    ///
    /// - Returns: how many.
    static func forget(before moment: Timestamp, in database: some Querying) async throws -> Int {
        try await database.query(
            """
            DELETE FROM invites
            WHERE code = ANY (
                ARRAY(
                    SELECT code FROM invites
                    WHERE least(expires_at, revoked_at) < \(moment)
                    LIMIT 1000
                    FOR UPDATE SKIP LOCKED
                ) || ARRAY(
                    SELECT code FROM invites
                    WHERE uses >= max_uses AND created_at < \(moment)
                    LIMIT 1000
                    FOR UPDATE SKIP LOCKED
                )
            )
            """
        ).affected
    }
}
