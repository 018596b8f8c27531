-- Somebody of whom every table has something, and two others. What is theirs has an id that begins with theirs.
CREATE FUNCTION pg_temp.leaver() RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT 880000000000000077';
INSERT INTO accounts (id, version, username, snapshot)
SELECT i, 1, n, jsonb_build_object('id', i::text, 'username', n, 'display_name', n, 'note', '', 'fields', '[]'::jsonb, 'locked', false, 'bot', false,
    'discoverable', false, 'created_at', '2025-01-01T00:00:00Z', 'posts_count', 0, 'followers_count', 0, 'following_count', 0, 'version', 1)
FROM (VALUES (pg_temp.leaver(), 'marked77'), (11, 'ann'), (12, 'bob')) a (i, n);
INSERT INTO blocks (blocker_id, blocked_id, version, active) VALUES (pg_temp.leaver(), 12, 1, true), (12, pg_temp.leaver(), 1, false);
INSERT INTO media (id, version, owner_id, snapshot) VALUES (8800000000000000775, 1, pg_temp.leaver(), '{"media_id": "8800000000000000775", "owner_id": "880000000000000077", "type": "image", "original": {"url": "a-file", "width": 1, "height": 1}, "mime_type": "image/png", "bytes": 7, "subject_version": 1, "description": "marked77"}');
-- A playground of theirs with others, one with nobody else, and one of another's.
INSERT INTO playgrounds (id, name, description, cover_id, owner_id, open, default_channel_id, created_at, updated_at, version)
VALUES
    (8800000000000000771, 'shared', '', 8800000000000000775, pg_temp.leaver(), false, 101, '2025-01-01', '2025-01-01', 1),
    (8800000000000000772, 'marked77', 'marked77', NULL, pg_temp.leaver(), false, 8800000000000000773, '2025-01-01', '2025-01-01', 1),
    (33, 'of ann', '', NULL, 11, true, 103, '2025-01-01', '2025-01-01', 1);
INSERT INTO channels (id, type, playground_id, name, description, owner_id, party, created_at, updated_at, version, last_seq, last_change)
VALUES
    (101, 'public', 8800000000000000771, 'general', '', pg_temp.leaver(), NULL, '2025-01-01', '2025-01-01', 1, 2, 2),
    (8800000000000000773, 'public', 8800000000000000772, 'general', '', pg_temp.leaver(), NULL, '2025-01-01', '2025-01-01', 1, 1, 1),
    (103, 'public', 33, 'general', '', 11, NULL, '2025-01-01', '2025-01-01', 1, 2, 2),
    (104, 'direct', NULL, '', '', NULL, '11,880000000000000077', '2025-01-01', '2025-01-01', 1, 2, 2),
    (105, 'group', NULL, '', '', NULL, '11,12,880000000000000077', '2025-01-01', '2025-01-01', 1, 1, 1);
INSERT INTO playground_members (playground_id, account_id, role, joined_at, version)
VALUES
    (8800000000000000771, pg_temp.leaver(), 'owner', '2025-01-01', 1), (8800000000000000771, 11, 'member', '2025-01-02', 1),
    (8800000000000000771, 12, 'admin', '2025-01-03', 1), (8800000000000000772, pg_temp.leaver(), 'owner', '2025-01-01', 1),
    (33, 11, 'owner', '2025-01-01', 1), (33, pg_temp.leaver(), 'member', '2025-01-02', 1);
INSERT INTO channel_members (channel_id, account_id, role, joined_at, version)
VALUES
    (101, pg_temp.leaver(), 'owner', '2025-01-01', 1), (101, 11, 'member', '2025-01-02', 1), (101, 12, 'member', '2025-01-03', 1),
    (8800000000000000773, pg_temp.leaver(), 'owner', '2025-01-01', 1), (103, 11, 'owner', '2025-01-01', 1),
    (103, pg_temp.leaver(), 'member', '2025-01-02', 1), (104, 11, 'member', '2025-01-01', 1),
    (104, pg_temp.leaver(), 'member', '2025-01-01', 1), (105, 11, 'member', '2025-01-01', 1), (105, 12, 'member', '2025-01-01', 1),
    (105, pg_temp.leaver(), 'member', '2025-01-01', 1);
INSERT INTO playground_bans (playground_id, account_id, actor_id, reason, created_at)
VALUES (8800000000000000771, 13, pg_temp.leaver(), 'a reason', '2025-01-01'), (34, pg_temp.leaver(), 11, 'marked77', '2025-01-01');
INSERT INTO playgrounds (id, name, description, owner_id, open, default_channel_id, created_at, updated_at, version)
VALUES (34, 'closed to them', '', 11, false, 106, '2025-01-01', '2025-01-01', 1);
INSERT INTO invites (code, playground_id, creator_id, created_at) VALUES ('marked77', 8800000000000000771, pg_temp.leaver(), '2025-01-01');
INSERT INTO messages (id, channel_id, seq, author_id, text, client_id, mentions, created_at, pinned_at, pinner_id, deleted_at, change)
VALUES
    (8800000000000000781, 101, 1, pg_temp.leaver(), 'marked77', 'marked77', '[]', '2025-01-01', NULL, NULL, NULL, 1),
    (8800000000000000782, 8800000000000000773, 1, pg_temp.leaver(), 'marked77', NULL, '[]', '2025-01-01', NULL, NULL, NULL, 1),
    (8800000000000000783, 104, 1, pg_temp.leaver(), 'marked77', NULL, '[]', '2025-01-01', NULL, NULL, NULL, 1),
    (8800000000000000784, 103, 1, pg_temp.leaver(), '', 'marked77', '[]', '2025-01-01', NULL, NULL, '2025-01-02', 1),
    (61, 104, 2, 11, 'an answer', NULL, '[]', '2025-01-01', NULL, NULL, NULL, 2),
    (62, 103, 2, 11, 'for somebody',
        NULL, '[{"id": "880000000000000077", "username": "marked77"}, {"id": "12", "username": "bob"}]', '2025-01-01', NULL, NULL, NULL, 2),
    (63, 101, 2, 11, 'pinned', NULL, '[]', '2025-01-01', '2025-01-02', pg_temp.leaver(), NULL, 2);
INSERT INTO message_mentions (channel_id, account_id, seq) VALUES (103, pg_temp.leaver(), 2), (103, 12, 2);
INSERT INTO reactions (message_id, emoji, account_id, created_at)
VALUES (61, '👍', pg_temp.leaver(), '2025-01-01'), (61, '👍', 12, '2025-01-01'), (8800000000000000781, '👍', 11, '2025-01-01');
INSERT INTO project_rooms (project_id, version, leader_id, playground_id) VALUES (71, 1, pg_temp.leaver(), 8800000000000000771), (72, 1, 11, 33);
INSERT INTO project_room_members (project_id, account_id, since) VALUES (71, pg_temp.leaver(), 1), (72, pg_temp.leaver(), 1), (72, 11, 1);
INSERT INTO restricted_accounts (account_id, restrictions, version) VALUES (pg_temp.leaver(), '{leaving}', 1), (11, '{limited}', 1);
INSERT INTO new_account_acts (account_id, act, since, times) VALUES (pg_temp.leaver(), 'write', '2025-01-01', 1), (11, 'write', '2025-01-01', 1);
