// SPDX-License-Identifier: Apache-2.0
// The SQL on channels.

import Domain
import Events
import Postgres

/// Reads and writes channels.
enum ChannelStore {
    /// A channel with what the viewer is in it, whether or not they may see it; nil when there is none.
    static func seen(_ id: ChannelID, by viewer: AccountID, in database: Database) async throws -> SeenChannel? {
        try await database.query(entry(id, viewer)).seenChannels().first
    }

    static func seen(_ id: ChannelID, by viewer: AccountID, in transaction: Transaction) async throws -> SeenChannel? {
        try await transaction.query(entry(id, viewer)).seenChannels().first
    }

    /// The same, held against every other change of the channel, its members and its messages until the end of the
    /// transaction. A playground is locked before its channels, channels in the order of their ids: who is being removed
    /// from the playground is waited for.
    static func lock(_ id: ChannelID, by viewer: AccountID, in transaction: Transaction) async throws -> SeenChannel? {
        transaction.enqueue(
            """
            SELECT 1 FROM playgrounds WHERE id = (SELECT playground_id FROM channels WHERE id = \(id)) FOR SHARE
            """
        )
        transaction.enqueue("SELECT 1 FROM channels WHERE id = \(id) FOR NO KEY UPDATE")
        return try await seen(id, by: viewer, in: transaction)
    }

    private static func entry(_ id: ChannelID, _ viewer: AccountID) -> SQL {
        """
        SELECT e.id, e.type, e.playground_id, e.name, e.description, e.owner_id, e.archived_at, e.created_at,
            e.updated_at, e.version, e.last_seq, e.last_change, e.is_default, e.members_count, e.people,
            m.role, m.requested, m.last_read_seq, m.notify, m.muted_until, m.joined_at, m.version, p.role
        FROM channel_entries e
        LEFT JOIN channel_members m ON m.channel_id = e.id AND m.account_id = \(viewer)
        LEFT JOIN playground_members p ON p.playground_id = e.playground_id AND p.account_id = \(viewer)
        WHERE e.id = \(id)
        """
    }

    /// The channels of a playground that a member of it sees, by name; with `text`, those whose name or description
    /// holds it.
    static func list(
        of playground: PlaygroundID,
        seenBy viewer: AccountID,
        text: String = "",
        limit: Int,
        in database: Database
    ) async throws -> [SeenChannel] {
        try await database.query(
            """
            SELECT e.id, e.type, e.playground_id, e.name, e.description, e.owner_id, e.archived_at, e.created_at,
                e.updated_at, e.version, e.last_seq, e.last_change, e.is_default, e.members_count, e.people,
                m.role, m.requested, m.last_read_seq, m.notify, m.muted_until, m.joined_at, m.version, p.role
            FROM channel_entries e
            JOIN playground_members p ON p.playground_id = e.playground_id AND p.account_id = \(viewer)
            LEFT JOIN channel_members m ON m.channel_id = e.id AND m.account_id = \(viewer)
            WHERE e.playground_id = \(playground)
                AND (e.type = 'public' OR (e.type = 'private' AND m.account_id IS NOT NULL))
                AND (\(text) = '' OR strpos(lower(e.name), lower(\(text))) > 0
                    OR strpos(lower(e.description), lower(\(text))) > 0)
            ORDER BY e.archived_at IS NOT NULL, NOT e.is_default, lower(e.name), e.id
            LIMIT \(limit)
            """
        ).seenChannels()
    }

    /// Channels of a playground that count against its limit; hold the playground's row to rely on it.
    static func count(of playground: PlaygroundID, in transaction: Transaction) async throws -> Int {
        try await transaction.query(
            "SELECT count(*) FROM channels WHERE playground_id = \(playground) AND type IN ('public', 'private')"
        ).number()
    }

    /// The channel that every member of a playground is in: what is written to it reaches all of them.
    static func everyone(in playground: PlaygroundID, _ transaction: Transaction) async throws -> ChannelID? {
        let rows = try await transaction.query("SELECT default_channel_id FROM playgrounds WHERE id = \(playground)")
        return try rows.first.map { row in
            var columns = row.columns
            return try columns.next()
        }
    }

