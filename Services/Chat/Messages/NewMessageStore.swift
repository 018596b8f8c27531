// SPDX-License-Identifier: Apache-2.0
// The SQL that stores new messages.

import Domain
import Events
import Postgres
import Serving
import Views

/// A message as it is to be stored.
struct NewMessage: Sendable {
    let id: MessageID
    let channel: ChannelID
    let author: AccountID
    let draft: Message.Draft
    let names: Message.Names
    let moment: Timestamp

    /// Whether another message or a file is looked for.
    fileprivate var refers: Bool { draft.replyToID != nil || draft.threadID != nil || !draft.attachmentIDs.isEmpty }

    /// Ids made before this may be of files that failed long ago, or never were.
    fileprivate var freshestFile: MediaID { .first(at: moment - .seconds(3600)) }
}

enum NewMessageStore {
    /// Stores messages under the next numbers of their channels, those of one channel in their order, with whom they name, and
    /// reads each channel up to them for their authors.
    ///
    /// The rows of the channels are locked first, in the order of their ids: whoever changes channels, their messages or their members
    /// and takes those locks first, in that order, can never wait for us in a circle.
    ///
    /// - Returns: what became of each, in their order; nil for those whose author does not see the channel.
    static func send(_ messages: [NewMessage], in transaction: some Transacting) async throws -> [SentMessage?] {
        let channels = Set(messages.map(\.channel)).sorted()
        // What a statement does not need does not start with it.
        let check = messages.contains(where: \.refers) ? references : noReferences
        let isNaming = messages.contains { !$0.names.people.isEmpty }
        let audience = isNaming ? "\(wide) UNION ALL \(byName)" : wide
        let rows = try await transaction.query(
            """
            WITH asked AS MATERIALIZED (
                SELECT
                    n.place, n.id AS message_id, n.author_id, n.text, n.language, n.client_id, w.client_hash,
                    n.attachment_ids, n.gif, n.reply_to_id, n.names, n.wide_mention, n.sent_at, n.link,
                    \(ChannelAccess.columns), s.type IN ('direct', 'group') AS is_direct,
                    e.id AS earlier_id, e.client_hash = w.client_hash AS is_same,
                    k.is_reply_there, k.thread_id, k.are_files_mine,
                    s.role IS NOT NULL AND NOT s.requested AND NOT s.blocked AND s.archived_at IS NULL AND e.id IS NULL
                        AND k.is_reply_there AND k.are_files_mine
                        AND (k.thread_id IS NOT NULL OR n.thread_id IS NULL) AS is_allowed
                FROM jsonb_to_recordset(\(JSONB(messages: messages))) AS n (
                    place bigint, id bigint, channel_id bigint, author_id bigint, text text, language text, client_id text,
                    fingerprint text, attachment_ids bigint[], freshest_file bigint, gif jsonb, reply_to_id bigint,
                    thread_id bigint, names text[], wide_mention text, sent_at timestamptz, link text
                )
                CROSS JOIN LATERAL channel_standing(n.channel_id, n.author_id) s
                CROSS JOIN LATERAL (SELECT sha256(convert_to(n.fingerprint, 'UTF8')) AS client_hash) w
                LEFT JOIN LATERAL (
                    SELECT m.id, m.client_hash
                    FROM messages m
                    WHERE m.channel_id = n.channel_id AND m.author_id = n.author_id AND m.client_id = n.client_id
                    OFFSET 0
                ) e ON true
                CROSS JOIN LATERAL (\(check)) k
            ),
            allowed AS MATERIALIZED (
                SELECT a.*, row_number() OVER (PARTITION BY a.id ORDER BY a.place) AS number
                FROM asked a
                WHERE a.is_allowed
            ),
            locked AS MATERIALIZED (
                SELECT c.id
                FROM channels c
                WHERE c.id = ANY (\(channels)) AND c.id IN (SELECT a.id FROM allowed a)
                ORDER BY c.id
                FOR NO KEY UPDATE
            ),
            turn AS (
                UPDATE channels c
                SET last_seq = c.last_seq + t.messages, last_change = c.last_change + t.messages
                FROM (SELECT a.id, a.version, count(*) AS messages FROM allowed a GROUP BY a.id, a.version) t
                WHERE c.id = t.id AND c.id = ANY (\(channels)) AND c.id IN (SELECT l.id FROM locked l)
                    -- Whoever waited for the lock while the channel changed has to look again.
                    AND c.version = t.version
                RETURNING c.id, c.last_seq - t.messages AS seq, c.last_change - t.messages AS change
            ),
            -- Somebody who was removed while we waited for the lock has no row any more, and says nothing.
            writers AS (
                UPDATE channel_members m
                SET last_read_seq = p.seq
                FROM (
                    SELECT a.id, a.author_id, max(t.seq + a.number) AS seq
                    FROM allowed a
                    JOIN turn t ON t.id = a.id
                    GROUP BY a.id, a.author_id
                ) p
                WHERE m.channel_id = p.id AND m.account_id = p.author_id AND NOT m.requested
                RETURNING m.channel_id, m.account_id
            ),
            \(isNaming ? named : "")
            message AS (
                INSERT INTO messages (
                    id, channel_id, seq, author_id, text, language, client_id, client_hash, attachment_ids, gif,
                    reply_to_id, thread_id, mentions, wide_mention, created_at, change, link_hash
                )
                SELECT
                    a.message_id, a.id, t.seq + a.number, a.author_id, a.text, a.language, a.client_id, a.client_hash,
                    a.attachment_ids, a.gif, a.reply_to_id, a.thread_id, \(isNaming ? mentions : "'[]'"), a.wide_mention,
                    a.sent_at, t.change + a.number, \(CardNews.hash(ofColumn: "a.link"))
                FROM allowed a
                JOIN turn t ON t.id = a.id
                JOIN writers w ON w.channel_id = a.id AND w.account_id = a.author_id
                RETURNING
                    id, channel_id, seq, change, author_id, text, language, attachment_ids, gif, reply_to_id, thread_id,
                    mentions, wide_mention, client_id, created_at, link_hash
            )\(isNaming ? mentioned : "")
            SELECT s.place, \(SentMessage.columns)
            FROM asked s
            LEFT JOIN turn t ON t.id = s.id
            LEFT JOIN LATERAL (SELECT a.username, a.snapshot FROM accounts a WHERE a.id = s.author_id OFFSET 0) a ON true
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
                WHERE m.id = s.message_id
            ) r ON true
            CROSS JOIN LATERAL (
                SELECT
                    array_agg(o.id ORDER BY o.id) FILTER (WHERE s.is_direct AND o.wants_all) AS recipients,
                    array_agg(o.id ORDER BY o.id) FILTER (
                        WHERE NOT s.is_direct AND o.is_chosen AND o.wants_all AND NOT o.is_named
                            AND s.wide_mention IS DISTINCT FROM 'channel'
                    ) AS listeners,
                    array_agg(o.id ORDER BY o.id) FILTER (WHERE o.is_named OR s.wide_mention = 'channel') AS mentioned,
                    array_agg(o.id ORDER BY o.id) FILTER (WHERE NOT o.is_named AND s.wide_mention = 'here')
                        AS mentioned_if_connected
                FROM (
                    SELECT m.account_id AS id, x.is_named, m.notify = 'all' AS wants_all, m.notify_chosen AS is_chosen
                    FROM (SELECT x.id, bool_or(x.is_named) AS is_named FROM (\(audience)) x GROUP BY x.id) x
                    CROSS JOIN LATERAL (
                        SELECT m.account_id, m.notify, m.notify_chosen, m.requested, m.muted_until
                        FROM channel_members m
                        WHERE m.channel_id = s.id AND m.account_id = x.id
                        OFFSET 0
                    ) m
                    WHERE m.account_id <> s.author_id AND NOT m.requested AND m.notify <> 'none'
                        AND coalesce(m.muted_until <= s.sent_at, true)
                        AND NOT EXISTS (
                            SELECT
                            FROM blocks b
                            WHERE b.active AND (b.blocker_id, b.blocked_id) IN (
                                (m.account_id, s.author_id), (s.author_id, m.account_id)
                            )
                            OFFSET 0
                        )
                ) o
            ) o
            """
        ).all { (place: try $0.next(Int.self), message: try SentMessage(columns: &$0)) }
        var sent = [SentMessage?](repeating: nil, count: messages.count)
        for row in rows { sent[row.place] = row.message }
        return sent
    }

