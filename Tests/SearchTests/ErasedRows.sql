-- Somebody of whom every table has something, and another. What is theirs has an id that begins with theirs.
CREATE FUNCTION pg_temp.leaver() RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT 880000000000000077';
INSERT INTO accounts (id, version, handle, indexable, gone) VALUES (pg_temp.leaver(), 1, 'marked77', true, false), (11, 1, 'ann', true, false);
INSERT INTO ties (kind, account_id, target_id, version, active) VALUES (0, pg_temp.leaver(), 11, 1, true), (0, 11, pg_temp.leaver(), 1, true);
INSERT INTO memberships (account_id, place_id, version, active, term) VALUES (pg_temp.leaver(), 101, 1, true, 7), (11, 101, 1, true, 7);
INSERT INTO documents (kind, id, version, author_id, audience, people, popularity, popularity_version, gone, keys, form, source)
VALUES
    (1, pg_temp.leaver(), 1, pg_temp.leaver(), 0, '{}', 0, 1, false, '{1}', 'marked77', 'marked77'),
    (2, 8800000000000000771, 1, pg_temp.leaver(), 1, '{11}', 0, 1, false, '{1}', 'marked77', 'marked77'),
    (8, 8800000000000000772, 1, NULL, 0, '{}', 0, 1, false, '{1}', 'marked77', 'marked77'),
    (8, 8800000000000000773, 1, NULL, 0, '{}', 0, 1, false, '{1}', 'alone marked77', 'alone marked77'),
    (2, 22, 1, 11, 1, ARRAY[12, pg_temp.leaver()], 0, 1, false, '{1}', 'for somebody', 'for somebody');
INSERT INTO names (kind, id, position, typed, within, weight) VALUES (1, pg_temp.leaver(), 0, 'marked77', false, 0), (1, 11, 0, 'ann', false, 0);
INSERT INTO uses (post_id, kind, thing_id, account_id) VALUES (8800000000000000771, 3, 5, pg_temp.leaver()), (22, 3, 5, 11);
INSERT INTO popular (post_id, popularity, version) VALUES (8800000000000000771, 3, 1), (22, 3, 1);
INSERT INTO shelved_books (record_id, version, shown, account_id, book_id, item)
VALUES
    (8800000000000000772, 1, true, pg_temp.leaver(), 1, '{"id": "1", "title": "a book", "authors": ["marked77"]}'),
    (8800000000000000773, 1, true, pg_temp.leaver(), 2, '{"id": "2", "title": "marked77", "authors": []}'),
    (52, 1, true, 11, 1, '{"id": "3", "title": "a book", "authors": []}');
