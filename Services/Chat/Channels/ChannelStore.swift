// SPDX-License-Identifier: Apache-2.0
// The SQL on channels.

import Domain
import Events
import Postgres

/// Reads and writes channels.
enum ChannelStore {
    /// A channel with what the viewer is in it, whether or not they may see it; nil when there is none.
    static func seen(_ id: ChannelID, by viewer: AccountID, in database: some Querying) async throws -> SeenChannel? {
        try await database.query(
            """
            SELECT \(SeenChannel.columns)
            FROM channel_entries e
            LEFT JOIN channel_members m ON m.channel_id = e.id AND m.account_id = \(viewer)
            LEFT JOIN playground_members p ON p.playground_id = e.playground_id AND p.account_id = \(viewer)
            WHERE e.id = \(id)
            """
        ).one(SeenChannel.init(columns:))
    }

    /// A channel as everybody sees it who sees it.
    static func channel(_ id: ChannelID, in database: some Querying) async throws -> ChannelRow? {
        try await database.query("SELECT \(ChannelRow.columns) FROM channel_entries e WHERE e.id = \(id)")
            .one(ChannelRow.init(columns:))
    }

    /// What `Permission` asks of somebody who sees a channel; nil when they do not.
    static func access(
        to id: ChannelID,
        of viewer: AccountID,
        in database: some Querying
    ) async throws -> ChannelAccess? {
        try await database.query("SELECT \(ChannelAccess.columns) FROM channel_standing(\(id), \(viewer)) s")
            .one(ChannelAccess.init(columns:))
    }

    /// Holds a channel against every other change of it, its members and its messages until the end of the transaction.
    /// A playground is held before its channels, channels in the order of their ids.
    static func hold(_ id: ChannelID, in transaction: some Transacting) {
        transaction.enqueue("SELECT 1 FROM channels WHERE id = \(id) FOR NO KEY UPDATE")
    }

    /// Holds every channel of a playground that somebody is in, direct ones among them: whoever is just writing there is
    /// waited for.
    static func holdAll(of account: AccountID, in playground: PlaygroundID, in transaction: some Transacting) {
        transaction.enqueue(
            """
            SELECT 1
            FROM channels c
            JOIN channel_members m ON m.channel_id = c.id AND m.account_id = \(account)
            WHERE c.playground_id = \(playground)
            ORDER BY c.id
            FOR NO KEY UPDATE OF c
            """
        )
    }

    /// Holds every channel of a playground, direct ones among them: whoever is just writing there is waited for.
    static func holdAll(of playground: PlaygroundID, in transaction: some Transacting) async throws -> [ChannelID] {
        try await transaction.query(
            "SELECT id FROM channels WHERE playground_id = \(playground) ORDER BY id FOR NO KEY UPDATE"
        ).all { try $0.next() }
    }

    /// The channels of a playground that a member of it sees, by name.
    static func list(
        of playground: PlaygroundID,
        seenBy viewer: AccountID,
        limit: Int,
        in database: some Querying
    ) async throws -> [SeenChannel] {
        try await database.query(
            """
            SELECT \(SeenChannel.columns)
            FROM channel_entries e
            JOIN playground_members p ON p.playground_id = e.playground_id AND p.account_id = \(viewer)
            LEFT JOIN channel_members m ON m.channel_id = e.id AND m.account_id = \(viewer)
            WHERE e.playground_id = \(playground)
                AND (e.type = 'public' OR (e.type = 'private' AND m.account_id IS NOT NULL))
            ORDER BY e.archived_at IS NOT NULL, NOT e.is_default, lower(e.name), e.id
            LIMIT \(limit)
            """
        ).all(SeenChannel.init(columns:))
    }

    /// Those of the channels that there are, in the order in which they were asked for, with what the viewer is in them,
    /// whether or not they may see them. Before them those of the playground that have the name.
    static func found(
        _ ids: [ChannelID],
        named name: String?,
        in playground: PlaygroundID?,
        seenBy viewer: AccountID,
        in database: some Querying
    ) async throws -> [SeenChannel] {
        let named: SQL =
            "SELECT id, 0 FROM channels WHERE playground_id = \(playground) AND lower(name) = lower(\(name))"
        return try await database.query(
            """
            \(.wanted(ids, after: named))
            SELECT \(SeenChannel.columns)
            FROM wanted w
            CROSS JOIN LATERAL (SELECT \(ChannelRow.columns) FROM channel_entries e WHERE e.id = w.id OFFSET 0) e
            LEFT JOIN channel_members m ON m.channel_id = e.id AND m.account_id = \(viewer)
            LEFT JOIN playground_members p ON p.playground_id = e.playground_id AND p.account_id = \(viewer)
            ORDER BY w.place, e.id
            """
        ).all(SeenChannel.init(columns:))
    }

    /// Channels of a playground that count against its limit; hold the playground's row to rely on it.
    static func count(of playground: PlaygroundID, in database: some Querying) async throws -> Int {
        try await database.query(
            "SELECT count(*) FROM channels WHERE playground_id = \(playground) AND type IN ('public', 'private')"
        ).number()
    }

    static func insert(
        _ id: ChannelID,
        _ draft: ChannelDraft,
        in playground: PlaygroundID,
        owner: AccountID,
        at stamp: Stamp,
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            INSERT INTO channels (id, type, playground_id, name, description, owner_id, created_at, updated_at, version)
            VALUES (\(id), \(draft.type ?? .public), \(playground), \(draft.name ?? ""), \(draft.description ?? ""),
                \(owner), \(stamp.moment), \(stamp.moment), \(stamp.version))
            """
        )
    }

    /// Changes what the draft names and leaves the rest.
    static func update(
        _ id: ChannelID,
        _ draft: ChannelDraft,
        at stamp: Stamp,
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            UPDATE channels
            SET name = coalesce(\(draft.name), name), description = coalesce(\(draft.description), description),
                type = coalesce(\(draft.type), type), updated_at = \(stamp.moment), version = \(stamp.version)
            WHERE id = \(id)
            """
        )
    }

    /// Archives a channel at a time, or opens it again.
    static func setArchived(
        _ id: ChannelID,
        _ archivedAt: Timestamp?,
        at stamp: Stamp,
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            UPDATE channels SET archived_at = \(archivedAt), updated_at = \(stamp.moment), version = \(stamp.version)
            WHERE id = \(id)
            """
        )
    }

    /// Takes channels away from everybody at once: what was said in them is removed later, in small steps.
    static func delete(_ ids: [ChannelID], at now: Timestamp, in transaction: some Transacting) {
        transaction.enqueue(
            """
            WITH left_behind AS (
                DELETE FROM channel_members WHERE channel_id = ANY (\(ids))
            )
            UPDATE channels
            SET deleted_at = \(now), type = 'private', party = NULL, playground_id = NULL, name = '', description = '',
                owner_id = NULL
            WHERE id = ANY (\(ids))
            """
        )
    }

    /// Removes some deleted channels of which nothing is left.
    ///
    /// - Returns: how many.
    static func forgetChannels(in database: some Querying) async throws -> Int {
        try await database.query(
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
        ).affected
    }
}