    // MARK: What a message refers to

    private static let references: SQL = """
        SELECT
            n.reply_to_id IS NULL OR EXISTS (
                SELECT
                FROM messages m
                WHERE m.id = n.reply_to_id AND m.channel_id = n.channel_id AND m.deleted_at IS NULL
                OFFSET 0
            ) AS is_reply_there,
            (
                SELECT coalesce(m.thread_id, m.id)
                FROM messages m
                WHERE m.id = n.thread_id AND m.channel_id = n.channel_id
            ) AS thread_id,
            NOT EXISTS (
                SELECT
                FROM media f
                WHERE f.id = ANY (n.attachment_ids) AND (f.owner_id <> n.author_id OR f.failure IS NOT NULL)
                OFFSET 0
            ) AND NOT EXISTS (
                -- Of a file that is not ready nothing is known yet: only a new one may still become ready.
                SELECT
                FROM unnest(n.attachment_ids) f (id)
                WHERE f.id < n.freshest_file AND NOT EXISTS (SELECT FROM media x WHERE x.id = f.id OFFSET 0)
                OFFSET 0
            ) AS are_files_mine
        """

    private static let noReferences: SQL =
        "SELECT true AS is_reply_there, NULL::bigint AS thread_id, true AS are_files_mine"

    // MARK: Whom a message concerns

