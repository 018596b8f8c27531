-- The statement of GET /api/v1/conversations-overview, for pgbench: `pgbench -n -M prepared -D reader=<account id> -f overview.sql`
-- with the search path of chat (PGOPTIONS='-c search_path=chat'). A test keeps it the same as the service's own.
SELECT e.id, e.type, e.playground_id, e.name, e.description, e.owner_id, e.archived_at, e.created_at, e.updated_at, e.version, e.last_seq, e.last_change, e.is_default, e.members_count, e.people, m.role, m.requested, m.last_read_seq, m.notify, m.notify_chosen, m.muted_until, m.joined_at, m.version, p.role, u.unread, u.mentions, r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card, g.id, g.name, g.description, g.cover_id, g.owner_id, g.open, g.default_channel_id, g.created_at, g.updated_at, g.version, g.members_count, g.cover, p.role
FROM (
    SELECT
        m.channel_id, m.role, m.requested, m.last_read_seq, m.notify, m.notify_chosen, m.muted_until, m.joined_at, m.version, c.playground_id, c.last_seq,
        row_number() OVER (PARTITION BY c.playground_id) AS place
    FROM channel_members m
    CROSS JOIN LATERAL (
        SELECT c.playground_id, c.last_seq
        FROM channels c
        WHERE c.id = m.channel_id AND c.deleted_at IS NULL
        OFFSET 0
    ) c
    WHERE m.account_id = :reader AND NOT m.requested
) m
FULL JOIN (SELECT playground_id, role FROM playground_members WHERE account_id = :reader) p
    ON p.playground_id = m.playground_id
LEFT JOIN LATERAL (
    SELECT e.id, e.type, e.playground_id, e.name, e.description, e.owner_id, e.archived_at, e.created_at, e.updated_at, e.version, e.last_seq, e.last_change, e.is_default, e.members_count, e.people FROM channel_entries e WHERE e.id = m.channel_id OFFSET 0
) e ON true
LEFT JOIN LATERAL unread_after(m.channel_id, :reader, m.last_read_seq, m.last_seq) u ON true
LEFT JOIN LATERAL (
    SELECT r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card
    FROM (
        SELECT x.id
        FROM messages x
        WHERE x.channel_id = m.channel_id AND x.deleted_at IS NULL
        ORDER BY x.seq DESC
        LIMIT 1
    ) x
    CROSS JOIN LATERAL (SELECT r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card FROM message_rows r WHERE r.id = x.id OFFSET 0) r
) r ON true
LEFT JOIN LATERAL (
    SELECT g.id, g.name, g.description, g.cover_id, g.owner_id, g.open, g.default_channel_id, g.created_at, g.updated_at, g.version, g.members_count, g.cover
    FROM playground_entries g
    WHERE g.id = p.playground_id AND coalesce(m.place, 1) = 1
    OFFSET 0
) g ON true;
