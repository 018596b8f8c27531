-- SPDX-License-Identifier: Apache-2.0
-- Fills the schema of posts as after years of use; psql variables: accounts, posts. The same every time.
--
-- Account n has the id 1000 + n. Account 1 is followed by everybody; 2 to 65 by 4,900 each. Readers 101, 102 and 103
-- follow 10, 500 and 5,000 accounts. Post n has the id (start + n * step) << 16. Post 1 has a thread of 10,000 replies.
-- Every tenth post carries the tag "common", three of them "rare".
\set QUIET on
SET synchronous_commit = off;
SET work_mem = '256MB';
SET maintenance_work_mem = '512MB';
SELECT setseed(0.42) \g /dev/null

CREATE TEMPORARY TABLE scale AS
SELECT (extract(epoch FROM now() - interval '2 years') * 1000)::bigint AS start,
    (2 * 365 * 86400000::bigint) / :posts AS step;

INSERT INTO accounts (id, username, display_name, created_at, last_post_at, posts_count)
SELECT 1000 + n, 'scale' || n, 'Scale ' || n, now() - interval '2 years', now(), :posts / :accounts
FROM generate_series(1, :accounts) n;

-- Some write much, most little; three in a hundred entries are boosts, fifteen are replies.
INSERT INTO posts (id, account_id, text, visibility, language, in_reply_to_id, in_reply_to_account_id,
    conversation_id, boost_of_id, tags, created_at)
SELECT (s.start + n * s.step) << 16,
    1000 + author,
    CASE WHEN kind < 3 THEN '' ELSE 'Post number ' || n || ' 마당에서 만나요 ' || md5(n::text) END,
    CASE WHEN kind < 3 OR n % 10 < 7 THEN 'public' WHEN n % 10 = 7 THEN 'unlisted' ELSE 'private' END,
    CASE WHEN n % 3 = 0 THEN 'ko' WHEN n % 3 = 1 THEN 'ja' ELSE 'en' END,
    CASE WHEN kind >= 85 AND n > 200000 THEN (s.start + (n - 100000) * s.step) << 16 END,
    CASE WHEN kind >= 85 AND n > 200000 THEN 1000 + author END,
    (s.start + n * s.step) << 16,
    -- Boosts are of posts that are none: the numbers just behind a multiple of 1,000.
    CASE WHEN kind < 3 AND n > 100000 THEN (s.start + ((n - 90000) / 1000 * 1000 + 1) * s.step) << 16 END,
    CASE WHEN kind < 3 THEN '{}' WHEN n % 333333 = 0 THEN '{common,rare}' WHEN n % 10 = 0 THEN '{common}' ELSE ARRAY['tag' || n % 5000] END,
    to_timestamp((s.start + n * s.step) / 1000.0)
FROM scale s, LATERAL (
    SELECT n, 1 + floor(power(random(), 2) * (:accounts - 1))::bigint AS author,
        CASE WHEN n % 1000 = 1 THEN 50 ELSE n * 7919 % 100 END AS kind
    FROM generate_series(1::bigint, :posts) n
) p
ON CONFLICT DO NOTHING;

INSERT INTO post_tags (tag, post_id)
SELECT tag, p.id FROM posts p CROSS JOIN unnest(p.tags) tag WHERE p.visibility = 'public' AND p.boost_of_id IS NULL;

INSERT INTO posts (id, account_id, text, visibility, in_reply_to_id, in_reply_to_account_id, conversation_id, created_at)
SELECT root.id + n, 1000 + 1 + n % 1000, 'Reply ' || n, 'public',
    CASE WHEN n % 5 = 0 OR n < 10 THEN root.id ELSE root.id + n - 1 - n % 3 END, root.account_id, root.id, root.created_at
FROM scale s CROSS JOIN LATERAL (SELECT * FROM posts WHERE id = (s.start + s.step) << 16) root
CROSS JOIN generate_series(1, 10000) n;
UPDATE posts SET replies_count = 2000 WHERE id = (SELECT (start + step) << 16 FROM scale);

INSERT INTO follows (follower_id, followee_id, id)
SELECT 1000 + n, 1001, n FROM generate_series(2, least(:accounts, 100001)) n
UNION ALL
SELECT 1000 + 200 + (a * 997 + n) % (:accounts - 200), 1000 + a, 1000000 + a * 10000 + n
FROM generate_series(2, 65) a, generate_series(1, 4900) n
UNION ALL
SELECT 1000 + reader, 1000 + 200 + n, 2000000 + reader * 10000 + n
FROM (VALUES (101, 10), (102, 500), (103, 5000)) r (reader, follows), generate_series(1, r.follows) n
UNION ALL
SELECT 1000 + a, 1000 + 70 + (a * 31 + n * 17) % (:accounts - 70), 3000000 + a * 10 + n
FROM generate_series(104, :accounts) a, generate_series(1, 5) n
WHERE (a * 31 + n * 17) % (:accounts - 70) + 70 <> a
ON CONFLICT DO NOTHING;
UPDATE accounts a SET followers_count = f.followers
FROM (SELECT followee_id, count(*) AS followers FROM follows GROUP BY 1) f WHERE f.followee_id = a.id;
INSERT INTO popular_accounts SELECT id FROM accounts WHERE followers_count > 20000;

-- What fan-out brought: everything of the last weeks to the three readers, and some to everybody.
INSERT INTO timeline (account_id, post_id, author_id)
SELECT f.follower_id, p.id, p.account_id
FROM follows f
JOIN posts p ON p.account_id = f.followee_id AND p.deleted_at IS NULL AND p.visibility <> 'direct'
WHERE f.follower_id IN (1101, 1102, 1103) AND p.account_id NOT IN (SELECT account_id FROM popular_accounts)
ON CONFLICT DO NOTHING;
INSERT INTO timeline (account_id, post_id, author_id)
SELECT 1000 + 104 + (n * 13) % (:accounts - 104), p.id, p.account_id
FROM generate_series(1::bigint, :posts * 2) n
JOIN scale s ON true
JOIN posts p ON p.id = (s.start + (n / 2 + 1) * s.step) << 16
ON CONFLICT DO NOTHING;

INSERT INTO favourites (account_id, post_id, id)
SELECT 1001 + n % :accounts, p.id, n
FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM posts WHERE boost_of_id IS NULL) p
WHERE n % 2 = 0
UNION ALL
SELECT 1101, p.id, 10000000 + n
FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM posts WHERE boost_of_id IS NULL ORDER BY id LIMIT 40000) p
WHERE n % 2 = 1
ON CONFLICT DO NOTHING;
UPDATE posts p SET favourites_count = f.number
FROM (SELECT post_id, count(*) AS number FROM favourites GROUP BY post_id) f WHERE p.id = f.post_id;
-- popular_accounts is left without statistics, as a small table is that autovacuum does not look at.
VACUUM ANALYZE accounts, posts, post_tags, follows, timeline, favourites;
