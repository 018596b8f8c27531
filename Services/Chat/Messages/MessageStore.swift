// SPDX-License-Identifier: Apache-2.0
// The SQL on messages: sending and reading them.

import Domain
import Events
import Postgres
import Serving
import Views

/// Sends and reads messages.
enum MessageStore {
    /// A message as it is to be stored.
    struct NewMessage: Sendable {
        let id: MessageID
        let channel: ChannelID
        let author: AccountID
        let draft: Message.Draft
        let names: Message.Names
        let moment: Timestamp
    }

    /// Stores a message under the channel's next number, with whom it names, and reads the channel up to it for its
    /// author. Nil unless the author sees the channel.
    ///
    /// The channel's row is locked first, by the update that takes the number: whoever changes the channel, its
    /// messages or its members and takes that lock first can never wait for us in a circle.
    static func send(_ message: NewMessage, in transaction: some Transacting) async throws -> SentMessage? {
        try await transaction.query(statement(message)).one(SentMessage.init(columns:))
    }

    private static func statement(_ message: NewMessage) -> SQL {
        let draft = message.draft
        return """
            WITH me AS MATERIALIZED (
                SELECT \(ChannelAccess.columns) FROM channel_standing(\(message.channel), \(message.author)) s
            ),
            earlier AS MATERIALIZED (
                SELECT m.id, m.client_hash = sha256(\(draft.fingerprint)) AS same
                FROM messages m
                WHERE m.channel_id = \(message.channel) AND m.author_id = \(message.author)
                    AND m.client_id = \(draft.clientID)
            ),
            checked AS MATERIALIZED (
                SELECT
                    \(draft.replyToID) IS NULL OR EXISTS (
                        SELECT
                        FROM messages m
                        WHERE m.id = \(draft.replyToID) AND m.channel_id = \(message.channel) AND m.deleted_at IS NULL
                    ) AS reply,
                    (
                        SELECT coalesce(m.thread_id, m.id)
                        FROM messages m
                        WHERE m.id = \(draft.threadID) AND m.channel_id = \(message.channel)
                    ) AS thread_id,
                    NOT EXISTS (
                        SELECT
                        FROM media f
                        WHERE f.id = ANY (\(draft.attachmentIDs))
                            AND (f.owner_id <> \(message.author) OR f.failure IS NOT NULL)
                    ) AND NOT EXISTS (
                        -- Of a file that is not ready nothing is known yet: only a new one may still become ready.
                        SELECT
                        FROM unnest(\(draft.attachmentIDs)) f (id)
                        WHERE f.id < \(freshest(message.moment)) AND NOT EXISTS (SELECT FROM media x WHERE x.id = f.id)
                    ) AS files
            ),
            named AS MATERIALIZED (
                SELECT n.place, a.id, a.username
                FROM unnest(\(message.names.people.map(\.text))) WITH ORDINALITY n (name, place)
                CROSS JOIN LATERAL (SELECT a.id, a.username FROM accounts a WHERE a.username = n.name OFFSET 0) a
                CROSS JOIN LATERAL (
                    SELECT FROM channel_members m WHERE m.channel_id = \(message.channel) AND m.account_id = a.id OFFSET 0
                ) m
            ),
            -- Those whom it may concern. A channel's members are only looked through when it may concern all of them.
            audience AS (
                SELECT m.account_id
                FROM channel_members m
                WHERE m.channel_id = \(message.channel)
                    AND (
                        \(message.names.wide) IS NOT NULL
                        OR (SELECT me.type IN ('direct', 'group') FROM me)
                    )
                UNION
                -- They asked for everything that is said there.
                SELECT m.account_id
                FROM channel_members m
                WHERE m.channel_id = \(message.channel) AND m.notify_chosen AND m.notify = 'all'
                UNION
                SELECT n.id FROM named n
            ),
            members AS MATERIALIZED (
                SELECT m.account_id, m.notify = 'all' AS wants_all, m.notify_chosen AS is_chosen,
                    m.notify <> 'none' AND NOT EXISTS (
                        SELECT
                        FROM blocks b
                        WHERE b.active AND (b.blocker_id, b.blocked_id) IN (
                            (m.account_id, \(message.author)), (\(message.author), m.account_id)
                        )
                    ) AS wants_some
                FROM audience a
                CROSS JOIN LATERAL (
                    SELECT m.account_id, m.notify, m.notify_chosen, m.requested, m.muted_until
                    FROM channel_members m
                    WHERE m.channel_id = \(message.channel) AND m.account_id = a.account_id
                    OFFSET 0
                ) m
                WHERE m.account_id <> \(message.author) AND NOT m.requested
                    AND coalesce(m.muted_until <= \(message.moment), true)
            ),
            turn AS (
                UPDATE channels c
                SET last_seq = c.last_seq + 1, last_change = c.last_change + 1
                FROM me, checked
                WHERE c.id = me.id AND me.role IS NOT NULL AND NOT me.requested AND NOT me.blocked AND c.archived_at IS NULL
                    -- Whoever waited for the lock while the channel changed has to look again.
                    AND c.version = me.version
                    AND checked.reply AND checked.files
                    AND (checked.thread_id IS NOT NULL OR \(draft.threadID) IS NULL)
                    AND NOT EXISTS (SELECT FROM earlier)
                RETURNING c.last_seq, c.last_change
            ),
            -- Somebody who was removed while we waited for the lock has no row any more, and says nothing.
            place AS (
                UPDATE channel_members m
                SET last_read_seq = t.last_seq
                FROM turn t
                WHERE m.channel_id = \(message.channel) AND m.account_id = \(message.author) AND NOT m.requested
                RETURNING t.last_seq, t.last_change
            ),
            message AS (
                INSERT INTO messages (
                    id, channel_id, seq, author_id, text, language, client_id, client_hash, attachment_ids, gif,
                    reply_to_id, thread_id, mentions, wide_mention, created_at, change, link_hash
                )
                SELECT
                    \(message.id), \(message.channel), p.last_seq, \(message.author), \(draft.text), \(draft.language),
                    \(draft.clientID),
                    CASE WHEN \(draft.clientID) IS NOT NULL THEN sha256(\(draft.fingerprint)) END,
                    \(draft.attachmentIDs), \(draft.gif.map(JSONB.init(gif:))), \(draft.replyToID), k.thread_id,
                    coalesce(
                        (
                            SELECT jsonb_agg(
                                jsonb_build_object('id', n.id::text, 'username', n.username) ORDER BY n.place
                            )
                            FROM named n
                        ),
                        '[]'
                    ),
                    \(message.names.wide), \(message.moment), p.last_change,
                    \(CardNews.hash(of: PostText.firstLink(in: draft.text)))
                FROM place p
                CROSS JOIN checked k
                RETURNING
                    id, channel_id, seq, change, author_id, text, language, attachment_ids, gif, reply_to_id, thread_id,
                    mentions, wide_mention, client_id, created_at, link_hash
            ),
            mentioned AS (
                INSERT INTO message_mentions (channel_id, account_id, seq)
                SELECT m.channel_id, n.id, m.seq FROM message m CROSS JOIN named n WHERE n.id <> m.author_id
            )
            SELECT \(SentMessage.columns)
            FROM me s
            CROSS JOIN checked
            LEFT JOIN earlier ON true
            LEFT JOIN accounts a ON a.id = \(message.author)
            LEFT JOIN LATERAL (
                SELECT
                    m.id, m.channel_id, s.playground_id, s.type, m.seq, m.change, m.author_id,
                    coalesce(a.username, '_' || m.author_id) AS username,
                    a.snapshot ->> 'display_name' AS display_name,
                    a.snapshot #>> '{extras,avatar,file}' AS avatar, is_hidden(a.snapshot) AS author_hidden, m.text,
                    m.language, m.attachment_ids,
                    CASE WHEN m.attachment_ids <> '{}' THEN attached_files(m.attachment_ids, m.author_id) END
                        AS attachments,
                    m.gif, m.reply_to_id, m.thread_id, 0::bigint AS replies, NULL::timestamptz AS last_reply_at,
                    NULL::jsonb AS reactions, m.mentions, m.wide_mention, m.client_id, NULL::timestamptz AS pinned_at,
                    NULL::bigint AS pinner_id, m.created_at, NULL::timestamptz AS edited_at,
                    NULL::timestamptz AS deleted_at,
                    (SELECT k.card FROM cards k WHERE k.hash = m.link_hash) AS card
                FROM message m
            ) r ON true
            """
    }

