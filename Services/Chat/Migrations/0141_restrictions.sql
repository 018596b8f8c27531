-- What keeps accounts from something, as posts told it last.
SET LOCAL lock_timeout = '5s';

CREATE TABLE restricted_accounts (
    account_id bigint PRIMARY KEY,
    restrictions text[] NOT NULL,
    version bigint NOT NULL,
    is_hidden boolean NOT NULL GENERATED ALWAYS AS (restrictions && ARRAY['suspended', 'leaving']) STORED,
    is_limited boolean NOT NULL GENERATED ALWAYS AS (restrictions && ARRAY['limited']) STORED
);

-- Whether nobody else may see whom a snapshot shows.
CREATE FUNCTION is_hidden(snapshot jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT coalesce(snapshot #> '{extras,restrictions}' ?| ARRAY['suspended', 'leaving'], false)
$$;

-- Whoever is hidden cannot be written to, as if a block were between the two.
CREATE OR REPLACE FUNCTION channel_standing(wanted bigint, viewer bigint)
RETURNS TABLE (
    id bigint, type text, playground_id bigint, name text, description text, owner_id bigint, archived_at timestamptz,
    created_at timestamptz, version bigint, member boolean, requested boolean, role text, playground_role text,
    blocked boolean
)
LANGUAGE sql STABLE AS $$
    SELECT
        c.id, c.type, c.playground_id, c.name, c.description, c.owner_id, c.archived_at, c.created_at, c.version,
        m.account_id IS NOT NULL, coalesce(m.requested, false), m.role, p.role,
        c.type = 'direct' AND (
            EXISTS (
                SELECT
                FROM channel_members o
                JOIN blocks b ON (b.blocker_id, b.blocked_id) IN ((o.account_id, viewer), (viewer, o.account_id))
                WHERE o.channel_id = c.id AND o.account_id <> viewer AND b.active
            )
            OR EXISTS (
                SELECT
                FROM channel_members o
                WHERE o.channel_id = c.id AND o.account_id <> viewer AND EXISTS (
                    SELECT FROM restricted_accounts r WHERE r.account_id = o.account_id AND r.is_hidden OFFSET 0
                )
            )
        )
    FROM channels c
    LEFT JOIN channel_members m ON m.channel_id = c.id AND m.account_id = viewer
    LEFT JOIN playground_members p ON p.playground_id = c.playground_id AND p.account_id = viewer
    WHERE c.id = wanted AND (m.account_id IS NOT NULL OR (c.type = 'public' AND p.account_id IS NOT NULL))
$$;

CREATE OR REPLACE VIEW channel_entries AS
SELECT c.id, c.type, c.playground_id, c.name, c.description, c.owner_id, c.archived_at, c.created_at, c.updated_at,
    c.version, c.last_seq, c.last_change,
    coalesce((SELECT p.default_channel_id = c.id FROM playgrounds p WHERE p.id = c.playground_id), false) AS is_default,
    (SELECT count(*) FROM channel_members m WHERE m.channel_id = c.id) AS members_count,
    -- The people of direct messages; NULL for a playground's channel, which may have thousands.
    CASE WHEN c.party IS NOT NULL THEN (
        SELECT jsonb_agg(
            jsonb_build_object(
                'id', a.id::text,
                'username', a.username,
                'display_name', coalesce(a.snapshot->>'display_name', ''),
                'avatar', a.snapshot #>> '{extras,avatar,file}',
                'is_hidden', is_hidden(a.snapshot)
            )
            ORDER BY a.id
        )
        FROM channel_members m
        -- They are few: each is looked up.
        CROSS JOIN LATERAL (SELECT a.* FROM accounts a WHERE a.id = m.account_id OFFSET 0) a
        WHERE m.channel_id = c.id
    ) END AS people
FROM channels c
WHERE c.deleted_at IS NULL;

CREATE OR REPLACE VIEW message_rows AS
SELECT
    m.id, m.channel_id, c.playground_id, c.type, m.seq, m.change, m.author_id,
    coalesce(a.username, '_' || m.author_id) AS username, a.snapshot ->> 'display_name' AS display_name, m.text, m.language, m.attachment_ids,
    CASE WHEN m.attachment_ids <> '{}' THEN attached_files(m.attachment_ids, m.author_id) END AS attachments,
    m.gif, m.reply_to_id, m.thread_id, t.replies, t.last_reply_at, e.reactions, m.mentions, m.wide_mention, m.client_id,
    m.pinned_at, m.pinner_id, m.created_at, m.edited_at, m.deleted_at, k.card,
    a.snapshot #>> '{extras,avatar,file}' AS avatar, is_hidden(a.snapshot) AS author_hidden
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
