// SPDX-License-Identifier: Apache-2.0
// The SQL on invitations.

import Domain
import Postgres
import Views

/// An invitation into a playground.
struct Invite: Sendable {
    let code: String
    let playgroundID: PlaygroundID
    let creatorID: AccountID
    let createdAt: Timestamp
    let expiresAt: Timestamp?
    /// Nil for any number.
    let maxUses: Int64?
    let uses: Int64
    let revokedAt: Timestamp?

    /// Whether it still lets somebody in.
    func isGood(at now: Timestamp) -> Bool {
        if revokedAt != nil { return false }
        if let expiresAt, expiresAt <= now { return false }
        if let maxUses, uses >= maxUses { return false }
        return true
    }
}

extension Invite: View {
    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("code", code)
            json.member("playground_id", playgroundID)
            json.member("creator_id", creatorID)
            json.member("created_at", createdAt)
            json.member("expires_at", expiresAt)
            json.name("max_uses")
            if let maxUses { json.integer(maxUses) } else { json.null() }
            json.member("uses", uses)
        }
    }
}

/// Reads and writes invitations.
enum InviteStore {
    static func invite(_ code: String, in database: Database) async throws -> Invite? {
        try await database.query(row(of: code)).invites().first
    }

    /// What is read after the playground's row was locked is true until the end of the transaction.
    static func invite(_ code: String, in transaction: Transaction) async throws -> Invite? {
        try await transaction.query(row(of: code)).invites().first
    }

    private static func row(of code: String) -> SQL {
        """
        SELECT code, playground_id, creator_id, created_at, expires_at, max_uses, uses, revoked_at
        FROM invites
        WHERE code = \(code)
        """
    }

    /// Invites that are good, newest first.
    static func good(
        for playground: PlaygroundID,
        at now: Timestamp,
        limit: Int,
        in database: Database
    ) async throws -> [Invite] {
        try await database.query(
            """
            SELECT code, playground_id, creator_id, created_at, expires_at, max_uses, uses, revoked_at
            FROM invites
            WHERE playground_id = \(playground) AND revoked_at IS NULL
                AND (expires_at IS NULL OR expires_at > \(now)) AND (max_uses IS NULL OR uses < max_uses)
            ORDER BY created_at DESC, code
            LIMIT \(limit)
            """
        ).invites()
    }

    static func goodCount(
        for playground: PlaygroundID,
        at now: Timestamp,
        in transaction: Transaction
    ) async throws -> Int {
        try await transaction.query(
            """
            SELECT count(*)
            FROM invites
            WHERE playground_id = \(playground) AND revoked_at IS NULL
                AND (expires_at IS NULL OR expires_at > \(now)) AND (max_uses IS NULL OR uses < max_uses)
            """
        ).number()
    }

    static func insert(_ invite: Invite, in transaction: Transaction) {
        transaction.enqueue(
            """
            INSERT INTO invites (code, playground_id, creator_id, created_at, expires_at, max_uses)
            VALUES (\(invite.code), \(invite.playgroundID), \(invite.creatorID), \(invite.createdAt),
                \(invite.expiresAt), \(invite.maxUses))
            """
        )
    }

    static func use(_ code: String, in transaction: Transaction) {
        transaction.enqueue("UPDATE invites SET uses = uses + 1 WHERE code = \(code)")
    }

    /// Removes some invitations that let nobody in any more: ended before a moment, or made before it and used up.
    static func forget(before moment: Timestamp) -> SQL {
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
    }

    static func revoke(
        _ code: String,
        of playground: PlaygroundID,
        at now: Timestamp,
        in transaction: Transaction
    ) {
        transaction.enqueue(
            """
            UPDATE invites SET revoked_at = coalesce(revoked_at, \(now))
            WHERE code = \(code) AND playground_id = \(playground)
            """
        )
    }
}

extension Rows {
    fileprivate func invites() throws -> [Invite] {
        try map { row in
            var columns = row.columns
            return Invite(
                code: try columns.next(),
                playgroundID: try columns.next(),
                creatorID: try columns.next(),
                createdAt: try columns.next(),
                expiresAt: try columns.next(),
                maxUses: try columns.next(),
                uses: try columns.next(),
                revokedAt: try columns.next()
            )
        }
    }
}
