-- The rows that the statements of posts run on. Person i follows the next one, asks to follow the one a hundred further on, blocks
-- the one two hundred further on and mutes the one three hundred further on; post i is of person i + 1.
CREATE FUNCTION pg_temp.person(i bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT i % 10000 + 1';

INSERT INTO accounts (id, username, display_name, created_at, last_post_at, posts_count, followers_count, following_count)
SELECT i, 'person' || i, 'Person ' || i, '2025-01-01', '2025-02-01', 100, 100, 100
FROM generate_series(1, 10000) i;

UPDATE accounts SET awaited_avatar_id = 7, awaited_header_id = 7 WHERE id = 7;

INSERT INTO follows (follower_id, followee_id, id)
SELECT i, pg_temp.person(i), i FROM generate_series(1, 10000) i
UNION ALL
SELECT i, pg_temp.person(i + 40), 10000 + i FROM generate_series(1, 10000) i;
INSERT INTO follow_requests (follower_id, followee_id, id)
SELECT i, pg_temp.person(i + 100), i FROM generate_series(1, 10000) i;
INSERT INTO blocks (account_id, target_id, id)
SELECT i, pg_temp.person(i + 200), i FROM generate_series(1, 10000) i;
INSERT INTO mutes (account_id, target_id, id, expires_at)
SELECT i, pg_temp.person(i + 300), i, CASE WHEN i % 2 = 0 THEN '2025-01-01'::timestamptz + i * interval '1 minute' END
FROM generate_series(1, 10000) i;
INSERT INTO account_notes (account_id, target_id, comment)
SELECT i, pg_temp.person(i + 400), 'a note' FROM generate_series(1, 10000) i;

-- Every tenth answers the one before.
INSERT INTO posts (
    id, account_id, text, visibility, language, in_reply_to_id, in_reply_to_account_id, conversation_id, mentioned_ids,
    mentioned_names, tags, created_at, edited_at, replies_count, boosts_count, favourites_count
)
SELECT i, pg_temp.person(i), 'a text', 'public', 'ko', CASE WHEN i % 10 = 0 THEN i - 1 END,
    CASE WHEN i % 10 = 0 THEN pg_temp.person(i - 1) END, i, ARRAY [pg_temp.person(i + 2)],
    ARRAY ['person' || pg_temp.person(i + 2)], ARRAY ['tag' || i % 100], '2025-01-01', '2025-01-02', 10, 10, 10
FROM generate_series(1, 30000) i;
-- Somebody who posts more than one request looks at.
INSERT INTO posts (id, account_id, text, visibility, conversation_id, created_at)
SELECT i, 1, 'a text', 'public', i, '2025-01-01' FROM generate_series(50001, 51000) i;
-- Boosts, deleted posts, and deleted posts whose boosts are still to go.
INSERT INTO posts (id, account_id, text, visibility, conversation_id, boost_of_id, created_at)
SELECT 30000 + i, pg_temp.person(i), '', 'public', i, i, '2025-01-01' FROM generate_series(1, 10000) i;
INSERT INTO posts (id, account_id, text, visibility, conversation_id, created_at, deleted_at)
SELECT i, pg_temp.person(i), 'a text', 'public', i, '2025-01-01', '2025-01-01'::timestamptz + i * interval '1 minute'
FROM generate_series(40001, 42000) i;
INSERT INTO posts (id, account_id, text, visibility, conversation_id, boost_of_id, created_at)
SELECT 1000 + i, pg_temp.person(i), '', 'public', i, i, '2025-01-01' FROM generate_series(41001, 42000) i;

INSERT INTO post_tags (tag, post_id)
SELECT unnest(tags), id FROM posts WHERE boost_of_id IS NULL;
INSERT INTO post_edits (post_id, created_at, text, spoiler_text, sensitive, mentioned_ids, mentioned_names)
SELECT i, '2025-01-01', 'before', '', false, '{}'::bigint[], '{}'::text[] FROM generate_series(1, 10000) i
UNION ALL
SELECT 7, '2025-01-01'::timestamptz + i * interval '1 minute', 'before', '', false, '{}'::bigint[], '{}'::text[] FROM generate_series(1, 30) i;
INSERT INTO favourites (account_id, post_id, id)
SELECT pg_temp.person(i), i, i FROM generate_series(1, 20000) i;
INSERT INTO bookmarks (account_id, post_id, id)
SELECT pg_temp.person(i), i, i FROM generate_series(1, 20000) i;
INSERT INTO conversation_mutes (account_id, conversation_id)
SELECT pg_temp.person(i), i FROM generate_series(1, 20000) i;

INSERT INTO timeline (account_id, post_id, author_id)
SELECT pg_temp.person(i - 1), i, pg_temp.person(i) FROM generate_series(1, 30000) i
UNION ALL
-- Of somebody who is not followed, and of somebody who is blocked.
VALUES (7, 11, 12), (7, 207, 208);
INSERT INTO popular_accounts (account_id) VALUES (8), (9);
INSERT INTO idempotency_keys (account_id, key, request_hash, post_id, created_at)
SELECT i, 'key', sha256('a'), i, '2025-01-01'::timestamptz + i * interval '1 minute' FROM generate_series(1, 10000) i;
INSERT INTO fanouts (post_id, author_id, after_id, due_at)
SELECT i, pg_temp.person(i), 0, '2025-01-01' FROM generate_series(1, 10) i;

-- Direct posts of person i + 1 to person i, three a thread: the one in the middle is the last of the conversation of both, and
-- was deleted where i is above 2000; the newest is in none yet.
INSERT INTO posts (id, account_id, text, visibility, conversation_id, mentioned_ids, mentioned_names, created_at, deleted_at)
SELECT 60000 + i + n * 3000, pg_temp.person(i), 'a text', 'direct', 60000 + i, ARRAY [i], ARRAY ['person' || i], '2025-01-01',
    CASE WHEN n = 1 AND i > 2000 THEN '2025-01-02'::timestamptz END
FROM generate_series(1, 3000) i, generate_series(0, 2) n;
INSERT INTO conversations (id, account_id, thread_id, party, last_post_id, unread)
SELECT i + m * 3000, CASE m WHEN 0 THEN i ELSE pg_temp.person(i) END, 60000 + i, ARRAY [i, pg_temp.person(i)], 63000 + i, m = 0
FROM generate_series(1, 3000) i, generate_series(0, 1) m;
INSERT INTO conversations (id, account_id, thread_id, party, last_post_id, unread)
SELECT 10000 + i, i, 70000 + i, ARRAY [i], 70000 + i, false FROM generate_series(1, 10000) i;

UPDATE posts SET pinned_id = id WHERE id BETWEEN 10001 AND 12000;

-- Every hundredth post shows a file; as many files wait to be shown.
UPDATE posts SET media = '[]' WHERE boost_of_id IS NULL AND (id % 100 = 7 OR account_id = 1);
INSERT INTO media (id, version, owner_id, snapshot, post_id, free_since)
SELECT i, 1, i, NULL::jsonb, NULL::bigint, '2025-01-01'::timestamptz FROM generate_series(1, 10000) i
UNION ALL
SELECT 10000 + i, 1, pg_temp.person(i), NULL, i, NULL FROM generate_series(1, 30000) i;

-- A file that a post shows, of which that is not known.
UPDATE posts SET media = '[{"id": "9000", "type": "image", "original": {"url": "a.jpg", "width": 1, "height": 1}}]'
WHERE id = (SELECT min(id) FROM posts WHERE account_id = 1 AND boost_of_id IS NULL AND deleted_at IS NULL);

-- Every hundredth post has a link; as many cards are shown by nothing.
UPDATE posts SET link_hash = sha256(convert_to('https://a.example/' || id, 'UTF8')) WHERE id % 100 = 7 AND boost_of_id IS NULL;
INSERT INTO cards (hash, url, version, card, touched_at)
SELECT sha256(convert_to('https://a.example/' || i, 'UTF8')), 'https://a.example/' || i, 1,
    '{"url": "https://a.example/", "title": "a", "description": "", "type": "link"}', '2025-01-01'::timestamptz + i * interval '1 second'
FROM generate_series(1, 30000) i;

-- Ten books of everybody's: those of number 20000 and above have no record any more. One record each of the others, half of them
-- shown to others, all of them finished; a day of progress, an earlier text, a goal and a deletion.
CREATE FUNCTION pg_temp.name(part text, i bigint) RETURNS uuid LANGUAGE sql IMMUTABLE
    AS $$ SELECT ('00000000-0000-0000-' || part || '-' || lpad(i::text, 12, '0'))::uuid $$;
INSERT INTO shelves (account_id, version) SELECT i, 1 FROM generate_series(1, 10000) i;
INSERT INTO shelf_books (id, account_id, version, key, title, authors, publisher, pages, folded)
SELECT i, (i - 1) % 10000 + 1, i, sha256(convert_to('book ' || i, 'UTF8')), 'Book ' || i, ARRAY ['author ' || i % 10], 'publisher', 100,
    'book ' || i || '%_ author'
FROM generate_series(1, 30000) i;
INSERT INTO reading_records (
    id, account_id, book_id, client_id, version, state, rating, ended_on, favourite_id, visibility, updated_at
)
SELECT i, (i - 1) % 10000 + 1, i, pg_temp.name('0000', i), 100000 + i, 'finished', 9, '2025-01-01'::date + (i % 365)::integer,
    CASE WHEN i % 2 = 1 THEN i END, CASE WHEN i % 2 = 0 THEN 'public' ELSE 'private' END, '2025-01-01'
FROM generate_series(1, 20000) i;
UPDATE reading_records SET ended_on = '2025-01-07' WHERE id = 7;
INSERT INTO reading_progress (record_id, day, account_id, page)
SELECT i, '2025-01-01'::date + (i % 365)::integer, (i - 1) % 10000 + 1, 7 FROM generate_series(1, 20000) i
ON CONFLICT DO NOTHING;
UPDATE reading_progress SET day = '2025-01-07' WHERE record_id = 7;
INSERT INTO earlier_texts (id, record_id, field, text)
SELECT i, (i - 1) % 5000 + 1, 'review', 'before' FROM generate_series(1, 20000) i;
INSERT INTO reading_goals (account_id, year, month, version, books)
SELECT i, 2025, m, 200000 + m, 1 FROM generate_series(1, 10000) i, generate_series(0, 2) m;
INSERT INTO shelf_tombstones (account_id, version, kind, item_id, client_id, deleted_at)
SELECT (i - 1) % 10000 + 1, 300000 + i, 'record', i, pg_temp.name('0001', i), '2025-01-01'::timestamptz + i * interval '1 minute'
FROM generate_series(1, 30000) i;
INSERT INTO shelf_writes (account_id, key, taken_at)
SELECT (i - 1) % 10000 + 1, pg_temp.name('0000', i), '2025-01-01'::timestamptz + i * interval '1 minute'
FROM generate_series(1, 20000) i;
-- Projects of person i + 1, in which person i + 2 is, too: of the first 15,000 everybody may apply for years; then a thousand each
-- whose deadline has passed, comes near, which are over with an open application, which are drafts, and which are deleted.
INSERT INTO projects (
    id, leader_id, state, title, summary, body, labels, tags, category, place, roles, deadline, link_hash, created_at,
    published_at, deleted_at, applications_count, open_count
)
SELECT i, pg_temp.person(i),
    CASE WHEN i > 18000 AND i <= 19000 THEN 'draft' WHEN i > 17000 AND i <= 18000 THEN 'finished' ELSE 'recruiting' END,
    'a title', 'a summary', 'a text', ARRAY ['tag' || i % 100], ARRAY ['tag' || i % 100], 'web', 'online',
    '[{"id": "1", "name": "iOS", "wanted": 5}]',
    CASE
        WHEN i <= 14000 THEN '2030-01-01'::timestamptz + i * interval '1 minute'
        WHEN i > 15000 AND i <= 16000 THEN '2025-01-01'::timestamptz + i * interval '1 minute'
        WHEN i > 16000 AND i <= 17000 THEN '2026-01-02 12:00:00Z'::timestamptz + (i - 16000) * interval '1 second'
    END,
    CASE WHEN i % 100 = 7 THEN sha256(convert_to('https://a.example/' || i, 'UTF8')) END, '2025-01-01', '2025-01-01',
    CASE WHEN i > 19000 THEN '2025-01-01'::timestamptz + i * interval '1 minute' END, i % 20, 1
FROM generate_series(1, 20000) i;
-- As if a picture were shown of which that is not known.
UPDATE projects SET media = '[{"id": "8000", "type": "image", "original": {"url": "a.jpg", "width": 1, "height": 1}}]' WHERE id = 7;
INSERT INTO project_facets (project_id, facet, state, deadline, applications_count)
SELECT p.id, f, p.state, coalesce(p.deadline, 'infinity'), p.applications_count
FROM projects p, unnest(ARRAY ['', 'c:web', 'p:online', 'r:ios', 't:' || p.tags[1]]) f
WHERE p.state <> 'draft' AND p.deleted_at IS NULL;
INSERT INTO project_members (project_id, account_id, role_id, since, joined_at)
SELECT id, leader_id, NULL::bigint, 1, '2025-01-01'::timestamptz FROM projects
UNION ALL
SELECT id, pg_temp.person(id + 1), 1, 2, '2025-01-01' FROM projects;
INSERT INTO applications (id, project_id, account_id, role_id, role_name, message, state, created_at, decided_at)
SELECT i, (i - 1) % 18000 + 1, pg_temp.person(i + 1), 1, 'iOS', 'a message', CASE WHEN i <= 18000 THEN 'open' ELSE 'declined' END,
    '2025-01-01', CASE WHEN i > 18000 THEN '2025-01-02'::timestamptz END
FROM generate_series(1, 30000) i;
INSERT INTO project_edits (project_id, created_at, form)
SELECT i, '2025-01-01'::timestamptz, '{"id": "7", "leader_id": "8", "state": "recruiting", "title": "a", "summary": "", "text": "",
    "mentions": [], "tags": [], "roles": [], "media": [], "created_at": "2025-01-01T00:00:00Z", "version": 1}'::jsonb
