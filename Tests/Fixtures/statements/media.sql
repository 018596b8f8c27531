-- CoverStore.claim(_:of:atOnce:at:until:in:)
INSERT INTO covers AS c (hash, host, touched_at, leased_until)
SELECT $1, $2, $3, $4
WHERE $5 > (SELECT count(*) FROM covers b WHERE b.host = $6 AND b.leased_until > $7)
ON CONFLICT (hash) DO UPDATE SET leased_until = excluded.leased_until
WHERE coalesce(c.fresh_until <= $8, true) AND coalesce(c.leased_until <= $9, true);

-- CoverStore.cover(_:at:in:)
SELECT file, is_fresh, touched_at
FROM (
    SELECT file, fresh_until > $1 AS is_fresh, touched_at
    FROM covers
    WHERE hash = $2 AND fresh_until IS NOT NULL
) c;

-- CoverStore.forget(before:in:)
DELETE FROM covers
WHERE hash IN (
    SELECT hash FROM covers WHERE touched_at < $1
    ORDER BY touched_at LIMIT 100 FOR UPDATE SKIP LOCKED
)
RETURNING image_id;

-- CoverStore.hold(in:)
SELECT pg_advisory_xact_lock($1);

-- CoverStore.keep(_:file:as:until:in:)
UPDATE covers SET file = $1, image_id = $2, fresh_until = $3, leased_until = NULL
WHERE hash = $4;

-- CoverStore.leave(_:until:in:)
UPDATE covers SET fresh_until = $1, leased_until = NULL WHERE hash = $2;

-- CoverStore.lock(_:in:)
SELECT image_id FROM covers WHERE hash = $1 FOR UPDATE;

-- CoverStore.release(_:in:)
UPDATE covers SET leased_until = NULL WHERE hash = $1;

-- CoverStore.touch(_:at:in:)
UPDATE covers SET touched_at = $1 WHERE hash = $2;

-- ErasedAccountStore.disownGifs(of:in:)
WITH given AS (
    UPDATE gifs SET importer_id = 0, importer_name = NULL
    WHERE id IN (
        SELECT id FROM gifs WHERE importer_id = $1 AND importer_id <> 0 ORDER BY id LIMIT 200
    )
    RETURNING id
),
uploaded AS (
    UPDATE uploads u
    SET owner_id = 0, media = jsonb_set(u.media, '{owner_id}', '"0"')
    FROM given g
    WHERE u.id = g.id
)
SELECT id FROM given;

-- ErasedAccountStore.files(of:in:)
SELECT name FROM files
WHERE name IN (SELECT file FROM renditions WHERE upload_id = ANY ($1)) AND loose_since IS NULL
ORDER BY name
FOR UPDATE;

-- ErasedAccountStore.marks, gif_collected
DELETE FROM gif_collected
WHERE (collection_id, gif_id) IN (SELECT collection_id, gif_id FROM gif_collected WHERE collection_id IN (SELECT id FROM gif_collections WHERE account_id = $1) LIMIT 500);

