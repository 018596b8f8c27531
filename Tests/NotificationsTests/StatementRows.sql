-- The rows on which StatementTests runs the statements of notifications. Account 1 has a long list: favourites of posts 1 to
-- 5000, and direct messages of channel 1.

INSERT INTO accounts (id, version, snapshot)
SELECT i, 1,
    jsonb_build_object(
        'id', i::text, 'username', 'name' || i, 'display_name', 'Name ' || i, 'note', '', 'fields', '[]'::jsonb,
        'locked', false, 'bot', false, 'discoverable', false, 'created_at', '2026-01-02T03:04:05.678Z',
        'posts_count', 0, 'followers_count', 0, 'following_count', 0, 'version', 1
    )
FROM generate_series(1, 20000) i;

INSERT INTO posts (id, version, author_id, snapshot, touched_at)
SELECT i, 1, 1,
    jsonb_build_object(
        'id', i::text, 'account_id', '1', 'text', 'post', 'spoiler_text', '', 'sensitive', false, 'visibility', 'public',
        'mentions', '[]'::jsonb, 'tags', '[]'::jsonb, 'created_at', '2026-01-02T03:04:05.678Z', 'replies_count', 0,
        'boosts_count', 0, 'favourites_count', 0, 'version', 1
    ),
    timestamptz '2026-01-01Z' + i * interval '1 minute'
FROM generate_series(1, 20000) i;

-- Every hundredth post has a link; as many cards are shown by nothing.
UPDATE posts SET link_hash = sha256(convert_to('https://a.example/' || id, 'UTF8')) WHERE id % 100 = 7;
INSERT INTO cards (hash, url, version, card, touched_at)
SELECT sha256(convert_to('https://a.example/' || i, 'UTF8')), 'https://a.example/' || i, 1,
    '{"url": "https://a.example/", "title": "a", "description": "", "type": "link"}', '2025-01-01'::timestamptz + i * interval '1 second'
FROM generate_series(1, 20000) i;

INSERT INTO acts (kind, subject_id, actor_id, version, active, at)
SELECT 'favourite', i, i % 500 + 2, 1, true, timestamptz '2026-01-01Z' + i * interval '1 minute'
FROM generate_series(1, 20000) i;

-- Most people did one thing, so that the average says nothing of those above.
INSERT INTO acts (kind, subject_id, actor_id, version, active, at)
SELECT 'follow', 100000 + i, 200000 + i, 1, true, timestamptz '2026-01-01Z' FROM generate_series(1, 60000) i;

INSERT INTO silences (account_id, target_id, kind, version, hides, since, spent_from)
SELECT i, i + 1, 'mute', v, v = 1, timestamptz '2026-01-01Z' + i * interval '1 minute',
    CASE WHEN v = 1 THEN timestamptz '2026-01-02Z' + i * interval '1 minute' END
FROM generate_series(1001, 15000) i, generate_series(1, 2) v;

INSERT INTO channels (id, version, type, playground_id, name)
SELECT i, 1, 'private', i % 100 + 1, 'room' FROM generate_series(1, 10000) i;

INSERT INTO messages (id, change, channel_id, seq, text, named, names_all, touched_at)
SELECT i, 1, i % 1000 + 1, i, 'hello', '{1}', false, timestamptz '2026-01-01Z' + i * interval '1 minute'
FROM generate_series(1, 20000) i;

INSERT INTO reads (channel_id, account_id, seq, touched_at)
SELECT i % 1000 + 1, i, 0, timestamptz '2026-01-01Z' + i * interval '1 minute' FROM generate_series(1, 20000) i;

INSERT INTO departures (place_id, account_id, at)
SELECT i % 1000 + 1, i, timestamptz '2026-01-01Z' + i * interval '1 minute' FROM generate_series(5001, 25000) i;

INSERT INTO gone_places (id, at)
SELECT i, timestamptz '2026-01-01Z' + i * interval '1 minute' FROM generate_series(30001, 50000) i;

INSERT INTO notifications (
    id, account_id, type, actor_id, subject_id, version, created_at, channel_id, seq, withdrawn
)
SELECT i, 1, 'favourite', i % 500 + 2, i, 1, timestamptz '2026-01-03Z' + i * interval '1 second', NULL::bigint, NULL::bigint,
    false
FROM generate_series(1, 5000) i
UNION ALL
SELECT 10000 + i, i % 5000 + 2, 'mention', 15001 + i % 500, i, 0, '2026-01-03Z', NULL, NULL, false
FROM generate_series(1, 20000) i
UNION ALL
SELECT 100000 + s, 1, 'direct_message', 15001, s, 0, '2026-01-04Z', 1, s, false FROM generate_series(1, 100) s
UNION ALL
SELECT 200000 + i, i % 5000 + 2, 'chat_mention', 15501, i, 0, '2026-01-04Z', i % 1000 + 1, i, false
FROM generate_series(1, 20000) i;