FROM generate_series(1, 18000) i
UNION ALL
SELECT 7, '2025-01-01'::timestamptz + i * interval '1 minute', '{"id": "7", "leader_id": "8", "state": "recruiting", "title": "a",
    "summary": "", "text": "", "mentions": [], "tags": [], "roles": [], "media": [], "created_at": "2025-01-01T00:00:00Z",
    "version": 1}'::jsonb
FROM generate_series(1, 30) i;
INSERT INTO project_bookmarks (account_id, project_id, id)
SELECT pg_temp.person(i + 1), i, i FROM generate_series(1, 18000) i;
INSERT INTO project_views (project_id, views) SELECT i, i FROM generate_series(1, 14000) i;

-- People of whom something is kept: every fourth is hidden, the others are limited, of all of them something else is in force by now.
INSERT INTO restrictions (account_id, kind, since, until, by_whom)
SELECT i, 'frozen', '2025-01-01', CASE WHEN i % 2 = 0 THEN '2025-01-01'::timestamptz + i * interval '1 minute' END, 'operator'
FROM generate_series(5001, 9000) i;
INSERT INTO restricted_accounts (account_id, restrictions, version)
SELECT i, CASE WHEN i % 4 = 0 THEN ARRAY['suspended'] ELSE ARRAY['limited'] END, 1 FROM generate_series(5001, 9000) i;
-- Report i is of person i about the next one, the first 10,000 open, and one in a hundred about a message of which nothing is known
-- yet; decision i is about person i + 1, and one in ten of an account itself.
INSERT INTO roles (account_id, role, version) SELECT i, 'moderator', 1 FROM generate_series(1, 50) i;
INSERT INTO reports (
    id, reporter_id, target_id, category, comment, created_at, updated_at, assigned_id, closed_id, closed_at
)
SELECT i, pg_temp.person(i - 1), CASE WHEN i <> 9 THEN pg_temp.person(i) END, 'spam', 'a comment', '2025-01-01'::timestamptz, '2025-01-01'::timestamptz,
    CASE WHEN i % 3 = 0 THEN i % 50 + 1 END, CASE WHEN i > 10000 THEN i % 50 + 1 END,
    CASE WHEN i > 10000 THEN '2025-01-01'::timestamptz + i * interval '1 minute' END