-- ErasedAccountStore.marks, gif_collections
DELETE FROM gif_collections
WHERE (id) IN (SELECT id FROM gif_collections WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.marks, gif_favourites
DELETE FROM gif_favourites
WHERE (account_id, gif_id) IN (SELECT account_id, gif_id FROM gif_favourites WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.marks, restricted_accounts
DELETE FROM restricted_accounts
WHERE (account_id) IN (SELECT account_id FROM restricted_accounts WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.uploads(of:in:)
SELECT id FROM uploads WHERE owner_id = $1 ORDER BY id LIMIT 50 FOR UPDATE;

-- ExportPartStore.forget(of:in:)
DELETE FROM export_parts WHERE export_id = $1;

-- ExportPartStore.forgetEnded(in:)
DELETE FROM export_parts WHERE ctid = ANY (ARRAY(
    SELECT p.ctid FROM export_parts p
    WHERE p.export_id = (
        SELECT e.id FROM exports e
        WHERE e.state IN ('failed', 'deleted', 'expired')
            AND EXISTS (SELECT FROM export_parts x WHERE x.export_id = e.id)
        ORDER BY e.asked_at LIMIT 1
    )
    LIMIT 1000
));

-- ExportPartStore.keep(_:in:)
INSERT INTO export_parts (export_id, service, number, file, about, content, is_last)
SELECT * FROM unnest(
    $1, $2, $3, $4,
    $5, $6, $7
)
ON CONFLICT DO NOTHING;

-- ExportPartStore.parts(of:from:after:limit:in:)
SELECT export_id, service, number, file, about, content, is_last FROM export_parts
WHERE export_id = $1 AND service = $2 AND number > $3
ORDER BY number LIMIT $4;

-- ExportPartStore.size(of:in:)
SELECT coalesce(sum(octet_length(content)), 0)::bigint FROM export_parts WHERE export_id = $1;

-- ExportStore.abandon(before:in:)
UPDATE exports SET state = 'failed', failure = $1
WHERE id = ANY (ARRAY(
    SELECT id FROM exports WHERE state = 'gathering' AND asked_at < $2
    ORDER BY asked_at LIMIT 100 FOR UPDATE SKIP LOCKED
));

-- ExportStore.ask(_:for:at:in:)
INSERT INTO exports (id, account_id, asked_at) VALUES ($1, $2, $3)
ON CONFLICT DO NOTHING;

-- ExportStore.claim(at:lease:in:)
UPDATE exports SET attempts = attempts + 1, leased_until = $1
WHERE id = (
    SELECT id FROM exports
    WHERE state = 'writing' AND (leased_until IS NULL OR leased_until < $2)
    ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
)
RETURNING id, account_id, state, asked_at, ready_at, expires_at, file, bytes, failure, attempts::bigint;

-- ExportStore.delete(_:of:in:)
UPDATE exports SET state = 'deleted', file = NULL, bytes = NULL, leased_until = NULL
WHERE id = $1 AND account_id = $2 AND state <> 'deleted';

-- ExportStore.erase(of:in:)
DELETE FROM exports WHERE account_id = $1 RETURNING id;

-- ExportStore.expire(at:in:)
UPDATE exports SET state = 'expired', file = NULL
WHERE id = ANY (ARRAY(
    SELECT id FROM exports WHERE state = 'ready' AND expires_at <= $1
    ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED
))
RETURNING id;

-- ExportStore.export(_:of:in:)
SELECT id, account_id, state, asked_at, ready_at, expires_at, file, bytes, failure, attempts::bigint FROM exports
WHERE id = $1 AND account_id = $2 AND state <> 'deleted';

-- ExportStore.fail(_:_:in:)
UPDATE exports SET state = 'failed', failure = $1, leased_until = NULL
WHERE id = $2 AND state = 'writing' AND attempts = $3;

-- ExportStore.finish(_:_:at:until:in:)
UPDATE exports
SET state = 'ready', file = $1, bytes = $2, ready_at = $3, expires_at = $4,
    leased_until = NULL
WHERE id = $5 AND state = 'writing' AND attempts = $6;

-- ExportStore.forget(before:in:)
DELETE FROM exports WHERE id = ANY (ARRAY(
    SELECT id FROM exports WHERE state IN ('failed', 'deleted', 'expired') AND asked_at < $1
    ORDER BY asked_at LIMIT 100 FOR UPDATE SKIP LOCKED
));

-- ExportStore.gathering(_:in:)
SELECT id FROM exports WHERE id = ANY ($1) AND state = 'gathering' ORDER BY id FOR UPDATE;

-- ExportStore.list(of:in:)
SELECT id, account_id, state, asked_at, ready_at, expires_at, file, bytes, failure, attempts::bigint FROM exports WHERE account_id = $1 AND state <> 'deleted'
ORDER BY id DESC LIMIT 40;

-- ExportStore.newest(of:in:)
SELECT id, account_id, state, asked_at, ready_at, expires_at, file, bytes, failure, attempts::bigint FROM exports WHERE account_id = $1 AND state <> 'failed'
ORDER BY id DESC LIMIT 1;

-- ExportStore.putOff(_:until:counts:in:)
UPDATE exports SET leased_until = $1, attempts = attempts - $2
WHERE id = $3 AND state = 'writing' AND attempts = $4;

-- ExportStore.renew(_:until:in:)
UPDATE exports SET leased_until = $1
WHERE id = $2 AND state = 'writing' AND attempts = $3;

-- ExportStore.settle(_:services:bytes:in:)
UPDATE exports e
SET state = CASE WHEN t.bytes > $1 THEN 'failed' ELSE 'writing' END,
    failure = CASE WHEN t.bytes > $2 THEN $3 END
FROM (
    SELECT p.export_id, count(*) AS parts, sum(octet_length(p.content)) AS bytes,
        count(*) FILTER (WHERE p.is_last) AS ended, sum(p.number + 1) FILTER (WHERE p.is_last) AS awaited
    FROM export_parts p
    WHERE p.export_id = ANY ($4)
    GROUP BY p.export_id
) t
WHERE e.id = t.export_id AND e.state = 'gathering'
    AND (t.bytes > $5 OR (t.ended = $6 AND t.parts = t.awaited));

-- ExportedGifStore.collections(of:after:limit:in:)
SELECT c.id, json_build_object(
    'id', c.id::text, 'name', c.name, 'created_at', c.created_at,
    'gifs', (
        SELECT coalesce(json_agg(json_build_object(
    'id', coalesce((SELECT u.gif FROM upstream_gifs u WHERE u.id = i.gif_id), i.gif_id::text),
    'title', (SELECT g.title FROM gifs g WHERE g.id = i.gif_id)
) ORDER BY i.place), '[]')
        FROM gif_collected i WHERE i.collection_id = c.id
    )
)::text
FROM gif_collections c
WHERE c.account_id = $1 AND c.id > $2
ORDER BY c.id LIMIT $3;

-- ExportedGifStore.favourites(of:in:)
SELECT coalesce(json_agg(json_build_object(
    'id', coalesce((SELECT u.gif FROM upstream_gifs u WHERE u.id = f.gif_id), f.gif_id::text),
    'title', (SELECT g.title FROM gifs g WHERE g.id = f.gif_id)
) ORDER BY f.place), '[]')::text
FROM gif_favourites f WHERE f.account_id = $1;

-- ExportedUploadStore.uploads(of:after:limit:in:)
SELECT id, purpose, created_at, media FROM uploads
WHERE owner_id = $1 AND state = 'ready' AND id > $2
ORDER BY id LIMIT $3;

-- FileStore.announce(_:at:in:)
INSERT INTO files (name, bytes, loose_since)
SELECT name, bytes, $1 FROM unnest($2, $3) AS f (name, bytes)
ON CONFLICT (name) DO UPDATE SET loose_since = excluded.loose_since;

-- FileStore.keep(_:for:in:)
WITH kept AS (
    UPDATE files SET loose_since = NULL WHERE name = ANY ($1) RETURNING name
), made AS (
    INSERT INTO renditions (upload_id, file) SELECT $2, name FROM kept ON CONFLICT DO NOTHING
)
SELECT count(*) FROM kept;

-- FileStore.known(_:in:)
SELECT name FROM files WHERE name = ANY ($1);

-- FileStore.loose(before:in:)
SELECT name FROM files WHERE loose_since < $1
ORDER BY loose_since LIMIT 100 FOR UPDATE SKIP LOCKED;

-- FileStore.loosen(filesOf:at:in:)
WITH gone AS (
    DELETE FROM renditions WHERE upload_id = ANY ($1) RETURNING file
)
UPDATE files SET loose_since = $2 WHERE name IN (SELECT file FROM gone);

-- FileStore.settle(_:in:)
WITH needed AS (
    UPDATE files SET loose_since = NULL
    WHERE name = ANY ($1) AND name IN (SELECT file FROM renditions WHERE file = ANY ($2))
)
DELETE FROM files
WHERE name = ANY ($3)
    AND NOT EXISTS (SELECT FROM renditions WHERE renditions.file = files.name)
RETURNING name, bytes;

-- GifAnswerStore.aged, beyond
DELETE FROM gif_answers
WHERE (hash) IN (SELECT hash FROM gif_answers ORDER BY touched_at DESC OFFSET $1 LIMIT 1000);

-- GifAnswerStore.aged, old
DELETE FROM gif_answers
WHERE (hash) IN (SELECT hash FROM gif_answers WHERE touched_at < $1 ORDER BY touched_at LIMIT 1000);

-- GifAnswerStore.answer(_:_:at:since:in:)
SELECT ids, items, total, is_fresh
FROM (
    SELECT ids[$1:$2] AS ids, items[$3:$4] AS items, total, fresh_until > $5 AS is_fresh
    FROM gif_answers
    WHERE hash = $6 AND fresh_until IS NOT NULL AND touched_at > $7
) a;

-- GifAnswerStore.claim(_:at:until:in:)
INSERT INTO gif_answers AS a (hash, touched_at, leased_until) VALUES ($1, $2, $3)
ON CONFLICT (hash) DO UPDATE SET leased_until = excluded.leased_until
WHERE coalesce(a.fresh_until <= $4, true) AND coalesce(a.leased_until <= $5, true);

-- GifAnswerStore.gifs(_:since:in:)
SELECT n.id, a.items[array_position(a.ids, n.id)]
FROM (
    SELECT DISTINCT ON (w.id) w.id, f.hash
    FROM unnest($1) AS w (id)
    JOIN gif_answers f ON f.ids @> ARRAY[w.id]
    WHERE f.touched_at > $2
    ORDER BY w.id, f.touched_at DESC
) n
JOIN gif_answers a ON a.hash = n.hash;

-- GifAnswerStore.keep(_:as:at:fresh:in:)
INSERT INTO gif_answers (hash, ids, items, total, touched_at, fresh_until)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (hash) DO UPDATE
SET ids = excluded.ids, items = excluded.items, total = excluded.total, touched_at = excluded.touched_at,
    fresh_until = excluded.fresh_until, leased_until = NULL;

-- GifAnswerStore.release(_:in:)
UPDATE gif_answers SET leased_until = NULL WHERE hash = $1;

-- GifCollectionStore.add(_:to:of:at:limit:in:)
WITH added AS (
    INSERT INTO gif_collected (collection_id, gif_id, place)
    SELECT c.id, g.id, $1
    FROM gif_collections c, (SELECT id FROM gifs UNION ALL SELECT id FROM upstream_gifs) g
    WHERE c.id = $2 AND c.account_id = $3 AND g.id = $4
        AND (SELECT count(*) FROM gif_collected i WHERE i.collection_id = $5) < $6
    ON CONFLICT DO NOTHING
    RETURNING gif_id
)
SELECT gif_id FROM added
UNION
SELECT gif_id FROM gif_collected WHERE collection_id = $7 AND gif_id = $8;

-- GifCollectionStore.collection(_:of:in:)
SELECT c.id, c.name, c.created_at, (SELECT count(*) FROM gif_collected i WHERE i.collection_id = c.id) FROM gif_collections c WHERE c.id = $1 AND c.account_id = $2;

-- GifCollectionStore.count(of:in:)
SELECT count(*) FROM gif_collections c WHERE c.account_id = $1;

-- GifCollectionStore.delete(_:of:in:)
WITH gone AS (
    DELETE FROM gif_collections WHERE id = $1 AND account_id = $2 RETURNING id
), emptied AS (
    DELETE FROM gif_collected USING gone WHERE gif_collected.collection_id = gone.id
)
SELECT id FROM gone;

-- GifCollectionStore.gifs(in:_:in:)
SELECT i.place, g.id, g.importer_id, g.importer_name, g.kind, g.rating, g.title, g.alt_text, g.tags, g.category, g.subcategory, g.language, g.files, g.created_at, g.trended_at, EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = g.importer_id AND restricted.is_hidden
    OFFSET 0
), u.gif, u.item
FROM (
    SELECT place, gif_id FROM gif_collected
    WHERE collection_id = $1 AND place < $2 AND place > $3 ORDER BY place DESC LIMIT $4
) i
LEFT JOIN gifs g ON g.id = i.gif_id
LEFT JOIN upstream_gifs u ON u.id = i.gif_id
ORDER BY i.place DESC;

-- GifCollectionStore.list(of:_:in:)
SELECT c.id, c.name, c.created_at, (SELECT count(*) FROM gif_collected i WHERE i.collection_id = c.id)
FROM (
    SELECT id, name, created_at FROM gif_collections
    WHERE account_id = $1 AND id < $2 AND id > $3 ORDER BY id DESC LIMIT $4
) c
ORDER BY c.id DESC;

-- GifCollectionStore.make(_:of:named:at:in:)
INSERT INTO gif_collections (id, account_id, name, created_at)
VALUES ($1, $2, $3, $4);

-- GifCollectionStore.remove(_:from:of:in:)
DELETE FROM gif_collected USING gif_collections c
WHERE collection_id = $1 AND gif_id = $2 AND c.id = collection_id AND c.account_id = $3;

-- GifCollectionStore.rename(_:of:to:in:)
UPDATE gif_collections SET name = $1 WHERE id = $2 AND account_id = $3;

-- GifFavouriteStore.add(_:to:at:in:)
INSERT INTO gif_favourites (account_id, gif_id, place)
SELECT $1, g.id, $2
FROM (SELECT id FROM gifs UNION ALL SELECT id FROM upstream_gifs) g
WHERE g.id = $3
ON CONFLICT DO NOTHING;

-- GifFavouriteStore.list(of:_:in:)
SELECT f.place, g.id, g.importer_id, g.importer_name, g.kind, g.rating, g.title, g.alt_text, g.tags, g.category, g.subcategory, g.language, g.files, g.created_at, g.trended_at, EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = g.importer_id AND restricted.is_hidden
    OFFSET 0
), u.gif, u.item
FROM (
    SELECT place, gif_id FROM gif_favourites
    WHERE account_id = $1 AND place < $2 AND place > $3 ORDER BY place DESC LIMIT $4
) f
LEFT JOIN gifs g ON g.id = f.gif_id
LEFT JOIN upstream_gifs u ON u.id = f.gif_id
ORDER BY f.place DESC;

-- GifFavouriteStore.remove(_:from:in:)
DELETE FROM gif_favourites WHERE account_id = $1 AND gif_id = $2;

-- GifFavouriteStore.standing(of:for:in:)
SELECT EXISTS (SELECT FROM gifs g WHERE g.id = $1) OR EXISTS (SELECT FROM upstream_gifs u WHERE u.id = $2),
    EXISTS (SELECT FROM gif_favourites f WHERE f.account_id = $3 AND f.gif_id = $4),
    (SELECT count(*) FROM gif_favourites f WHERE f.account_id = $5);

-- GifSearchStore.categories(_:_:in:)
WITH RECURSIVE places AS (
    (
        SELECT g.category, g.subcategory, 1 AS number FROM gifs g
        WHERE g.kind = $1 AND g.category <> ''
        ORDER BY g.category, g.subcategory LIMIT 1
    )
    UNION ALL
    SELECT n.category, n.subcategory, p.number + 1
    FROM places p
    CROSS JOIN LATERAL (
        SELECT g.category, g.subcategory FROM gifs g
        WHERE g.kind = $2 AND g.category <> ''
            AND (g.category, g.subcategory) > (p.category, p.subcategory)
        ORDER BY g.category, g.subcategory LIMIT 1
    ) n
    WHERE p.number < 1000
)
SELECT p.category, p.subcategory, e.id
FROM places p
CROSS JOIN LATERAL (
    SELECT g.id FROM gifs g
    WHERE g.kind = $3 AND g.category = p.category AND g.category <> ''
        AND g.subcategory = p.subcategory AND g.rating <= $4
    ORDER BY g.weight DESC, g.id DESC LIMIT 1
) e
ORDER BY p.number;

-- GifSearchStore.category(_:_:_:_:_:in:)
WITH found AS (
    SELECT g.id, g.weight AS first, 0 AS second FROM gifs g
    WHERE g.kind = $1 AND g.category = $2 AND g.category <> ''
        AND g.subcategory = $3 AND g.rating <= $4
    LIMIT 5000
)
SELECT t.total, g.id, g.importer_id, g.importer_name, g.kind, g.rating, g.title, g.alt_text, g.tags, g.category, g.subcategory, g.language, g.files, g.created_at, g.trended_at, EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = g.importer_id AND restricted.is_hidden
    OFFSET 0
)
FROM (SELECT count(*) AS total FROM found) t
LEFT JOIN (
    SELECT * FROM found ORDER BY first DESC, second DESC, id DESC LIMIT $5 OFFSET $6
) p ON true
LEFT JOIN gifs g ON g.id = p.id
ORDER BY p.first DESC, p.second DESC, p.id DESC;

