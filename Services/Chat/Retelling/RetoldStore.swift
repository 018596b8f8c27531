// SPDX-License-Identifier: Apache-2.0
// The SQL of what chat tells again: everything it owns, by the primary keys.

import Domain
import Events
import Outbox
import Postgres
import Serving

/// A channel that is there; of direct messages who takes part.
struct RetoldChannel: Sendable {
    let channel: ChannelRow
    /// In direct messages, those who have yet to accept among them; else empty.
    let members: [AccountID]
    let requested: [AccountID]

    static let columns: SQL = """
        \(ChannelRow.columns),
        CASE WHEN e.type IN ('direct', 'group') THEN ARRAY(
            SELECT m.account_id FROM channel_members m WHERE m.channel_id = e.id ORDER BY m.account_id
        ) ELSE '{}' END,
        CASE WHEN e.type IN ('direct', 'group') THEN ARRAY(
            SELECT m.account_id FROM channel_members m WHERE m.channel_id = e.id AND m.requested ORDER BY m.account_id
        ) ELSE '{}' END
        """
}

/// Somebody in a playground or in a channel.
struct RetoldMember: Sendable {
    let place: Int64
    let account: AccountSnapshot
    let role: ChatRole
    let joinedAt: Timestamp
    let version: Int64
    /// Of the channel.
    let playground: PlaygroundID?
    /// In direct messages that have yet to be accepted.
    let isRequested: Bool
    let lastReadSeq: Int64

    fileprivate static func list(place: SQL, channel: SQL) -> SQL {
        "m.\(place), a.snapshot, m.role, m.joined_at, m.version, \(channel)"
    }

    static let columns = list(place: "channel_id", channel: "c.playground_id, m.requested, m.last_read_seq")
}

/// A message as it is now, and whom it concerns by how they want to hear of the channel now: what they wanted when it was
/// sent is not kept. Who came later, or had muted the channel until later, is not among them.
struct RetoldMessage: Columned {
    let message: MessageSnapshot
    /// Nil when nothing is known of the author.
    let author: AccountSnapshot?
    let channel: ChannelSnapshot
    /// In direct messages.
    let recipients: [AccountID]
    /// In a channel of a playground.
    let listeners: [AccountID]
    let mentioned: [AccountID]

    static let columns: SQL = """
        m.id, m.channel_id, m.seq, m.author_id, m.text, m.language, m.attachment_ids, m.gif, m.reply_to_id, m.thread_id,
        m.mentions, m.wide_mention, m.created_at, m.edited_at, m.change,
        (SELECT a.snapshot FROM accounts a WHERE a.id = m.author_id),
        c.id, c.type, c.playground_id, c.name, c.description, c.owner_id, c.archived_at, c.created_at, c.version,
        CASE WHEN c.type IN ('direct', 'group') THEN ARRAY(
            SELECT o.account_id FROM channel_members o
            WHERE o.notify = 'all' AND \(isConcerned) ORDER BY o.account_id
        ) ELSE '{}' END,
        CASE WHEN c.type NOT IN ('direct', 'group') AND m.wide_mention IS DISTINCT FROM 'channel' THEN ARRAY(
            SELECT o.account_id FROM channel_members o
            WHERE o.notify_chosen AND o.notify = 'all' AND \(isConcerned) AND NOT \(isNamed) ORDER BY o.account_id
        ) ELSE '{}' END,
        CASE WHEN m.wide_mention = 'channel' OR m.mentions <> '[]' THEN ARRAY(
            SELECT o.account_id FROM channel_members o
            WHERE o.notify <> 'none' AND \(isConcerned)
                AND (m.wide_mention = 'channel' OR \(isNamed))
            ORDER BY o.account_id
        ) ELSE '{}' END
        """

    /// One by one.
    private static let isNamed: SQL = """
        EXISTS (
            SELECT FROM message_mentions n
            WHERE n.channel_id = m.channel_id AND n.account_id = o.account_id AND n.seq = m.seq
        )
        """