FROM generate_series(1, 20000) i
UNION ALL
SELECT 20001, 1, NULL::bigint, 'spam', '', '2025-01-01', '2025-01-01', NULL, NULL, NULL;
INSERT INTO report_things (report_id, kind, thing_id, account_id, snapshot)
SELECT i, CASE WHEN i % 100 = 7 THEN 'message' ELSE 'post' END, i::text, CASE WHEN i % 100 <> 7 THEN pg_temp.person(i) END,
    CASE WHEN i % 100 <> 7 THEN '{"text": "a text", "media_ids": [], "created_at": "2025-01-01T00:00:00Z"}'::jsonb END
FROM generate_series(1, 20000) i;
-- This place itself reports one in a thousand of the things, too.
INSERT INTO reports (id, reporter_id, target_id, category, comment, created_at, updated_at)
SELECT 20100 + i, NULL, pg_temp.person(1000 * i), 'violation', 'a word', '2025-01-01', '2025-01-01' FROM generate_series(1, 20) i;
INSERT INTO report_things (report_id, kind, thing_id, account_id, snapshot)
SELECT 20100 + i, 'post', (1000 * i)::text, pg_temp.person(1000 * i),
    '{"text": "a text", "media_ids": [], "created_at": "2025-01-01T00:00:00Z"}'::jsonb
