-- AccountStore.existing(_:in:)
SELECT id FROM accounts WHERE id = ANY ($1);

-- AccountStore.keep(_:repairing:in:)
INSERT INTO accounts (id, version, username, snapshot)
VALUES ($1, $2, $3, $4)
ON CONFLICT (id) DO UPDATE
SET version = excluded.version, username = excluded.username, snapshot = excluded.snapshot
WHERE excluded.version > accounts.version;

-- AccountStore.keep(_:repairing:in:), repairing
INSERT INTO accounts (id, version, username, snapshot)
VALUES ($1, $2, $3, $4)
ON CONFLICT (id) DO UPDATE
SET version = excluded.version, username = excluded.username, snapshot = excluded.snapshot
WHERE excluded.version >= accounts.version;

-- AccountStore.lock(_:in:)
SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE;

-- AccountStore.snapshot(_:in:)
SELECT snapshot FROM accounts WHERE id = ANY ($1) ORDER BY id;

-- AccountStore.snapshots(_:in:)
SELECT snapshot FROM accounts WHERE id = ANY ($1) ORDER BY id;

-- BanStore.ban(_:in:site:in:)
WITH b AS (
    SELECT account_id, actor_id, reason, created_at
    FROM playground_bans
    WHERE playground_id = $1 AND account_id = $2
)
SELECT a.id, a.username, a.snapshot->>'display_name', a.snapshot #>> '{extras,avatar,file}', is_hidden(a.snapshot), b.actor_id, b.reason, b.created_at
FROM b
JOIN accounts a ON a.id = b.account_id
ORDER BY a.id DESC;

-- BanStore.delete(_:in:in:)
DELETE FROM playground_bans WHERE playground_id = $1 AND account_id = $2;

-- BanStore.exists(_:in:in:)
SELECT 1 FROM playground_bans WHERE playground_id = $1 AND account_id = $2;

-- BanStore.insert(_:in:actor:reason:at:in:)
INSERT INTO playground_bans (playground_id, account_id, actor_id, reason, created_at)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT DO NOTHING;

-- BanStore.list(of:_:site:in:)
WITH b AS (
    SELECT account_id, actor_id, reason, created_at
    FROM playground_bans
    WHERE playground_id = $1 AND account_id < $2 AND account_id > $3 ORDER BY account_id DESC LIMIT $4
)
SELECT a.id, a.username, a.snapshot->>'display_name', a.snapshot #>> '{extras,avatar,file}', is_hidden(a.snapshot), b.actor_id, b.reason, b.created_at
FROM b
JOIN accounts a ON a.id = b.account_id
ORDER BY a.id DESC;

-- BlockStore.exists(between:_:in:)
SELECT 1
FROM blocks
WHERE active AND (blocker_id, blocked_id) IN (($1, $2), ($3, $4));

-- BlockStore.forgetEnded(before:in:)
DELETE FROM blocks
WHERE (blocker_id, blocked_id) IN (
    SELECT blocker_id, blocked_id
    FROM blocks
    WHERE NOT active AND changed_at < $1
    LIMIT 1000
    FOR UPDATE SKIP LOCKED
) AND NOT active AND changed_at < $2;

-- BlockStore.keep(_:_:active:version:at:in:)
INSERT INTO blocks (blocker_id, blocked_id, version, active, changed_at)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (blocker_id, blocked_id) DO UPDATE
SET version = excluded.version, active = excluded.active, changed_at = excluded.changed_at
WHERE excluded.version > blocks.version;

-- BlockStore.repair(_:_:version:at:in:)
INSERT INTO blocks (blocker_id, blocked_id, version, active, changed_at)
VALUES ($1, $2, $3, true, $4)
ON CONFLICT (blocker_id, blocked_id) DO UPDATE
SET version = excluded.version, active = true,
    changed_at = CASE WHEN blocks.active THEN blocks.changed_at ELSE excluded.changed_at END
WHERE excluded.version >= blocks.version;

-- CardStore.forget(before:at:unless:in:)
WITH old AS MATERIALIZED (
    SELECT c.hash, EXISTS (SELECT FROM messages m WHERE m.link_hash = c.hash) AS is_shown
    FROM cards c
    WHERE c.touched_at < $1
    ORDER BY c.touched_at LIMIT 100
), kept AS (
    UPDATE cards SET touched_at = $2 FROM old WHERE cards.hash = old.hash AND old.is_shown
), gone AS (
    DELETE FROM cards USING old WHERE cards.hash = old.hash AND NOT old.is_shown
)
SELECT count(*) FROM old;

-- CardStore.keep(_:at:repairing:in:)
INSERT INTO cards (hash, url, link_id, version, card, touched_at)
VALUES (sha256(convert_to($1, 'UTF8')), $2, $3, $4,
    $5, $6)
ON CONFLICT (hash) DO UPDATE
SET link_id = excluded.link_id, version = excluded.version, card = excluded.card,
    touched_at = excluded.touched_at
WHERE excluded.version > cards.version
RETURNING card IS DISTINCT FROM (SELECT c.card FROM cards c WHERE c.hash = sha256(convert_to($7, 'UTF8')));

-- CardStore.keep(_:at:repairing:in:), repairing
INSERT INTO cards (hash, url, link_id, version, card, touched_at)
VALUES (sha256(convert_to($1, 'UTF8')), $2, $3, $4,
    $5, $6)
ON CONFLICT (hash) DO UPDATE
SET link_id = excluded.link_id, version = excluded.version, card = excluded.card,
    touched_at = excluded.touched_at
WHERE excluded.version >= cards.version
RETURNING card IS DISTINCT FROM (SELECT c.card FROM cards c WHERE c.hash = sha256(convert_to($7, 'UTF8')));

-- CardStore.messages(with:from:most:in:)
SELECT id, channel_id
FROM (
    SELECT m.id, m.channel_id, m.seq
    FROM messages m
    WHERE m.link_hash = sha256(convert_to($1, 'UTF8')) AND m.id >= $2
    ORDER BY m.id DESC
    LIMIT $3
) newest
ORDER BY channel_id, seq;

-- ChannelStore.access(to:of:in:)
SELECT s.id, s.type, s.playground_id, s.name, s.description, s.owner_id, s.archived_at, s.created_at, s.version,
s.requested, s.role, s.playground_role, s.blocked FROM channel_standing($1, $2) s;

-- ChannelStore.channel(_:in:)
SELECT e.id, e.type, e.playground_id, e.name, e.description, e.owner_id, e.archived_at, e.created_at, e.updated_at, e.version, e.last_seq, e.last_change, e.is_default, e.members_count, e.people FROM channel_entries e WHERE e.id = $1;

-- ChannelStore.count(of:in:)
SELECT count(*) FROM channels WHERE playground_id = $1 AND type IN ('public', 'private');

-- ChannelStore.delete(_:at:in:)
WITH left_behind AS (
    DELETE FROM channel_members WHERE channel_id = ANY ($1)
)
UPDATE channels
SET deleted_at = $2, type = 'private', party = NULL, playground_id = NULL, name = '', description = '',
    owner_id = NULL
WHERE id = ANY ($3);

-- ChannelStore.forgetChannels(in:)
DELETE FROM channels
WHERE id IN (
    SELECT c.id
    FROM channels c
    WHERE c.deleted_at IS NOT NULL AND NOT EXISTS (SELECT FROM messages m WHERE m.channel_id = c.id)
    LIMIT 500
    FOR UPDATE SKIP LOCKED
);

-- ChannelStore.found(_:named:in:seenBy:in:)
WITH wanted AS (
    SELECT id, min(place) AS place
    FROM (
        SELECT id, place FROM unnest($1) WITH ORDINALITY AS f (id, place)
        UNION ALL
        SELECT id, 0 FROM channels WHERE playground_id = $2 AND lower(name) = lower($3)
    ) w
    GROUP BY id
)
SELECT e.id, e.type, e.playground_id, e.name, e.description, e.owner_id, e.archived_at, e.created_at, e.updated_at, e.version, e.last_seq, e.last_change, e.is_default, e.members_count, e.people, m.role, m.requested, m.last_read_seq, m.notify, m.notify_chosen, m.muted_until, m.joined_at, m.version, p.role
FROM wanted w
CROSS JOIN LATERAL (SELECT e.id, e.type, e.playground_id, e.name, e.description, e.owner_id, e.archived_at, e.created_at, e.updated_at, e.version, e.last_seq, e.last_change, e.is_default, e.members_count, e.people FROM channel_entries e WHERE e.id = w.id OFFSET 0) e
LEFT JOIN channel_members m ON m.channel_id = e.id AND m.account_id = $4
LEFT JOIN playground_members p ON p.playground_id = e.playground_id AND p.account_id = $5
ORDER BY w.place, e.id;

-- ChannelStore.hold(_:in:)
SELECT 1 FROM channels WHERE id = $1 FOR NO KEY UPDATE;

-- ChannelStore.holdAll(of:in:)
SELECT id FROM channels WHERE playground_id = $1 ORDER BY id FOR NO KEY UPDATE;

-- ChannelStore.holdAll(of:in:in:)
SELECT 1
FROM channels c
JOIN channel_members m ON m.channel_id = c.id AND m.account_id = $1
WHERE c.playground_id = $2
ORDER BY c.id
FOR NO KEY UPDATE OF c;

-- ChannelStore.insert(_:_:in:owner:at:in:)
INSERT INTO channels (id, type, playground_id, name, description, owner_id, created_at, updated_at, version)
VALUES ($1, $2, $3, $4, $5,
    $6, $7, $8, $9);

-- ChannelStore.list(of:seenBy:limit:in:)
SELECT e.id, e.type, e.playground_id, e.name, e.description, e.owner_id, e.archived_at, e.created_at, e.updated_at, e.version, e.last_seq, e.last_change, e.is_default, e.members_count, e.people, m.role, m.requested, m.last_read_seq, m.notify, m.notify_chosen, m.muted_until, m.joined_at, m.version, p.role
FROM channel_entries e
JOIN playground_members p ON p.playground_id = e.playground_id AND p.account_id = $1
LEFT JOIN channel_members m ON m.channel_id = e.id AND m.account_id = $2
WHERE e.playground_id = $3
    AND (e.type = 'public' OR (e.type = 'private' AND m.account_id IS NOT NULL))
ORDER BY e.archived_at IS NOT NULL, NOT e.is_default, lower(e.name), e.id
LIMIT $4;

-- ChannelStore.seen(_:by:in:)
SELECT e.id, e.type, e.playground_id, e.name, e.description, e.owner_id, e.archived_at, e.created_at, e.updated_at, e.version, e.last_seq, e.last_change, e.is_default, e.members_count, e.people, m.role, m.requested, m.last_read_seq, m.notify, m.notify_chosen, m.muted_until, m.joined_at, m.version, p.role
FROM channel_entries e
LEFT JOIN channel_members m ON m.channel_id = e.id AND m.account_id = $1
LEFT JOIN playground_members p ON p.playground_id = e.playground_id AND p.account_id = $2
WHERE e.id = $3;

-- ChannelStore.setArchived(_:_:at:in:)
UPDATE channels SET archived_at = $1, updated_at = $2, version = $3
WHERE id = $4;

