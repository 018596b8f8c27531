-- The rows on which StatementTests runs chat's statements. Account 1 owns playground 1, whose channels 1 (of everybody) and
-- 10001 are busy; account 2 is its admin. Direct messages 20000 + k are of accounts k and k + 1.

INSERT INTO accounts (id, version, username, snapshot)
SELECT i, 1, 'name' || i,
    jsonb_build_object(
        'id', i::text, 'username', 'name' || i, 'display_name', 'Name ' || i, 'note', '', 'fields', '[]'::jsonb,
        'locked', false, 'bot', false, 'discoverable', false, 'created_at', '2026-01-02T03:04:05.678Z',
        'posts_count', 0, 'followers_count', 0, 'following_count', 0, 'version', 1
    )
FROM generate_series(1, 20000) i;

-- Those of even accounts hold.
INSERT INTO blocks (blocker_id, blocked_id, version, active, changed_at)
SELECT i, i + 1, 1, i % 2 = 0, timestamptz '2026-01-01Z' + i * interval '1 minute' FROM generate_series(101, 20000) i;

INSERT INTO media (id, version, owner_id, snapshot, failure)
SELECT i, 1, i % 20000 + 1,
    CASE WHEN i % 9 > 0 THEN jsonb_build_object(
        'media_id', i::text, 'owner_id', (i % 20000 + 1)::text, 'type', 'image', 'mime_type', 'image/png', 'bytes', 1,
        'original', jsonb_build_object('url', 'https://files.example/1', 'width', 1, 'height', 1), 'subject_version', 1
    ) END,
    CASE WHEN i % 9 = 0 THEN 'broken' END
FROM generate_series(0, 20000) i;

INSERT INTO playgrounds (id, name, description, cover_id, owner_id, open, default_channel_id, created_at, updated_at, version)
SELECT i, 'Playground ' || i, '', i - 1, i, i % 2 = 0, i, '2026-01-01Z', '2026-01-01Z', 1 FROM generate_series(1, 10000) i;

INSERT INTO playground_members (playground_id, account_id, role, joined_at, version)
SELECT i, i, 'owner', timestamptz '2026-01-01Z', 1 FROM generate_series(1, 10000) i
UNION ALL
SELECT 1, i, CASE i WHEN 2 THEN 'admin' ELSE 'member' END, '2026-01-02Z', 1 FROM generate_series(2, 5000) i
UNION ALL
SELECT i, 1, 'member', '2026-01-02Z', 1 FROM generate_series(2, 50) i;

INSERT INTO playground_bans (playground_id, account_id, actor_id, reason, created_at)
SELECT 1, i, 1, '', timestamptz '2026-01-03Z' FROM generate_series(5001, 5100) i
UNION ALL
SELECT i, 20001 - i, i, '', '2026-01-03Z' FROM generate_series(2, 10000) i;

INSERT INTO invites (code, playground_id, creator_id, created_at, expires_at, max_uses, uses, revoked_at)
SELECT 'code' || i, i % 10000 + 1, i % 10000 + 1, timestamptz '2026-01-01Z' + i * interval '1 minute',
    CASE WHEN i % 3 = 1 THEN timestamptz '2026-02-01Z' END, 10, CASE WHEN i % 3 = 2 THEN 10 ELSE 0 END, NULL
FROM generate_series(1, 30000) i;

-- Of everybody, private, direct, deleted.
INSERT INTO channels (
    id, type, playground_id, name, description, owner_id, party, created_at, updated_at, version, last_seq, last_change,
    deleted_at
)
SELECT i, 'public', i, 'general', '', i, NULL, timestamptz '2026-01-01Z', timestamptz '2026-01-01Z', 1,
    CASE i WHEN 1 THEN 20000 ELSE 1 END, CASE i WHEN 1 THEN 20000 ELSE 1 END, NULL::timestamptz
FROM generate_series(1, 10000) i
UNION ALL
SELECT i, 'private', 1, 'room' || i, '', 1, NULL, '2026-01-01Z', '2026-01-01Z', 1, 0, 0, NULL
FROM generate_series(10001, 10200) i
UNION ALL
SELECT 20000 + k, 'direct', CASE k WHEN 2 THEN 1 END, '', '', NULL, k || ',' || (k + 1), '2026-01-01Z', '2026-01-01Z', 1,
    1, 1, NULL