FROM generate_series(1, 20) i;
INSERT INTO report_notes (id, report_id, account_id, text, created_at)
SELECT i, i, i % 50 + 1, 'a note', '2025-01-01' FROM generate_series(1, 20000) i;
INSERT INTO decisions (
    id, moderator_id, account_id, report_id, action, thing_kind, thing_id, reason, appeal_until, decided_at, lifted_at
)
SELECT i, i % 50 + 1, pg_temp.person(i), i, CASE WHEN i % 10 = 7 THEN 'freeze' ELSE 'remove' END,
    CASE WHEN i % 10 <> 7 THEN 'post' END, CASE WHEN i % 10 <> 7 THEN i::text END, 'a reason', '2025-02-01',
    '2025-01-01'::timestamptz + i * interval '1 minute', CASE WHEN i > 15000 THEN '2025-03-01'::timestamptz END
FROM generate_series(1, 20000) i;
INSERT INTO evidence (decision_id, kind, thing_id, snapshot, kept_until)
SELECT i, 'post', i::text, '{"text": "a text", "media_ids": [], "created_at": "2025-01-01T00:00:00Z"}', '2025-03-01'
FROM generate_series(19001, 19100) i;
INSERT INTO appeals (decision_id, account_id, text, state, created_at)
SELECT i, pg_temp.person(i), 'a text', CASE WHEN i % 10 = 7 THEN 'open' ELSE 'rejected' END, '2025-01-01'
FROM generate_series(1, 10000) i;
INSERT INTO moderation_log (id, moderator_id, deed, report_id, decision_id, account_id, at)
SELECT i, i % 50 + 1, 'decide', i, i, pg_temp.person(i), '2025-01-01'::timestamptz + i * interval '1 minute'
FROM generate_series(1, 20000) i;