-- GifSearchStore.drawn(_:_:in:)
(SELECT g.id, g.importer_id, g.importer_name, g.kind, g.rating, g.title, g.alt_text, g.tags, g.category, g.subcategory, g.language, g.files, g.created_at, g.trended_at, EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = g.importer_id AND restricted.is_hidden
    OFFSET 0
) FROM gifs g WHERE g.kind = $1 AND g.rating <= $2 AND g.lot >= (SELECT random()) ORDER BY g.lot LIMIT 1)
UNION ALL
(SELECT g.id, g.importer_id, g.importer_name, g.kind, g.rating, g.title, g.alt_text, g.tags, g.category, g.subcategory, g.language, g.files, g.created_at, g.trended_at, EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = g.importer_id AND restricted.is_hidden
    OFFSET 0
) FROM gifs g WHERE g.kind = $3 AND g.rating <= $4 ORDER BY g.lot LIMIT 1)
LIMIT 1;

-- GifSearchStore.drawn(_:in:)
SELECT g.id, g.importer_id, g.importer_name, g.kind, g.rating, g.title, g.alt_text, g.tags, g.category, g.subcategory, g.language, g.files, g.created_at, g.trended_at, EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = g.importer_id AND restricted.is_hidden
    OFFSET 0
)
FROM (
    SELECT g.id FROM gifs g
    WHERE g.keys @> $1 AND g.rating <= $2 AND g.form LIKE ALL ($3)
    LIMIT 5000
) p
JOIN gifs g ON g.id = p.id
ORDER BY random()
LIMIT 1;