    /// A channel's members are only looked through when it may concern all of them; and those who asked for everything that is
    /// said there.
    private static let wide: SQL = """
        SELECT m.account_id AS id, false AS is_named
        FROM channel_members m
        WHERE m.channel_id = s.id AND (s.wide_mention IS NOT NULL OR s.is_direct) AND s.is_allowed
        UNION ALL
        SELECT m.account_id, false
        FROM channel_members m
        WHERE m.channel_id = s.id AND m.notify_chosen AND m.notify = 'all' AND s.is_allowed
        """

    private static let byName: SQL = "SELECT n.id, true FROM named n WHERE n.place = s.place"

    private static let named: SQL = """
        named AS MATERIALIZED (
            SELECT a.place, p.number, n.id, n.username
            FROM allowed a
            CROSS JOIN LATERAL unnest(a.names) WITH ORDINALITY p (name, number)
            CROSS JOIN LATERAL (SELECT n.id, n.username FROM accounts n WHERE n.username = p.name OFFSET 0) n
            CROSS JOIN LATERAL (
                SELECT FROM channel_members m WHERE m.channel_id = a.id AND m.account_id = n.id OFFSET 0
            ) m
        ),
        """

    private static let mentions: SQL = """
        coalesce(
            (
                SELECT jsonb_agg(jsonb_build_object('id', n.id::text, 'username', n.username) ORDER BY n.number)
                FROM named n
                WHERE n.place = a.place
            ),
            '[]'
        )
        """

    private static let mentioned: SQL = """
        ,
        mentioned AS (
            INSERT INTO message_mentions (channel_id, account_id, seq)
            SELECT m.channel_id, n.id, m.seq
            FROM message m
            JOIN allowed a ON a.message_id = m.id
            JOIN named n ON n.place = a.place
            WHERE n.id <> m.author_id
        )
        """
}

extension JSONB {
    /// The rows of messages that are to be stored.
    fileprivate init(messages: [NewMessage]) {
        var json = JSONWriter()
        json.array { json in
            for (place, message) in messages.enumerated() {
                let draft = message.draft
                json.object { json in
                    json.member("place", place)
                    json.member("id", message.id)
                    json.member("channel_id", message.channel)
                    json.member("author_id", message.author)
                    json.member("text", draft.text)
                    json.member("language", draft.language)
                    json.member("client_id", draft.clientID)
                    if draft.clientID != nil {
                        json.member("fingerprint", String(decoding: draft.fingerprint, as: UTF8.self))
                    }
                    json.member("attachment_ids", draft.attachmentIDs.map(\.description))
                    json.member("freshest_file", message.freshestFile)
                    if let gif = draft.gif { json.member("gif", GifView(gif: gif)) }
                    json.member("reply_to_id", draft.replyToID)
                    json.member("thread_id", draft.threadID)
                    json.member("names", message.names.people.map(\.text))
                    json.member("wide_mention", message.names.wide?.rawValue)
                    json.member("sent_at", message.moment)
                    json.member("link", PostText.firstLink(in: draft.text))
                }
            }
        }
        self.init(json.bytes)
    }
}