-- Somebody who is deleted: account 7000007; of 7000008 nothing but the account is left.
INSERT INTO accounts (id, username, created_at)
VALUES (7000007, 'leaver', '2025-01-01'), (7000008, 'gone', '2025-01-01');
INSERT INTO posts (id, account_id, text, visibility, conversation_id, boost_of_id, mentioned_ids, mentioned_names, in_reply_to_id,
    in_reply_to_account_id, created_at, deleted_at, erased_at)
VALUES
    (7000011, 7000007, 'a post', 'public', 7000011, NULL, '{}', '{}', NULL, NULL, '2025-01-01', NULL, NULL),
    (7000012, 7000007, '', 'public', 7000011, 7, '{}', '{}', NULL, NULL, '2025-01-01', NULL, NULL),
    (7000013, 7000007, 'deleted', 'public', 7000011, NULL, '{}', '{}', NULL, NULL, '2025-01-01', '2025-01-02', NULL),
    (7000014, 7000007, '', 'public', 7000011, NULL, '{}', '{}', NULL, NULL, '2025-01-01', '2025-01-02', '2025-01-03'),
    (7000015, 8, 'an answer', 'public', 7000011, NULL, '{7000007}', '{leaver}', 7000014, 7000007, '2025-01-01', NULL, NULL);
