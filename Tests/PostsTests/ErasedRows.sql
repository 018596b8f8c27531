-- Somebody of whom every table has something, and two others. What is theirs has an id that begins with theirs.
CREATE FUNCTION pg_temp.leaver() RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT 880000000000000077';
INSERT INTO accounts (id, username, display_name, note, created_at, posts_count, followers_count, following_count)
VALUES
    (pg_temp.leaver(), 'marked77', 'marked77', 'marked77', '2025-01-01', 3, 1, 1),
    (11, 'ann', '', '', '2025-01-01', 2, 1, 1), (12, 'bob', '', '', '2025-01-01', 1, 0, 0);
-- Two posts, one of them answered, boosted and edited; a boost; a deleted one.
INSERT INTO posts (id, account_id, text, visibility, conversation_id, tags, boost_of_id, created_at, deleted_at,
    mentioned_ids, mentioned_names, in_reply_to_id, in_reply_to_account_id, replies_count, boosts_count, favourites_count)
VALUES
    (8800000000000000771, pg_temp.leaver(), 'marked77', 'public', 1, '{marked77}', NULL, '2025-01-01', NULL, '{}', '{}', NULL, NULL, 1, 1, 1),
    (8800000000000000772, pg_temp.leaver(), 'marked77', 'direct', 2, '{}', NULL, '2025-01-01', NULL, '{11}', '{ann}', NULL, NULL, 0, 0, 0),
    (8800000000000000773, pg_temp.leaver(), '', 'public', 3, '{}', 21, '2025-01-01', NULL, '{}', '{}', NULL, NULL, 0, 0, 0),
    (8800000000000000774, pg_temp.leaver(), 'marked77', 'public', 4, '{}', NULL, '2025-01-01', '2025-01-02', '{}', '{}', NULL, NULL, 0, 0, 0),
    (21, 11, 'for @somebody', 'public', 3, '{}', NULL, '2025-01-01', NULL, ARRAY[12, pg_temp.leaver()], '{bob,marked77}', NULL, NULL, 0, 1, 1),
    (22, 11, 'an answer', 'public', 1, '{}', NULL, '2025-01-02', NULL, '{}', '{}', 8800000000000000771, pg_temp.leaver(), 0, 0, 0),
    (23, 12, '', 'public', 1, '{}', 8800000000000000771, '2025-01-02', NULL, '{}', '{}', NULL, NULL, 0, 0, 0),
    (24, 11, 'to them', 'direct', 2, '{}', NULL, '2025-01-03', NULL, ARRAY[pg_temp.leaver()], '{marked77}', NULL, NULL, 0, 0, 0);
INSERT INTO post_tags (tag, post_id) VALUES ('marked77', 8800000000000000771);
INSERT INTO post_edits (post_id, created_at, text, spoiler_text, sensitive, mentioned_ids, mentioned_names)
VALUES
    (8800000000000000771, '2025-01-01', 'marked77', '', false, '{}', '{}'),
    (21, '2025-01-01', 'for @somebody', '', false, ARRAY[pg_temp.leaver()], '{marked77}');