INSERT INTO markers (account_id, timeline, last_read_id, version, updated_at)
SELECT i, t, 100, 1, timestamptz '2026-01-04Z' FROM generate_series(1, 10000) i, unnest('{home,notifications}'::text[]) t;

INSERT INTO floors (account_id, entry_id, moment, raised_at)
SELECT i, 20000, timestamptz '2026-01-05Z', timestamptz '2026-01-05Z' FROM generate_series(2, 10001) i;

-- Project i of account i, to which account i + 1 has applied.
INSERT INTO projects (id, version, snapshot, touched_at)
SELECT i, 1, jsonb_build_object('id', i::text, 'leader_id', i::text, 'title', 'a title', 'state', 'recruiting', 'version', 1),
    timestamptz '2026-01-01Z' + i * interval '1 minute'
FROM generate_series(1, 20000) i;
INSERT INTO applications (id, version, snapshot, touched_at)
SELECT i, 2, jsonb_build_object(
        'id', i::text, 'project_id', i::text, 'account_id', (i + 1)::text, 'role_id', '1', 'role_name', 'iOS', 'message', '',
        'state', 'open', 'note', '', 'created_at', '2026-01-02T03:04:05.678Z', 'version', 2
    ),
    timestamptz '2026-01-01Z' + i * interval '1 minute'
FROM generate_series(1, 20000) i;
INSERT INTO notifications (id, account_id, type, actor_id, subject_id, version, created_at, project_id)
SELECT 300000 + i, i, 'project_application', i + 1, i, 1, timestamptz '2026-01-05Z', i FROM generate_series(1, 20000) i;

-- Project i names account i + 1; the seventh named the ninth.
INSERT INTO project_mentions (project_id, account_id, version, named, at)
SELECT i, i + 1, 1, true, timestamptz '2026-01-01Z' + i * interval '1 minute' FROM generate_series(1, 20000) i;
INSERT INTO notifications (id, account_id, type, actor_id, subject_id, version, created_at, project_id)
VALUES (400000, 9, 'project_mention', 7, 7, 1, '2026-01-05Z', 7);

-- Device i of account i and session i, by Firebase, and for every hundredth account a subscription of session 20000 + i. On its
-- way to each device are an entry and a number; two more were sent.
INSERT INTO devices (
    id, account_id, session_id, app_id, platform, address, address_hash, topic, is_sandbox, public_key, secret, is_standard,
    language, time_zone, is_mutable, alerts, policy, created_at, registered_at, badge, flight, leased_until, rests_until
)
SELECT i, i, i, 7, 'firebase', 'token-' || i, sha256(convert_to('token-' || i, 'UTF8')), NULL, false, NULL::bytea, NULL::bytea, true, 'en',
    'UTC', false, NULL::text[], 'all', timestamptz '2026-01-01Z', timestamptz '2026-01-01Z', 3, 3, timestamptz '2026-01-01Z',
    timestamptz '2026-01-01Z'
FROM generate_series(1, 20000) i
UNION ALL
SELECT 20000 + i, i, 20000 + i, 7, 'web', 'https://a.example/' || i, sha256(convert_to('https://a.example/' || i, 'UTF8')), NULL, false,
    '\x04', '\x09', false, 'en', 'UTC', false, '{mention}', 'all', '2026-01-01Z', '2026-01-01Z', NULL, 0, '2026-01-01Z', '2026-01-01Z'
FROM generate_series(1, 20000, 100) i;
INSERT INTO deliveries (
    device_id, platform, notification_id, kind, collapse_key, state, made_at, not_before, due_at, expires_at, ended_at
)
SELECT i, 'firebase', CASE WHEN k < 3 THEN 1000000 * k + i END, CASE WHEN k < 3 THEN 'favourite' ELSE 'badge' END,
    CASE WHEN k = 3 THEN 'badge' END, CASE WHEN k IN (0, 3) THEN 'waiting' ELSE 'sent' END,
    timestamptz '2026-01-01Z' + i * interval '1 second', '2026-01-01Z',
    CASE WHEN k IN (0, 3) THEN timestamptz '2026-01-01Z' + i * interval '1 second' END, '2026-01-09Z',
    CASE WHEN k IN (1, 2) THEN timestamptz '2026-01-01Z' END
FROM generate_series(0, 3) k, generate_series(1, 20000) i;
INSERT INTO push_preferences (account_id, scope, scope_id, kinds, preview)
SELECT i, 'account', 0, '{"follow": false}', 'full' FROM generate_series(1, 20000) i;
INSERT INTO push_preferences (account_id, scope, scope_id, kinds)
SELECT i, 'app', 7, '{"reblog": false}' FROM generate_series(1, 20000) i;
INSERT INTO ended_sessions (id, at)
SELECT 100000 + i, timestamptz '2026-01-01Z' + i * interval '1 second' FROM generate_series(1, 20000) i;