-- GifSearchStore.nearest(_:without:limit:in:)
SELECT g.id, g.importer_id, g.importer_name, g.kind, g.rating, g.title, g.alt_text, g.tags, g.category, g.subcategory, g.language, g.files, g.created_at, g.trended_at, EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = g.importer_id AND restricted.is_hidden
    OFFSET 0
)
FROM (
    SELECT n.id, n.weight, (SELECT count(*) FROM unnest(n.keys) k WHERE k = ANY ($1)) AS shared
    FROM gifs n
    WHERE n.keys && $2 AND n.keys @> $3
        AND n.rating <= $4 AND n.id <> $5
    LIMIT 5000
) p
JOIN gifs g ON g.id = p.id
ORDER BY p.shared DESC, p.weight DESC, p.id DESC
LIMIT $6;

-- GifSearchStore.search(_:_:in:)
WITH found AS (
    SELECT g.id, g.keys @> $1 AS first, g.weight AS second FROM gifs g
    WHERE g.keys @> $2 AND g.rating <= $3 AND g.form LIKE ALL ($4)
    LIMIT 5000
)
SELECT t.total, g.id, g.importer_id, g.importer_name, g.kind, g.rating, g.title, g.alt_text, g.tags, g.category, g.subcategory, g.language, g.files, g.created_at, g.trended_at, EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = g.importer_id AND restricted.is_hidden
    OFFSET 0
)
FROM (SELECT count(*) AS total FROM found) t
LEFT JOIN (
    SELECT * FROM found ORDER BY first DESC, second DESC, id DESC LIMIT $5 OFFSET $6
) p ON true
LEFT JOIN gifs g ON g.id = p.id
ORDER BY p.first DESC, p.second DESC, p.id DESC;

