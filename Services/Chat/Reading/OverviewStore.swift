// SPDX-License-Identifier: Apache-2.0
// The SQL of the overview: everything that somebody takes part in.

import Domain
import Events
import Postgres

/// Somebody's channel with what is new in it, and its last message that is not deleted.
struct Conversation: Columned {
    let seen: SeenChannel
    let unread: Int64
    let mentions: Int64
    let lastMessage: MessageEdition?

    static let columns: SQL = "\(SeenChannel.columns), u.unread, u.mentions, \(MessageEdition.columns)"

    init(columns: inout Columns) throws {
        seen = try columns.next()
        unread = try columns.next()
        mentions = try columns.next()
        lastMessage = try columns.next()
    }

    var isDirect: Bool { seen.channel.type.isDirect }
}

enum OverviewStore {
    /// All that somebody is in.
    static func channels(of reader: AccountID, in database: some Querying) async throws -> [ChannelID] {
        try await database.query(
            "SELECT channel_id FROM channel_members WHERE account_id = \(reader) AND NOT requested"
        ).all { try $0.next() }
    }

    /// Those of some channels that somebody is in, in no order.
    ///
    /// The numbers of rows to come are known by nobody in advance: `OFFSET 0` keeps each lookup a lookup.
    static func conversations(
        _ ids: [ChannelID],
        of reader: AccountID,
        in database: some Querying
    ) async throws -> [Conversation] {
        try await database.query(
            """
            SELECT \(Conversation.columns)
            FROM unnest(\(ids)) w (id)
            CROSS JOIN LATERAL (
                SELECT * FROM channel_members m WHERE m.channel_id = w.id AND m.account_id = \(reader) AND NOT m.requested
                OFFSET 0
            ) m
            CROSS JOIN LATERAL (
                SELECT \(ChannelRow.columns) FROM channel_entries e WHERE e.id = m.channel_id OFFSET 0
            ) e
            LEFT JOIN (SELECT playground_id, role FROM playground_members WHERE account_id = \(reader)) p
                ON p.playground_id = e.playground_id
            CROSS JOIN LATERAL unread_after(m.channel_id, \(reader), m.last_read_seq, e.last_seq) u
            LEFT JOIN LATERAL (
                \(MessageEdition.source)
                WHERE x.channel_id = m.channel_id AND x.deleted_at IS NULL
                ORDER BY x.seq DESC
                LIMIT 1
            ) x ON true
            """
        ).all(Conversation.init(columns:))
    }

    /// All that somebody is in, oldest first.
    static func playgrounds(of reader: AccountID, in database: some Querying) async throws -> [SeenPlayground] {
        try await database.query(
            """
            SELECT \(SeenPlayground.columns)
            FROM playground_members p
            CROSS JOIN LATERAL (
                SELECT \(PlaygroundRow.columns) FROM playground_entries g WHERE g.id = p.playground_id OFFSET 0
            ) g
            WHERE p.account_id = \(reader)
            ORDER BY p.playground_id
            """
        ).all(SeenPlayground.init(columns:))
    }
}