    /// Ids made before this may be of files that failed long ago, or never were.
    private static func freshest(_ moment: Timestamp) -> MediaID {
        MediaID(max(0, (moment.milliseconds &- 3_600_000)) << 16)
    }

    /// A message, if the viewer may see it.
    static func seen(_ id: MessageID, by viewer: AccountID, in database: some Querying) async throws -> SeenMessage? {
        try await database.query(
            """
            SELECT \(SeenMessage.columns)
            FROM messages m
            CROSS JOIN LATERAL channel_standing(m.channel_id, \(viewer)) s
            CROSS JOIN LATERAL (SELECT \(MessageRow.columns) FROM message_rows r WHERE r.id = m.id OFFSET 0) r
            LEFT JOIN accounts a ON a.id = m.author_id
            WHERE m.id = \(id)
            """
        ).one(SeenMessage.init(columns:))
    }

    /// Those of the messages that there are and were not deleted, in the order in which they were asked for, in channels that
    /// the viewer may see.
    static func found(
        _ ids: [MessageID],
        by viewer: AccountID,
        in database: some Querying
    ) async throws -> [SeenMessage] {
        try await database.query(
            """
            SELECT \(SeenMessage.columns)
            FROM unnest(\(ids)) WITH ORDINALITY AS w (id, place)
            JOIN messages m ON m.id = w.id AND m.deleted_at IS NULL
            CROSS JOIN LATERAL channel_standing(m.channel_id, \(viewer)) s
            CROSS JOIN LATERAL (SELECT \(MessageRow.columns) FROM message_rows r WHERE r.id = m.id OFFSET 0) r
            LEFT JOIN accounts a ON a.id = m.author_id
            ORDER BY w.place
            """
        ).all(SeenMessage.init(columns:))
    }

