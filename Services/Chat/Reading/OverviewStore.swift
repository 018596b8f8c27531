// SPDX-License-Identifier: Apache-2.0
// The SQL of the overview: everything that somebody takes part in, in one statement.

import Domain
import Postgres

/// A conversation, and in the first of its rows its playground; or a playground without any conversation.
struct OverviewRow: Columned {
    let conversation: Conversation?
    let playground: SeenPlayground?

    static let columns: SQL =
        "\(SeenChannel.columns), u.unread, u.mentions, \(MessageRow.columns), \(SeenPlayground.columns)"

    init(columns: inout Columns) throws {
        let seen: SeenChannel? = try columns.next()
        let unread: Int64? = try columns.next()
        let mentions: Int64? = try columns.next()
        let message: MessageRow? = try columns.next()
        conversation = seen.map {
            Conversation(seen: $0, unread: unread ?? 0, mentions: mentions ?? 0, lastMessage: message)
        }
        playground = try columns.next()
    }
}

enum OverviewStore {
    /// The last message is the last that is not deleted.
    ///
    /// The numbers of rows to come are known by nobody in advance: `OFFSET 0` keeps each lookup a lookup.
    static func rows(of reader: AccountID, in database: some Querying) async throws -> [OverviewRow] {
        try await database.query(
            """
            SELECT \(OverviewRow.columns)
            FROM (
                SELECT
                    m.channel_id, \(ChannelMembership.columns), c.playground_id, c.last_seq,
                    row_number() OVER (PARTITION BY c.playground_id) AS place
                FROM channel_members m
                CROSS JOIN LATERAL (
                    SELECT c.playground_id, c.last_seq
                    FROM channels c
                    WHERE c.id = m.channel_id AND c.deleted_at IS NULL
                    OFFSET 0
                ) c
                WHERE m.account_id = \(reader) AND NOT m.requested
            ) m
            FULL JOIN (SELECT playground_id, role FROM playground_members WHERE account_id = \(reader)) p
                ON p.playground_id = m.playground_id
            LEFT JOIN LATERAL (
                SELECT \(ChannelRow.columns) FROM channel_entries e WHERE e.id = m.channel_id OFFSET 0
            ) e ON true
            LEFT JOIN LATERAL unread_after(m.channel_id, \(reader), m.last_read_seq, m.last_seq) u ON true
            LEFT JOIN LATERAL (
                SELECT \(MessageRow.columns)
                FROM (
                    SELECT x.id
                    FROM messages x
                    WHERE x.channel_id = m.channel_id AND x.deleted_at IS NULL
                    ORDER BY x.seq DESC
                    LIMIT 1
                ) x
                CROSS JOIN LATERAL (SELECT \(MessageRow.columns) FROM message_rows r WHERE r.id = x.id OFFSET 0) r
            ) r ON true
            LEFT JOIN LATERAL (
                SELECT \(PlaygroundRow.columns)
                FROM playground_entries g
                WHERE g.id = p.playground_id AND coalesce(m.place, 1) = 1
                OFFSET 0
            ) g ON true
            """
        ).all(OverviewRow.init(columns:))
    }
}