    private static let isConcerned: SQL = """
        o.channel_id = m.channel_id AND o.account_id <> m.author_id AND NOT o.requested
            AND o.joined_at <= m.created_at AND coalesce(o.muted_until <= m.created_at, true)
            AND NOT EXISTS (
                SELECT FROM blocks b
                WHERE b.active AND (b.blocker_id, b.blocked_id) IN (
                    (o.account_id, m.author_id), (m.author_id, o.account_id)
                )
            )
        """

    init(columns: inout Columns) throws {
        message = MessageSnapshot(
            id: try columns.next(),
            channelID: try columns.next(),
            seq: try columns.next(),
            authorID: try columns.next(),
            text: try columns.next(),
            language: try columns.next(),
            attachmentIDs: try columns.next(),
            gif: try columns.next(JSONB?.self)?.snapshot(),
            replyToID: try columns.next(),
            threadID: try columns.next(),
            mentions: try columns.next(JSONB.self).snapshot(),
            wideMention: try columns.next(),
            createdAt: try columns.next(),
            editedAt: try columns.next(),
            change: try columns.next()
        )
        author = try columns.next()
        channel = try columns.read(ChannelSnapshot.init)
        recipients = try columns.next()
        listeners = try columns.next()
        mentioned = try columns.next()
    }
}

enum RetoldStore {
    static func playgrounds(after place: Teller.Place, in database: some Querying) async throws -> [PlaygroundRow] {
        try await database.query(
            """
            SELECT \(PlaygroundRow.columns) FROM playground_entries g WHERE g.id > \(place[0])
            ORDER BY g.id LIMIT \(place.limit)
            """
        ).all(PlaygroundRow.init(columns:))
    }

    static func channels(after place: Teller.Place, in database: some Querying) async throws -> [RetoldChannel] {
        try await database.query(
            """
            SELECT \(RetoldChannel.columns) FROM channel_entries e WHERE e.id > \(place[0])
            ORDER BY e.id LIMIT \(place.limit)
            """
        ).all(as: RetoldChannel.init)
    }

    static func playgroundMembers(
        after place: Teller.Place,
        in database: some Querying
    ) async throws -> [RetoldMember] {
        try await database.query(
            """
            SELECT \(RetoldMember.list(place: "playground_id", channel: "m.playground_id, false, 0::bigint"))
            FROM playground_members m
            CROSS JOIN LATERAL (SELECT a.snapshot FROM accounts a WHERE a.id = m.account_id OFFSET 0) a
            WHERE (m.playground_id, m.account_id) > (\(place[0]), \(place[1]))
            ORDER BY m.playground_id, m.account_id
            LIMIT \(place.limit)
            """
        ).all(as: RetoldMember.init)
    }

    static func channelMembers(after place: Teller.Place, in database: some Querying) async throws -> [RetoldMember] {
        try await database.query(
            """
            SELECT \(RetoldMember.columns)
            FROM channel_members m
            CROSS JOIN LATERAL (SELECT c.playground_id FROM channels c WHERE c.id = m.channel_id OFFSET 0) c
            CROSS JOIN LATERAL (SELECT a.snapshot FROM accounts a WHERE a.id = m.account_id OFFSET 0) a
            WHERE (m.channel_id, m.account_id) > (\(place[0]), \(place[1]))
            ORDER BY m.channel_id, m.account_id
            LIMIT \(place.limit)
            """
        ).all(as: RetoldMember.init)
    }

    static func messages(after place: Teller.Place, in database: some Querying) async throws -> [RetoldMessage] {
        try await database.query(
            """
            SELECT \(RetoldMessage.columns)
            FROM messages m
            CROSS JOIN LATERAL (
                SELECT c.* FROM channels c WHERE c.id = m.channel_id AND c.deleted_at IS NULL OFFSET 0
            ) c
            WHERE m.id > \(place[0]) AND m.deleted_at IS NULL
            ORDER BY m.id
            LIMIT \(place.limit)
            """
        ).all(RetoldMessage.init(columns:))
    }
}
