-- Somebody of whom every table has something, and another. What is theirs has an id that begins with theirs.
CREATE FUNCTION pg_temp.leaver() RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT 880000000000000077';
INSERT INTO uploads (id, owner_id, state, purpose, description, length, received, created_at, kept_bytes, media, unused_since)
VALUES
    (8800000000000000771, pg_temp.leaver(), 'ready', 'attachment', 'marked77', 7, 7, '2025-01-01', 7,
        '{"media_id": "8800000000000000771", "owner_id": "880000000000000077", "type": "image", "original": {"url": "a-file", "width": 1, "height": 1}, "mime_type": "image/png", "bytes": 7, "subject_version": 1, "description": "marked77"}', NULL),
    (8800000000000000772, pg_temp.leaver(), 'receiving', 'attachment', 'marked77', 7, 3, '2025-01-01', 0, NULL, '2025-01-01'),
    (73, pg_temp.leaver(), 'ready', 'gif', NULL, 7, 7, '2025-01-01', 7, '{"media_id": "73", "owner_id": "880000000000000077", "type": "image", "original": {"url": "a-file", "width": 1, "height": 1}, "mime_type": "image/png", "bytes": 7, "subject_version": 1}', NULL),
    (74, 11, 'ready', 'attachment', 'of another', 7, 7, '2025-01-01', 7, '{"media_id": "74", "owner_id": "11", "type": "image", "original": {"url": "a-file", "width": 1, "height": 1}, "mime_type": "image/png", "bytes": 7, "subject_version": 1}', NULL);
INSERT INTO files (name, bytes, loose_since) VALUES ('marked77', 7, NULL), ('shared', 7, NULL), ('gif', 7, NULL);
INSERT INTO renditions (upload_id, file)
VALUES (8800000000000000771, 'marked77'), (8800000000000000771, 'shared'), (74, 'shared'), (73, 'gif');
INSERT INTO uses (kind, subject_id, upload_id) VALUES ('post', 1, 8800000000000000771), ('post', 2, 74);
INSERT INTO gifs (id, importer_id, importer_name, kind, rating, title, alt_text, tags, category, subcategory, keys, form, files, created_at)
VALUES (73, pg_temp.leaver(), 'marked77', 1, 1, 'a cat', '', '{}', '', '', '{}', '', '{}', '2025-01-01');
INSERT INTO gif_favourites (account_id, gif_id, place) VALUES (pg_temp.leaver(), 73, 1), (11, 73, 2);
INSERT INTO gif_collections (id, account_id, name, created_at)
VALUES (8800000000000000773, pg_temp.leaver(), 'marked77', '2025-01-01'), (81, 11, 'of another', '2025-01-01');
INSERT INTO gif_collected (collection_id, gif_id, place) VALUES (8800000000000000773, 73, 1), (81, 73, 2);
INSERT INTO exports (id, account_id, asked_at) VALUES (8800000000000000774, pg_temp.leaver(), '2025-01-01'), (91, 11, '2025-01-01');
INSERT INTO export_parts (export_id, service, number, file, content, is_last)
VALUES (8800000000000000774, 'posts', 0, 'posts/880000000000000077.json', '[]', true), (91, 'posts', 0, 'posts/posts.json', '[]', true);
INSERT INTO restricted_accounts (account_id, restrictions, version) VALUES (pg_temp.leaver(), '{leaving}', 1), (11, '{limited}', 1);