-- GifSearchStore.trending(_:_:_:in:)
WITH found AS (
    SELECT g.id, g.score AS first, 0 AS second FROM gifs g
    WHERE g.kind = $1 AND g.rating <= $2
    ORDER BY g.score DESC, g.id DESC
    LIMIT 5000
)
SELECT t.total, g.id, g.importer_id, g.importer_name, g.kind, g.rating, g.title, g.alt_text, g.tags, g.category, g.subcategory, g.language, g.files, g.created_at, g.trended_at, EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = g.importer_id AND restricted.is_hidden
    OFFSET 0
)
FROM (SELECT count(*) AS total FROM found) t
LEFT JOIN (
    SELECT * FROM found ORDER BY first DESC, second DESC, id DESC LIMIT $3 OFFSET $4
) p ON true
LEFT JOIN gifs g ON g.id = p.id
ORDER BY p.first DESC, p.second DESC, p.id DESC;

-- GifStore.agedTakings
DELETE FROM gif_takings
WHERE (upload_id) IN (SELECT upload_id FROM gif_takings WHERE taken_at < $1 ORDER BY taken_at LIMIT 1000);

-- GifStore.change(_:to:in:)
WITH changed AS (
    UPDATE gifs
    SET kind = $1, rating = $2, title = $3,
        alt_text = $4, tags = $5, category = $6,
        subcategory = $7, language = $8, keys = $9,
        form = $10
    WHERE id = $11
    RETURNING id
), gone AS (
    DELETE FROM gif_tags WHERE gif_id = $12 AND tag <> ALL ($13)
), added AS (
    INSERT INTO gif_tags (tag, gif_id)
    SELECT t.tag, changed.id FROM changed, unnest($14) AS t (tag)
    ON CONFLICT DO NOTHING
)
SELECT id FROM changed;

-- GifStore.delete(_:in:)
WITH tags AS (
    DELETE FROM gif_tags WHERE gif_id = $1
), takings AS (
    DELETE FROM gif_takings WHERE gif_id = $2
), favourites AS (
    DELETE FROM gif_favourites WHERE gif_id = $3
), collected AS (
    DELETE FROM gif_collected WHERE gif_id = $4
)
DELETE FROM gifs WHERE id = $5;

-- GifStore.gif(_:in:)
SELECT g.id, g.importer_id, g.importer_name, g.kind, g.rating, g.title, g.alt_text, g.tags, g.category, g.subcategory, g.language, g.files, g.created_at, g.trended_at, EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = g.importer_id AND restricted.is_hidden
    OFFSET 0
) FROM gifs g WHERE g.id = $1;

-- GifStore.gifs(_:in:)
SELECT g.id, g.importer_id, g.importer_name, g.kind, g.rating, g.title, g.alt_text, g.tags, g.category, g.subcategory, g.language, g.files, g.created_at, g.trended_at, EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = g.importer_id AND restricted.is_hidden
    OFFSET 0
)
FROM unnest($1) WITH ORDINALITY AS i (id, place)
JOIN gifs g ON g.id = i.id
ORDER BY i.place;

