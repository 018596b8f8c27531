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

INSERT INTO places (id, version, name, gone) SELECT i, 1, 'place' || i, false FROM generate_series(100001, 120000) i;
