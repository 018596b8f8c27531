// SPDX-License-Identifier: Apache-2.0
// The SQL on playgrounds.

import Domain
import Postgres

/// Reads and writes playgrounds.
enum PlaygroundStore {
    /// A playground with what the viewer is in it; nil when there is none.
    static func seen(
        _ id: PlaygroundID,
        by viewer: AccountID?,
        in database: some Querying
    ) async throws -> SeenPlayground? {
        try await database.query(
            """
            SELECT \(SeenPlayground.columns)
            FROM playground_entries g
            LEFT JOIN playground_members p ON p.playground_id = g.id AND p.account_id = \(viewer)
            WHERE g.id = \(id)
            """
        ).one(SeenPlayground.init(columns:))
    }

    /// Those of the playgrounds that there are, in the order in which they were asked for.
    static func found(
        _ ids: [PlaygroundID],
        by viewer: AccountID,
        in database: some Querying
    ) async throws -> [SeenPlayground] {
        try await database.query(
            """
            SELECT \(SeenPlayground.columns)
            FROM unnest(\(ids)) WITH ORDINALITY AS w (id, place)
            JOIN playground_entries g ON g.id = w.id
            LEFT JOIN playground_members p ON p.playground_id = g.id AND p.account_id = \(viewer)
            ORDER BY w.place
            """
        ).all(SeenPlayground.init(columns:))
    }

    /// Holds a playground against every other change of it, its members, invites, bans and channels until the end of the
    /// transaction. A playground is held before its channels.
    static func hold(_ id: PlaygroundID, in transaction: some Transacting) {
        transaction.enqueue("SELECT 1 FROM playgrounds WHERE id = \(id) FOR NO KEY UPDATE")
    }

    /// Holds a playground against changes of its members and roles only: what happens in its channels goes on side by
    /// side.
    static func share(_ id: PlaygroundID, in transaction: some Transacting) {
        transaction.enqueue("SELECT 1 FROM playgrounds WHERE id = \(id) FOR SHARE")
    }

    /// The same for the playground of a channel, if it has one.
    static func share(of channel: ChannelID, in transaction: some Transacting) {
        transaction.enqueue(
            """
            SELECT 1 FROM playgrounds WHERE id = (SELECT playground_id FROM channels WHERE id = \(channel)) FOR SHARE
            """
        )
    }

    /// The playgrounds that somebody is in, newest first.
    static func list(of account: AccountID, _ page: Page, in database: some Querying) async throws -> [SeenPlayground] {
        try await database.query(
            """
            WITH p AS (
                SELECT playground_id, role
                FROM playground_members
                WHERE account_id = \(account) AND \(page.cut("playground_id"))
            )
            SELECT \(SeenPlayground.columns)
            FROM p
            JOIN playground_entries g ON g.id = p.playground_id
            ORDER BY g.id DESC
            """
        ).all(SeenPlayground.init(columns:))
    }

    /// The channel that every member of a playground is in: what is written to it reaches all of them.
    static func everyone(in playground: PlaygroundID, in database: some Querying) async throws -> ChannelID? {
        try await database.query("SELECT default_channel_id FROM playgrounds WHERE id = \(playground)")
            .one { try $0.next() }
    }

    /// How many playgrounds somebody owns; hold the account's row to rely on it.
    static func owned(by account: AccountID, in database: some Querying) async throws -> Int {
        try await database.query("SELECT count(*) FROM playgrounds WHERE owner_id = \(account)").number()
    }

    /// Whether a file is an image of this account's, ready to be shown.
    static func mayBeCover(_ id: MediaID, of account: AccountID, in database: some Querying) async throws -> Bool {
        try await !database.query(
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
        at stamp: Stamp,
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            INSERT INTO playgrounds (id, name, description, cover_id, owner_id, open, default_channel_id, created_at,
                updated_at, version)
            VALUES (\(id), \(draft.name ?? ""), \(draft.description ?? ""), \(draft.cover?.id), \(owner),
                \(draft.isOpen ?? false), \(defaultChannel), \(stamp.moment), \(stamp.moment), \(stamp.version))
            """
        )
    }

    /// Changes what the draft names and leaves the rest.
    static func update(
        _ id: PlaygroundID,
        _ draft: PlaygroundDraft,
        at stamp: Stamp,
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            UPDATE playgrounds
            SET name = coalesce(\(draft.name), name), description = coalesce(\(draft.description), description),
                cover_id = CASE WHEN \(draft.cover != nil) THEN \(draft.cover?.id) ELSE cover_id END,
                open = coalesce(\(draft.isOpen), open), updated_at = \(stamp.moment), version = \(stamp.version)
            WHERE id = \(id)
            """
        )
    }

    /// Removes the playground with its members, bans and invites; its channels must be gone.
    static func delete(_ id: PlaygroundID, in transaction: some Transacting) {
        transaction.enqueue("DELETE FROM playgrounds WHERE id = \(id)")
    }
}
