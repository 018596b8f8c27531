-- The rows on which StatementTests runs the statements of media. Of ten uploads one after another the first is ready and
-- shown, the second is still coming, the third waits, the fourth failed, and the
-- others are ready and shown by nothing.

INSERT INTO uploads (
    id, owner_id, state, purpose, length, received, created_at, expires_at, attempts, media, failure, kept_bytes,
    unused_since
)
SELECT i, CASE WHEN i < 1000 THEN 1 ELSE i / 20 END,
    CASE i % 10 WHEN 2 THEN 'receiving' WHEN 3 THEN 'processing' WHEN 4 THEN 'failed' ELSE 'ready' END,
    'attachment', 5, CASE WHEN i % 100 = 2 AND i <> 202 THEN 3 ELSE 5 END, timestamptz '2026-01-01Z' + i * interval '1 minute',
    CASE WHEN i % 10 = 2 THEN timestamptz '2026-01-02Z' + i * interval '1 minute' END,
    CASE WHEN i % 10 IN (2, 3) THEN 1 ELSE 0 END,
    CASE WHEN i % 10 NOT IN (2, 3, 4) THEN jsonb_build_object(
        'media_id', i::text, 'owner_id', '1', 'type', 'image', 'mime_type', 'image/jpeg', 'bytes', 5,
        'subject_version', 1, 'original', jsonb_build_object('url', lpad(i::text, 32, '0') || '.jpg', 'width', 1, 'height', 1)
    ) END,
    CASE WHEN i % 10 = 4 THEN 'damaged' END, 5, CASE WHEN i % 10 <> 1 THEN timestamptz '2026-01-01Z' + i * interval '1 minute' END
FROM generate_series(1, 20000) i;

-- A file of somebody who signs up.
INSERT INTO uploads (id, owner_id, state, purpose, length, received, created_at, expires_at, kept_bytes)
VALUES (30001, 0, 'receiving', 'avatar', 5, 5, '2026-01-01Z', '2026-01-01Z', 5);

INSERT INTO files (name, bytes, loose_since)
SELECT lpad(i::text, 32, '0') || '.jpg', 5,
    CASE WHEN i % 10 = 7 THEN timestamptz '2026-01-01Z' + i * interval '1 minute' END
FROM generate_series(1, 20000) i;

INSERT INTO renditions (upload_id, file)
SELECT i, lpad(i::text, 32, '0') || '.jpg' FROM generate_series(1, 20000) i WHERE i % 10 NOT IN (2, 3, 4, 7);

INSERT INTO subjects (kind, id, version, touched_at)
SELECT 'post', i, 1, timestamptz '2026-01-01Z' + i * interval '1 minute' FROM generate_series(1, 20000) i;

INSERT INTO uses (kind, subject_id, upload_id)
SELECT 'post', i, i FROM generate_series(1, 20000) i WHERE i % 10 = 1;

-- Of ten pages the third is due, the fourth shows nothing, and nothing links to the fifth any more.
INSERT INTO links (hash, id, url, host, state, version, card, image_id, touched_at, fetched_at, fresh_until, due_at)
SELECT sha256(convert_to('https://a.example/' || i, 'UTF8')), 1000 + i, 'https://a.example/' || i, (i / 10) || '.example',
    CASE i % 10 WHEN 3 THEN 'waiting' WHEN 4 THEN 'nothing' ELSE 'ready' END, 1,
    CASE WHEN i % 10 NOT IN (3, 4) THEN '{"url": "https://a.example/", "title": "a", "description": "", "type": "link"}'::jsonb END,
    CASE WHEN i % 10 = 5 THEN 900000 + i END, timestamptz '2026-01-01Z' + i * interval '1 minute', '2026-01-01Z', '2026-01-02Z',
    CASE WHEN i % 10 = 3 THEN timestamptz '2026-01-01Z' + i * interval '1 minute' END
FROM generate_series(1, 20000) i;

INSERT INTO mentions (kind, subject_id, version, hash, touched_at)
SELECT 'post', i, 1, CASE WHEN i % 10 <> 5 THEN sha256(convert_to('https://a.example/' || i, 'UTF8')) END,
    timestamptz '2026-01-01Z' + i * interval '1 minute'
FROM generate_series(1, 20000) i;

-- Of ten covers the third is fetched now, and the fourth cannot be had.
INSERT INTO covers (hash, host, file, image_id, touched_at, fresh_until, leased_until)
SELECT sha256(convert_to('https://c.example/' || i, 'UTF8')), (i / 10) || '.example',
    CASE WHEN i % 10 NOT IN (3, 4) THEN lpad(i::text, 32, '0') || '.jpg' END, CASE WHEN i % 10 NOT IN (3, 4) THEN 950000 + i END,
    timestamptz '2026-01-01Z' + i * interval '1 minute', CASE WHEN i % 10 <> 3 THEN timestamptz '2026-07-01Z' END,
    CASE WHEN i % 10 = 3 THEN timestamptz '2026-01-01Z' + i * interval '1 minute' END
FROM generate_series(1, 20000) i;

-- Of the same ids are GIFs, of which each tenth is called `cat` (the keys of the word, of the kind and of the whole title). Each is in
-- one of a hundred categories, somebody's favourite, and in a collection; the first thousand belong to one account.