    /// A message without asking who may see it: for its answer after a change, and for events.
    static func row(_ id: MessageID, in database: some Querying) async throws -> MessageRow? {
        try await database.query("SELECT \(MessageRow.columns) FROM message_rows r WHERE r.id = \(id)")
            .one(MessageRow.init(columns:))
    }

    /// A message with what tells whether it is still the same.
    struct Entry: Sendable {
        let edition: MessageEdition
        /// The number of its link's preview among what changes.
        let link: Int64?
        let message: MessageRow

        static let columns: SQL = "\(MessageEdition.columns), link_subject(x.link_hash), \(MessageRow.columns)"
    }

    static func entries(of ids: [MessageID], in database: some Querying) async throws -> [Entry] {
        try await database.query(
            """
            SELECT \(Entry.columns)
            FROM (\(MessageEdition.source) WHERE x.id = ANY (\(ids))) x
            CROSS JOIN LATERAL (SELECT \(MessageRow.columns) FROM message_rows r WHERE r.id = x.id OFFSET 0) r
            CROSS JOIN LATERAL (SELECT r.type, r.playground_id) e
            """
        ).all(as: Entry.init)
    }

    /// Removes some messages of deleted channels. Two processes take different ones.
    ///
    /// - Returns: how many; 0 when none is left.
    static func forget(in database: some Querying) async throws -> Int {
        try await database.query(
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
        ).affected
    }
}

extension JSONB {
    /// A GIF as it is answered.
    init(gif: GifSnapshot) {
        self.init(GifView(gif: gif).json())
    }
}