INSERT INTO post_edits (post_id, created_at, text, spoiler_text, sensitive, mentioned_ids, mentioned_names)
VALUES (7000015, '2025-01-01', 'an answer', '', false, '{7000007}', '{leaver}');
INSERT INTO timeline (account_id, post_id, author_id) VALUES (7000007, 7, 8), (8, 7000011, 7000007);
INSERT INTO fanouts (post_id, author_id, after_id) VALUES (7000011, 7000007, 0);
INSERT INTO popular_accounts (account_id) VALUES (7000007);
INSERT INTO favourites (account_id, post_id, id) VALUES (7000007, 8, 7000011);
INSERT INTO bookmarks (account_id, post_id, id) VALUES (7000007, 8, 7000011);
INSERT INTO follows (follower_id, followee_id, id) VALUES (7000007, 8, 7000011), (8, 7000007, 7000012);
INSERT INTO follow_requests (follower_id, followee_id, id) VALUES (7000007, 9, 7000011), (9, 7000007, 7000012);
INSERT INTO blocks (account_id, target_id, id) VALUES (7000007, 9, 7000011), (9, 7000007, 7000012);
INSERT INTO mutes (account_id, target_id, id) VALUES (7000007, 9, 7000011), (9, 7000007, 7000012);
INSERT INTO account_notes (account_id, target_id, comment) VALUES (7000007, 9, 'a note'), (9, 7000007, 'a note');
INSERT INTO conversation_mutes (account_id, conversation_id) VALUES (7000007, 7);
INSERT INTO conversations (id, account_id, thread_id, party, last_post_id, unread)
VALUES (7000011, 7000007, 7000011, '{8,7000007}', 7000011, true), (7000012, 8, 7000011, '{8,7000007}', 7000011, true);
INSERT INTO idempotency_keys (account_id, key, request_hash, post_id, created_at) VALUES (7000007, 'a key', '\x00', 7000011, '2025-01-01');
INSERT INTO media (id, version, owner_id, failure) VALUES (7000016, 1, 7000007, 'broken');
INSERT INTO projects (id, leader_id, state, title, summary, body, mentioned_ids, mentioned_names, created_at, deleted_at, erased_at)
VALUES
    (7000017, 7000007, 'draft', 'a title', '', '', '{}', '{}', '2025-01-01', NULL, NULL),
    (7000018, 7000007, 'draft', 'a title', '', '', '{}', '{}', '2025-01-01', '2025-01-02', NULL),
    (7000019, 7000007, 'draft', '', '', '', '{}', '{}', '2025-01-01', '2025-01-02', '2025-01-03'),
    (7000020, 8, 'draft', 'a title', '', '', '{7000007}', '{leaver}', '2025-01-01', NULL, NULL);