FROM generate_series(1, 10000) k
UNION ALL
SELECT i, 'private', NULL, '', '', NULL, NULL, '2026-01-01Z', '2026-01-01Z', 1, 20, 20, '2026-01-05Z'
FROM generate_series(40001, 40200) i;

-- Every second direct channel is a request, which the younger account has yet to accept.
INSERT INTO channel_members (channel_id, account_id, role, requested, joined_at, version)
SELECT i, i, 'owner', false, timestamptz '2026-01-01Z', 1 FROM generate_series(1, 10000) i
UNION ALL
SELECT 1, i, CASE i WHEN 2 THEN 'admin' ELSE 'member' END, false, '2026-01-02Z', 1 FROM generate_series(2, 4990) i
UNION ALL
SELECT i, 1, 'owner', false, '2026-01-01Z', 1 FROM generate_series(10001, 10200) i
UNION ALL
SELECT i, 2, 'admin', false, '2026-01-02Z', 1 FROM generate_series(10001, 10200) i
UNION ALL
SELECT 20000 + k, k, 'member', false, '2026-01-01Z', 1 FROM generate_series(1, 10000) k
UNION ALL
SELECT 20000 + k, k + 1, 'member', k % 2 = 0, '2026-01-01Z', 1 FROM generate_series(1, 10000) k;

INSERT INTO messages (
    id, channel_id, seq, author_id, text, client_id, attachment_ids, thread_id, wide_mention, created_at, deleted_at,
    pinned_at, pinner_id, change
)
SELECT 1000000 + s, 1, s, s % 50 + 1, 'message ' || s, 'client' || s,
    CASE WHEN s % 20 = 0 THEN ARRAY[s::bigint] ELSE '{}' END, CASE WHEN s % 5 = 0 THEN 1000001 END,
    CASE WHEN s % 1000 = 1 THEN 'channel' END, timestamptz '2026-01-03Z' + s * interval '1 second',
    CASE WHEN s % 97 = 0 THEN timestamptz '2026-01-04Z' END,
    CASE WHEN s % 400 = 3 THEN timestamptz '2026-01-04Z' END, CASE WHEN s % 400 = 3 THEN 1 END, s
FROM generate_series(1, 20000) s
UNION ALL
SELECT 2000000 + k, 20000 + k, 1, k, 'hello', NULL, '{}', NULL, NULL, '2026-01-03Z', NULL, NULL, NULL, 1
FROM generate_series(1, 10000) k
UNION ALL
SELECT 3000000 + i * 20 + s, i, s, 1, 'gone', NULL, '{}', NULL, NULL, '2026-01-03Z', NULL, NULL, NULL, s
FROM generate_series(40001, 40100) i, generate_series(1, 20) s
UNION ALL
SELECT 6000000 + i, i, 1, i, 'first', NULL, '{}', NULL, NULL, '2026-01-03Z', NULL, NULL, NULL, 1
FROM generate_series(2, 10000) i;

INSERT INTO message_mentions (channel_id, account_id, seq)
SELECT 1, s % 500 + 2, s FROM generate_series(1, 20000) s;

INSERT INTO reactions (message_id, emoji, account_id, created_at)
SELECT 1000001, '👍', i, timestamptz '2026-01-04Z' FROM generate_series(1, 100) i
UNION ALL
SELECT 1000000 + s, '🎉', s % 50 + 1, '2026-01-04Z' FROM generate_series(1, 20000) s;

-- Every hundredth message has a link; as many cards are shown by nothing.
UPDATE messages SET link_hash = sha256(convert_to('https://a.example/' || id, 'UTF8')) WHERE id % 100 = 7;
INSERT INTO cards (hash, url, version, card, touched_at)
SELECT sha256(convert_to('https://a.example/' || i, 'UTF8')), 'https://a.example/' || i, 1,
    '{"url": "https://a.example/", "title": "a", "description": "", "type": "link"}', '2025-01-01'::timestamptz + i * interval '1 second'
FROM generate_series(1, 30000) i;