-- GifStore.insert(_:in:)
WITH made AS (
    INSERT INTO gifs (id, importer_id, importer_name, kind, rating, title, alt_text, tags, category, subcategory,
        language, keys, form, files, source, created_at)
    VALUES ($1, $2, $3, $4, $5,
        $6, $7, $8, $9, $10, $11,
        $12, $13, $14, $15, $16)
    ON CONFLICT DO NOTHING
    RETURNING id
), tagged AS (
    INSERT INTO gif_tags (tag, gif_id) SELECT t.tag, made.id FROM made, unnest($17) AS t (tag)
)
SELECT id FROM made;

-- GifStore.isImported(_:in:)
SELECT count(*) FROM gifs g WHERE g.source = $1;

-- GifStore.lengths(of:in:)
SELECT f.name, f.bytes FROM renditions r JOIN files f ON f.name = r.file WHERE r.upload_id = $1;

-- GifStore.lock(_:in:)
SELECT g.id, g.importer_id, g.importer_name, g.kind, g.rating, g.title, g.alt_text, g.tags, g.category, g.subcategory, g.language, g.files, g.created_at, g.trended_at, EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = g.importer_id AND restricted.is_hidden
    OFFSET 0
) FROM gifs g WHERE g.id = $1 FOR UPDATE;

-- GifStore.recount(since:at:in:)
WITH lately AS (
    SELECT t.gif_id, least(count(*), 1000000000) AS uses FROM (
        SELECT f.gif_id FROM gif_favourites f WHERE f.place > $1
        UNION ALL
        SELECT k.gif_id FROM gif_takings k
        WHERE k.taken_at > $2 AND EXISTS (SELECT FROM uses u WHERE u.upload_id = k.upload_id)
    ) t
    GROUP BY t.gif_id
), counted AS (
    SELECT c.id, coalesce(l.uses, 0) AS uses
    FROM (
        SELECT g.id FROM gifs g WHERE g.kind IN (1, 2, 3) AND g.score > 0 UNION SELECT gif_id FROM lately
    ) c
    LEFT JOIN lately l ON l.gif_id = c.id
)
UPDATE gifs
SET score = counted.uses,
    trended_at = CASE WHEN counted.uses > gifs.score THEN $3 ELSE gifs.trended_at END
FROM counted
WHERE gifs.id = counted.id AND gifs.score <> counted.uses;

-- GifStore.share(_:with:at:in:)
WITH shared AS (
    INSERT INTO renditions (upload_id, file) SELECT $1, file FROM renditions WHERE upload_id = $2
)
INSERT INTO gif_takings (upload_id, gif_id, taken_at) VALUES ($3, $4, $5);

-- GifTagStore.beginning(with:limit:in:)
SELECT t.tag
FROM (
    SELECT tag FROM gif_tags WHERE tag >= $1 AND tag < $2 ORDER BY tag LIMIT 5000
) t
GROUP BY t.tag
ORDER BY count(*) DESC, t.tag
LIMIT $3;

-- GifTagStore.beside(_:limit:in:)
SELECT b.tag
FROM (SELECT gif_id FROM gif_tags WHERE tag = $1 LIMIT 1000) t
JOIN gif_tags b ON b.gif_id = t.gif_id
WHERE b.tag <> $2
GROUP BY b.tag
ORDER BY count(*) DESC, b.tag
LIMIT $3;

-- GifTagStore.trending(limit:in:)
SELECT t.tag
FROM (
    SELECT g.tags, g.score FROM gifs g WHERE g.kind = 1 AND g.rating <= 1 ORDER BY g.score DESC, g.id DESC LIMIT 200
) g
CROSS JOIN LATERAL unnest(g.tags) AS t (tag)
GROUP BY t.tag
ORDER BY sum(g.score) DESC, count(*) DESC, t.tag
LIMIT $1;

-- JobStore.claim(at:lease:in:)
UPDATE uploads SET attempts = attempts + 1, leased_until = $1
WHERE id = (
    SELECT id FROM uploads
    WHERE state = 'processing' AND (leased_until IS NULL OR leased_until < $2)
    ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
)
RETURNING id, owner_id, state, version, purpose, description, focus_x, focus_y, length, received, expires_at, failure, media, attempts;

-- JobStore.fail(_:in:)
UPDATE uploads
SET state = 'failed', version = $1, failure = $2, kept_bytes = 0,
    leased_until = NULL
WHERE id = $3;

-- JobStore.finish(_:keptBytes:in:)
UPDATE uploads
SET state = 'ready', version = $1, media = $2,
    kept_bytes = $3, leased_until = NULL
WHERE id = $4;

-- JobStore.lock(_:attempt:in:)
SELECT id, owner_id, state, version, purpose, description, focus_x, focus_y, length, received, expires_at, failure, media FROM uploads
WHERE id = $1 AND state = 'processing' AND attempts = $2
FOR UPDATE;

-- JobStore.putOff(_:attempt:until:counts:in:)
UPDATE uploads SET leased_until = $1, attempts = attempts - $2
WHERE id = $3 AND state = 'processing' AND attempts = $4;

-- JobStore.renew(_:attempt:until:in:)
UPDATE uploads SET leased_until = $1
WHERE id = $2 AND state = 'processing' AND attempts = $3;

-- LinkStore.agedMentions
DELETE FROM mentions
WHERE (kind, subject_id) IN (SELECT kind, subject_id FROM mentions WHERE hash IS NULL AND touched_at < $1 ORDER BY touched_at LIMIT 1000);