INSERT INTO project_members (project_id, account_id, since, joined_at) VALUES (7000017, 7000007, 1, '2025-01-01');
INSERT INTO applications (id, project_id, account_id, role_id, role_name, message, created_at)
VALUES (7000010, 7000020, 7000007, 1, 'a role', 'a message', '2025-01-01');
INSERT INTO project_edits (project_id, created_at, form)
VALUES (7000020, '2025-01-01', '{"mentions": [{"id": "7000007", "username": "leaver"}]}');
INSERT INTO project_bookmarks (account_id, project_id, id) VALUES (7000007, 7, 7000011);
INSERT INTO shelves (account_id) VALUES (7000007);
INSERT INTO shelf_books (id, account_id, version, key, title, authors, folded)
VALUES (7000021, 7000007, 1, '\x01', 'a book', '{}', 'a book'), (7000022, 8, 7000001, '\x0102', 'a book', '{}', 'a book');
INSERT INTO reading_records (id, account_id, book_id, version, state, visibility, updated_at)
VALUES (7000023, 7000007, 7000022, 2, 'reading', 'public', '2025-01-01');
INSERT INTO reading_goals (account_id, year, month, version, books) VALUES (7000007, 2025, 0, 3, 7);
INSERT INTO shelf_tombstones (account_id, version, kind, item_id, deleted_at) VALUES (7000007, 4, 'book', 1, '2025-01-01');
INSERT INTO shelf_writes (account_id, key, taken_at) VALUES (7000007, '00000000-0000-0000-0000-000000000001', '2025-01-01');

INSERT INTO restricted_accounts (account_id, restrictions, version) VALUES (7000007, '{leaving}', 1);
INSERT INTO new_account_acts (account_id, act, since, times) VALUES (7000007, 'write', '2025-01-01', 1);
INSERT INTO roles (account_id, role, version) VALUES (7000007, 'moderator', 1);
INSERT INTO restrictions (account_id, kind, since, by_whom) VALUES (7000007, 'leaving', '2025-01-01', 'owner');
INSERT INTO reports (id, reporter_id, target_id, category, comment, created_at, updated_at, assigned_id, closed_id, closed_at)
VALUES
    (7000031, 8, 7000007, 'spam', '', '2025-01-01', '2025-01-01', NULL, NULL, NULL),
    (7000032, 7000007, 8, 'spam', 'a comment', '2025-01-01', '2025-01-01', 7000007, 7000007, '2025-01-01');
INSERT INTO report_things (report_id, kind, thing_id, account_id) VALUES (7000031, 'post', '7000011', 7000007);
INSERT INTO report_notes (id, report_id, account_id, text, created_at) VALUES (7000033, 7000032, 7000007, 'a note', '2025-01-01');
INSERT INTO decisions (id, moderator_id, account_id, action, reason, appeal_until, decided_at)
VALUES (7000034, 8, 7000007, 'warn', '', '2025-02-01', '2025-01-01'), (7000035, 7000007, 8, 'warn', '', '2025-02-01', '2025-01-01');
INSERT INTO evidence (decision_id, kind, thing_id, snapshot, kept_until) VALUES (7000034, 'post', '7000011', '{"text": "", "media_ids": [], "created_at": "2025-01-01T00:00:00Z"}', '2025-03-01');
INSERT INTO appeals (decision_id, account_id, text, state, created_at, moderator_id)
VALUES (7000034, 7000007, '', 'open', '2025-01-01', NULL), (7000035, 8, '', 'rejected', '2025-01-01', 7000007);
INSERT INTO moderation_log (id, moderator_id, deed, account_id, at)
VALUES (7000036, 8, 'decide', 7000007, '2025-01-01'), (7000037, 7000007, 'decide', 8, '2025-01-01');