-- ChannelStore.update(_:_:at:in:)
UPDATE channels
SET name = coalesce($1, name), description = coalesce($2, description),
    type = coalesce($3, type), updated_at = $4, version = $5
WHERE id = $6;

-- DirectChannelStore.accept(_:by:version:in:)
UPDATE channel_members
SET requested = false, declined_at = NULL, version = greatest(version + 1, $1)
WHERE channel_id = $2 AND account_id = $3 AND requested
RETURNING version;

-- DirectChannelStore.add(requested:to:in:)
INSERT INTO channel_members (channel_id, account_id, role, requested, joined_at, version)
SELECT $1, p.id, 'member', p.id = ANY ($2), $3, $4
FROM unnest($5) p (id)
ON CONFLICT DO NOTHING
RETURNING account_id, requested;

-- DirectChannelStore.between(_:_:in:)
SELECT ARRAY(
    SELECT m.account_id FROM channel_members m WHERE m.channel_id = e.id AND NOT m.requested ORDER BY 1
), e.id, e.type, e.playground_id, e.name, e.description, e.owner_id, e.archived_at, e.created_at, e.updated_at, e.version, e.last_seq, e.last_change, e.is_default, e.members_count, e.people
FROM channels c
CROSS JOIN LATERAL (SELECT e.id, e.type, e.playground_id, e.name, e.description, e.owner_id, e.archived_at, e.created_at, e.updated_at, e.version, e.last_seq, e.last_change, e.is_default, e.members_count, e.people FROM channel_entries e WHERE e.id = c.id OFFSET 0) e
WHERE c.party = $1
ORDER BY c.id;

-- DirectChannelStore.bringBack(_:requested:to:in:)
INSERT INTO channel_members (channel_id, account_id, role, requested, joined_at, version)
SELECT $1, p.id, 'member', p.id = ANY ($2), $3, $4
FROM unnest($5) p (id)
ON CONFLICT DO NOTHING
RETURNING account_id, requested;

-- DirectChannelStore.decline(_:by:at:in:)
UPDATE channel_members
SET declined_at = $1, version = greatest(version + 1, $2)
WHERE channel_id = $3 AND account_id = $4 AND requested AND declined_at IS NULL;

-- DirectChannelStore.dissolve(_:in:)
UPDATE channels SET party = 'left ' || id WHERE id = $1;

-- DirectChannelStore.find(_:in:)
SELECT id
FROM channels
WHERE party = $1 AND coalesce(playground_id, 0) = coalesce($2, 0)
FOR NO KEY UPDATE;

-- DirectChannelStore.hold(_:_:version:in:)
WITH held AS MATERIALIZED (
    SELECT id FROM channels WHERE party = $1 ORDER BY id FOR NO KEY UPDATE
)
UPDATE channels SET version = greatest(version + 1, $2) WHERE id IN (SELECT id FROM held);

-- DirectChannelStore.insert(_:in:)
INSERT INTO channels (id, type, playground_id, name, description, party, created_at, updated_at, version)
VALUES (
    $1, $2, $3, '', '', $4, $5,
    $6, $7
)
ON CONFLICT DO NOTHING;

-- DirectChannelStore.list(of:requested:in:_:in:)
SELECT e.id, e.type, e.playground_id, e.name, e.description, e.owner_id, e.archived_at, e.created_at, e.updated_at, e.version, e.last_seq, e.last_change, e.is_default, e.members_count, e.people, m.role, m.requested, m.last_read_seq, m.notify, m.notify_chosen, m.muted_until, m.joined_at, m.version, p.role
FROM (
    SELECT m.channel_id, m.role, m.requested, m.last_read_seq, m.notify, m.notify_chosen, m.muted_until, m.joined_at, m.version, c.playground_id
    FROM channel_members m
    JOIN channels c ON c.id = m.channel_id
    WHERE m.account_id = $1 AND m.requested = $2 AND m.declined_at IS NULL
        AND c.party IS NOT NULL
        -- Who is hidden asks for nothing.
        AND NOT (
            m.requested AND EXISTS (
                SELECT FROM channel_members o
                WHERE o.channel_id = m.channel_id AND EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = o.account_id AND restricted.is_hidden
    OFFSET 0
)
            )
        )
        AND ($3 IS NULL OR c.playground_id = $4)
        AND m.channel_id < $5 AND m.channel_id > $6 ORDER BY m.channel_id DESC LIMIT $7
) m
CROSS JOIN LATERAL (
    SELECT e.id, e.type, e.playground_id, e.name, e.description, e.owner_id, e.archived_at, e.created_at, e.updated_at, e.version, e.last_seq, e.last_change, e.is_default, e.members_count, e.people FROM channel_entries e WHERE e.id = m.channel_id OFFSET 0
) e
LEFT JOIN playground_members p ON p.playground_id = m.playground_id AND p.account_id = $8
ORDER BY m.channel_id DESC;

-- DirectChannelStore.relations(of:to:in:in:)
SELECT o.id, o.blocked, o.knows, o.inside
FROM (
    SELECT
        o.id,
        EXISTS (
            SELECT
            FROM blocks b
            WHERE b.active AND (b.blocker_id, b.blocked_id) IN ((o.id, $1), ($2, o.id))
        ) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = o.id AND restricted.is_hidden
    OFFSET 0
) AS blocked,
        EXISTS (
            SELECT
            FROM playground_members a
            JOIN playground_members b ON b.playground_id = a.playground_id
            WHERE a.account_id = $3 AND b.account_id = o.id
        ) OR EXISTS (
            SELECT
            FROM channel_members a
            JOIN channel_members b ON b.channel_id = a.channel_id
            JOIN channels c ON c.id = a.channel_id
            WHERE a.account_id = $4 AND b.account_id = o.id AND c.party IS NOT NULL
                AND EXISTS (
                    SELECT
                    FROM messages m
                    WHERE m.channel_id = c.id AND m.author_id = o.id AND m.deleted_at IS NULL
                )
        ) AS knows,
        $5 IS NULL OR EXISTS (
            SELECT
            FROM playground_members p
            WHERE p.playground_id = $6 AND p.account_id = o.id
        ) AS inside
    FROM unnest($7) o (id)
) o;

