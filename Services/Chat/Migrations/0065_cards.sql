-- Previews of links: what is known of each, and the link of a message that has one, null for messages without.
SET LOCAL lock_timeout = '1s';

CREATE TABLE cards (
    -- SHA-256 of the URL in its canonical form.
    hash bytea PRIMARY KEY,
    url text NOT NULL,
    version bigint NOT NULL,
    -- Null where the page shows nothing.
    card jsonb,
    -- When it was last told, or found to be shown.
    touched_at timestamptz NOT NULL
);
CREATE INDEX cards_touched ON cards (touched_at);

ALTER TABLE messages ADD COLUMN link_hash bytea;

CREATE OR REPLACE VIEW message_rows AS
SELECT
    m.id, m.channel_id, c.playground_id, c.type, m.seq, m.change, m.author_id,
    coalesce(a.username, '_' || m.author_id) AS username, a.snapshot ->> 'display_name' AS display_name, m.text, m.language, m.attachment_ids,
    CASE WHEN m.attachment_ids <> '{}' THEN attached_files(m.attachment_ids, m.author_id) END AS attachments,
    m.gif, m.reply_to_id, m.thread_id, t.replies, t.last_reply_at, e.reactions, m.mentions, m.wide_mention, m.client_id,
    m.pinned_at, m.pinner_id, m.created_at, m.edited_at, m.deleted_at, k.card
FROM messages m
CROSS JOIN LATERAL (SELECT c.playground_id, c.type FROM channels c WHERE c.id = m.channel_id OFFSET 0) c
LEFT JOIN LATERAL (SELECT a.username, a.snapshot FROM accounts a WHERE a.id = m.author_id OFFSET 0) a ON true
CROSS JOIN LATERAL (
    SELECT count(*) AS replies, max(r.created_at) AS last_reply_at
    FROM messages r
    WHERE r.thread_id = m.id AND r.deleted_at IS NULL
) t
CROSS JOIN LATERAL (
    SELECT jsonb_agg(
        jsonb_build_object('emoji', g.emoji, 'count', g.count, 'account_ids', g.account_ids) ORDER BY g.since, g.emoji
    ) AS reactions
    FROM (
        SELECT
            r.emoji, count(*) AS count, min(r.created_at) AS since,
            (array_agg(r.account_id::text ORDER BY r.created_at, r.account_id))[1:50] AS account_ids
        FROM reactions r
        WHERE r.message_id = m.id
        GROUP BY r.emoji
    ) g
) e
LEFT JOIN LATERAL (SELECT k.card FROM cards k WHERE k.hash = m.link_hash OFFSET 0) k ON true;