INSERT INTO favourites (account_id, post_id, id) VALUES (pg_temp.leaver(), 21, 1), (11, 8800000000000000771, 2);
INSERT INTO bookmarks (account_id, post_id, id) VALUES (pg_temp.leaver(), 21, 1), (11, 8800000000000000771, 2);
INSERT INTO follows (follower_id, followee_id, id) VALUES (pg_temp.leaver(), 11, 1), (11, pg_temp.leaver(), 2);
INSERT INTO follow_requests (follower_id, followee_id, id) VALUES (pg_temp.leaver(), 12, 1), (12, pg_temp.leaver(), 2);
INSERT INTO blocks (account_id, target_id, id) VALUES (pg_temp.leaver(), 12, 1), (12, pg_temp.leaver(), 2);
INSERT INTO mutes (account_id, target_id, id) VALUES (pg_temp.leaver(), 12, 1), (12, pg_temp.leaver(), 2);
INSERT INTO account_notes (account_id, target_id, comment) VALUES (pg_temp.leaver(), 12, 'marked77'), (12, pg_temp.leaver(), 'a note');
INSERT INTO conversation_mutes (account_id, conversation_id) VALUES (pg_temp.leaver(), 3);
INSERT INTO conversations (account_id, thread_id, party, last_post_id, unread)
VALUES (pg_temp.leaver(), 2, ARRAY[11, pg_temp.leaver()], 24, true), (11, 2, ARRAY[11, pg_temp.leaver()], 24, false);
INSERT INTO timeline (account_id, post_id, author_id)
VALUES (pg_temp.leaver(), 21, 11), (11, 8800000000000000771, pg_temp.leaver()), (11, 8800000000000000773, pg_temp.leaver()), (11, 21, 11);
INSERT INTO fanouts (post_id, author_id, after_id) VALUES (8800000000000000771, pg_temp.leaver(), 0);
INSERT INTO popular_accounts (account_id) VALUES (pg_temp.leaver());
INSERT INTO idempotency_keys (account_id, key, request_hash, post_id, created_at)
VALUES (pg_temp.leaver(), 'marked77', '\x00', 8800000000000000771, '2025-01-01');
INSERT INTO media (id, version, owner_id, snapshot, failure, post_id, free_since)
VALUES (8800000000000000775, 1, pg_temp.leaver(), '{"description": "marked77"}', NULL, 8800000000000000771, NULL);
-- A project of theirs, to which another applied, and one of another, which they are in, applied to and are named by.
INSERT INTO projects (id, leader_id, state, title, summary, body, mentioned_ids, mentioned_names, created_at, published_at)
VALUES
    (8800000000000000776, pg_temp.leaver(), 'recruiting', 'marked77', 'marked77', 'marked77', '{}', '{}', '2025-01-01', '2025-01-01'),
    (31, 11, 'recruiting', 'a title', '', 'with @somebody', ARRAY[pg_temp.leaver()], '{marked77}', '2025-01-01', '2025-01-01');
INSERT INTO project_facets (project_id, facet, state, deadline, applications_count)
VALUES (8800000000000000776, '', 'recruiting', 'infinity', 1), (31, '', 'recruiting', 'infinity', 1);
INSERT INTO project_members (project_id, account_id, since, joined_at)
VALUES (8800000000000000776, pg_temp.leaver(), 1, '2025-01-01'), (31, 11, 1, '2025-01-01'), (31, pg_temp.leaver(), 2, '2025-01-01');
INSERT INTO applications (id, project_id, account_id, role_id, role_name, message, created_at)
VALUES (41, 8800000000000000776, 11, 1, 'a role', 'a message', '2025-01-01'), (42, 31, pg_temp.leaver(), 1, 'a role', 'marked77', '2025-01-01');
INSERT INTO project_edits (project_id, created_at, form)
SELECT i, '2025-01-01', jsonb_build_object('title', t, 'mentions', jsonb_build_array(
    jsonb_build_object('id', pg_temp.leaver()::text, 'username', 'marked77'), jsonb_build_object('id', '12', 'username', 'bob')))
FROM (VALUES (8800000000000000776, 'marked77'), (31, 'a title')) p (i, t);
INSERT INTO project_bookmarks (account_id, project_id, id) VALUES (pg_temp.leaver(), 31, 1), (11, 8800000000000000776, 2);
INSERT INTO project_views (project_id, views) VALUES (8800000000000000776, 3);
-- Their shelf.
INSERT INTO shelves (account_id) VALUES (pg_temp.leaver()), (11);
INSERT INTO shelf_books (id, account_id, version, key, title, authors, folded)
VALUES (8800000000000000777, pg_temp.leaver(), 1, '\x01', 'marked77', '{marked77}', 'marked77'), (51, 11, 1, '\x01', 'a book', '{}', 'a book');
INSERT INTO reading_records (id, account_id, book_id, version, state, one_line, review, visibility, updated_at)
VALUES
    (8800000000000000778, pg_temp.leaver(), 8800000000000000777, 2, 'reading', 'marked77', 'marked77', 'public', '2025-01-01'),
    (52, 11, 51, 2, 'reading', 'a line', NULL, 'public', '2025-01-01');
