// SPDX-License-Identifier: Apache-2.0
// The SQL on playgrounds.

import Domain
import Events
import Postgres

/// Reads and writes playgrounds.
enum PlaygroundStore {
    /// A playground with what the viewer is in it; nil when there is none.
    static func seen(_ id: PlaygroundID, by viewer: AccountID?, in database: Database) async throws -> SeenPlayground? {
        try await database.query(entry(id, viewer)).seenPlaygrounds().first
    }

    static func seen(
        _ id: PlaygroundID,
        by viewer: AccountID,
        in transaction: Transaction
    ) async throws -> SeenPlayground? {
        try await transaction.query(entry(id, viewer)).seenPlaygrounds().first
    }

    /// The same, held against every other change of the playground, its members, invites, bans and channels until the
    /// end of the transaction. A playground is locked before its channels, channels in the order of their ids.
    static func lock(
        _ id: PlaygroundID,
        by viewer: AccountID,
        in transaction: Transaction
    ) async throws -> SeenPlayground? {
        transaction.enqueue("SELECT 1 FROM playgrounds WHERE id = \(id) FOR NO KEY UPDATE")
        return try await seen(id, by: viewer, in: transaction)
    }

    /// The same, held against changes of the members and roles only: what happens in its channels goes on side by side.
    static func share(
        _ id: PlaygroundID,
        by viewer: AccountID,
        in transaction: Transaction
    ) async throws -> SeenPlayground? {
        transaction.enqueue("SELECT 1 FROM playgrounds WHERE id = \(id) FOR SHARE")
        return try await seen(id, by: viewer, in: transaction)
    }

    private static func entry(_ id: PlaygroundID, _ viewer: AccountID?) -> SQL {
        """
        SELECT e.id, e.name, e.description, e.cover_id, e.owner_id, e.open, e.default_channel_id, e.created_at,
            e.updated_at, e.version, e.members_count, e.cover, m.role
        FROM playground_entries e
        LEFT JOIN playground_members m ON m.playground_id = e.id AND m.account_id = \(viewer)
        WHERE e.id = \(id)
        """
    }

    /// The playgrounds that somebody is in, newest first.
    static func list(of account: AccountID, _ page: Page, in database: Database) async throws -> [SeenPlayground] {
        try await database.query(
            """
            WITH page AS (
                SELECT playground_id, role
                FROM playground_members
                WHERE account_id = \(account) AND \(page.cut("playground_id"))
            )
            SELECT e.id, e.name, e.description, e.cover_id, e.owner_id, e.open, e.default_channel_id, e.created_at,
                e.updated_at, e.version, e.members_count, e.cover, page.role
            FROM page
            JOIN playground_entries e ON e.id = page.playground_id
            ORDER BY e.id DESC
            """
        ).seenPlaygrounds()
    }

    /// How many playgrounds somebody owns; hold the account's row to rely on it.
    static func owned(by account: AccountID, in transaction: Transaction) async throws -> Int {
        try await transaction.query("SELECT count(*) FROM playgrounds WHERE owner_id = \(account)").number()
    }

    /// Whether a file is an image of this account's, ready to be shown.
    static func mayBeCover(_ id: MediaID, of account: AccountID, in transaction: Transaction) async throws -> Bool {
        try await !transaction.query(
            """
            SELECT 1 FROM media
            WHERE id = \(id) AND owner_id = \(account) AND snapshot->>'type' IN ('image', 'gifv')
            """
        ).isEmpty
    }

    static func insert(
        _ id: PlaygroundID,
        _ draft: PlaygroundDraft,
        owner: AccountID,
        defaultChannel: ChannelID,
        at now: Timestamp,
        version: Int64,
        in transaction: Transaction
    ) {
        transaction.enqueue(
            """
            INSERT INTO playgrounds (id, name, description, cover_id, owner_id, open, default_channel_id, created_at,
                updated_at, version)
            VALUES (\(id), \(draft.name ?? ""), \(draft.description ?? ""), \(draft.cover?.id), \(owner),
                \(draft.isOpen ?? false), \(defaultChannel), \(now), \(now), \(version))
            """
        )
    }

    /// Changes what the draft names and leaves the rest.
    static func update(
        _ id: PlaygroundID,
        _ draft: PlaygroundDraft,
        at now: Timestamp,
        version: Int64,
        in transaction: Transaction
    ) {
        transaction.enqueue(
            """
            UPDATE playgrounds
            SET name = coalesce(\(draft.name), name), description = coalesce(\(draft.description), description),
                cover_id = CASE WHEN \(draft.cover != nil) THEN \(draft.cover?.id) ELSE cover_id END,
                open = coalesce(\(draft.isOpen), open), updated_at = \(now), version = \(version)
            WHERE id = \(id)
            """
        )
    }

    static func setOwner(
        _ id: PlaygroundID,
        _ owner: AccountID,
        at now: Timestamp,
        version: Int64,
        in transaction: Transaction
    ) {
        transaction.enqueue(
            """
            UPDATE playgrounds SET owner_id = \(owner), updated_at = \(now), version = \(version) WHERE id = \(id)
            """
        )
    }

    /// Removes the playground with its members, bans and invites; its channels must be gone.
    static func delete(_ id: PlaygroundID, in transaction: Transaction) {
        transaction.enqueue("DELETE FROM playgrounds WHERE id = \(id)")
    }
}

extension Rows {
    fileprivate func seenPlaygrounds() throws -> [SeenPlayground] {
        try map { row in
            var columns = row.columns
            return try SeenPlayground(columns: &columns)
        }
    }

    /// The only number of the only row.
    func number() throws -> Int {
        guard let row = first else { return 0 }
        var columns = row.columns
        return try columns.next()
    }
}