INSERT INTO gifs (id, importer_id, kind, rating, title, alt_text, tags, category, subcategory, keys, form, files, source, created_at, score)
SELECT i, 1, 1, i % 5, 'cat', '', '{cat}', CAST(i % 100 AS text), CAST(i % 100 AS text),
    CASE WHEN i % 10 = 1 THEN CAST('{730229949,-578069850,-1834857561}' AS integer[]) ELSE ARRAY[i, -578069850] END, ' cat ', '{}', CAST(i AS text),
    timestamptz '2026-01-01Z' + i * interval '1 minute', i % 7
FROM generate_series(1, 20000) i;

INSERT INTO gif_tags (tag, gif_id) SELECT CASE WHEN i % 100 = 21 THEN 'cat' ELSE 'tag' || i END, i FROM generate_series(1, 20000) i;
INSERT INTO gif_tags (tag, gif_id) SELECT 'pet', i FROM generate_series(1, 20000) i WHERE i % 100 = 21;

INSERT INTO gif_takings (upload_id, gif_id, taken_at)
SELECT i, i, timestamptz '2026-01-01Z' + i * interval '1 minute' FROM generate_series(20001, 40000) i;

INSERT INTO gif_favourites (account_id, gif_id, place)
SELECT CASE WHEN i < 1000 THEN 1 ELSE i / 20 END, i, i FROM generate_series(1, 20000) i;

INSERT INTO gif_collections (id, account_id, name, created_at)
SELECT i, CASE WHEN i < 200 THEN 1 ELSE i / 20 END, 'a collection', timestamptz '2026-01-01Z' FROM generate_series(1, 20000) i;

INSERT INTO gif_collected (collection_id, gif_id, place) SELECT i, i, i FROM generate_series(1, 20000) i;

-- Answers of others with two GIFs each, one of them in each hundredth answer, and GIFs that somebody keeps.

INSERT INTO gif_answers (hash, ids, items, total, touched_at, fresh_until)
SELECT sha256(CAST(CAST(i AS text) AS bytea)), ARRAY['gif' || i, 'shared' || i % 100], ARRAY['{}', '{}'], 2,
    timestamptz '2026-01-01Z' + i * interval '1 minute', timestamptz '2026-01-01Z' + i * interval '2 minutes'
FROM generate_series(1, 20000) i;

INSERT INTO upstream_gifs (id, gif, item, touched_at)
SELECT 100000 + i, 'gif' || i, '{}', timestamptz '2026-01-01Z' + i * interval '1 minute' FROM generate_series(1, 20000) i;

-- Archives of one account each, a sixth in each state; what every service handed over for those that gather, are written or failed.

INSERT INTO exports (id, account_id, state, asked_at, ready_at, expires_at, file, bytes, failure, attempts)
SELECT i, i, s, timestamptz '2026-01-01Z' + i * interval '1 second', CASE WHEN s = 'ready' THEN timestamptz '2026-01-02Z' END,
    CASE WHEN s = 'ready' THEN timestamptz '2026-01-09Z' + i * interval '1 second' END,
    CASE WHEN s = 'ready' THEN lpad(i::text, 32, '0') || '.zip' END, CASE WHEN s = 'ready' THEN 5 END,
    CASE WHEN s = 'failed' THEN 'late' END, CASE WHEN s = 'writing' THEN 1 ELSE 0 END
FROM generate_series(300001, 320000) i,
    LATERAL (SELECT (ARRAY['gathering', 'writing', 'ready', 'failed', 'deleted', 'expired'])[i % 6 + 1]) v (s);

INSERT INTO export_parts (export_id, service, number, file, about, content, is_last)
SELECT e.id, s, 0, s || '/' || s || '.json', '', '[]', true
FROM exports e, unnest(ARRAY['auth', 'posts', 'chat', 'notifications', 'search']) s
WHERE e.state IN ('gathering', 'writing', 'failed');

-- Somebody who is deleted: account 7000007; of 7000008 nothing but the account is left.
INSERT INTO uploads (id, owner_id, state, purpose, length, received, created_at, kept_bytes, media)
VALUES (7000011, 7000007, 'ready', 'attachment', 7, 7, '2025-01-01', 7, '{}');
INSERT INTO files (name, bytes) VALUES ('leaver', 7);
INSERT INTO renditions (upload_id, file) VALUES (7000011, 'leaver');
INSERT INTO gifs (id, importer_id, importer_name, kind, rating, title, alt_text, tags, category, subcategory, keys, form, files, created_at)
VALUES (7000012, 7000007, 'leaver', 1, 1, 'a cat', '', '{}', '', '', '{}', '', '{}', '2025-01-01');
INSERT INTO gif_favourites (account_id, gif_id, place) VALUES (7000007, 7, 7000011);
INSERT INTO gif_collections (id, account_id, name, created_at) VALUES (7000013, 7000007, 'kept', '2025-01-01');
INSERT INTO gif_collected (collection_id, gif_id, place) VALUES (7000013, 7, 7000011);

-- Of many something was once in force.
INSERT INTO restricted_accounts (account_id, restrictions, version)
SELECT i, CASE WHEN i % 2 = 0 THEN ARRAY['suspended'] ELSE ARRAY[]::text[] END, 1 FROM generate_series(100001, 120000) i
UNION ALL
SELECT 7000007, ARRAY['leaving'], 1;