    static func insert(
        _ id: ChannelID,
        _ draft: ChannelDraft,
        in playground: PlaygroundID,
        owner: AccountID,
        at now: Timestamp,
        version: Int64,
        _ transaction: Transaction
    ) {
        transaction.enqueue(
            """
            INSERT INTO channels (id, type, playground_id, name, description, owner_id, created_at, updated_at, version)
            VALUES (\(id), \(draft.type ?? .public), \(playground), \(draft.name ?? ""), \(draft.description ?? ""),
                \(owner), \(now), \(now), \(version))
            """
        )
    }

    /// Changes what the draft names and leaves the rest.
    static func update(
        _ id: ChannelID,
        _ draft: ChannelDraft,
        at now: Timestamp,
        version: Int64,
        in transaction: Transaction
    ) {
        transaction.enqueue(
            """
            UPDATE channels
            SET name = coalesce(\(draft.name), name), description = coalesce(\(draft.description), description),
                type = coalesce(\(draft.type), type), updated_at = \(now), version = \(version)
            WHERE id = \(id)
            """
        )
    }

    /// Archives a channel at a time, or opens it again.
    static func setArchived(
        _ id: ChannelID,
        _ archivedAt: Timestamp?,
        at now: Timestamp,
        version: Int64,
        in transaction: Transaction
    ) {
        transaction.enqueue(
            """
            UPDATE channels SET archived_at = \(archivedAt), updated_at = \(now), version = \(version)
            WHERE id = \(id)
            """
        )
    }

    static func setOwner(
        _ id: ChannelID,
        _ owner: AccountID?,
        at now: Timestamp,
        version: Int64,
        in transaction: Transaction
    ) {
        transaction.enqueue(
            """
            UPDATE channels SET owner_id = \(owner), updated_at = \(now), version = \(version) WHERE id = \(id)
            """
        )
    }

    /// Every channel of a playground, direct ones among them, held until the end of the transaction; whoever is just
    /// writing there is waited for.
    static func lockAll(of playground: PlaygroundID, in transaction: Transaction) async throws -> [ChannelID] {
        try await transaction.query(
            "SELECT id FROM channels WHERE playground_id = \(playground) ORDER BY id FOR NO KEY UPDATE"
        ).map { row in
            var columns = row.columns
            return try columns.next()
        }
    }

    /// Takes channels away from everybody at once: what was said in them is removed later, in small steps.
    static func delete(_ ids: [ChannelID], at now: Timestamp, in transaction: Transaction) {
        transaction.enqueue("DELETE FROM channel_members WHERE channel_id = ANY (\(ids))")
        transaction.enqueue(
            """
            UPDATE channels
            SET deleted_at = \(now), type = 'private', party = NULL, playground_id = NULL, name = '', description = '',
                owner_id = NULL
            WHERE id = ANY (\(ids))
            """
        )
    }

    /// Removes some messages of deleted channels; affects no row when none is left. Two processes take different ones.
    static func forgetMessages() -> SQL {
        """
        DELETE FROM messages
        WHERE id IN (
            SELECT m.id
            FROM channels c
            JOIN messages m ON m.channel_id = c.id
            WHERE c.deleted_at IS NOT NULL
            LIMIT 2000
            FOR UPDATE OF m SKIP LOCKED
        )
        """
    }

    /// Removes some deleted channels of which nothing is left.
    static func forgetChannels() -> SQL {
        """
        DELETE FROM channels
        WHERE id IN (
            SELECT c.id
            FROM channels c
            WHERE c.deleted_at IS NOT NULL AND NOT EXISTS (SELECT FROM messages m WHERE m.channel_id = c.id)
            LIMIT 500
            FOR UPDATE SKIP LOCKED
        )
        """
    }
}

extension Rows {
    func seenChannels() throws -> [SeenChannel] {
        try map { row in
            var columns = row.columns
            return try SeenChannel(columns: &columns)
        }
    }
}
