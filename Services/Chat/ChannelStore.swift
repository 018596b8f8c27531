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
}

extension Rows {
    func seenChannels() throws -> [SeenChannel] {
        try map { row in
            var columns = row.columns
            return try SeenChannel(columns: &columns)
        }
    }
}