-- LinkStore.claim(at:retry:lease:in:)
UPDATE links SET attempts = attempts + 1, due_at = $1, leased_until = $2
WHERE hash = (
    SELECT l.hash FROM links l
    WHERE l.due_at <= $3
        AND 2 > (SELECT count(*) FROM links b WHERE b.host = l.host AND b.leased_until > $4)
    ORDER BY l.due_at LIMIT 1
)
RETURNING id, url, attempts;

-- LinkStore.finish(_:image:at:fresh:in:)
UPDATE links
SET state = $1, version = $2,
    card = $3, image_id = $4, fetched_at = $5,
    fresh_until = $6, due_at = NULL, leased_until = NULL, attempts = 0
WHERE id = $7;

-- LinkStore.hold(in:)
SELECT pg_advisory_xact_lock($1);

-- LinkStore.leave(_:at:fresh:in:)
UPDATE links
SET state = CASE state WHEN 'waiting' THEN 'nothing' ELSE state END, fetched_at = $1, fresh_until = $2,
    due_at = NULL, leased_until = NULL, attempts = 0
WHERE id = $3;

-- LinkStore.lock(_:in:)
SELECT version, state = 'ready', image_id FROM links
WHERE id = $1 AND attempts = $2 AND due_at IS NOT NULL
FOR UPDATE;

-- LinkStore.mention(_:ids:at:in:)
WITH said AS (
    SELECT s.kind, s.subject_id, s.version, s.url, s.host, s.id,
        CASE WHEN s.url <> '' THEN sha256(convert_to(s.url, 'UTF8')) END AS hash
    FROM unnest($1, $2, $3,
        $4, $5, $6) AS s (kind, subject_id, version, url, host, id)
), newer AS (
    INSERT INTO mentions (kind, subject_id, version, hash, touched_at)
    SELECT kind, subject_id, version, hash, $7 FROM said
    ON CONFLICT (kind, subject_id) DO UPDATE
    SET version = excluded.version, hash = excluded.hash, touched_at = excluded.touched_at
    WHERE mentions.version < excluded.version
    RETURNING hash
)
INSERT INTO links (hash, id, url, host, touched_at, due_at)
SELECT DISTINCT ON (said.hash) said.hash, said.id, said.url, said.host, $8, CAST($9 AS timestamptz)
FROM said
WHERE said.hash IN (SELECT hash FROM newer)
ORDER BY said.hash
ON CONFLICT (hash) DO UPDATE SET touched_at = excluded.touched_at, due_at = excluded.due_at
WHERE links.due_at IS NULL AND links.fresh_until <= $10;

-- LinkStore.old(before:in:)
SELECT id FROM links WHERE touched_at < $1
ORDER BY touched_at LIMIT 100 FOR UPDATE SKIP LOCKED;

-- LinkStore.settle(_:at:in:)
WITH needed AS (
    UPDATE links SET touched_at = $1
    WHERE id = ANY ($2) AND EXISTS (SELECT FROM mentions m WHERE m.hash = links.hash)
), gone AS (
    DELETE FROM links
    WHERE id = ANY ($3) AND NOT EXISTS (SELECT FROM mentions m WHERE m.hash = links.hash)
    RETURNING image_id
)
SELECT image_id FROM gone WHERE image_id IS NOT NULL;

-- RetoldStore.links(after:in:)
SELECT id, url, version, card, fetched_at FROM links
WHERE id > $1 AND state = 'ready'
ORDER BY id LIMIT $2;

-- RetoldStore.uploads(after:in:)
SELECT id, owner_id, version, media, failure FROM uploads
WHERE id > $1 AND state IN ('ready', 'failed')
ORDER BY id LIMIT $2;

-- UploadStore.advance(_:to:by:expires:in:)
UPDATE uploads SET received = $1, expires_at = $2
WHERE id = $3 AND state = 'receiving' AND attempts = $4;

-- UploadStore.claim(_:for:in:)
UPDATE uploads SET owner_id = $1, state = 'processing', expires_at = NULL
WHERE id = ANY ($2) AND owner_id = $3 AND state = 'receiving' AND received = length;

-- UploadStore.delete(_:in:)
DELETE FROM uploads WHERE id = ANY ($1) RETURNING id, owner_id, state, version, purpose, description, focus_x, focus_y, length, received, expires_at, failure, media;

-- UploadStore.describe(_:as:version:told:in:)
UPDATE uploads
SET description = $1, focus_x = $2, focus_y = $3,
    version = $4, media = $5
WHERE id = $6;

-- UploadStore.expired(at:in:)
SELECT id FROM uploads WHERE state = 'receiving' AND expires_at < $1
ORDER BY expires_at LIMIT 100 FOR UPDATE SKIP LOCKED;

-- UploadStore.finish(_:in:)
UPDATE uploads SET state = 'processing', expires_at = NULL, attempts = 0
WHERE id = $1 AND state = 'receiving' AND received = length;

-- UploadStore.insert(_:in:)
INSERT INTO uploads (id, owner_id, state, purpose, description, focus_x, focus_y, length, received, created_at,
    expires_at, kept_bytes, unused_since)
VALUES ($1, $2, $3, $4,
    $5, $6, $7, $8,
    $9, $10, $11, $12, $13)
RETURNING id, owner_id, state, version, purpose, description, focus_x, focus_y, length, received, expires_at, failure, media;