-- ErasedAccountStore.account
DELETE FROM accounts
WHERE (id) IN (SELECT id FROM accounts WHERE id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, blocks
DELETE FROM blocks
WHERE (blocker_id, blocked_id) IN (SELECT blocker_id, blocked_id FROM blocks WHERE blocker_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, blocks by others
DELETE FROM blocks
WHERE (blocker_id, blocked_id) IN (SELECT blocker_id, blocked_id FROM blocks WHERE blocked_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, channel_members
DELETE FROM channel_members
WHERE (channel_id, account_id) IN (SELECT channel_id, account_id FROM channel_members WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, invites
DELETE FROM invites
WHERE (code) IN (SELECT code FROM invites WHERE creator_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, media
DELETE FROM media
WHERE (id) IN (SELECT id FROM media WHERE owner_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, message_mentions
DELETE FROM message_mentions
WHERE (channel_id, account_id, seq) IN (SELECT channel_id, account_id, seq FROM message_mentions WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, new_account_acts
DELETE FROM new_account_acts
WHERE (account_id, act) IN (SELECT account_id, act FROM new_account_acts WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, playground_bans
DELETE FROM playground_bans
WHERE (playground_id, account_id) IN (SELECT playground_id, account_id FROM playground_bans WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, playground_members
DELETE FROM playground_members
WHERE (playground_id, account_id) IN (SELECT playground_id, account_id FROM playground_members WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, project_room_members
DELETE FROM project_room_members
WHERE (project_id, account_id) IN (SELECT project_id, account_id FROM project_room_members WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, restricted_accounts
DELETE FROM restricted_accounts
WHERE (account_id) IN (SELECT account_id FROM restricted_accounts WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.deeds, bans by it
UPDATE playground_bans SET actor_id = 0
WHERE (playground_id, account_id) IN (SELECT playground_id, account_id FROM playground_bans WHERE actor_id = $1 LIMIT 500);

-- ErasedAccountStore.deeds, channels
UPDATE channels SET owner_id = NULL
WHERE (id) IN (SELECT id FROM channels WHERE owner_id = $1 LIMIT 500);

-- ErasedAccountStore.deeds, pins
UPDATE messages SET pinner_id = 0
WHERE (id) IN (SELECT id FROM messages WHERE pinner_id = $1 LIMIT 500);

-- ErasedAccountStore.deeds, project_rooms
UPDATE project_rooms SET leader_id = 0, playground_id = NULL, ended_at = coalesce(ended_at, statement_timestamp())
WHERE (project_id) IN (SELECT project_id FROM project_rooms WHERE leader_id = $1 LIMIT 500);

-- ErasedAccountStore.dropCovers(of:in:)
UPDATE playgrounds g
SET cover_id = NULL
FROM media f
WHERE f.owner_id = $1 AND g.cover_id = f.id AND g.cover_id IS NOT NULL;

-- ErasedAccountStore.groups(of:limit:in:)
SELECT c.id
FROM channel_members m
JOIN channels c ON c.id = m.channel_id
WHERE m.account_id = $1 AND c.type = 'group' AND c.deleted_at IS NULL
ORDER BY c.id
LIMIT $2;

-- ErasedAccountStore.leaveDirectChannels(_:in:)
WITH chosen AS MATERIALIZED (
    SELECT c.id
    FROM channel_members m
    JOIN channels c ON c.id = m.channel_id
    WHERE m.account_id = $1 AND c.type = 'direct'
    ORDER BY c.id
    LIMIT 200
),
-- One with oneself, or with somebody who has left too, has nobody to be kept for.
alone AS (
    DELETE FROM channel_members m
    USING chosen x
    WHERE m.channel_id = x.id
        AND NOT EXISTS (
            SELECT FROM channel_members o
            WHERE o.channel_id = x.id AND o.account_id NOT IN (0, $2)
        )
    RETURNING m.channel_id
),
renamed AS (
    UPDATE channels c
    SET party = 'left ' || c.id,
        deleted_at = CASE
            WHEN c.id IN (SELECT channel_id FROM alone) THEN statement_timestamp()
            ELSE c.deleted_at
        END
    FROM chosen x
    WHERE c.id = x.id
),
left_to_others AS (
    UPDATE channel_members m
    SET account_id = 0
    FROM chosen x
    WHERE m.channel_id = x.id AND m.account_id = $3
        AND m.channel_id NOT IN (SELECT channel_id FROM alone)
)
SELECT id FROM chosen;

-- ErasedAccountStore.messages(of:limit:in:)
SELECT id, channel_id
FROM (
    SELECT id, channel_id FROM messages
    WHERE author_id = $1 AND author_id <> 0 AND deleted_at IS NULL
    ORDER BY id
    LIMIT $2
) m
ORDER BY channel_id, id;

-- ErasedAccountStore.naming
UPDATE messages SET mentions = (
    SELECT coalesce(jsonb_agg(m.value ORDER BY m.place), '[]')
    FROM jsonb_array_elements(mentions) WITH ORDINALITY m (value, place)
    WHERE m.value ->> 'id' <> CAST($1 AS bigint)::text
)
WHERE (id) IN (SELECT id FROM messages WHERE mentions @> jsonb_build_array(jsonb_build_object('id', CAST($2 AS bigint)::text))
    AND mentions <> '[]' LIMIT 500);

-- ErasedAccountStore.playgrounds(of:limit:in:)
SELECT playground_id FROM playground_members
WHERE account_id = $1
ORDER BY playground_id
LIMIT $2;

-- ErasedAccountStore.reactions(of:limit:in:)
SELECT r.message_id, m.channel_id, r.emoji
FROM (SELECT * FROM reactions WHERE account_id = $1 LIMIT $2) r
CROSS JOIN LATERAL (SELECT m.channel_id FROM messages m WHERE m.id = r.message_id OFFSET 0) m
ORDER BY m.channel_id, r.message_id;

-- ErasedAccountStore.rooms
UPDATE project_rooms SET leader_id = 0, playground_id = NULL, ended_at = coalesce(ended_at, statement_timestamp())
WHERE (project_id) IN (SELECT project_id FROM project_rooms WHERE leader_id = $1 LIMIT 500);

-- ErasedAccountStore.successor(of:in:_:)
SELECT account_id FROM playground_members
WHERE playground_id = $1 AND account_id <> $2
ORDER BY role <> 'admin', joined_at, account_id
LIMIT 1;

-- ErasedAccountStore.tombstones
UPDATE messages SET author_id = 0, client_id = NULL, client_hash = NULL
WHERE (id) IN (SELECT id FROM messages WHERE author_id = $1 AND author_id <> 0 AND deleted_at IS NOT NULL LIMIT 500);

-- ExportedStore.channels
SELECT ARRAY[m.channel_id], json_build_object(
    'id', c.id::text, 'type', c.type, 'name', c.name, 'playground_id', c.playground_id::text,
    'playground', (SELECT p.name FROM playgrounds p WHERE p.id = c.playground_id),
    'people', CASE WHEN c.party IS NOT NULL THEN (
        SELECT json_agg(a.username ORDER BY a.id)
        FROM channel_members o
        CROSS JOIN LATERAL (SELECT a.* FROM accounts a WHERE a.id = o.account_id OFFSET 0) a
        WHERE o.channel_id = c.id
    ) END,
    'role', m.role, 'notify', m.notify, 'muted_until', m.muted_until, 'last_read_seq', m.last_read_seq,
    'joined_at', m.joined_at
)::text
FROM channel_members m
CROSS JOIN LATERAL (SELECT c.* FROM channels c WHERE c.id = m.channel_id OFFSET 0) c
WHERE m.account_id = $1 AND m.channel_id > $2
ORDER BY m.channel_id LIMIT $3;

-- ExportedStore.messages
SELECT ARRAY[m.id], json_build_object(
    'id', m.id::text, 'channel_id', m.channel_id::text, 'channel_type', c.type, 'channel', c.name,
    'playground', (SELECT p.name FROM playgrounds p WHERE p.id = c.playground_id),
    'text', m.text, 'language', m.language, 'created_at', m.created_at, 'edited_at', m.edited_at,
    'reply_to_id', m.reply_to_id::text, 'thread_id', m.thread_id::text, 'mentions', m.mentions,
    'attachment_ids', m.attachment_ids::text[], 'gif', m.gif
)::text
FROM messages m
CROSS JOIN LATERAL (SELECT c.* FROM channels c WHERE c.id = m.channel_id OFFSET 0) c
WHERE m.author_id = $1 AND m.author_id <> 0 AND m.deleted_at IS NULL AND m.id > $2
ORDER BY m.id LIMIT $3;

-- ExportedStore.playgrounds
SELECT ARRAY[m.playground_id], json_build_object(
    'id', p.id::text, 'name', p.name, 'description', p.description, 'open', p.open, 'role', m.role,
    'joined_at', m.joined_at, 'created_at', p.created_at
)::text
FROM playground_members m
CROSS JOIN LATERAL (SELECT p.* FROM playgrounds p WHERE p.id = m.playground_id OFFSET 0) p
WHERE m.account_id = $1 AND m.playground_id > $2
ORDER BY m.playground_id LIMIT $3;

-- ExportedStore.reactions(_:in:)
SELECT ARRAY[r.message_id], json_build_object(
    'message_id', r.message_id::text, 'emoji', json_agg(r.emoji ORDER BY r.created_at, r.emoji),
    'created_at', min(r.created_at)
)::text
FROM reactions r
WHERE r.account_id = $1 AND r.message_id > $2
GROUP BY r.message_id
ORDER BY r.message_id LIMIT $3;

-- GatewayStore.heads(_:in:)
SELECT c.id, c.last_seq, c.last_change
FROM channels c
WHERE c.id = ANY ($1) AND c.deleted_at IS NULL
ORDER BY c.id;

-- GatewayStore.missed(of:_:limit:whole:in:)
WITH judged AS MATERIALIZED (
    SELECT
        a.id, a.seq, a.change, a.place, c.last_seq, c.last_change,
        a.seq > c.last_seq OR a.change > c.last_change OR c.last_seq - a.seq > $1
            OR sum(
                -- What a client claims beyond the newest counts as the newest.
                c.last_seq - least(a.seq, c.last_seq)
                + CASE
                    WHEN a.change >= 0 THEN greatest(
                        c.last_change - least(a.change, c.last_change)
                            - (c.last_seq - least(a.seq, c.last_seq)),
                        0
                    )
                    ELSE 0
                END
            ) OVER (ORDER BY a.place) > $2 AS resync
    FROM unnest(
        $3, $4, $5
    ) WITH ORDINALITY a (id, seq, change, place)
    JOIN channel_members m ON m.channel_id = a.id AND m.account_id = $6 AND NOT m.requested
    JOIN channels c ON c.id = a.id
    WHERE c.deleted_at IS NULL
)
SELECT c.id, c.last_seq, c.last_change, c.resync, p.is_new, r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card
FROM judged c
LEFT JOIN LATERAL (
    (
        SELECT m.id, true AS is_new, m.seq AS place
        FROM messages m
        WHERE NOT c.resync AND m.channel_id = c.id AND m.seq > c.seq
        ORDER BY m.seq
        LIMIT $7
    )
    UNION ALL
    (
        SELECT m.id, false, m.change
        FROM messages m
        WHERE NOT c.resync AND c.change >= 0 AND m.channel_id = c.id AND m.change > c.change AND m.seq <= c.seq
        ORDER BY m.change
        LIMIT $8
    )
) p ON true
LEFT JOIN LATERAL (SELECT r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card FROM message_rows r WHERE r.id = p.id OFFSET 0) r ON true
ORDER BY c.place, p.is_new DESC, p.place;

-- GatewayStore.rooms(of:in:)
SELECT c.id, c.last_seq, c.last_change, c.type, c.playground_id
FROM channel_members m
JOIN channels c ON c.id = m.channel_id
WHERE m.account_id = $1 AND NOT m.requested AND c.deleted_at IS NULL
    AND NOT (
        c.type = 'direct' AND EXISTS (
            SELECT
            FROM channel_members o
            JOIN blocks b ON (b.blocker_id, b.blocked_id) IN (
                (o.account_id, $2), ($3, o.account_id)
            )
            WHERE o.channel_id = c.id AND o.account_id <> $4 AND b.active
        )
    )
UNION ALL
SELECT NULL, NULL, NULL, NULL, p.playground_id
FROM playground_members p
WHERE p.account_id = $5;

-- HistoryStore.gap(_:after:limit:in:), change
SELECT c.id, c.last_seq, c.last_change, r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card
FROM channels c
LEFT JOIN LATERAL (SELECT r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card
FROM (
    SELECT m.id
    FROM messages m
    WHERE m.channel_id = c.id AND m.change > $1
    ORDER BY m.change
    LIMIT $2
) p
CROSS JOIN LATERAL (SELECT r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card FROM message_rows r WHERE r.id = p.id OFFSET 0) r) r ON true
WHERE c.id = $3 AND c.deleted_at IS NULL
ORDER BY r.change;

-- HistoryStore.gap(_:after:limit:in:), number
SELECT c.id, c.last_seq, c.last_change, r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card
FROM channels c
LEFT JOIN LATERAL (SELECT r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card
FROM (
    SELECT m.id
    FROM messages m
    WHERE m.channel_id = c.id AND m.seq > $1
    ORDER BY m.seq
    LIMIT $2
) p
CROSS JOIN LATERAL (SELECT r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card FROM message_rows r WHERE r.id = p.id OFFSET 0) r) r ON true
WHERE c.id = $3 AND c.deleted_at IS NULL
ORDER BY r.seq;

-- HistoryStore.page(_:viewer:_:in:), by change
SELECT r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card
FROM channel_standing($1, $2) s
LEFT JOIN LATERAL (SELECT r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card
FROM (
    SELECT m.id
    FROM messages m
    WHERE m.channel_id = s.id AND m.change > $3 AND m.seq < $4 AND m.seq > $5 AND true AND true
    ORDER BY m.change
    LIMIT $6
) p
CROSS JOIN LATERAL (SELECT r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card FROM message_rows r WHERE r.id = p.id OFFSET 0) r) r ON true
ORDER BY r.change;

-- HistoryStore.page(_:viewer:_:in:), newest first
SELECT r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card
FROM channel_standing($1, $2) s
LEFT JOIN LATERAL (SELECT r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card
FROM (
    SELECT m.id
    FROM messages m
    WHERE m.channel_id = s.id AND m.seq < $3 AND m.seq > $4 AND true AND true
    ORDER BY m.seq DESC
    LIMIT $5
) p
CROSS JOIN LATERAL (SELECT r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card FROM message_rows r WHERE r.id = p.id OFFSET 0) r) r ON true
ORDER BY r.seq DESC;

-- HistoryStore.page(_:viewer:_:in:), newest first by time
SELECT r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card
FROM channel_standing($1, $2) s
LEFT JOIN LATERAL (SELECT r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card
FROM (
    SELECT m.id
    FROM messages m
    WHERE m.channel_id = s.id AND m.created_at < $3
    ORDER BY m.created_at DESC, m.seq DESC
    LIMIT $4
) p
CROSS JOIN LATERAL (SELECT r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card FROM message_rows r WHERE r.id = p.id OFFSET 0) r) r ON true
ORDER BY r.seq DESC;

-- HistoryStore.page(_:viewer:_:in:), oldest first
SELECT r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card
FROM channel_standing($1, $2) s
LEFT JOIN LATERAL (SELECT r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card
FROM (
    SELECT m.id
    FROM messages m
    WHERE m.channel_id = s.id AND m.seq < $3 AND m.seq > $4 AND true AND true
    ORDER BY m.seq
    LIMIT $5
) p
CROSS JOIN LATERAL (SELECT r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card FROM message_rows r WHERE r.id = p.id OFFSET 0) r) r ON true
ORDER BY r.seq;

-- HistoryStore.page(_:viewer:_:in:), oldest first by time
SELECT r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card
FROM channel_standing($1, $2) s
LEFT JOIN LATERAL (SELECT r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card
FROM (
    SELECT m.id
    FROM messages m
    WHERE m.channel_id = s.id AND m.seq < $3 AND m.seq > $4 AND true AND m.created_at > $5
    ORDER BY m.created_at, m.seq
    LIMIT $6
) p
CROSS JOIN LATERAL (SELECT r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card FROM message_rows r WHERE r.id = p.id OFFSET 0) r) r ON true
ORDER BY r.seq;

-- HistoryStore.pins(_:viewer:limit:in:)
SELECT r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card
FROM channel_standing($1, $2) s
LEFT JOIN LATERAL (SELECT r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card
FROM (
    SELECT m.id
    FROM messages m
    WHERE m.channel_id = s.id AND m.pinned_at IS NOT NULL
    ORDER BY m.pinned_at DESC, m.seq DESC
    LIMIT $3
) p
CROSS JOIN LATERAL (SELECT r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card FROM message_rows r WHERE r.id = p.id OFFSET 0) r) r ON true
ORDER BY r.pinned_at DESC, r.seq DESC;

-- HistoryStore.thread(_:viewer:above:limit:in:)
WITH root AS (
    SELECT t.id, t.channel_id
    FROM messages m
    JOIN messages t ON t.id = coalesce(m.thread_id, m.id)
    CROSS JOIN LATERAL channel_standing(m.channel_id, $1) s
    WHERE m.id = $2
),
page AS MATERIALIZED (
    SELECT root.id FROM root
    UNION ALL
    (
        SELECT m.id
        FROM root
        JOIN messages m ON m.thread_id = root.id
        WHERE m.seq > $3
        ORDER BY m.seq
        LIMIT $4
    )
)
SELECT r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card
FROM page p
CROSS JOIN LATERAL (SELECT r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card FROM message_rows r WHERE r.id = p.id OFFSET 0) r
ORDER BY r.seq;

-- InviteStore.forget(before:in:)
DELETE FROM invites
WHERE code = ANY (
    ARRAY(
        SELECT code FROM invites
        WHERE least(expires_at, revoked_at) < $1
        LIMIT 1000
        FOR UPDATE SKIP LOCKED
    ) || ARRAY(
        SELECT code FROM invites
        WHERE uses >= max_uses AND created_at < $2
        LIMIT 1000
        FOR UPDATE SKIP LOCKED
    )
);

-- InviteStore.good(for:at:limit:in:)
SELECT code, playground_id, creator_id, created_at, expires_at, max_uses, uses, revoked_at
FROM invites
WHERE playground_id = $1 AND revoked_at IS NULL
    AND (expires_at IS NULL OR expires_at > $2) AND (max_uses IS NULL OR uses < max_uses)
ORDER BY created_at DESC, code
LIMIT $3;

-- InviteStore.goodCount(for:at:in:)
SELECT count(*) FROM invites WHERE playground_id = $1 AND revoked_at IS NULL
    AND (expires_at IS NULL OR expires_at > $2) AND (max_uses IS NULL OR uses < max_uses);

-- InviteStore.insert(_:in:)
INSERT INTO invites (code, playground_id, creator_id, created_at, expires_at, max_uses)
VALUES ($1, $2, $3, $4,
    $5, $6);

-- InviteStore.invite(_:in:)
SELECT code, playground_id, creator_id, created_at, expires_at, max_uses, uses, revoked_at FROM invites WHERE code = $1;

-- InviteStore.revoke(_:of:at:in:)
UPDATE invites SET revoked_at = coalesce(revoked_at, $1)
WHERE code = $2 AND playground_id = $3;

-- InviteStore.use(_:in:)
UPDATE invites SET uses = uses + 1 WHERE code = $1;

-- MediaStore.keep(_:repairing:in:)
INSERT INTO media (id, version, owner_id, snapshot, failure)
VALUES ($1, $2, $3, $4,
    $5)
ON CONFLICT (id) DO UPDATE
SET version = excluded.version, snapshot = excluded.snapshot, failure = excluded.failure
WHERE excluded.version > media.version;

-- MediaStore.keep(_:repairing:in:), repairing
INSERT INTO media (id, version, owner_id, snapshot, failure)
VALUES ($1, $2, $3, $4,
    $5)
ON CONFLICT (id) DO UPDATE
SET version = excluded.version, snapshot = excluded.snapshot, failure = excluded.failure
WHERE excluded.version >= media.version;

-- MediaStore.messages(with:most:in:)
SELECT id, channel_id
FROM messages
WHERE attachment_ids <> '{}' AND attachment_ids @> $1 AND deleted_at IS NULL
ORDER BY channel_id, seq
LIMIT $2;

-- MemberStore.accounts(in:in:)
SELECT account_id FROM channel_members WHERE channel_id = $1 ORDER BY account_id;

-- MemberStore.delete(_:from:in:), channel
DELETE FROM channel_members WHERE channel_id = $1 AND account_id = $2;

-- MemberStore.delete(_:from:in:), playground
DELETE FROM playground_members WHERE playground_id = $1 AND account_id = $2;

-- MemberStore.deleteAll(of:in:in:)
WITH ended AS (
    DELETE FROM channel_members m
    USING channels c
    WHERE m.account_id = $1 AND c.id = m.channel_id AND c.playground_id = $2
    RETURNING c.id, c.type, m.role
)
SELECT id, type, role FROM ended ORDER BY id;

-- MemberStore.found(_:named:of:in:), channel
WITH wanted AS (
    SELECT id, min(place) AS place
    FROM (
        SELECT id, place FROM unnest($1) WITH ORDINALITY AS f (id, place)
        UNION ALL
        SELECT id, 0 FROM accounts WHERE username = $2
    ) w
    GROUP BY id
)
SELECT a.id, a.username, a.snapshot->>'display_name', a.snapshot #>> '{extras,avatar,file}', is_hidden(a.snapshot), page.role, page.joined_at
FROM wanted w
JOIN channel_members page ON page.channel_id = $3 AND page.account_id = w.id
JOIN accounts a ON a.id = w.id
WHERE NOT is_hidden(a.snapshot)
ORDER BY w.place, a.id;

-- MemberStore.found(_:named:of:in:), playground
WITH wanted AS (
    SELECT id, min(place) AS place
    FROM (
        SELECT id, place FROM unnest($1) WITH ORDINALITY AS f (id, place)
        UNION ALL
        SELECT id, 0 FROM accounts WHERE username = $2
    ) w
    GROUP BY id
)
SELECT a.id, a.username, a.snapshot->>'display_name', a.snapshot #>> '{extras,avatar,file}', is_hidden(a.snapshot), page.role, page.joined_at
FROM wanted w
JOIN playground_members page ON page.playground_id = $3 AND page.account_id = w.id
JOIN accounts a ON a.id = w.id
WHERE NOT is_hidden(a.snapshot)
ORDER BY w.place, a.id;

-- MemberStore.insert(_:into:role:at:in:), channel
INSERT INTO channel_members (channel_id, account_id, role, joined_at, version, last_read_seq)
SELECT $1, $2, $3, $4, $5, last_seq FROM channels WHERE id = $6 ON CONFLICT DO NOTHING;

-- MemberStore.insert(_:into:role:at:in:), playground
INSERT INTO playground_members (playground_id, account_id, role, joined_at, version) VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING;

-- MemberStore.list(of:text:_:in:), channel
WITH page AS (
    SELECT a.id, m.role, m.joined_at
    FROM channel_members m
    JOIN accounts a ON a.id = m.account_id
    WHERE m.channel_id = $1 AND NOT is_hidden(a.snapshot) AND ($2 = '' OR strpos(a.username, lower($3)) > 0
    OR strpos(lower(normalize(coalesce(a.snapshot->>'display_name', ''))), lower($4)) > 0)
        AND m.account_id < $5 AND m.account_id > $6 ORDER BY m.account_id DESC LIMIT $7
)
SELECT a.id, a.username, a.snapshot->>'display_name', a.snapshot #>> '{extras,avatar,file}', is_hidden(a.snapshot), page.role, page.joined_at
FROM page
JOIN accounts a ON a.id = page.id
ORDER BY a.id DESC;

-- MemberStore.list(of:text:_:in:), playground
WITH page AS (
    SELECT a.id, m.role, m.joined_at
    FROM playground_members m
    JOIN accounts a ON a.id = m.account_id
    WHERE m.playground_id = $1 AND NOT is_hidden(a.snapshot) AND ($2 = '' OR strpos(a.username, lower($3)) > 0
    OR strpos(lower(normalize(coalesce(a.snapshot->>'display_name', ''))), lower($4)) > 0)
        AND m.account_id < $5 AND m.account_id > $6 ORDER BY m.account_id DESC LIMIT $7
)
SELECT a.id, a.username, a.snapshot->>'display_name', a.snapshot #>> '{extras,avatar,file}', is_hidden(a.snapshot), page.role, page.joined_at
FROM page
JOIN accounts a ON a.id = page.id
ORDER BY a.id DESC;

-- MemberStore.members(among:of:in:)
SELECT account_id FROM playground_members
WHERE playground_id = $1 AND account_id = ANY ($2);

-- MemberStore.outsiders(of:in:)
SELECT p.account_id
FROM channels c
JOIN playground_members p ON p.playground_id = c.playground_id
WHERE c.id = $1 AND NOT EXISTS (
    SELECT FROM channel_members m WHERE m.channel_id = c.id AND m.account_id = p.account_id
)
ORDER BY p.account_id;

-- MemberStore.role(of:in:in:), channel
SELECT role FROM channel_members WHERE channel_id = $1 AND account_id = $2;

-- MemberStore.role(of:in:in:), playground
SELECT role FROM playground_members WHERE playground_id = $1 AND account_id = $2;

-- MemberStore.setNotifications(_:isChosen:mutedUntil:of:in:version:in:)
UPDATE channel_members
SET notify = $1, notify_chosen = $2, muted_until = $3, version = $4
WHERE channel_id = $5 AND account_id = $6;

-- MemberStore.setOwner(_:of:at:in:), channel
UPDATE channels SET owner_id = $1, updated_at = $2, version = $3
WHERE id = $4;

-- MemberStore.setOwner(_:of:at:in:), playground
UPDATE playgrounds SET owner_id = $1, updated_at = $2, version = $3
WHERE id = $4;

-- MemberStore.setRole(_:of:in:version:in:), channel
UPDATE channel_members SET role = $1, version = $2
WHERE channel_id = $3 AND account_id = $4;

-- MemberStore.setRole(_:of:in:version:in:), playground
UPDATE playground_members SET role = $1, version = $2
WHERE playground_id = $3 AND account_id = $4;

-- MemberStore.shown(_:most:in:)
(
    SELECT m.playground_id, NULL::bigint, p.default_channel_id, m.role
    FROM playground_members m
    JOIN playgrounds p ON p.id = m.playground_id
    WHERE m.account_id = $1
    ORDER BY m.playground_id DESC
    LIMIT $2
)
UNION ALL
(
    SELECT c.playground_id, c.id, c.id, m.role
    FROM channel_members m
    JOIN channels c ON c.id = m.channel_id
    WHERE m.account_id = $3 AND NOT m.requested AND c.type IN ('direct', 'group') AND c.deleted_at IS NULL
    ORDER BY m.channel_id DESC
    LIMIT $4
);

-- MemberStore.successor(in:in:)
SELECT account_id FROM channel_members
WHERE channel_id = $1
ORDER BY role <> 'admin', joined_at, account_id
LIMIT 1;

-- MessageChangeStore.apply(_:to:in:), attachment changed
WITH  changed AS (
    UPDATE messages m
    SET  change = c.last_change + 1
    FROM  channels c
    WHERE m.id = $1 AND m.deleted_at IS NULL AND c.id = m.channel_id
    RETURNING m.id, m.channel_id, m.seq, m.author_id, m.change
),
turn AS (
    UPDATE channels c SET last_change = x.change FROM changed x WHERE c.id = x.channel_id
)
SELECT x.change FROM changed x;

-- MessageChangeStore.apply(_:to:in:), delete
WITH  changed AS (
    UPDATE messages m
    SET text = '', language = NULL, attachment_ids = '{}', gif = NULL, mentions = '[]', wide_mention = NULL,
    link_hash = NULL,
    pinned_at = NULL, pinner_id = NULL, deleted_at = $1, change = c.last_change + 1
    FROM  channels c
    WHERE m.id = $2 AND m.deleted_at IS NULL AND c.id = m.channel_id
    RETURNING m.id, m.channel_id, m.seq, m.author_id, m.change
),
turn AS (
    UPDATE channels c SET last_change = x.change FROM changed x WHERE c.id = x.channel_id
),
unmentioned AS (
    DELETE FROM message_mentions n USING changed x WHERE n.channel_id = x.channel_id AND n.seq = x.seq
),
unreacted AS (
    DELETE FROM reactions r USING changed x WHERE r.message_id = x.id
)
SELECT x.change FROM changed x;

-- MessageChangeStore.apply(_:to:in:), edit
WITH named AS MATERIALIZED (
    SELECT n.place, a.id, a.username
    FROM unnest($1) WITH ORDINALITY n (name, place)
    CROSS JOIN LATERAL (SELECT a.id, a.username FROM accounts a WHERE a.username = n.name OFFSET 0) a
    CROSS JOIN LATERAL (
        SELECT
        FROM channel_members m
        WHERE m.channel_id = (SELECT x.channel_id FROM messages x WHERE x.id = $2)
            AND m.account_id = a.id
        OFFSET 0
    ) m
), changed AS (
    UPDATE messages m
    SET text = $3, language = coalesce($4, m.language),
    mentions = coalesce(
        (
            SELECT jsonb_agg(jsonb_build_object('id', n.id::text, 'username', n.username) ORDER BY n.place)
            FROM named n
        ),
        '[]'
    ),
    wide_mention = $5, edited_at = $6,
    link_hash = sha256(convert_to($7, 'UTF8')), change = c.last_change + 1
    FROM  channels c
    WHERE m.id = $8 AND m.deleted_at IS NULL AND c.archived_at IS NULL
    AND EXISTS (SELECT FROM channel_standing(c.id, m.author_id) s WHERE NOT s.blocked) AND c.id = m.channel_id
    RETURNING m.id, m.channel_id, m.seq, m.author_id, m.change
),
turn AS (
    UPDATE channels c SET last_change = x.change FROM changed x WHERE c.id = x.channel_id
),
forgotten AS (
    DELETE FROM message_mentions n
    USING changed x
    WHERE n.channel_id = x.channel_id AND n.seq = x.seq AND n.account_id NOT IN (SELECT id FROM named)
),
mentioned AS (
    INSERT INTO message_mentions (channel_id, account_id, seq)
    SELECT x.channel_id, n.id, x.seq FROM changed x CROSS JOIN named n WHERE n.id <> x.author_id
    ON CONFLICT DO NOTHING
)
SELECT x.change FROM changed x;

-- MessageChangeStore.apply(_:to:in:), pin
WITH  changed AS (
    UPDATE messages m
    SET pinned_at = $1, pinner_id = $2, change = c.last_change + 1
    FROM  channels c
    WHERE m.id = $3 AND m.pinned_at IS NULL AND m.deleted_at IS NULL AND c.archived_at IS NULL
    AND (
        SELECT count(*) FROM messages p WHERE p.channel_id = m.channel_id AND p.pinned_at IS NOT NULL
    ) < $4 AND c.id = m.channel_id
    RETURNING m.id, m.channel_id, m.seq, m.author_id, m.change
),
turn AS (
    UPDATE channels c SET last_change = x.change FROM changed x WHERE c.id = x.channel_id
)
SELECT x.change FROM changed x;

-- MessageChangeStore.apply(_:to:in:), react
WITH added AS (
    INSERT INTO reactions (message_id, emoji, account_id, created_at)
    SELECT m.id, $1, $2, $3
    FROM messages m
    JOIN channels c ON c.id = m.channel_id
    WHERE m.id = $4 AND m.deleted_at IS NULL AND c.archived_at IS NULL
        AND EXISTS (SELECT FROM channel_standing(c.id, $5) s WHERE NOT s.blocked)
        AND (
            EXISTS (SELECT FROM reactions r WHERE r.message_id = m.id AND r.emoji = $6)
            OR (SELECT count(DISTINCT r.emoji) FROM reactions r WHERE r.message_id = m.id) < $7
        )
    ON CONFLICT DO NOTHING
    RETURNING message_id
), changed AS (
    UPDATE messages m
    SET  change = c.last_change + 1
    FROM added a, channels c
    WHERE m.id = a.message_id AND c.id = m.channel_id
    RETURNING m.id, m.channel_id, m.seq, m.author_id, m.change
),
turn AS (
    UPDATE channels c SET last_change = x.change FROM changed x WHERE c.id = x.channel_id
)
SELECT x.change FROM changed x;

-- MessageChangeStore.apply(_:to:in:), take back a reaction
WITH removed AS (
    DELETE FROM reactions r
    WHERE r.message_id = $1 AND r.emoji = $2 AND r.account_id = $3
    RETURNING r.message_id
), changed AS (
    UPDATE messages m
    SET  change = c.last_change + 1
    FROM removed a, channels c
    WHERE m.id = a.message_id AND c.id = m.channel_id
    RETURNING m.id, m.channel_id, m.seq, m.author_id, m.change
),
turn AS (
    UPDATE channels c SET last_change = x.change FROM changed x WHERE c.id = x.channel_id
)
SELECT x.change FROM changed x;

-- MessageChangeStore.apply(_:to:in:), unpin
WITH  changed AS (
    UPDATE messages m
    SET pinned_at = NULL, pinner_id = NULL, change = c.last_change + 1
    FROM  channels c
    WHERE m.id = $1 AND m.pinned_at IS NOT NULL AND c.archived_at IS NULL AND c.id = m.channel_id
    RETURNING m.id, m.channel_id, m.seq, m.author_id, m.change
),
turn AS (
    UPDATE channels c SET last_change = x.change FROM changed x WHERE c.id = x.channel_id
)
SELECT x.change FROM changed x;

-- MessageStore.entries(of:in:)
SELECT x.id, x.writer, x.created_at, (SELECT a.xmin FROM accounts a WHERE a.id = x.author_id), (SELECT k.xmin FROM cards k WHERE k.hash = x.link_hash), (SELECT max(r.change) FROM messages r WHERE r.thread_id = x.id), CASE WHEN x.attachment_ids <> '{}' THEN ARRAY(
    SELECT f.version FROM media f WHERE f.id = ANY (x.attachment_ids) ORDER BY f.id
) END, e.type, e.playground_id, link_subject(x.link_hash), r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card
FROM (SELECT x.id, x.xmin AS writer, x.created_at, x.author_id, x.link_hash, x.attachment_ids FROM messages x WHERE x.id = ANY ($1)) x
CROSS JOIN LATERAL (SELECT r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card FROM message_rows r WHERE r.id = x.id OFFSET 0) r
CROSS JOIN LATERAL (SELECT r.type, r.playground_id) e;

-- MessageStore.forget(in:)
DELETE FROM messages
WHERE id IN (
    SELECT m.id
    FROM channels c
    JOIN messages m ON m.channel_id = c.id
    WHERE c.deleted_at IS NOT NULL
    LIMIT 2000
    FOR UPDATE OF m SKIP LOCKED
);

-- MessageStore.found(_:by:in:)
SELECT s.id, s.type, s.playground_id, s.name, s.description, s.owner_id, s.archived_at, s.created_at, s.version,
s.requested, s.role, s.playground_role, s.blocked, a.snapshot, r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card
FROM unnest($1) WITH ORDINALITY AS w (id, place)
JOIN messages m ON m.id = w.id AND m.deleted_at IS NULL
CROSS JOIN LATERAL channel_standing(m.channel_id, $2) s
CROSS JOIN LATERAL (SELECT r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card FROM message_rows r WHERE r.id = m.id OFFSET 0) r
LEFT JOIN accounts a ON a.id = m.author_id
ORDER BY w.place;

-- MessageStore.row(_:in:)
SELECT r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card FROM message_rows r WHERE r.id = $1;

-- MessageStore.seen(_:by:in:)
SELECT s.id, s.type, s.playground_id, s.name, s.description, s.owner_id, s.archived_at, s.created_at, s.version,
s.requested, s.role, s.playground_role, s.blocked, a.snapshot, r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card
FROM messages m
CROSS JOIN LATERAL channel_standing(m.channel_id, $1) s
CROSS JOIN LATERAL (SELECT r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card FROM message_rows r WHERE r.id = m.id OFFSET 0) r
LEFT JOIN accounts a ON a.id = m.author_id
WHERE m.id = $2;

-- NewMessageStore.send(_:in:), all that there is
WITH asked AS MATERIALIZED (
    SELECT
        n.place, n.id AS message_id, n.author_id, n.text, n.language, n.client_id, w.client_hash,
        n.attachment_ids, n.gif, n.reply_to_id, n.names, n.wide_mention, n.sent_at, n.link,
        s.id, s.type, s.playground_id, s.name, s.description, s.owner_id, s.archived_at, s.created_at, s.version,
s.requested, s.role, s.playground_role, s.blocked, s.type IN ('direct', 'group') AS is_direct,
        e.id AS earlier_id, e.client_hash = w.client_hash AS is_same,
        k.is_reply_there, k.thread_id, k.are_files_mine,
        s.role IS NOT NULL AND NOT s.requested AND NOT s.blocked AND s.archived_at IS NULL AND e.id IS NULL
            AND k.is_reply_there AND k.are_files_mine
            AND (k.thread_id IS NOT NULL OR n.thread_id IS NULL) AS is_allowed
    FROM jsonb_to_recordset($1) AS n (
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
    CROSS JOIN LATERAL (SELECT
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
    ) AS are_files_mine) k
),
allowed AS MATERIALIZED (
    SELECT a.*, row_number() OVER (PARTITION BY a.id ORDER BY a.place) AS number
    FROM asked a
    WHERE a.is_allowed
),
locked AS MATERIALIZED (
    SELECT c.id
    FROM channels c
    WHERE c.id = ANY ($2) AND c.id IN (SELECT a.id FROM allowed a)
    ORDER BY c.id
    FOR NO KEY UPDATE
),
turn AS (
    UPDATE channels c
    SET last_seq = c.last_seq + t.messages, last_change = c.last_change + t.messages
    FROM (SELECT a.id, a.version, count(*) AS messages FROM allowed a GROUP BY a.id, a.version) t
    WHERE c.id = t.id AND c.id = ANY ($3) AND c.id IN (SELECT l.id FROM locked l)
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
named AS MATERIALIZED (
    SELECT a.place, p.number, n.id, n.username
    FROM allowed a
    CROSS JOIN LATERAL unnest(a.names) WITH ORDINALITY p (name, number)
    CROSS JOIN LATERAL (SELECT n.id, n.username FROM accounts n WHERE n.username = p.name OFFSET 0) n
    CROSS JOIN LATERAL (
        SELECT FROM channel_members m WHERE m.channel_id = a.id AND m.account_id = n.id OFFSET 0
    ) m
),
message AS (
    INSERT INTO messages (
        id, channel_id, seq, author_id, text, language, client_id, client_hash, attachment_ids, gif,
        reply_to_id, thread_id, mentions, wide_mention, created_at, change, link_hash
    )
    SELECT
        a.message_id, a.id, t.seq + a.number, a.author_id, a.text, a.language, a.client_id, a.client_hash,
        a.attachment_ids, a.gif, a.reply_to_id, a.thread_id, coalesce(
    (
        SELECT jsonb_agg(jsonb_build_object('id', n.id::text, 'username', n.username) ORDER BY n.number)
        FROM named n
        WHERE n.place = a.place
    ),
    '[]'
), a.wide_mention,
        a.sent_at, t.change + a.number, sha256(convert_to(a.link, 'UTF8'))
    FROM allowed a
    JOIN turn t ON t.id = a.id
    JOIN writers w ON w.channel_id = a.id AND w.account_id = a.author_id
    RETURNING
        id, channel_id, seq, change, author_id, text, language, attachment_ids, gif, reply_to_id, thread_id,
        mentions, wide_mention, client_id, created_at, link_hash
),
mentioned AS (
    INSERT INTO message_mentions (channel_id, account_id, seq)
    SELECT m.channel_id, n.id, m.seq
    FROM message m
    JOIN allowed a ON a.message_id = m.id
    JOIN named n ON n.place = a.place
    WHERE n.id <> m.author_id
)
SELECT s.place, s.id, s.type, s.playground_id, s.name, s.description, s.owner_id, s.archived_at, s.created_at, s.version,
s.requested, s.role, s.playground_role, s.blocked, s.earlier_id, s.is_same, s.is_reply_there, s.thread_id, s.are_files_mine,
s.is_allowed AND t.id IS NOT NULL, a.snapshot, r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card, coalesce(o.recipients, '{}'),
coalesce(o.listeners, '{}'), coalesce(o.mentioned, '{}'), coalesce(o.mentioned_if_connected, '{}'),
CASE WHEN s.is_direct THEN ARRAY(
    SELECT o.account_id
    FROM channel_members o
    WHERE o.channel_id = s.id AND o.requested AND o.declined_at IS NULL
) ELSE '{}' END
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
        FROM (SELECT x.id, bool_or(x.is_named) AS is_named FROM (SELECT m.account_id AS id, false AS is_named
FROM channel_members m
WHERE m.channel_id = s.id AND (s.wide_mention IS NOT NULL OR s.is_direct) AND s.is_allowed
UNION ALL
SELECT m.account_id, false
FROM channel_members m
WHERE m.channel_id = s.id AND m.notify_chosen AND m.notify = 'all' AND s.is_allowed UNION ALL SELECT n.id, true FROM named n WHERE n.place = s.place) x GROUP BY x.id) x
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
) o;

-- NewMessageStore.send(_:in:), in several channels
WITH asked AS MATERIALIZED (
    SELECT
        n.place, n.id AS message_id, n.author_id, n.text, n.language, n.client_id, w.client_hash,
        n.attachment_ids, n.gif, n.reply_to_id, n.names, n.wide_mention, n.sent_at, n.link,
        s.id, s.type, s.playground_id, s.name, s.description, s.owner_id, s.archived_at, s.created_at, s.version,
s.requested, s.role, s.playground_role, s.blocked, s.type IN ('direct', 'group') AS is_direct,
        e.id AS earlier_id, e.client_hash = w.client_hash AS is_same,
        k.is_reply_there, k.thread_id, k.are_files_mine,
        s.role IS NOT NULL AND NOT s.requested AND NOT s.blocked AND s.archived_at IS NULL AND e.id IS NULL
            AND k.is_reply_there AND k.are_files_mine
            AND (k.thread_id IS NOT NULL OR n.thread_id IS NULL) AS is_allowed
    FROM jsonb_to_recordset($1) AS n (
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
    CROSS JOIN LATERAL (SELECT
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
    ) AS are_files_mine) k
),
allowed AS MATERIALIZED (
    SELECT a.*, row_number() OVER (PARTITION BY a.id ORDER BY a.place) AS number
    FROM asked a
    WHERE a.is_allowed
),
locked AS MATERIALIZED (
    SELECT c.id
    FROM channels c
    WHERE c.id = ANY ($2) AND c.id IN (SELECT a.id FROM allowed a)
    ORDER BY c.id
    FOR NO KEY UPDATE
),
turn AS (
    UPDATE channels c
    SET last_seq = c.last_seq + t.messages, last_change = c.last_change + t.messages
    FROM (SELECT a.id, a.version, count(*) AS messages FROM allowed a GROUP BY a.id, a.version) t
    WHERE c.id = t.id AND c.id = ANY ($3) AND c.id IN (SELECT l.id FROM locked l)
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
named AS MATERIALIZED (
    SELECT a.place, p.number, n.id, n.username
    FROM allowed a
    CROSS JOIN LATERAL unnest(a.names) WITH ORDINALITY p (name, number)
    CROSS JOIN LATERAL (SELECT n.id, n.username FROM accounts n WHERE n.username = p.name OFFSET 0) n
    CROSS JOIN LATERAL (
        SELECT FROM channel_members m WHERE m.channel_id = a.id AND m.account_id = n.id OFFSET 0
    ) m
),
message AS (
    INSERT INTO messages (
        id, channel_id, seq, author_id, text, language, client_id, client_hash, attachment_ids, gif,
        reply_to_id, thread_id, mentions, wide_mention, created_at, change, link_hash
    )
    SELECT
        a.message_id, a.id, t.seq + a.number, a.author_id, a.text, a.language, a.client_id, a.client_hash,
        a.attachment_ids, a.gif, a.reply_to_id, a.thread_id, coalesce(
    (
        SELECT jsonb_agg(jsonb_build_object('id', n.id::text, 'username', n.username) ORDER BY n.number)
        FROM named n
        WHERE n.place = a.place
    ),
    '[]'
), a.wide_mention,
        a.sent_at, t.change + a.number, sha256(convert_to(a.link, 'UTF8'))
    FROM allowed a
    JOIN turn t ON t.id = a.id
    JOIN writers w ON w.channel_id = a.id AND w.account_id = a.author_id
    RETURNING
        id, channel_id, seq, change, author_id, text, language, attachment_ids, gif, reply_to_id, thread_id,
        mentions, wide_mention, client_id, created_at, link_hash
),
mentioned AS (
    INSERT INTO message_mentions (channel_id, account_id, seq)
    SELECT m.channel_id, n.id, m.seq
    FROM message m
    JOIN allowed a ON a.message_id = m.id
    JOIN named n ON n.place = a.place
    WHERE n.id <> m.author_id
)
SELECT s.place, s.id, s.type, s.playground_id, s.name, s.description, s.owner_id, s.archived_at, s.created_at, s.version,
s.requested, s.role, s.playground_role, s.blocked, s.earlier_id, s.is_same, s.is_reply_there, s.thread_id, s.are_files_mine,
s.is_allowed AND t.id IS NOT NULL, a.snapshot, r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card, coalesce(o.recipients, '{}'),
coalesce(o.listeners, '{}'), coalesce(o.mentioned, '{}'), coalesce(o.mentioned_if_connected, '{}'),
CASE WHEN s.is_direct THEN ARRAY(
    SELECT o.account_id
    FROM channel_members o
    WHERE o.channel_id = s.id AND o.requested AND o.declined_at IS NULL
) ELSE '{}' END
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
        FROM (SELECT x.id, bool_or(x.is_named) AS is_named FROM (SELECT m.account_id AS id, false AS is_named
FROM channel_members m
WHERE m.channel_id = s.id AND (s.wide_mention IS NOT NULL OR s.is_direct) AND s.is_allowed
UNION ALL
SELECT m.account_id, false
FROM channel_members m
WHERE m.channel_id = s.id AND m.notify_chosen AND m.notify = 'all' AND s.is_allowed UNION ALL SELECT n.id, true FROM named n WHERE n.place = s.place) x GROUP BY x.id) x
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
) o;

-- NewMessageStore.send(_:in:), plain
WITH asked AS MATERIALIZED (
    SELECT
        n.place, n.id AS message_id, n.author_id, n.text, n.language, n.client_id, w.client_hash,
        n.attachment_ids, n.gif, n.reply_to_id, n.names, n.wide_mention, n.sent_at, n.link,
        s.id, s.type, s.playground_id, s.name, s.description, s.owner_id, s.archived_at, s.created_at, s.version,
s.requested, s.role, s.playground_role, s.blocked, s.type IN ('direct', 'group') AS is_direct,
        e.id AS earlier_id, e.client_hash = w.client_hash AS is_same,
        k.is_reply_there, k.thread_id, k.are_files_mine,
        s.role IS NOT NULL AND NOT s.requested AND NOT s.blocked AND s.archived_at IS NULL AND e.id IS NULL
            AND k.is_reply_there AND k.are_files_mine
            AND (k.thread_id IS NOT NULL OR n.thread_id IS NULL) AS is_allowed
    FROM jsonb_to_recordset($1) AS n (
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
    CROSS JOIN LATERAL (SELECT true AS is_reply_there, NULL::bigint AS thread_id, true AS are_files_mine) k
),
allowed AS MATERIALIZED (
    SELECT a.*, row_number() OVER (PARTITION BY a.id ORDER BY a.place) AS number
    FROM asked a
    WHERE a.is_allowed
),
locked AS MATERIALIZED (
    SELECT c.id
    FROM channels c
    WHERE c.id = ANY ($2) AND c.id IN (SELECT a.id FROM allowed a)
    ORDER BY c.id
    FOR NO KEY UPDATE
),
turn AS (
    UPDATE channels c
    SET last_seq = c.last_seq + t.messages, last_change = c.last_change + t.messages
    FROM (SELECT a.id, a.version, count(*) AS messages FROM allowed a GROUP BY a.id, a.version) t
    WHERE c.id = t.id AND c.id = ANY ($3) AND c.id IN (SELECT l.id FROM locked l)
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

message AS (
    INSERT INTO messages (
        id, channel_id, seq, author_id, text, language, client_id, client_hash, attachment_ids, gif,
        reply_to_id, thread_id, mentions, wide_mention, created_at, change, link_hash
    )
    SELECT
        a.message_id, a.id, t.seq + a.number, a.author_id, a.text, a.language, a.client_id, a.client_hash,
        a.attachment_ids, a.gif, a.reply_to_id, a.thread_id, '[]', a.wide_mention,
        a.sent_at, t.change + a.number, sha256(convert_to(a.link, 'UTF8'))
    FROM allowed a
    JOIN turn t ON t.id = a.id
    JOIN writers w ON w.channel_id = a.id AND w.account_id = a.author_id
    RETURNING
        id, channel_id, seq, change, author_id, text, language, attachment_ids, gif, reply_to_id, thread_id,
        mentions, wide_mention, client_id, created_at, link_hash
)
SELECT s.place, s.id, s.type, s.playground_id, s.name, s.description, s.owner_id, s.archived_at, s.created_at, s.version,
s.requested, s.role, s.playground_role, s.blocked, s.earlier_id, s.is_same, s.is_reply_there, s.thread_id, s.are_files_mine,
s.is_allowed AND t.id IS NOT NULL, a.snapshot, r.id, r.channel_id, r.playground_id, r.type, r.seq, r.change, r.author_id, r.username, r.display_name, r.avatar, r.author_hidden, r.text, r.language, r.attachment_ids, r.attachments, r.gif, r.reply_to_id, r.thread_id, r.replies, r.last_reply_at, r.reactions, r.mentions, r.wide_mention, r.client_id, r.pinned_at, r.pinner_id, r.created_at, r.edited_at, r.deleted_at, r.card, coalesce(o.recipients, '{}'),
coalesce(o.listeners, '{}'), coalesce(o.mentioned, '{}'), coalesce(o.mentioned_if_connected, '{}'),
CASE WHEN s.is_direct THEN ARRAY(
    SELECT o.account_id
    FROM channel_members o
    WHERE o.channel_id = s.id AND o.requested AND o.declined_at IS NULL
) ELSE '{}' END
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
        FROM (SELECT x.id, bool_or(x.is_named) AS is_named FROM (SELECT m.account_id AS id, false AS is_named
FROM channel_members m
WHERE m.channel_id = s.id AND (s.wide_mention IS NOT NULL OR s.is_direct) AND s.is_allowed
UNION ALL
SELECT m.account_id, false
FROM channel_members m
WHERE m.channel_id = s.id AND m.notify_chosen AND m.notify = 'all' AND s.is_allowed) x GROUP BY x.id) x
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
) o;

-- OverviewStore.channels(of:in:)
SELECT channel_id FROM channel_members WHERE account_id = $1 AND NOT requested;

-- OverviewStore.conversations(_:of:in:)
SELECT e.id, e.type, e.playground_id, e.name, e.description, e.owner_id, e.archived_at, e.created_at, e.updated_at, e.version, e.last_seq, e.last_change, e.is_default, e.members_count, e.people, m.role, m.requested, m.last_read_seq, m.notify, m.notify_chosen, m.muted_until, m.joined_at, m.version, p.role, u.unread, u.mentions, x.id, x.writer, x.created_at, (SELECT a.xmin FROM accounts a WHERE a.id = x.author_id), (SELECT k.xmin FROM cards k WHERE k.hash = x.link_hash), (SELECT max(r.change) FROM messages r WHERE r.thread_id = x.id), CASE WHEN x.attachment_ids <> '{}' THEN ARRAY(
    SELECT f.version FROM media f WHERE f.id = ANY (x.attachment_ids) ORDER BY f.id
) END, e.type, e.playground_id
FROM unnest($1) w (id)
CROSS JOIN LATERAL (
    SELECT * FROM channel_members m WHERE m.channel_id = w.id AND m.account_id = $2 AND NOT m.requested
    OFFSET 0
) m
CROSS JOIN LATERAL (
    SELECT e.id, e.type, e.playground_id, e.name, e.description, e.owner_id, e.archived_at, e.created_at, e.updated_at, e.version, e.last_seq, e.last_change, e.is_default, e.members_count, e.people FROM channel_entries e WHERE e.id = m.channel_id OFFSET 0
) e
LEFT JOIN (SELECT playground_id, role FROM playground_members WHERE account_id = $3) p
    ON p.playground_id = e.playground_id
CROSS JOIN LATERAL unread_after(m.channel_id, $4, m.last_read_seq, e.last_seq) u
LEFT JOIN LATERAL (
    SELECT x.id, x.xmin AS writer, x.created_at, x.author_id, x.link_hash, x.attachment_ids FROM messages x
    WHERE x.channel_id = m.channel_id AND x.deleted_at IS NULL
    ORDER BY x.seq DESC
    LIMIT 1
) x ON true;

-- OverviewStore.playgrounds(of:in:)
SELECT g.id, g.name, g.description, g.cover_id, g.owner_id, g.open, g.default_channel_id, g.created_at, g.updated_at, g.version, g.members_count, g.cover, p.role
FROM playground_members p
CROSS JOIN LATERAL (
    SELECT g.id, g.name, g.description, g.cover_id, g.owner_id, g.open, g.default_channel_id, g.created_at, g.updated_at, g.version, g.members_count, g.cover FROM playground_entries g WHERE g.id = p.playground_id OFFSET 0
) g
WHERE p.account_id = $1
ORDER BY p.playground_id;

-- PlaygroundStore.delete(_:in:)
DELETE FROM playgrounds WHERE id = $1;

-- PlaygroundStore.everyone(in:in:)
SELECT default_channel_id FROM playgrounds WHERE id = $1;

-- PlaygroundStore.found(_:by:in:)
SELECT g.id, g.name, g.description, g.cover_id, g.owner_id, g.open, g.default_channel_id, g.created_at, g.updated_at, g.version, g.members_count, g.cover, p.role
FROM unnest($1) WITH ORDINALITY AS w (id, place)
JOIN playground_entries g ON g.id = w.id
LEFT JOIN playground_members p ON p.playground_id = g.id AND p.account_id = $2
ORDER BY w.place;

-- PlaygroundStore.hold(_:in:)
SELECT 1 FROM playgrounds WHERE id = $1 FOR NO KEY UPDATE;

-- PlaygroundStore.insert(_:_:owner:defaultChannel:at:in:)
INSERT INTO playgrounds (id, name, description, cover_id, owner_id, open, default_channel_id, created_at,
    updated_at, version)
VALUES ($1, $2, $3, $4, $5,
    $6, $7, $8, $9, $10);

-- PlaygroundStore.list(of:_:in:)
WITH p AS (
    SELECT playground_id, role
    FROM playground_members
    WHERE account_id = $1 AND playground_id < $2 AND playground_id > $3 ORDER BY playground_id DESC LIMIT $4
)
SELECT g.id, g.name, g.description, g.cover_id, g.owner_id, g.open, g.default_channel_id, g.created_at, g.updated_at, g.version, g.members_count, g.cover, p.role
FROM p
JOIN playground_entries g ON g.id = p.playground_id
ORDER BY g.id DESC;

-- PlaygroundStore.mayBeCover(_:of:in:)
SELECT 1 FROM media
WHERE id = $1 AND owner_id = $2 AND snapshot->>'type' IN ('image', 'gifv');

-- PlaygroundStore.owned(by:in:)
SELECT count(*) FROM playgrounds WHERE owner_id = $1;

-- PlaygroundStore.seen(_:by:in:)
SELECT g.id, g.name, g.description, g.cover_id, g.owner_id, g.open, g.default_channel_id, g.created_at, g.updated_at, g.version, g.members_count, g.cover, p.role
FROM playground_entries g
LEFT JOIN playground_members p ON p.playground_id = g.id AND p.account_id = $1
WHERE g.id = $2;

-- PlaygroundStore.share(_:in:)
SELECT 1 FROM playgrounds WHERE id = $1 FOR SHARE;

-- PlaygroundStore.share(of:in:)
SELECT 1 FROM playgrounds WHERE id = (SELECT playground_id FROM channels WHERE id = $1) FOR SHARE;

-- PlaygroundStore.update(_:_:at:in:)
UPDATE playgrounds
SET name = coalesce($1, name), description = coalesce($2, description),
    cover_id = CASE WHEN $3 THEN $4 ELSE cover_id END,
    open = coalesce($5, open), updated_at = $6, version = $7
WHERE id = $8;

-- ProjectRoomStore.aged
DELETE FROM project_rooms
WHERE (project_id) IN (SELECT project_id FROM project_rooms WHERE ended_at < $1 ORDER BY ended_at LIMIT 1000);

-- ProjectRoomStore.claim(_:in:)
SELECT pg_advisory_xact_lock(id) FROM unnest($1) AS wanted (id);

-- ProjectRoomStore.close(_:telling:in:)
WITH closed AS (
    UPDATE project_rooms
    SET playground_id = NULL, told = greatest(told + 1, $1)
    WHERE playground_id = $2
    RETURNING project_id, told
),
gone AS (
    DELETE FROM project_room_members WHERE project_id IN (SELECT project_id FROM closed)
)
SELECT project_id, told FROM closed;

-- ProjectRoomStore.end(_:at:in:)
WITH gone AS (DELETE FROM project_room_members WHERE project_id = $1)
INSERT INTO project_rooms AS r (project_id, version, leader_id, ended_at)
VALUES ($2, $3, $4, $5)
ON CONFLICT (project_id) DO UPDATE
SET version = greatest(r.version, excluded.version), playground_id = NULL,
    ended_at = coalesce(r.ended_at, excluded.ended_at);

-- ProjectRoomStore.forget(_:of:in:)
DELETE FROM project_room_members WHERE project_id = $1 AND account_id = $2;

-- ProjectRoomStore.hold(_:in:)
SELECT version, leader_id, playground_id, told, ended_at IS NOT NULL FROM project_rooms WHERE project_id = $1 FOR UPDATE;

-- ProjectRoomStore.holdPlaygrounds(of:in:)
SELECT 1
FROM playgrounds
WHERE id IN (SELECT playground_id FROM project_rooms WHERE project_id = ANY ($1))
ORDER BY id
FOR NO KEY UPDATE;

-- ProjectRoomStore.keep(_:of:in:)
INSERT INTO project_room_members (project_id, account_id, since, gone)
VALUES ($1, $2, $3, $4)
ON CONFLICT (project_id, account_id) DO UPDATE SET since = excluded.since, gone = excluded.gone;

-- ProjectRoomStore.leader(of:in:)
SELECT leader_id FROM project_rooms WHERE playground_id = $1;

-- ProjectRoomStore.leave(_:from:in:)
UPDATE project_room_members m
SET gone = true
FROM project_rooms r
WHERE r.playground_id = $1 AND m.project_id = r.project_id AND m.account_id = $2
    AND NOT m.gone
RETURNING m.project_id, m.since;

-- ProjectRoomStore.members(of:in:)
SELECT account_id, since, gone FROM project_room_members WHERE project_id = $1 ORDER BY account_id;

-- ProjectRoomStore.open(_:of:in:)
INSERT INTO project_rooms (project_id, leader_id) VALUES ($1, $2)
ON CONFLICT (project_id) DO NOTHING;

-- ProjectRoomStore.save(_:of:in:)
UPDATE project_rooms
SET version = $1, leader_id = $2, playground_id = $3,
    told = $4
WHERE project_id = $5;

-- ReactionStore.exists(_:on:by:in:)
SELECT 1
FROM reactions
WHERE message_id = $1 AND emoji = $2 AND account_id = $3;

-- ReactionStore.list(_:viewer:most:in:)
SELECT g.emoji, g.count, g.people
FROM messages m
CROSS JOIN LATERAL channel_standing(m.channel_id, $1) s
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
        ) FILTER (WHERE r.place <= $2) AS people
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
WHERE m.id = $3
ORDER BY g.since, g.emoji;

-- ReadingStore.count(_:_:after:in:), moment
SELECT s.id, s.type, s.playground_id, s.name, s.description, s.owner_id, s.archived_at, s.created_at, s.version,
s.requested, s.role, s.playground_role, s.blocked, r.last_seq, r.read_seq, r.version, u.unread, u.mentions
FROM channel_standing($1, $2) s
CROSS JOIN LATERAL (
    SELECT c.last_seq, coalesce(m.last_read_seq, c.last_seq) AS read_seq, NULL::bigint AS version
    FROM channels c
    LEFT JOIN channel_members m ON m.channel_id = c.id AND m.account_id = $3
    WHERE c.id = s.id
) r
CROSS JOIN LATERAL (SELECT count(*) AS unread, count(*) FILTER (
        WHERE x.wide_mention IS NOT NULL OR EXISTS (
            SELECT
            FROM message_mentions n
            WHERE n.channel_id = s.id AND n.account_id = $4 AND n.seq = x.seq
        )
    ) AS mentions
FROM messages x
WHERE x.channel_id = s.id AND x.created_at > $5 AND x.author_id <> $6
    AND x.deleted_at IS NULL) u;

-- ReadingStore.count(_:_:after:in:), position
SELECT s.id, s.type, s.playground_id, s.name, s.description, s.owner_id, s.archived_at, s.created_at, s.version,
s.requested, s.role, s.playground_role, s.blocked, r.last_seq, r.read_seq, r.version, u.unread, u.mentions
FROM channel_standing($1, $2) s
CROSS JOIN LATERAL (
    SELECT c.last_seq, coalesce(m.last_read_seq, c.last_seq) AS read_seq, NULL::bigint AS version
    FROM channels c
    LEFT JOIN channel_members m ON m.channel_id = c.id AND m.account_id = $3
    WHERE c.id = s.id
) r
CROSS JOIN LATERAL (SELECT n.unread, n.mentions FROM unread_after(s.id, $4, r.read_seq, r.last_seq) n) u;

-- ReadingStore.hold(_:_:in:)
SELECT 1
FROM channel_members
WHERE channel_id = $1 AND account_id = $2
FOR NO KEY UPDATE;

-- ReadingStore.move(_:of:in:version:in:), before
WITH target AS MATERIALIZED (
    SELECT s.id, s.type, s.playground_id, s.name, s.description, s.owner_id, s.archived_at, s.created_at, s.version,
s.requested, s.role, s.playground_role, s.blocked, c.last_seq, m.last_read_seq, $1 - 1 AS wanted
    FROM channel_standing($2, $3) s
    JOIN channels c ON c.id = s.id
    LEFT JOIN channel_members m ON m.channel_id = s.id AND m.account_id = $4
),
moved AS (
    UPDATE channel_members m
    SET last_read_seq = t.wanted, version = greatest(m.version + 1, $5)
    FROM target t
    WHERE m.channel_id = t.id AND m.account_id = $6 AND NOT m.requested AND t.wanted BETWEEN 0 AND t.last_seq - 1 AND m.last_read_seq <> t.wanted
    RETURNING m.last_read_seq, m.version
)
SELECT s.id, s.type, s.playground_id, s.name, s.description, s.owner_id, s.archived_at, s.created_at, s.version,
s.requested, s.role, s.playground_role, s.blocked, r.last_seq, r.read_seq, r.version, u.unread, u.mentions
FROM target s
LEFT JOIN moved v ON true
CROSS JOIN LATERAL (
    SELECT s.last_seq, coalesce(v.last_read_seq, s.last_read_seq, s.last_seq) AS read_seq, v.version
) r
CROSS JOIN LATERAL unread_after(s.id, $7, r.read_seq, s.last_seq) u;

-- ReadingStore.move(_:of:in:version:in:), forward
WITH target AS MATERIALIZED (
    SELECT s.id, s.type, s.playground_id, s.name, s.description, s.owner_id, s.archived_at, s.created_at, s.version,
s.requested, s.role, s.playground_role, s.blocked, c.last_seq, m.last_read_seq, least(coalesce($1, c.last_seq), c.last_seq) AS wanted
    FROM channel_standing($2, $3) s
    JOIN channels c ON c.id = s.id
    LEFT JOIN channel_members m ON m.channel_id = s.id AND m.account_id = $4
),
moved AS (
    UPDATE channel_members m
    SET last_read_seq = t.wanted, version = greatest(m.version + 1, $5)
    FROM target t
    WHERE m.channel_id = t.id AND m.account_id = $6 AND NOT m.requested AND m.last_read_seq < t.wanted
    RETURNING m.last_read_seq, m.version
)
SELECT s.id, s.type, s.playground_id, s.name, s.description, s.owner_id, s.archived_at, s.created_at, s.version,
s.requested, s.role, s.playground_role, s.blocked, r.last_seq, r.read_seq, r.version, u.unread, u.mentions
FROM target s
LEFT JOIN moved v ON true
CROSS JOIN LATERAL (
    SELECT s.last_seq, coalesce(v.last_read_seq, s.last_read_seq, s.last_seq) AS read_seq, v.version
) r
CROSS JOIN LATERAL unread_after(s.id, $7, r.read_seq, s.last_seq) u;

-- RetoldStore.channelMembers(after:in:)
SELECT m.channel_id, a.snapshot, m.role, m.joined_at, m.version, c.playground_id, m.requested, m.last_read_seq
FROM channel_members m
CROSS JOIN LATERAL (SELECT c.playground_id FROM channels c WHERE c.id = m.channel_id OFFSET 0) c
CROSS JOIN LATERAL (SELECT a.snapshot FROM accounts a WHERE a.id = m.account_id OFFSET 0) a
WHERE (m.channel_id, m.account_id) > ($1, $2)
ORDER BY m.channel_id, m.account_id
LIMIT $3;

-- RetoldStore.channels(after:in:)
SELECT e.id, e.type, e.playground_id, e.name, e.description, e.owner_id, e.archived_at, e.created_at, e.updated_at, e.version, e.last_seq, e.last_change, e.is_default, e.members_count, e.people,
CASE WHEN e.type IN ('direct', 'group') THEN ARRAY(
    SELECT m.account_id FROM channel_members m WHERE m.channel_id = e.id ORDER BY m.account_id
) ELSE '{}' END,
CASE WHEN e.type IN ('direct', 'group') THEN ARRAY(
    SELECT m.account_id FROM channel_members m WHERE m.channel_id = e.id AND m.requested ORDER BY m.account_id
) ELSE '{}' END FROM channel_entries e WHERE e.id > $1
ORDER BY e.id LIMIT $2;

-- RetoldStore.messages(after:in:)
SELECT m.id, m.channel_id, m.seq, m.author_id, m.text, m.language, m.attachment_ids, m.gif, m.reply_to_id, m.thread_id,
m.mentions, m.wide_mention, m.created_at, m.edited_at, m.change,
(SELECT a.snapshot FROM accounts a WHERE a.id = m.author_id),
c.id, c.type, c.playground_id, c.name, c.description, c.owner_id, c.archived_at, c.created_at, c.version,
CASE WHEN c.type IN ('direct', 'group') THEN ARRAY(
    SELECT o.account_id FROM channel_members o
    WHERE o.notify = 'all' AND o.channel_id = m.channel_id AND o.account_id <> m.author_id AND NOT o.requested
    AND o.joined_at <= m.created_at AND coalesce(o.muted_until <= m.created_at, true)
    AND NOT EXISTS (
        SELECT FROM blocks b
        WHERE b.active AND (b.blocker_id, b.blocked_id) IN (
            (o.account_id, m.author_id), (m.author_id, o.account_id)
        )
    ) ORDER BY o.account_id
) ELSE '{}' END,
CASE WHEN c.type NOT IN ('direct', 'group') AND m.wide_mention IS DISTINCT FROM 'channel' THEN ARRAY(
    SELECT o.account_id FROM channel_members o
    WHERE o.notify_chosen AND o.notify = 'all' AND o.channel_id = m.channel_id AND o.account_id <> m.author_id AND NOT o.requested
    AND o.joined_at <= m.created_at AND coalesce(o.muted_until <= m.created_at, true)
    AND NOT EXISTS (
        SELECT FROM blocks b
        WHERE b.active AND (b.blocker_id, b.blocked_id) IN (
            (o.account_id, m.author_id), (m.author_id, o.account_id)
        )
    ) AND NOT EXISTS (
    SELECT FROM message_mentions n
    WHERE n.channel_id = m.channel_id AND n.account_id = o.account_id AND n.seq = m.seq
) ORDER BY o.account_id
) ELSE '{}' END,
CASE WHEN m.wide_mention = 'channel' OR m.mentions <> '[]' THEN ARRAY(
    SELECT o.account_id FROM channel_members o
    WHERE o.notify <> 'none' AND o.channel_id = m.channel_id AND o.account_id <> m.author_id AND NOT o.requested
    AND o.joined_at <= m.created_at AND coalesce(o.muted_until <= m.created_at, true)
    AND NOT EXISTS (
        SELECT FROM blocks b
        WHERE b.active AND (b.blocker_id, b.blocked_id) IN (
            (o.account_id, m.author_id), (m.author_id, o.account_id)
        )
    )
        AND (m.wide_mention = 'channel' OR EXISTS (
    SELECT FROM message_mentions n
    WHERE n.channel_id = m.channel_id AND n.account_id = o.account_id AND n.seq = m.seq
))
    ORDER BY o.account_id
) ELSE '{}' END
FROM messages m
CROSS JOIN LATERAL (
    SELECT c.* FROM channels c WHERE c.id = m.channel_id AND c.deleted_at IS NULL OFFSET 0
) c
WHERE m.id > $1 AND m.deleted_at IS NULL
ORDER BY m.id
LIMIT $2;

-- RetoldStore.playgroundMembers(after:in:)
SELECT m.playground_id, a.snapshot, m.role, m.joined_at, m.version, m.playground_id, false, 0::bigint
FROM playground_members m
CROSS JOIN LATERAL (SELECT a.snapshot FROM accounts a WHERE a.id = m.account_id OFFSET 0) a
WHERE (m.playground_id, m.account_id) > ($1, $2)
ORDER BY m.playground_id, m.account_id
LIMIT $3;

-- RetoldStore.playgrounds(after:in:)
SELECT g.id, g.name, g.description, g.cover_id, g.owner_id, g.open, g.default_channel_id, g.created_at, g.updated_at, g.version, g.members_count, g.cover FROM playground_entries g WHERE g.id > $1
ORDER BY g.id LIMIT $2;
