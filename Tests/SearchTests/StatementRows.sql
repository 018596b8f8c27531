-- The rows on which StatementTests runs the statements of search. No term of theirs is frequent: every key is a term with the mask
-- of the first list of a million, -1373228989: of 콘텐츠 and of numbers. Account 7 follows and has blocked others and is in place 1.

INSERT INTO accounts (id, version, handle, indexable, gone)
SELECT i, 1, 'p' || i, true, false FROM generate_series(1, 20000) i;

INSERT INTO ties (kind, account_id, target_id, version, active)
SELECT i % 2 + 1, i % 100, i, 1, true FROM generate_series(1, 20000) i WHERE i % 100 <> i;

INSERT INTO memberships (account_id, place_id, version, active, term)
SELECT i % 100, i / 100 + 1, 1, true, i / 100 + 1 FROM generate_series(0, 19999) i;

INSERT INTO segments (kind, number, first_id)
SELECT k, i, i * 1000 FROM generate_series(0, 19) i, unnest(ARRAY[2, 6]) k;

INSERT INTO frequent (kind, term, since, shift)
SELECT k, -i, i / 1000, 3 FROM generate_series(1, 19999) i, unnest(ARRAY[2, 6]) k;

INSERT INTO documents (kind, id, version, author_id, audience, place_id, people, popularity, popularity_version, gone, keys, form, source)
SELECT k, i, 1, i, CASE WHEN k = 6 THEN 5 ELSE 1 END, CASE WHEN k = 6 THEN i % 50 + 1 END, '{}', 0, 0, false,
    (SELECT array_agg(t # -1373228989) FROM unnest(ARRAY[i, i % 50 + 1, 1997668830, -913400965]) t), ' 콘텐츠 ', '콘텐츠'
FROM generate_series(1, 20000) i, unnest(ARRAY[1, 2, 6]) k;

INSERT INTO names (kind, id, position, typed, initials, near, within, weight)
SELECT 1, i, 0, 'name' || i, 'ㄱ' || i, ARRAY[i], false, i % 7 FROM generate_series(1, 20000) i;

INSERT INTO words (word, near) SELECT 'word' || i, ARRAY[i] FROM generate_series(1, 20000) i;

-- Every hundredth has ended long ago; place 19000 is gone, and document 19000 of an account is in it.
UPDATE accounts SET is_suggested = true, followers = id % 1000, languages = '{ko}', language = 'ko', profile = id;
UPDATE ties SET active = false, changed_at = 'epoch' WHERE target_id % 100 = 50;
UPDATE memberships SET active = false, changed_at = 'epoch' WHERE place_id = 150;
UPDATE documents SET gone = true, changed_at = 'epoch' WHERE kind = 2 AND id % 1000 = 500;

INSERT INTO places (id, parent_id, version, name, gone, changed_at)
SELECT i, i / 10, 1, 'place' || i, i % 1000 = 0, 'epoch' FROM generate_series(1, 20000) i;
UPDATE documents SET place_id = 19000 WHERE kind = 1 AND id = 19000;

INSERT INTO documents (kind, id, version, author_id, audience, place_id, people, popularity, popularity_version, gone, keys, form, source)
SELECT 5, i, 1, NULL, 0, NULL, '{}', 0, 0, false, '{}', ' name ', 'name' FROM generate_series(1, 100) i;
INSERT INTO names (kind, id, position, typed, within, weight) SELECT 5, i, 0, 'name' || i, false, 0 FROM generate_series(1, 100) i;

INSERT INTO uses (post_id, kind, thing_id, account_id)
SELECT CAST(i AS bigint) << 16, CASE WHEN i % 2 = 0 THEN 11 ELSE 3 END, i % 100, i FROM generate_series(1, 20000) i;
INSERT INTO links (id, url, last_post_id)
SELECT i, 'https://' || i, CAST(i AS bigint) << 16 FROM generate_series(1, 20000) i;
INSERT INTO popular (post_id, popularity, version) SELECT i, i, 1 FROM generate_series(1, 20000) i;
INSERT INTO askers (query_id, asker_id, asked_at)
SELECT i / 10, i, to_timestamp(i) FROM generate_series(1, 20000) i;
INSERT INTO popular_queries (query_id, typed, text, people, asked_at)
SELECT i, 'query' || i, 'query ' || i, 10, to_timestamp(i) FROM generate_series(1, 20000) i;
-- Who has asked `something new` before, by the number of that question.
INSERT INTO askers (query_id, asker_id, asked_at)
SELECT 1113147956156613565, i, now() FROM generate_series(1, 10) i;

INSERT INTO ties (kind, account_id, target_id, version, active) SELECT 1, 7, i, 1, true FROM generate_series(2, 98, 2) i;
INSERT INTO places (id, version, name, gone) SELECT i, 1, 'place' || i, false FROM generate_series(100001, 120000) i;

-- Books of which every tenth has no number; each answer has two of them.
INSERT INTO books (source, id, isbn, item, terms, told_at)
SELECT 'naver', 'book' || i, CASE WHEN i = 7 THEN '9788936434120' WHEN i % 10 > 0 THEN '978' || i END,
    '{"source":"naver","id":"book' || i || '","title":"Book","authors":[],"translators":[]}', ARRAY[i, -1, i % 100],
    timestamptz '2026-01-01Z' + i * interval '1 minute'
FROM generate_series(1, 20000) i;
INSERT INTO book_answers (hash, source, ids, total, touched_at, fresh_until)
SELECT sha256(CAST(CAST(i AS text) AS bytea)), 'naver', ARRAY['book' || i, 'book' || (i + 1)], 2,
    timestamptz '2026-01-01Z' + i * interval '1 minute', timestamptz '2026-01-01Z' + i * interval '2 minutes'
FROM generate_series(1, 20000) i;
INSERT INTO book_asks (source, day, asked) SELECT 'naver', date '2026-01-01' + i, 5 FROM generate_series(1, 30) i;
INSERT INTO usage (day, name, platform, version, events)
SELECT date '2026-01-01' + i / 100, 'name' || i % 100, 'ios', '1.0', i FROM generate_series(1, 20000) i;
INSERT INTO usage_words (kind, word, told_on) SELECT 1, 'name' || i, date '2026-01-01' FROM generate_series(0, 99) i;
-- Records of reading, each tenth of a book that others read as well; every hundredth has ended long ago.
INSERT INTO shelved_books (record_id, version, shown, account_id, book_id, item, changed_at)
SELECT i, 1, i % 100 <> 50, i, CASE WHEN i % 10 = 0 THEN i / 100 ELSE i END, '{"id":"1","title":"Book","authors":[]}', 'epoch'
FROM generate_series(1, 20000) i;

-- Somebody who is deleted: account 7000007; of 7000008 nothing but the account is left.
INSERT INTO accounts (id, version, handle, indexable, gone) VALUES (7000007, 1, 'leaver', true, false);
INSERT INTO ties (kind, account_id, target_id, version, active) VALUES (0, 7000007, 8, 1, true), (0, 8, 7000007, 1, true);
INSERT INTO memberships (account_id, place_id, version, active, term) VALUES (7000007, 7, 1, true, 7);
INSERT INTO documents (kind, id, version, author_id, audience, people, popularity, popularity_version, gone, keys, form, source)
VALUES (2, 7000011, 1, 7000007, 1, '{}', 0, 1, false, '{}', '', ''), (2, 7000012, 1, 8, 1, '{7000007}', 0, 1, false, '{}', '', '');
INSERT INTO uses (post_id, kind, thing_id, account_id) VALUES (7000011, 3, 5, 7000007);
INSERT INTO popular (post_id, popularity, version) VALUES (7000011, 3, 1);
INSERT INTO shelved_books (record_id, version, shown, account_id, book_id, item) VALUES (7000013, 1, true, 7000007, 1, '{}');

INSERT INTO term_upgrades (since) VALUES ('2026-01-01');
INSERT INTO rebuilds (queue, state, started_at) VALUES ('search.index', 'finished', '2026-01-02');
