// SPDX-License-Identifier: Apache-2.0
// The SQL on who reacted to a message.

import Domain
import Postgres
import Serving

/// An emoji under a message.
struct ReactionRow: Joined {
    let emoji: String
    let count: Int
    /// The first who used it.
    let people: [Person]

    static let list = ColumnList("g", "emoji, count, people")

    init(columns: inout Columns) throws {
        emoji = try columns.next()
        count = try columns.next()
        people = try columns.next(JSONB.self).snapshot()
    }
}

/// Reads reactions; `MessageChangeStore` writes them.
enum ReactionStore {
    /// Whether somebody has reacted to a message with an emoji.
    static func exists(
        _ emoji: String,
        on message: MessageID,
        by account: AccountID,
        in database: some Querying
    ) async throws -> Bool {
        try await !database.query(
            """
            SELECT 1
            FROM reactions
            WHERE message_id = \(message) AND emoji = \(emoji) AND account_id = \(account)
            """
        ).isEmpty
    }

    /// Each emoji in the order of its first use, with those who used it; nil for a message that the viewer may not see.
    static func list(
        _ message: MessageID,
        viewer: AccountID,
        most: Int,
        in database: some Querying
    ) async throws -> [ReactionRow]? {
        let rows = try await database.query(
            """
            SELECT \(ReactionRow.columns)
            FROM messages m
            CROSS JOIN LATERAL channel_standing(m.channel_id, \(viewer)) s
            LEFT JOIN LATERAL (
                SELECT
                    r.emoji, count(*) AS count, min(r.created_at) AS since,
                    jsonb_agg(
                        jsonb_build_object(
                            'id', a.id::text, 'username', a.username,
                            'display_name', coalesce(a.snapshot ->> 'display_name', ''),
                            'avatar', a.snapshot #>> '{extras,avatar,file}', 'is_hidden', is_hidden(a.snapshot)
                        )
                        ORDER BY r.place
                    ) FILTER (WHERE r.place <= \(most)) AS people
                FROM (
                    SELECT
                        r.emoji, r.account_id, r.created_at,
                        row_number() OVER (PARTITION BY r.emoji ORDER BY r.created_at, r.account_id) AS place
                    FROM reactions r
                    WHERE r.message_id = m.id
                ) r
                JOIN accounts a ON a.id = r.account_id
                GROUP BY r.emoji
            ) g ON true
            WHERE m.id = \(message)
            ORDER BY g.since, g.emoji
            """
        )
        // One row without an emoji when there is none.
        guard !rows.isEmpty else { return nil }
        return try rows.all { try $0.next(ReactionRow?.self) }.compactMap(\.self)
    }
}