INSERT INTO reading_progress (record_id, day, account_id, page) VALUES (8800000000000000778, '2025-01-01', pg_temp.leaver(), 7);
INSERT INTO earlier_texts (id, record_id, field, text) VALUES (1, 8800000000000000778, 'review', 'marked77');
INSERT INTO reading_goals (account_id, year, month, version, books) VALUES (pg_temp.leaver(), 2025, 0, 3, 7);
INSERT INTO shelf_tombstones (account_id, version, kind, item_id, deleted_at) VALUES (pg_temp.leaver(), 4, 'book', 1, '2025-01-01');
INSERT INTO shelf_writes (account_id, key, taken_at) VALUES (pg_temp.leaver(), '00000000-0000-0000-0000-000000000001', '2025-01-01');
INSERT INTO restricted_accounts (account_id, restrictions, version) VALUES (pg_temp.leaver(), '{leaving}', 1), (11, '{limited}', 1);
INSERT INTO new_account_acts (account_id, act, since, times) VALUES (pg_temp.leaver(), 'write', '2025-01-01', 1), (11, 'write', '2025-01-01', 1);
-- They were reported and decided about, and they reported and decided about others.
INSERT INTO roles (account_id, role, version) VALUES (pg_temp.leaver(), 'moderator', 1), (12, 'moderator', 1);
INSERT INTO restrictions (account_id, kind, since, by_whom) VALUES (pg_temp.leaver(), 'leaving', '2025-01-01', 'owner'), (11, 'limited', '2025-01-01', 'operator');
INSERT INTO reports (id, reporter_id, target_id, category, comment, created_at, updated_at, assigned_id, closed_id, closed_at)
VALUES
    (61, 11, pg_temp.leaver(), 'spam', 'marked77', '2025-01-01', '2025-01-01', 12, NULL, NULL),
    (62, pg_temp.leaver(), 11, 'spam', 'marked77', '2025-01-01', '2025-01-01', pg_temp.leaver(), NULL, NULL),
    (63, 12, 11, 'spam', 'of bob', '2025-01-01', '2025-01-01', 12, pg_temp.leaver(), '2025-01-02');
INSERT INTO report_things (report_id, kind, thing_id, account_id, snapshot)
VALUES
    (61, 'post', '8800000000000000771', pg_temp.leaver(), '{"text": "marked77"}'), (61, 'account', '880000000000000077', NULL, NULL),
    (62, 'post', '21', 11, '{"text": "for @somebody"}'), (63, 'message', '8800000000000000771', pg_temp.leaver(), '{"text": "marked77"}');
INSERT INTO report_notes (id, report_id, account_id, text, created_at)
VALUES (61, 61, 12, 'marked77', '2025-01-01'), (62, 62, pg_temp.leaver(), 'a note', '2025-01-01');
INSERT INTO decisions (id, moderator_id, account_id, report_id, action, reason, appeal_until, decided_at)
VALUES
    (61, 12, pg_temp.leaver(), 61, 'warn', 'marked77', '2025-02-01', '2025-01-01'),
    (62, pg_temp.leaver(), 11, 62, 'warn', 'a reason', '2025-02-01', '2025-01-01');
INSERT INTO evidence (decision_id, kind, thing_id, snapshot, kept_until)
VALUES (61, 'post', '8800000000000000774', '{"text": "marked77"}', '2025-03-01'), (62, 'post', '21', '{"text": "for @somebody"}', '2025-03-01');
INSERT INTO appeals (decision_id, account_id, text, state, created_at, moderator_id, decided_at)
VALUES
    (61, pg_temp.leaver(), 'marked77', 'open', '2025-01-01', NULL, NULL),
    (62, 11, 'an appeal', 'rejected', '2025-01-01', pg_temp.leaver(), '2025-01-02');
INSERT INTO moderation_log (id, moderator_id, deed, report_id, decision_id, account_id, at)
VALUES (61, 12, 'decide', 61, 61, pg_temp.leaver(), '2025-01-01'), (62, pg_temp.leaver(), 'decide', 62, 62, 11, '2025-01-01');
