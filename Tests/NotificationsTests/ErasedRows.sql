-- Somebody of whom every table has something, and two others. What is theirs has an id that begins with theirs.
CREATE FUNCTION pg_temp.leaver() RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT 880000000000000077';
INSERT INTO accounts (id, version, snapshot) VALUES (pg_temp.leaver(), 1, '{"username": "marked77"}'), (11, 1, '{"username": "ann"}');
INSERT INTO posts (id, version, author_id, snapshot)
VALUES
    (21, 1, pg_temp.leaver(), '{"text": "marked77", "mentions": []}'),
    (22, 1, 11, '{"text": "for somebody", "mentions": [{"id": "880000000000000077", "username": "marked77"}, {"id": "12", "username": "bob"}]}');
INSERT INTO acts (kind, subject_id, actor_id, version, active)
VALUES
    ('favourite', 22, pg_temp.leaver(), 1, true), ('follow', pg_temp.leaver(), 11, 1, true),
    ('follow_request', pg_temp.leaver(), 12, 1, false), ('follow', 12, 11, 1, true);
INSERT INTO silences (account_id, target_id, kind, version, hides, since)
VALUES (pg_temp.leaver(), 12, 'mute', 1, true, '2025-01-01'), (12, pg_temp.leaver(), 'block', 1, true, '2025-01-01');
INSERT INTO notifications (id, account_id, type, actor_id, subject_id, version, created_at)
VALUES
    (1, pg_temp.leaver(), 'favourite', 11, 21, 1, '2025-01-01'), (2, 11, 'favourite', pg_temp.leaver(), 22, 1, '2025-01-01'),
    (3, 11, 'follow', 12, 11, 1, '2025-01-01');
INSERT INTO markers (account_id, timeline, last_read_id, version, updated_at) VALUES (pg_temp.leaver(), 'home', 21, 1, '2025-01-01');
INSERT INTO floors (account_id, entry_id, moment, raised_at) VALUES (pg_temp.leaver(), 1, '2025-01-01', '2025-01-01');
INSERT INTO messages (id, change, channel_id, seq, text, named, names_all) VALUES (31, 1, 101, 1, 'for somebody', ARRAY[12, pg_temp.leaver()], false);
INSERT INTO reads (channel_id, account_id, seq) VALUES (101, pg_temp.leaver(), 1), (101, 11, 1);
INSERT INTO departures (place_id, account_id, at) VALUES (101, pg_temp.leaver(), '2025-01-01'), (101, 11, '2025-01-01');
INSERT INTO projects (id, version, snapshot, touched_at)
VALUES (41, 1, '{"leader_id": "880000000000000077", "title": "marked77"}', '2025-01-01'), (42, 1, '{"leader_id": "11", "title": "of ann"}', '2025-01-01');
INSERT INTO applications (id, version, snapshot, touched_at)
VALUES (51, 1, '{"account_id": "880000000000000077", "message": "marked77"}', '2025-01-01'), (52, 1, '{"account_id": "11"}', '2025-01-01');
INSERT INTO project_mentions (project_id, account_id, version, named, at) VALUES (42, pg_temp.leaver(), 1, true, '2025-01-01');
INSERT INTO devices (
    id, account_id, session_id, app_id, platform, address, address_hash, is_sandbox, is_standard, language, time_zone, is_mutable, policy,
    created_at, registered_at, leased_until, rests_until
)
VALUES
    (61, pg_temp.leaver(), 1, 1, 'firebase', 'marked77', '\x01', false, true, 'ko', 'Asia/Seoul', false, 'all', '2025-01-01', '2025-01-01',
        '2025-01-01', '2025-01-01'),
    (62, 11, 2, 1, 'firebase', 'of ann', '\x02', false, true, 'ko', 'Asia/Seoul', false, 'all', '2025-01-01', '2025-01-01', '2025-01-01',
        '2025-01-01');
INSERT INTO deliveries (device_id, platform, notification_id, kind, collapse_key, state, made_at, not_before, due_at, expires_at)
VALUES
    (61, 'firebase', 1, 'favourite', 'marked77', 'waiting', '2025-01-01', '2025-01-01', '2025-01-01', '2025-01-02'),
    (62, 'firebase', 2, 'favourite', 'marked77', 'waiting', '2025-01-01', '2025-01-01', '2025-01-01', '2025-01-02'),
    (62, 'firebase', 3, 'follow', NULL, 'waiting', '2025-01-01', '2025-01-01', '2025-01-01', '2025-01-02');
INSERT INTO push_preferences (account_id, scope, scope_id, kinds) VALUES (pg_temp.leaver(), 'account', 0, '{}'), (11, 'account', 0, '{}');
INSERT INTO moderators (account_id, moderates, version) VALUES (pg_temp.leaver(), true, 1), (11, true, 1);
INSERT INTO restricted_accounts (account_id, restrictions, version) VALUES (pg_temp.leaver(), '{leaving}', 1), (11, '{limited}', 1);
INSERT INTO reports (id, snapshot, touched_at)
VALUES
    (71, '{"reporter": {"id": "880000000000000077"}, "target": {"id": "11"}}', '2025-01-01'),
    (72, '{"reporter": {"id": "11"}, "target": {"id": "880000000000000077"}}', '2025-01-01'),
    (73, '{"reporter": {"id": "11"}, "target": {"id": "12"}}', '2025-01-01');
INSERT INTO decisions (id, version, snapshot, touched_at)
VALUES (81, 1, '{"account_id": "880000000000000077", "reason": "marked77"}', '2025-01-01'), (82, 1, '{"account_id": "11"}', '2025-01-01');