-- Every third is hidden.
INSERT INTO restricted_accounts (account_id, restrictions, version)
SELECT i, CASE WHEN i % 3 = 0 THEN ARRAY['suspended'] ELSE ARRAY['frozen'] END, 1 FROM generate_series(100001, 110000) i;

-- Those who moderate, reports and decisions; none is in a list.
INSERT INTO moderators (account_id, moderates, version) SELECT 100000 + i, i <= 100, 1 FROM generate_series(1, 20000) i;
INSERT INTO reports (id, snapshot, touched_at)
SELECT i, '{}', timestamptz '2026-01-01Z' + i * interval '1 minute' FROM generate_series(1, 20000) i;
INSERT INTO decisions (id, version, snapshot, touched_at)
SELECT i, 1, '{}', timestamptz '2026-01-01Z' + i * interval '1 minute' FROM generate_series(1, 20000) i;

-- Somebody who is deleted: account 7000007; of 7000008 nothing but the account is left.
INSERT INTO accounts (id, version, snapshot) VALUES (7000007, 1, '{}');
INSERT INTO posts (id, version, author_id, snapshot)
VALUES (7000011, 1, 7000007, '{"mentions": []}'), (7000012, 1, 8, '{"mentions": [{"id": "7000007", "username": "leaver"}]}');
INSERT INTO acts (kind, subject_id, actor_id, version, active)
VALUES ('favourite', 7000012, 7000007, 1, true), ('follow', 7000007, 8, 1, true), ('follow_request', 7000007, 9, 1, true);
INSERT INTO silences (account_id, target_id, kind, version, hides, since)
VALUES (7000007, 9, 'mute', 1, true, '2025-01-01'), (9, 7000007, 'mute', 1, true, '2025-01-01');
INSERT INTO notifications (id, account_id, type, actor_id, subject_id, version, created_at)
VALUES (7000013, 7000007, 'follow', 8, 7000007, 1, '2025-01-01'), (7000014, 8, 'favourite', 7000007, 7000012, 1, '2025-01-01');
INSERT INTO markers (account_id, timeline, last_read_id, version, updated_at) VALUES (7000007, 'home', 7, 1, '2025-01-01');
INSERT INTO floors (account_id, entry_id, moment, raised_at) VALUES (7000007, 1, '2025-01-01', '2025-01-01');
INSERT INTO messages (id, change, channel_id, seq, text, named, names_all) VALUES (7000015, 1, 7, 1, 'for somebody', '{7000007}', false);
INSERT INTO reads (channel_id, account_id, seq) VALUES (7, 7000007, 1);
INSERT INTO departures (place_id, account_id, at) VALUES (7, 7000007, '2025-01-01');
INSERT INTO projects (id, version, snapshot, touched_at) VALUES (7000016, 1, '{"leader_id": "7000007"}', '2025-01-01');
INSERT INTO applications (id, version, snapshot, touched_at) VALUES (7000017, 1, '{"account_id": "7000007"}', '2025-01-01');
INSERT INTO project_mentions (project_id, account_id, version, named, at) VALUES (7, 7000007, 1, true, '2025-01-01');
INSERT INTO devices (
    id, account_id, session_id, app_id, platform, address, address_hash, is_sandbox, is_standard, language, time_zone, is_mutable, policy,
    created_at, registered_at, leased_until, rests_until
)
VALUES
    (7000018, 7000007, 7000018, 1, 'firebase', 'leaver', sha256('leaver'), false, true, 'ko', 'Asia/Seoul', false, 'all', '2025-01-01', '2025-01-01',
        '2025-01-01', '2025-01-01');
INSERT INTO deliveries (device_id, platform, notification_id, kind, state, made_at, not_before, due_at, expires_at)
VALUES (7000018, 'firebase', 7000013, 'follow', 'waiting', '2025-01-01', '2025-01-01', '2025-01-01', '2025-01-02');
INSERT INTO push_preferences (account_id, scope, scope_id, kinds) VALUES (7000007, 'account', 0, '{}');
INSERT INTO moderators (account_id, moderates, version) VALUES (7000007, true, 1);
INSERT INTO restricted_accounts (account_id, restrictions, version) VALUES (7000007, '{leaving}', 1);
INSERT INTO reports (id, snapshot, touched_at) VALUES (7000021, '{"reporter": {"id": "8"}, "target": {"id": "7000007"}}', '2025-01-01');
INSERT INTO decisions (id, version, snapshot, touched_at) VALUES (7000022, 1, '{"account_id": "7000007"}', '2025-01-01');