-- Project i has playground i, from which account i + 1000 went out where i is even; those above 10000 were deleted.
INSERT INTO project_rooms (project_id, version, leader_id, playground_id, ended_at)
SELECT i, 1, i, CASE WHEN i <= 10000 THEN i END, CASE WHEN i > 10000 THEN timestamptz '2026-01-01Z' + i * interval '1 minute' END
FROM generate_series(1, 20000) i;
INSERT INTO project_room_members (project_id, account_id, since, gone)
SELECT i, i + 1000 * n, 1, n = 1 AND i % 2 = 0 FROM generate_series(1, 10000) i, generate_series(0, 1) n;

-- Every third is hidden.
INSERT INTO restricted_accounts (account_id, restrictions, version)
SELECT i, CASE WHEN i % 3 = 0 THEN ARRAY['suspended'] ELSE ARRAY['frozen'] END, 1 FROM generate_series(10001, 19000) i;

-- Somebody who is deleted: account 7000007; of 7000008 nothing but the account is left.
INSERT INTO accounts (id, version, username, snapshot) VALUES (7000007, 1, 'leaver', '{}'), (7000008, 1, 'gone', '{}');
INSERT INTO playgrounds (id, name, description, cover_id, owner_id, open, default_channel_id, created_at, updated_at, version)
VALUES (7000011, 'of another', '', 7000016, 8, false, 7000012, '2025-01-01', '2025-01-01', 1);
INSERT INTO channels (id, type, playground_id, name, description, owner_id, party, created_at, updated_at, version)
VALUES
    (7000012, 'public', 7000011, 'general', '', 7000007, NULL, '2025-01-01', '2025-01-01', 1),
    (7000013, 'direct', NULL, '', '', NULL, '8,7000007', '2025-01-01', '2025-01-01', 1),
    (7000014, 'group', NULL, '', '', NULL, '8,9,7000007', '2025-01-01', '2025-01-01', 1);
INSERT INTO playground_members (playground_id, account_id, role, joined_at, version) VALUES (7000011, 7000007, 'member', '2025-01-01', 1);
INSERT INTO channel_members (channel_id, account_id, role, joined_at, version)
SELECT c, a, 'member', '2025-01-01', 1 FROM unnest(ARRAY[7000013, 7000014]) c, unnest(ARRAY[8, 7000007]) a;
INSERT INTO playground_bans (playground_id, account_id, actor_id, reason, created_at)
VALUES (7000011, 9, 7000007, '', '2025-01-01'), (7, 7000007, 8, '', '2025-01-01');
INSERT INTO invites (code, playground_id, creator_id, created_at) VALUES ('leaver', 7000011, 7000007, '2025-01-01');
INSERT INTO blocks (blocker_id, blocked_id, version, active) VALUES (7000007, 9, 1, true), (9, 7000007, 1, true);
INSERT INTO media (id, version, owner_id, failure) VALUES (7000016, 1, 7000007, 'broken');
INSERT INTO messages (id, channel_id, seq, author_id, text, mentions, created_at, deleted_at, pinned_at, pinner_id, change)
VALUES
    (7000021, 7000012, 1, 7000007, 'a message', '[]', '2025-01-01', NULL, NULL, NULL, 1),
    (7000022, 7000012, 2, 7000007, '', '[]', '2025-01-01', '2025-01-02', NULL, NULL, 2),
    (7000023, 7000012, 3, 8, 'for somebody', '[{"id": "7000007", "username": "leaver"}]', '2025-01-01', NULL, '2025-01-01', 7000007, 3);
INSERT INTO message_mentions (channel_id, account_id, seq) VALUES (7000012, 7000007, 3);
INSERT INTO reactions (message_id, emoji, account_id, created_at) VALUES (7000023, '👍', 7000007, '2025-01-01');
INSERT INTO project_rooms (project_id, version, leader_id) VALUES (7000024, 1, 7000007);
INSERT INTO project_room_members (project_id, account_id, since) VALUES (7000024, 7000007, 1);
INSERT INTO restricted_accounts (account_id, restrictions, version) VALUES (7000007, '{leaving}', 1);
INSERT INTO new_account_acts (account_id, act, since, times) VALUES (7000007, 'write', '2025-01-01', 1);