-- UploadStore.isUsed(_:in:)
SELECT count(*) FROM uploads u WHERE u.id = $1 AND u.unused_since IS NULL;

-- UploadStore.lock(_:of:in:)
SELECT id, owner_id, state, version, purpose, description, focus_x, focus_y, length, received, expires_at, failure, media FROM uploads WHERE id = $1 AND owner_id = $2 FOR UPDATE;

-- UploadStore.needed(_:in:)
SELECT id FROM uploads WHERE id = ANY ($1) AND state IN ('receiving', 'processing');

-- UploadStore.take(_:of:at:in:)
UPDATE uploads SET attempts = attempts + 1
WHERE id = $1 AND owner_id = $2 AND state = 'receiving' AND received = $3
RETURNING attempts;

-- UploadStore.unused(since:in:)
SELECT id FROM uploads WHERE unused_since < $1
ORDER BY unused_since LIMIT 100 FOR UPDATE SKIP LOCKED;

-- UploadStore.upload(_:of:in:)
SELECT id, owner_id, state, version, purpose, description, focus_x, focus_y, length, received, expires_at, failure, media FROM uploads WHERE id = $1 AND owner_id = $2;

-- UploadStore.uploads(_:of:in:)
SELECT id, owner_id, state, version, purpose, description, focus_x, focus_y, length, received, expires_at, failure, media FROM uploads WHERE id = ANY ($1) AND owner_id = $2 ORDER BY id;

-- UploadStore.usage(of:in:)
SELECT CAST(coalesce(sum(kept_bytes), 0) AS bigint),
    count(*) FILTER (WHERE state IN ('receiving', 'processing'))
FROM uploads
WHERE owner_id = $1;

-- UpstreamGifStore.gif(_:in:)
SELECT u.gif, u.item FROM upstream_gifs u WHERE u.gif = $1;

-- UpstreamGifStore.keep(_:as:at:in:)
INSERT INTO upstream_gifs (id, gif, item, touched_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (gif) DO UPDATE SET touched_at = excluded.touched_at
RETURNING id;

-- UpstreamGifStore.number(of:in:)
SELECT u.id FROM upstream_gifs u WHERE u.gif = $1;

-- UpstreamGifStore.old(before:in:)
SELECT id FROM upstream_gifs WHERE touched_at < $1
ORDER BY touched_at LIMIT 1000 FOR UPDATE SKIP LOCKED;

-- UpstreamGifStore.settle(_:at:in:)
WITH needed AS (
    UPDATE upstream_gifs SET touched_at = $1 WHERE id = ANY ($2) AND (EXISTS (SELECT FROM gif_favourites f WHERE f.gif_id = upstream_gifs.id)
    OR EXISTS (SELECT FROM gif_collected i WHERE i.gif_id = upstream_gifs.id))
)
DELETE FROM upstream_gifs WHERE id = ANY ($3) AND NOT (EXISTS (SELECT FROM gif_favourites f WHERE f.gif_id = upstream_gifs.id)
    OR EXISTS (SELECT FROM gif_collected i WHERE i.gif_id = upstream_gifs.id));

-- UseStore.forget(_:in:)
DELETE FROM uses WHERE upload_id = ANY ($1);

-- UseStore.forgetSubjects(before:in:)
DELETE FROM subjects
WHERE (kind, id) IN (
    SELECT kind, id FROM subjects
    WHERE touched_at < $1
        AND NOT EXISTS (SELECT FROM uses WHERE uses.kind = subjects.kind AND uses.subject_id = subjects.id)
    ORDER BY touched_at LIMIT 1000
);

-- UseStore.keep(_:at:in:)
WITH shown AS (
    SELECT * FROM unnest($1, $2, $3)
    AS p (kind, subject_id, upload_id)
), newer AS (
    INSERT INTO subjects (kind, id, version, touched_at)
    SELECT kind, id, version, $4
    FROM unnest($5, $6, $7)
        AS s (kind, id, version)
    ON CONFLICT (kind, id) DO UPDATE
    SET version = excluded.version, touched_at = excluded.touched_at
    WHERE subjects.version < excluded.version
    RETURNING kind, id
), ended AS (
    DELETE FROM uses
    USING newer
    WHERE uses.kind = newer.kind AND uses.subject_id = newer.id
        AND NOT EXISTS (
            SELECT FROM shown
            WHERE shown.kind = uses.kind AND shown.subject_id = uses.subject_id
                AND shown.upload_id = uses.upload_id
        )
    RETURNING uses.upload_id
), begun AS (
    INSERT INTO uses (kind, subject_id, upload_id)
    SELECT shown.kind, shown.subject_id, shown.upload_id
    FROM shown JOIN newer ON newer.kind = shown.kind AND newer.id = shown.subject_id
    ON CONFLICT DO NOTHING
    RETURNING upload_id
)
SELECT upload_id FROM ended UNION SELECT upload_id FROM begun ORDER BY 1;

-- UseStore.lock(_:in:)
SELECT id FROM uploads WHERE id = ANY ($1) ORDER BY id FOR UPDATE;

-- UseStore.settle(_:at:in:)
UPDATE uploads
SET unused_since = CASE WHEN used.is_used THEN NULL ELSE coalesce(unused_since, $1) END
FROM (
    SELECT u.id, EXISTS (SELECT FROM uses WHERE uses.upload_id = u.id) AS is_used
    FROM uploads u
    WHERE u.id = ANY ($2)
) used
WHERE uploads.id = used.id;
