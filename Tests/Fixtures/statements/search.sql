-- AgedStore.days, links
DELETE FROM links
WHERE (id) IN (SELECT id FROM links WHERE last_post_id < $1 ORDER BY last_post_id LIMIT 1000);

-- AgedStore.days, popular
DELETE FROM popular
WHERE (post_id) IN (SELECT post_id FROM popular WHERE post_id < $1 ORDER BY post_id LIMIT 1000);

-- AgedStore.days, uses
DELETE FROM uses
WHERE (post_id, kind, thing_id) IN (SELECT post_id, kind, thing_id FROM uses WHERE post_id < $1 ORDER BY post_id LIMIT 1000);

-- AgedStore.documents
DELETE FROM documents
WHERE (kind, id) IN (SELECT kind, id FROM documents WHERE gone AND changed_at < $1 ORDER BY changed_at LIMIT 1000);

-- AgedStore.ended, memberships
DELETE FROM memberships
WHERE (account_id, place_id) IN (SELECT account_id, place_id FROM memberships WHERE NOT active AND changed_at < $1 ORDER BY changed_at LIMIT 1000);

-- AgedStore.ended, places
DELETE FROM places
WHERE (id) IN (SELECT id FROM places WHERE gone AND changed_at < $1 ORDER BY changed_at LIMIT 1000);

-- AgedStore.ended, shelved_books
DELETE FROM shelved_books
WHERE (record_id) IN (SELECT record_id FROM shelved_books WHERE NOT shown AND changed_at < $1 ORDER BY changed_at LIMIT 1000);

-- AgedStore.ended, ties
DELETE FROM ties
WHERE (kind, account_id, target_id) IN (SELECT kind, account_id, target_id FROM ties WHERE NOT active AND changed_at < $1 ORDER BY changed_at LIMIT 1000);

-- AgedStore.forgetDocumentsOfGonePlaces(in:)
DELETE FROM documents WHERE (kind, id) IN (
    SELECT d.kind, d.id FROM places p
    CROSS JOIN LATERAL (SELECT d.kind, d.id FROM documents d WHERE d.place_id = p.id LIMIT 1000) d
    WHERE p.gone
    LIMIT 1000
);

-- AgedStore.questions, askers
DELETE FROM askers
WHERE (query_id, asker_id) IN (SELECT query_id, asker_id FROM askers WHERE asked_at < $1 ORDER BY asked_at LIMIT 1000);

-- AgedStore.questions, popular_queries
DELETE FROM popular_queries
WHERE (query_id) IN (SELECT query_id FROM popular_queries WHERE asked_at < $1 ORDER BY asked_at LIMIT 1000);

-- BookAnswerStore.aged, by age
DELETE FROM book_answers
WHERE (hash) IN (SELECT hash FROM book_answers WHERE touched_at < $1 ORDER BY touched_at LIMIT 1000);

-- BookAnswerStore.aged, by number
DELETE FROM book_answers
WHERE (hash) IN (SELECT hash FROM book_answers ORDER BY touched_at DESC OFFSET $1 LIMIT 1000);

-- BookAnswerStore.answers(_:at:since:in:)
SELECT a.source, a.items, a.total, a.is_fresh
FROM (
    SELECT k.source, k.total, k.fresh_until > $1 AS is_fresh,
        ARRAY(
            SELECT b.item
            FROM unnest(k.ids) WITH ORDINALITY AS w (id, place)
            JOIN books b ON b.source = k.source AND b.id = w.id
            ORDER BY w.place
        ) AS items
    FROM book_answers k
    WHERE k.hash = ANY ($2) AND k.fresh_until IS NOT NULL AND k.touched_at > $3
) a;

-- BookAnswerStore.claim(_:of:at:until:in:)
INSERT INTO book_answers AS a (hash, source, touched_at, leased_until)
VALUES ($1, $2, $3, $4)
ON CONFLICT (hash) DO UPDATE SET leased_until = excluded.leased_until
WHERE coalesce(a.fresh_until <= $5, true) AND coalesce(a.leased_until <= $6, true);

-- BookAnswerStore.isFresh(_:at:in:)
SELECT fresh_until > $1 FROM book_answers WHERE hash = $2 AND fresh_until > $3;

-- BookAnswerStore.keep(_:as:of:at:fresh:in:)
INSERT INTO book_answers (hash, source, ids, total, touched_at, fresh_until)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (hash) DO UPDATE
SET ids = excluded.ids, total = excluded.total, touched_at = excluded.touched_at,
    fresh_until = excluded.fresh_until, leased_until = NULL;

-- BookAnswerStore.release(_:in:)
UPDATE book_answers SET leased_until = NULL WHERE hash = $1;

-- BookAskStore.forget(before:in:)
DELETE FROM book_asks
WHERE (source, day) IN (SELECT source, day FROM book_asks WHERE day < CAST($1 AS date) ORDER BY day LIMIT 1000);

-- BookAskStore.spend(_:at:most:in:)
INSERT INTO book_asks AS a (source, day, asked) VALUES ($1, CAST($2 AS date), 1)
ON CONFLICT (source, day) DO UPDATE SET asked = a.asked + 1
WHERE a.asked < $3;

-- BookStore.aged, by age
DELETE FROM books
WHERE (source, id) IN (SELECT source, id FROM books WHERE told_at < $1 ORDER BY told_at LIMIT 1000);

-- BookStore.aged, by number
DELETE FROM books
WHERE (source, id) IN (SELECT source, id FROM books ORDER BY told_at DESC OFFSET $1 LIMIT 1000);

-- BookStore.books(having:since:in:)
SELECT b.item
FROM (
    SELECT k.source, k.id, k.item, k.told_at FROM books k
    WHERE k.terms @> $1 AND k.told_at > $2
    LIMIT 1000
) b
ORDER BY b.told_at DESC, b.source, b.id
LIMIT 200;

-- BookStore.books(of:since:in:)
SELECT b.item
FROM books b
WHERE b.isbn = $1 AND b.told_at > $2
ORDER BY b.told_at DESC, b.source, b.id
LIMIT 20;

-- BookStore.keep(_:at:in:)
INSERT INTO books AS b (source, id, isbn, item, terms, told_at)
SELECT k.source, k.id, nullif(k.isbn, ''), k.item, CAST(k.terms AS integer[]), $1
FROM unnest(
    $2, $3, $4,
    $5, $6
) AS k (source, id, isbn, item, terms)
ORDER BY k.source, k.id
ON CONFLICT (source, id) DO UPDATE
SET isbn = excluded.isbn, item = excluded.item, terms = excluded.terms, told_at = excluded.told_at;

-- CircleStore.among(_:in:in:)
SELECT i.id FROM unnest($1) AS i (id) JOIN (SELECT t.target_id AS id FROM ties t WHERE t.kind = 1 AND t.account_id = $2 AND t.active) c ON c.id = i.id;

-- CircleStore.named(_:_:in:for:most:in:), channels
SELECT c.id FROM (SELECT p.id FROM places p WHERE p.parent_id = $1 AND NOT p.gone) c
CROSS JOIN LATERAL (
    SELECT min(n.position) AS position FROM names n
    WHERE n.kind = $2 AND n.id = c.id
        AND (starts_with(n.typed, $3) OR starts_with(n.initials, $4))
) n
JOIN documents d ON d.kind = $5 AND d.id = c.id
WHERE n.position IS NOT NULL AND NOT d.gone AND coalesce((
    SELECT NOT a.gone AND (d.audience <> 1 OR a.indexable OR d.author_id = $6 OR d.people @> ARRAY[$7])
    FROM accounts a WHERE a.id = d.author_id
), d.audience <> 1 OR d.author_id = $8 OR d.people @> ARRAY[$9])
AND (
    d.audience < 2
    OR d.audience < 5 AND (d.author_id = $10 OR d.people @> ARRAY[$11])
    OR d.audience = 3 AND coalesce((
        SELECT t.active FROM ties t WHERE t.kind = 1 AND t.account_id = $12 AND t.target_id = d.author_id
    ), false)
    OR d.audience = 5 AND coalesce((
        SELECT m.active FROM memberships m WHERE m.account_id = $13 AND m.place_id = d.place_id
    ), false) AND NOT coalesce((SELECT p.gone FROM places p WHERE p.id = d.place_id), false)
)
AND coalesce(d.author_id NOT IN (
    SELECT t.target_id FROM ties t WHERE t.kind = 2 AND t.account_id = $14 AND t.active
    UNION ALL SELECT t.account_id FROM ties t WHERE t.kind = 2 AND t.target_id = $15 AND t.active
), true)
ORDER BY n.position > 0, d.popularity DESC, c.id DESC
LIMIT $16;

-- CircleStore.named(_:_:in:for:most:in:), followed
SELECT c.id FROM (SELECT t.target_id AS id FROM ties t WHERE t.kind = 1 AND t.account_id = $1 AND t.active) c
CROSS JOIN LATERAL (
    SELECT min(n.position) AS position FROM names n
    WHERE n.kind = $2 AND n.id = c.id
        AND (starts_with(n.typed, $3) OR starts_with(n.initials, $4))
) n
JOIN documents d ON d.kind = $5 AND d.id = c.id
WHERE n.position IS NOT NULL AND NOT d.gone AND coalesce((
    SELECT NOT a.gone AND (d.audience <> 1 OR a.indexable OR d.author_id = $6 OR d.people @> ARRAY[$7])
    FROM accounts a WHERE a.id = d.author_id
), d.audience <> 1 OR d.author_id = $8 OR d.people @> ARRAY[$9])
AND (
    d.audience < 2
    OR d.audience < 5 AND (d.author_id = $10 OR d.people @> ARRAY[$11])
    OR d.audience = 3 AND coalesce((
        SELECT t.active FROM ties t WHERE t.kind = 1 AND t.account_id = $12 AND t.target_id = d.author_id
    ), false)
    OR d.audience = 5 AND coalesce((
        SELECT m.active FROM memberships m WHERE m.account_id = $13 AND m.place_id = d.place_id
    ), false) AND NOT coalesce((SELECT p.gone FROM places p WHERE p.id = d.place_id), false)
)
AND coalesce(d.author_id NOT IN (
    SELECT t.target_id FROM ties t WHERE t.kind = 2 AND t.account_id = $14 AND t.active
    UNION ALL SELECT t.account_id FROM ties t WHERE t.kind = 2 AND t.target_id = $15 AND t.active
), true)
ORDER BY n.position > 0, d.popularity DESC, c.id DESC
LIMIT $16;

-- CircleStore.named(_:_:in:for:most:in:), members
SELECT c.id FROM (SELECT m.account_id AS id FROM memberships m
WHERE m.place_id = $1 AND m.active AND coalesce((
    SELECT v.active FROM memberships v WHERE v.account_id = $2 AND v.place_id = $3
), false)) c
CROSS JOIN LATERAL (
    SELECT min(n.position) AS position FROM names n
    WHERE n.kind = $4 AND n.id = c.id
        AND (starts_with(n.typed, $5) OR starts_with(n.initials, $6))
) n
JOIN documents d ON d.kind = $7 AND d.id = c.id
WHERE n.position IS NOT NULL AND NOT d.gone AND coalesce((
    SELECT NOT a.gone AND (d.audience <> 1 OR a.indexable OR d.author_id = $8 OR d.people @> ARRAY[$9])
    FROM accounts a WHERE a.id = d.author_id
), d.audience <> 1 OR d.author_id = $10 OR d.people @> ARRAY[$11])
AND (
    d.audience < 2
    OR d.audience < 5 AND (d.author_id = $12 OR d.people @> ARRAY[$13])
    OR d.audience = 3 AND coalesce((
        SELECT t.active FROM ties t WHERE t.kind = 1 AND t.account_id = $14 AND t.target_id = d.author_id
    ), false)
    OR d.audience = 5 AND coalesce((
        SELECT m.active FROM memberships m WHERE m.account_id = $15 AND m.place_id = d.place_id
    ), false) AND NOT coalesce((SELECT p.gone FROM places p WHERE p.id = d.place_id), false)
)
AND coalesce(d.author_id NOT IN (
    SELECT t.target_id FROM ties t WHERE t.kind = 2 AND t.account_id = $16 AND t.active
    UNION ALL SELECT t.account_id FROM ties t WHERE t.kind = 2 AND t.target_id = $17 AND t.active
), true)
ORDER BY n.position > 0, d.popularity DESC, c.id DESC
LIMIT $18;

-- DocumentStore.bury(_:in:)
INSERT INTO documents (kind, id, version, audience, people, popularity, popularity_version, gone, keys, form, source)
SELECT d.kind, d.id, d.version, 0, '{}', 0, 0, true, '{}', '', ''
FROM unnest($1, $2, $3)
    AS d (kind, id, version)
ORDER BY d.kind, d.id
ON CONFLICT (kind, id) DO UPDATE
SET version = excluded.version, author_id = NULL, audience = 0, place_id = NULL, people = '{}', popularity = 0,
    popularity_version = 0, gone = true, changed_at = now(), keys = '{}', form = '',
    source = ''
WHERE excluded.version >= documents.version
RETURNING kind, id;

-- DocumentStore.current(_:in:)
SELECT d.kind, d.id
FROM unnest($1, $2, $3)
    AS k (kind, id, version)
JOIN documents d ON d.kind = k.kind AND d.id = k.id AND d.version = k.version AND NOT d.gone;

-- DocumentStore.forget(_:in:)
DELETE FROM documents d USING unnest($1, $2) AS k (kind, id)
WHERE d.kind = k.kind AND d.id = k.id;

-- DocumentStore.keep(_:in:)
INSERT INTO documents (kind, id, version, author_id, audience, place_id, people, popularity, popularity_version,
    gone, keys, form, source)
SELECT d.kind, d.id, d.version, nullif(d.author_id, 0), d.audience, nullif(d.place_id, 0),
    CAST(d.people AS bigint[]), d.popularity, d.popularity_version, false,
    CAST(d.keys AS integer[]), d.form, d.source
FROM unnest(
    $1, $2, $3,
    $4, $5, $6,
    $7, $8, $9,
    $10, $11, $12
) AS d (kind, id, version, author_id, audience, place_id, people, popularity, popularity_version, keys, form, source)
-- A place that is gone takes nothing in any more; what was in it goes with the sweep.
WHERE NOT coalesce((SELECT p.gone FROM places p WHERE p.id = d.place_id), false)
ORDER BY d.kind, d.id
ON CONFLICT (kind, id) DO UPDATE
SET version = excluded.version, author_id = excluded.author_id, audience = excluded.audience,
    place_id = excluded.place_id, people = excluded.people,
    popularity = CASE WHEN excluded.popularity_version >= documents.popularity_version
        THEN excluded.popularity ELSE documents.popularity END,
    popularity_version = greatest(excluded.popularity_version, documents.popularity_version),
    changed_at = now(), gone = false, keys = excluded.keys, form = excluded.form, source = excluded.source
WHERE excluded.version > documents.version
    -- What is told again repairs what is not as it was told.
    OR excluded.version = documents.version AND NOT documents.gone AND (
        excluded.form, excluded.source, excluded.keys, excluded.audience, excluded.author_id, excluded.place_id, excluded.people,
        CASE WHEN excluded.popularity_version >= documents.popularity_version THEN excluded.popularity ELSE documents.popularity END
    ) IS DISTINCT FROM (
        documents.form, documents.source, documents.keys, documents.audience, documents.author_id, documents.place_id,
        documents.people, documents.popularity
    )
RETURNING kind, id;

-- DocumentStore.keep(_:in:), popularity
INSERT INTO documents (kind, id, version, audience, people, popularity, popularity_version, gone, keys, form, source)
SELECT p.kind, p.id, -1, 0, '{}', p.popularity, p.version, true, '{}', '', ''
FROM unnest(
    $1, $2, $3,
    $4
) AS p (kind, id, popularity, version)
ORDER BY p.kind, p.id
ON CONFLICT (kind, id) DO UPDATE
SET popularity = excluded.popularity, popularity_version = excluded.popularity_version
WHERE excluded.popularity_version >= documents.popularity_version AND (NOT documents.gone OR documents.version = -1)
    AND (excluded.popularity, excluded.popularity_version)
        IS DISTINCT FROM (documents.popularity, documents.popularity_version);

-- DocumentStore.newest(_:_:byKeys:time:in:), by keys
(
    SELECT d.id, d.popularity, d.form, d.source, NULL AS newest, false AS isover
    FROM (
        SELECT * FROM unnest($1, $2, $3, $4) AS s (ceiling, floor, a0, a1) WHERE NOT clock_timestamp() > statement_timestamp() + $5 * interval '1 millisecond'
    ) s
    CROSS JOIN LATERAL (
        SELECT d.id, d.popularity, d.form, d.source FROM (
            SELECT d.id, d.author_id, d.audience, d.place_id, d.people, d.popularity, d.form, d.source FROM documents d
            WHERE d.kind + 0 = $6 AND d.id + 0 < s.ceiling AND d.id + 0 >= s.floor AND NOT d.gone AND d.keys && ($7)[s.a0:s.a1]
            ORDER BY d.id DESC
            OFFSET 0
        ) d
        WHERE coalesce((
    SELECT NOT a.gone AND (d.audience <> 1 OR a.indexable OR d.author_id = $8 OR d.people @> ARRAY[$9])
    FROM accounts a WHERE a.id = d.author_id
), d.audience <> 1 OR d.author_id = $10 OR d.people @> ARRAY[$11])
AND (
    d.audience < 2
    OR d.audience < 5 AND (d.author_id = $12 OR d.people @> ARRAY[$13])
    OR d.audience = 3 AND coalesce((
        SELECT t.active FROM ties t WHERE t.kind = 1 AND t.account_id = $14 AND t.target_id = d.author_id
    ), false)
    OR d.audience = 5 AND coalesce((
        SELECT m.active FROM memberships m WHERE m.account_id = $15 AND m.place_id = d.place_id
    ), false) AND NOT coalesce((SELECT p.gone FROM places p WHERE p.id = d.place_id), false)
)
AND coalesce(d.author_id NOT IN (
    SELECT t.target_id FROM ties t WHERE t.kind = 2 AND t.account_id = $16 AND t.active
    UNION ALL SELECT t.account_id FROM ties t WHERE t.kind = 2 AND t.target_id = $17 AND t.active
), true)
        LIMIT $18
    ) d
    LIMIT $19
)
UNION ALL
SELECT 0, 0, '', '', (SELECT max(s.number) FROM segments s WHERE s.kind = $20), clock_timestamp() > statement_timestamp() + $21 * interval '1 millisecond';

-- DocumentStore.newest(_:_:byKeys:time:in:), messages
(
    SELECT d.id, d.popularity, d.form, d.source, NULL AS newest, false AS isover
    FROM (
        SELECT * FROM unnest($1, $2, $3, $4) AS s (ceiling, floor, a0, a1) WHERE NOT clock_timestamp() > statement_timestamp() + $5 * interval '1 millisecond'
    ) s
    CROSS JOIN LATERAL (
        SELECT d.id, d.popularity, d.form, d.source FROM (
            SELECT d.id, d.author_id, d.audience, d.place_id, d.people, d.popularity, d.form, d.source FROM documents d
            WHERE d.kind + 0 = $6 AND d.id + 0 < s.ceiling AND d.id + 0 >= s.floor AND NOT d.gone AND d.keys && ($7)[s.a0:s.a1] AND d.form LIKE ALL ($8) AND d.form NOT LIKE ALL ($9)
            ORDER BY d.id DESC
            OFFSET 0
        ) d
        WHERE coalesce((
    SELECT NOT a.gone AND (d.audience <> 1 OR a.indexable OR d.author_id = $10 OR d.people @> ARRAY[$11])
    FROM accounts a WHERE a.id = d.author_id
), d.audience <> 1 OR d.author_id = $12 OR d.people @> ARRAY[$13])
AND (
    d.audience < 2
    OR d.audience < 5 AND (d.author_id = $14 OR d.people @> ARRAY[$15])
    OR d.audience = 3 AND coalesce((
        SELECT t.active FROM ties t WHERE t.kind = 1 AND t.account_id = $16 AND t.target_id = d.author_id
    ), false)
    OR d.audience = 5 AND coalesce((
        SELECT m.active FROM memberships m WHERE m.account_id = $17 AND m.place_id = d.place_id
    ), false) AND NOT coalesce((SELECT p.gone FROM places p WHERE p.id = d.place_id), false)
)
AND coalesce(d.author_id NOT IN (
    SELECT t.target_id FROM ties t WHERE t.kind = 2 AND t.account_id = $18 AND t.active
    UNION ALL SELECT t.account_id FROM ties t WHERE t.kind = 2 AND t.target_id = $19 AND t.active
), true)
        LIMIT $20
    ) d
    LIMIT $21
)
UNION ALL
SELECT 0, 0, '', '', (SELECT max(s.number) FROM segments s WHERE s.kind = $22), clock_timestamp() > statement_timestamp() + $23 * interval '1 millisecond';

-- DocumentStore.newest(_:_:byKeys:time:in:), nobody
(
    SELECT d.id, d.popularity, d.form, d.source, NULL AS newest, false AS isover
    FROM (
        SELECT * FROM unnest($1, $2, $3, $4, $5, $6) AS s (ceiling, floor, a0, a1, b0, b1) WHERE NOT clock_timestamp() > statement_timestamp() + $7 * interval '1 millisecond'
    ) s
    CROSS JOIN LATERAL (
        SELECT d.id, d.popularity, d.form, d.source FROM (
            SELECT d.id, d.author_id, d.audience, d.place_id, d.people, d.popularity, d.form, d.source FROM documents d
            WHERE d.kind + 0 = $8 AND d.id + 0 < s.ceiling AND d.id + 0 >= s.floor AND NOT d.gone AND d.keys && ($9)[s.a0:s.a1] AND d.keys && ($10)[s.b0:s.b1] AND d.form LIKE ALL ($11) AND d.form NOT LIKE ALL ($12) AND d.form LIKE ANY ($13)
            ORDER BY d.id DESC
            OFFSET 0
        ) d
        WHERE coalesce((
    SELECT NOT a.gone AND (d.audience = 0 OR d.audience = 1 AND a.indexable) FROM accounts a WHERE a.id = d.author_id
), d.audience = 0)
        LIMIT $14
    ) d
    LIMIT $15
)
UNION ALL
SELECT 0, 0, '', '', (SELECT max(s.number) FROM segments s WHERE s.kind = $16), clock_timestamp() > statement_timestamp() + $17 * interval '1 millisecond';

-- DocumentStore.newest(_:_:byKeys:time:in:), some of several, without
(
    SELECT d.id, d.popularity, d.form, d.source, NULL AS newest, false AS isover
    FROM (
        SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS s (ceiling, floor, a0, a1, b0, b1, c0, c1, without0, without1) WHERE NOT clock_timestamp() > statement_timestamp() + $11 * interval '1 millisecond'
    ) s
    CROSS JOIN LATERAL (
        SELECT d.id, d.popularity, d.form, d.source FROM (
            SELECT d.id, d.author_id, d.audience, d.place_id, d.people, d.popularity, d.form, d.source FROM documents d
            WHERE d.kind + 0 = $12 AND d.id + 0 < s.ceiling AND d.id + 0 >= s.floor AND NOT d.gone AND d.keys && ($13)[s.a0:s.a1] AND d.keys && ($14)[s.b0:s.b1] AND d.keys && ($15)[s.c0:s.c1] AND NOT d.keys && ($16)[s.without0:s.without1] AND d.form LIKE ALL ($17) AND d.form NOT LIKE ALL ($18) AND d.form LIKE ANY ($19)
            ORDER BY d.id DESC
            OFFSET 0
        ) d
        WHERE coalesce((
    SELECT NOT a.gone AND (d.audience <> 1 OR a.indexable OR d.author_id = $20 OR d.people @> ARRAY[$21])
    FROM accounts a WHERE a.id = d.author_id
), d.audience <> 1 OR d.author_id = $22 OR d.people @> ARRAY[$23])
AND (
    d.audience < 2
    OR d.audience < 5 AND (d.author_id = $24 OR d.people @> ARRAY[$25])
    OR d.audience = 3 AND coalesce((
        SELECT t.active FROM ties t WHERE t.kind = 1 AND t.account_id = $26 AND t.target_id = d.author_id
    ), false)
    OR d.audience = 5 AND coalesce((
        SELECT m.active FROM memberships m WHERE m.account_id = $27 AND m.place_id = d.place_id
    ), false) AND NOT coalesce((SELECT p.gone FROM places p WHERE p.id = d.place_id), false)
)
AND coalesce(d.author_id NOT IN (
    SELECT t.target_id FROM ties t WHERE t.kind = 2 AND t.account_id = $28 AND t.active
    UNION ALL SELECT t.account_id FROM ties t WHERE t.kind = 2 AND t.target_id = $29 AND t.active
), true)
        LIMIT $30
    ) d
    LIMIT $31
)
UNION ALL
SELECT 0, 0, '', '', (SELECT max(s.number) FROM segments s WHERE s.kind = $32), clock_timestamp() > statement_timestamp() + $33 * interval '1 millisecond';

-- DocumentStore.newest(_:_:byKeys:time:in:), somebody
(
    SELECT d.id, d.popularity, d.form, d.source, NULL AS newest, false AS isover
    FROM (
        SELECT * FROM unnest($1, $2, $3, $4) AS s (ceiling, floor, a0, a1) WHERE NOT clock_timestamp() > statement_timestamp() + $5 * interval '1 millisecond'
    ) s
    CROSS JOIN LATERAL (
        SELECT d.id, d.popularity, d.form, d.source FROM (
            SELECT d.id, d.author_id, d.audience, d.place_id, d.people, d.popularity, d.form, d.source FROM documents d
            WHERE d.kind + 0 = $6 AND d.id + 0 < s.ceiling AND d.id + 0 >= s.floor AND NOT d.gone AND d.keys && ($7)[s.a0:s.a1] AND d.form LIKE ALL ($8) AND d.form NOT LIKE ALL ($9)
            ORDER BY d.id DESC
            OFFSET 0
        ) d
        WHERE coalesce((
    SELECT NOT a.gone AND (d.audience <> 1 OR a.indexable OR d.author_id = $10 OR d.people @> ARRAY[$11])
    FROM accounts a WHERE a.id = d.author_id
), d.audience <> 1 OR d.author_id = $12 OR d.people @> ARRAY[$13])
AND (
    d.audience < 2
    OR d.audience < 5 AND (d.author_id = $14 OR d.people @> ARRAY[$15])
    OR d.audience = 3 AND coalesce((
        SELECT t.active FROM ties t WHERE t.kind = 1 AND t.account_id = $16 AND t.target_id = d.author_id
    ), false)
    OR d.audience = 5 AND coalesce((
        SELECT m.active FROM memberships m WHERE m.account_id = $17 AND m.place_id = d.place_id
    ), false) AND NOT coalesce((SELECT p.gone FROM places p WHERE p.id = d.place_id), false)
)
AND coalesce(d.author_id NOT IN (
    SELECT t.target_id FROM ties t WHERE t.kind = 2 AND t.account_id = $18 AND t.active
    UNION ALL SELECT t.account_id FROM ties t WHERE t.kind = 2 AND t.target_id = $19 AND t.active
), true)
        LIMIT $20
    ) d
    LIMIT $21
)
UNION ALL
SELECT 0, 0, '', '', (SELECT max(s.number) FROM segments s WHERE s.kind = $22), clock_timestamp() > statement_timestamp() + $23 * interval '1 millisecond';

-- DocumentStore.newest(_:_:byKeys:time:in:), without words
(
    SELECT d.id, d.popularity, d.form, d.source, NULL AS newest, false AS isover
    FROM (
        SELECT * FROM unnest($1, $2, $3, $4) AS s (ceiling, floor, without0, without1) WHERE NOT clock_timestamp() > statement_timestamp() + $5 * interval '1 millisecond'
    ) s
    CROSS JOIN LATERAL (
        SELECT d.id, d.popularity, d.form, d.source FROM (
            SELECT d.id, d.author_id, d.audience, d.place_id, d.people, d.popularity, d.form, d.source FROM documents d
            WHERE d.kind = $6 AND d.id < s.ceiling AND d.id >= s.floor AND NOT d.gone AND NOT d.keys && ($7)[s.without0:s.without1] AND d.form LIKE ALL ($8) AND d.form NOT LIKE ALL ($9)
            ORDER BY d.id DESC
            OFFSET 0
        ) d
        WHERE coalesce((
    SELECT NOT a.gone AND (d.audience <> 1 OR a.indexable OR d.author_id = $10 OR d.people @> ARRAY[$11])
    FROM accounts a WHERE a.id = d.author_id
), d.audience <> 1 OR d.author_id = $12 OR d.people @> ARRAY[$13])
AND (
    d.audience < 2
    OR d.audience < 5 AND (d.author_id = $14 OR d.people @> ARRAY[$15])
    OR d.audience = 3 AND coalesce((
        SELECT t.active FROM ties t WHERE t.kind = 1 AND t.account_id = $16 AND t.target_id = d.author_id
    ), false)
    OR d.audience = 5 AND coalesce((
        SELECT m.active FROM memberships m WHERE m.account_id = $17 AND m.place_id = d.place_id
    ), false) AND NOT coalesce((SELECT p.gone FROM places p WHERE p.id = d.place_id), false)
)
AND coalesce(d.author_id NOT IN (
    SELECT t.target_id FROM ties t WHERE t.kind = 2 AND t.account_id = $18 AND t.active
    UNION ALL SELECT t.account_id FROM ties t WHERE t.kind = 2 AND t.target_id = $19 AND t.active
), true)
        LIMIT $20
    ) d
    LIMIT $21
)
UNION ALL
SELECT 0, 0, '', '', (SELECT max(s.number) FROM segments s WHERE s.kind = $22), clock_timestamp() > statement_timestamp() + $23 * interval '1 millisecond';

-- DocumentStore.texts(of:_:in:)
SELECT d.id, d.source FROM documents d WHERE d.kind = $1 AND d.id = ANY ($2) AND NOT d.gone;

-- ErasedAccountStore.belongings, account
DELETE FROM accounts
WHERE (id) IN (SELECT id FROM accounts WHERE id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, memberships
DELETE FROM memberships
WHERE (account_id, place_id) IN (SELECT account_id, place_id FROM memberships WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, ties
DELETE FROM ties
WHERE (kind, account_id, target_id) IN (SELECT kind, account_id, target_id FROM ties WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, tiesOfOthers
DELETE FROM ties
WHERE (kind, account_id, target_id) IN (SELECT kind, account_id, target_id FROM ties WHERE target_id = $1 AND target_id <> 0 LIMIT 500);

-- ErasedAccountStore.belongings, uses
DELETE FROM uses
WHERE (post_id, kind, thing_id) IN (SELECT post_id, kind, thing_id FROM uses WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.deletePopularity(of:in:)
DELETE FROM popular WHERE post_id = ANY ($1);

-- ErasedAccountStore.documents(of:in:)
SELECT kind, id FROM documents WHERE kind = $1 AND id = $2
UNION
SELECT kind, id
FROM (SELECT kind, id FROM documents WHERE author_id = $3 AND author_id IS NOT NULL LIMIT 200) d;

-- ErasedAccountStore.takeRecords(of:in:)
DELETE FROM shelved_books
WHERE record_id IN (SELECT record_id FROM shelved_books WHERE account_id = $1 LIMIT 200)
RETURNING record_id, book_id;

-- ErasedAccountStore.unname(_:in:)
UPDATE documents
SET people = array_remove(people, CAST($1 AS bigint))
WHERE (kind, id) IN (
    SELECT kind, id FROM documents
    WHERE people @> ARRAY[CAST($2 AS bigint)] AND people <> '{}'
    LIMIT 200
);

-- ExportedStore.profile(of:in:)
SELECT json_build_object(
    'handle', a.handle, 'indexable', a.indexable, 'is_suggested', a.is_suggested,
    'hides_follows', a.hides_follows, 'languages', a.languages, 'language', a.language
)::text
FROM accounts a WHERE a.id = $1;

-- LinkStore.addresses(_:in:)
SELECT l.id, l.url FROM links l WHERE l.id = ANY ($1);

-- LinkStore.keep(_:in:)
INSERT INTO links (id, url, last_post_id)
SELECT id, url, last_post_id FROM unnest(
    $1, $2, $3
) AS l (id, url, last_post_id)
ORDER BY id
ON CONFLICT (id) DO UPDATE
SET url = excluded.url, last_post_id = greatest(links.last_post_id, excluded.last_post_id);

-- NameStore.add(_:in:)
INSERT INTO names (kind, id, position, typed, initials, near, within, weight)
SELECT n.kind, n.id, n.position, n.typed, nullif(n.initials, ''), CAST(nullif(n.near, '') AS integer[]), n.position > 0, coalesce((
    SELECT length(ltrim(CAST(CAST(greatest(d.popularity, 0) AS bit(32)) AS text), '0')) FROM documents d WHERE d.kind = n.kind AND d.id = n.id
), 0)
FROM unnest(
    $1, $2, $3, $4,
    $5, $6
) AS n (kind, id, position, typed, initials, near)
ON CONFLICT (kind, id, position) DO NOTHING;

-- NameStore.clear(_:in:)
DELETE FROM names n USING unnest($1, $2) AS d (kind, id)
WHERE n.kind = d.kind AND n.id = d.id;

-- NameStore.find(_:of:for:most:in:), initials
SELECT n.kind, n.id, n.typed, n.position, n.popularity
FROM unnest($1) AS k (kind)
CROSS JOIN LATERAL (
    SELECT n.kind, n.id, n.typed, n.position, d.popularity
    FROM unnest($2, $3, $4, $5) AS s (within, weight, start, ending)
    CROSS JOIN LATERAL (
        SELECT n.kind, n.id, n.typed, n.position FROM names n
        WHERE n.kind = k.kind AND n.within = s.within AND n.weight = s.weight
            AND n.initials >= s.start AND n.initials < s.ending
        ORDER BY n.initials
        LIMIT $6
    ) n
    CROSS JOIN LATERAL (
        SELECT d.author_id, d.audience, d.place_id, d.people, d.popularity FROM documents d
        WHERE d.kind = n.kind AND d.id = n.id AND NOT d.gone
        OFFSET 0
    ) d
    WHERE coalesce((
    SELECT NOT a.gone AND (d.audience = 0 OR d.audience = 1 AND a.indexable) FROM accounts a WHERE a.id = d.author_id
), d.audience = 0)
    LIMIT $7
) n;

-- NameStore.find(_:of:for:most:in:), near
SELECT n.kind, n.id, n.typed, n.position, d.popularity
FROM unnest($1) AS k (kind)
CROSS JOIN LATERAL (
    SELECT n.kind, n.id, n.typed, n.position FROM names n
    WHERE n.kind = k.kind AND n.near && $2
    ORDER BY n.weight DESC, n.id
    LIMIT 400
) n
JOIN documents d ON d.kind = n.kind AND d.id = n.id
WHERE NOT d.gone AND coalesce((
    SELECT NOT a.gone AND (d.audience <> 1 OR a.indexable OR d.author_id = $3 OR d.people @> ARRAY[$4])
    FROM accounts a WHERE a.id = d.author_id
), d.audience <> 1 OR d.author_id = $5 OR d.people @> ARRAY[$6])
AND (
    d.audience < 2
    OR d.audience < 5 AND (d.author_id = $7 OR d.people @> ARRAY[$8])
    OR d.audience = 3 AND coalesce((
        SELECT t.active FROM ties t WHERE t.kind = 1 AND t.account_id = $9 AND t.target_id = d.author_id
    ), false)
    OR d.audience = 5 AND coalesce((
        SELECT m.active FROM memberships m WHERE m.account_id = $10 AND m.place_id = d.place_id
    ), false) AND NOT coalesce((SELECT p.gone FROM places p WHERE p.id = d.place_id), false)
)
AND coalesce(d.author_id NOT IN (
    SELECT t.target_id FROM ties t WHERE t.kind = 2 AND t.account_id = $11 AND t.active
    UNION ALL SELECT t.account_id FROM ties t WHERE t.kind = 2 AND t.target_id = $12 AND t.active
), true);

-- NameStore.find(_:of:for:most:in:), typed
SELECT n.kind, n.id, n.typed, n.position, n.popularity
FROM unnest($1) AS k (kind)
CROSS JOIN LATERAL (
    SELECT n.kind, n.id, n.typed, n.position, d.popularity
    FROM unnest($2, $3, $4, $5) AS s (within, weight, start, ending)
    CROSS JOIN LATERAL (
        SELECT n.kind, n.id, n.typed, n.position FROM names n
        WHERE n.kind = k.kind AND n.within = s.within AND n.weight = s.weight
            AND n.typed >= s.start AND n.typed < s.ending
        ORDER BY n.typed
        LIMIT $6
    ) n
    CROSS JOIN LATERAL (
        SELECT d.author_id, d.audience, d.place_id, d.people, d.popularity FROM documents d
        WHERE d.kind = n.kind AND d.id = n.id AND NOT d.gone
        OFFSET 0
    ) d
    WHERE coalesce((
    SELECT NOT a.gone AND (d.audience <> 1 OR a.indexable OR d.author_id = $7 OR d.people @> ARRAY[$8])
    FROM accounts a WHERE a.id = d.author_id
), d.audience <> 1 OR d.author_id = $9 OR d.people @> ARRAY[$10])
AND (
    d.audience < 2
    OR d.audience < 5 AND (d.author_id = $11 OR d.people @> ARRAY[$12])
    OR d.audience = 3 AND coalesce((
        SELECT t.active FROM ties t WHERE t.kind = 1 AND t.account_id = $13 AND t.target_id = d.author_id
    ), false)
    OR d.audience = 5 AND coalesce((
        SELECT m.active FROM memberships m WHERE m.account_id = $14 AND m.place_id = d.place_id
    ), false) AND NOT coalesce((SELECT p.gone FROM places p WHERE p.id = d.place_id), false)
)
AND coalesce(d.author_id NOT IN (
    SELECT t.target_id FROM ties t WHERE t.kind = 2 AND t.account_id = $15 AND t.active
    UNION ALL SELECT t.account_id FROM ties t WHERE t.kind = 2 AND t.target_id = $16 AND t.active
), true)
    LIMIT $17
) n;

-- NameStore.weigh(_:in:)
UPDATE names n SET weight = length(ltrim(CAST(CAST(greatest(d.popularity, 0) AS bit(32)) AS text), '0'))
FROM unnest($1, $2) AS k (kind, id)
JOIN documents d ON d.kind = k.kind AND d.id = k.id
WHERE n.kind = k.kind AND n.id = k.id AND n.weight <> length(ltrim(CAST(CAST(greatest(d.popularity, 0) AS bit(32)) AS text), '0'));

-- PeopleStore.handles(of:in:)
SELECT a.id, a.handle FROM accounts a WHERE a.id = ANY ($1);

-- PeopleStore.keep(_:in:), memberships
INSERT INTO memberships (account_id, place_id, version, active, term)
SELECT account_id, place_id, version, active, term FROM unnest(
    $1, $2, $3,
    $4, $5
) AS m (account_id, place_id, version, active, term)
ORDER BY account_id, place_id
ON CONFLICT (account_id, place_id) DO UPDATE
SET version = excluded.version, active = excluded.active, changed_at = now()
WHERE excluded.version > memberships.version
    OR excluded.version = memberships.version
        AND (excluded.active, excluded.term) IS DISTINCT FROM (memberships.active, memberships.term);

-- PeopleStore.keep(_:in:), people
INSERT INTO accounts (id, version, handle, indexable, gone, profile, followers, is_suggested, hides_follows, languages)
SELECT id, version, handle, indexable, gone, profile, followers, is_suggested, hides_follows,
    string_to_array(languages, ',')
FROM unnest(
    $1, $2, $3, $4,
    $5, $6, $7, $8,
    $9, $10
) AS p (id, version, handle, indexable, gone, profile, followers, is_suggested, hides_follows, languages)
ORDER BY id
ON CONFLICT (id) DO UPDATE
SET version = excluded.version, handle = excluded.handle, indexable = excluded.indexable, gone = excluded.gone,
    profile = excluded.profile, followers = excluded.followers, is_suggested = excluded.is_suggested,
    hides_follows = excluded.hides_follows, languages = excluded.languages
WHERE excluded.version > accounts.version
    -- What is told again repairs what is not as it was told, here and below.
    OR excluded.version = accounts.version AND (
        excluded.handle, excluded.indexable, excluded.gone, excluded.profile, excluded.followers, excluded.is_suggested,
        excluded.hides_follows, excluded.languages
    ) IS DISTINCT FROM (
        accounts.handle, accounts.indexable, accounts.gone, accounts.profile, accounts.followers, accounts.is_suggested,
        accounts.hides_follows, accounts.languages
    );

-- PeopleStore.keep(_:in:), ties
INSERT INTO ties (kind, account_id, target_id, version, active)
SELECT kind, account_id, target_id, version, active FROM unnest(
    $1, $2, $3, $4,
    $5
) AS t (kind, account_id, target_id, version, active)
ORDER BY kind, account_id, target_id
ON CONFLICT (kind, account_id, target_id) DO UPDATE
SET version = excluded.version, active = excluded.active, changed_at = now()
WHERE excluded.version > ties.version OR excluded.version = ties.version AND excluded.active <> ties.active;

-- PeopleStore.keep(languages:in:)
INSERT INTO accounts (id, version, handle, indexable, gone, language)
SELECT id, -1, handle, false, false, language FROM unnest(
    $1, $2, $3
) AS p (id, handle, language)
ORDER BY id
ON CONFLICT (id) DO UPDATE SET language = excluded.language WHERE excluded.language <> accounts.language;

-- PeopleStore.known(_:in:)
SELECT a.id, a.version, a.profile, a.followers FROM accounts a WHERE a.id = ANY ($1);

-- PeopleStore.named(_:in:)
SELECT a.handle, a.id FROM accounts a WHERE a.handle = ANY ($1) AND NOT a.gone ORDER BY a.id;

-- PeopleStore.places(of:in:)
SELECT m.term FROM memberships m WHERE m.account_id = $1 AND m.active;

-- PlaceStore.channels(of:named:or:in:)
SELECT c.id FROM memberships m
CROSS JOIN LATERAL (
    SELECT c.id, c.parent_id, c.name FROM places c WHERE c.id = m.place_id AND NOT c.gone OFFSET 0
) c
WHERE m.account_id = $1 AND m.active
    AND (c.id = $2 OR c.parent_id = $3
        OR $4 <> '' AND $5 IN (c.name, (SELECT p.name FROM places p WHERE p.id = c.parent_id)));

-- PlaceStore.keep(_:in:)
INSERT INTO places (id, parent_id, version, name, gone)
SELECT id, nullif(parent_id, 0), version, name, gone FROM unnest(
    $1, $2, $3,
    $4, $5
) AS p (id, parent_id, version, name, gone)
ORDER BY id
ON CONFLICT (id) DO UPDATE
SET parent_id = excluded.parent_id, version = excluded.version, name = excluded.name, gone = excluded.gone,
    changed_at = now()
WHERE excluded.version > places.version
    OR excluded.version = places.version AND NOT places.gone
        AND (excluded.parent_id, excluded.name, excluded.gone) IS DISTINCT FROM (places.parent_id, places.name, places.gone);

-- PopularStore.keep(_:in:)
INSERT INTO popular (post_id, popularity, version)
SELECT post_id, popularity, version FROM unnest(
    $1, $2, $3
) AS p (post_id, popularity, version)
ORDER BY post_id
ON CONFLICT (post_id) DO UPDATE SET popularity = excluded.popularity, version = excluded.version
WHERE excluded.version >= popular.version
    AND (excluded.popularity, excluded.version) IS DISTINCT FROM (popular.popularity, popular.version);

-- PopularStore.trending(since:now:for:in:)
SELECT r.id FROM (
    SELECT d.id, s.score, row_number() OVER (PARTITION BY d.author_id ORDER BY s.score DESC, d.id DESC) AS place
    FROM (
        SELECT p.post_id, p.popularity * power(0.5, greatest(($1 - p.post_id) / 65536.0, 0) / 86400000) AS score
        FROM popular p WHERE p.post_id > $2
        ORDER BY score DESC LIMIT 1000
    ) s
    JOIN documents d ON d.kind = 2 AND d.id = s.post_id
    WHERE d.audience = 1 AND NOT d.gone AND coalesce((
    SELECT NOT a.gone AND (d.audience <> 1 OR a.indexable OR d.author_id = $3 OR d.people @> ARRAY[$4])
    FROM accounts a WHERE a.id = d.author_id
), d.audience <> 1 OR d.author_id = $5 OR d.people @> ARRAY[$6])
AND (
    d.audience < 2
    OR d.audience < 5 AND (d.author_id = $7 OR d.people @> ARRAY[$8])
    OR d.audience = 3 AND coalesce((
        SELECT t.active FROM ties t WHERE t.kind = 1 AND t.account_id = $9 AND t.target_id = d.author_id
    ), false)
    OR d.audience = 5 AND coalesce((
        SELECT m.active FROM memberships m WHERE m.account_id = $10 AND m.place_id = d.place_id
    ), false) AND NOT coalesce((SELECT p.gone FROM places p WHERE p.id = d.place_id), false)
)
AND coalesce(d.author_id NOT IN (
    SELECT t.target_id FROM ties t WHERE t.kind = 2 AND t.account_id = $11 AND t.active
    UNION ALL SELECT t.account_id FROM ties t WHERE t.kind = 2 AND t.target_id = $12 AND t.active
), true)
        AND coalesce((SELECT a.indexable FROM accounts a WHERE a.id = d.author_id), false)
) r
WHERE r.place <= 3
ORDER BY r.score DESC, r.id DESC
LIMIT 400;

-- QueryStore.keep(_:at:in:)
WITH asked AS (
    SELECT * FROM unnest(
        $1, $2, $3, $4
    ) AS q (query_id, asker_id, text, typed)
), kept AS (
    INSERT INTO askers (query_id, asker_id, asked_at)
    SELECT query_id, asker_id, $5 FROM asked ORDER BY query_id, asker_id
    ON CONFLICT (query_id, asker_id) DO UPDATE SET asked_at = excluded.asked_at
    RETURNING query_id, asker_id
), known AS (
    SELECT a.query_id, a.text, a.typed, (
        SELECT count(*) FROM (
            SELECT k.asker_id FROM askers k WHERE k.query_id = a.query_id
            UNION SELECT n.asker_id FROM kept n WHERE n.query_id = a.query_id
            LIMIT 1000
        ) AS everybody
    ) AS people
    FROM (SELECT DISTINCT ON (query_id) query_id, text, typed FROM asked ORDER BY query_id) a
)
INSERT INTO popular_queries (query_id, typed, text, people, asked_at)
SELECT query_id, typed, text, people, $6 FROM known WHERE people >= $7 ORDER BY query_id
ON CONFLICT (query_id) DO UPDATE SET people = excluded.people, asked_at = excluded.asked_at;

-- QueryStore.popular(beginning:in:)
SELECT q.text FROM (
    SELECT p.text, p.people FROM popular_queries p
    WHERE p.typed >= $1 AND p.typed < $2
    LIMIT 400
) q
ORDER BY q.people DESC, q.text
LIMIT 20;

-- SegmentStore.counts(in:)
SELECT s.kind, s.number * $1 + (
    SELECT count(*) FROM (
        SELECT 1 FROM documents d WHERE d.kind = s.kind AND d.id >= s.first_id LIMIT $2
    ) AS newest
)
FROM (SELECT DISTINCT ON (kind) kind, number, first_id FROM segments ORDER BY kind, number DESC) s;

-- SegmentStore.full(_:size:in:)
SELECT k.kind FROM unnest($1) AS k (kind)
LEFT JOIN LATERAL (
    SELECT s.first_id FROM segments s WHERE s.kind = k.kind ORDER BY s.number DESC LIMIT 1
) s ON true
WHERE s.first_id IS NULL OR (
    SELECT count(*) FROM (
        SELECT 1 FROM documents d WHERE d.kind = k.kind AND d.id >= s.first_id LIMIT $2
    ) AS newest
) = $3;

-- SegmentStore.lists(of:after:in:)
SELECT s.number, s.first_id, s.neighbouring, CAST(0 AS integer), CAST(0 AS smallint), (SELECT NOT EXISTS (SELECT FROM term_upgrades))
FROM segments s
WHERE s.kind = $1 AND s.number >= $2
UNION ALL
SELECT f.since, NULL, false, f.term, f.shift, true FROM frequent f WHERE f.kind = $3 AND f.since > $4
ORDER BY 1;

-- SegmentStore.open(_:in:)
INSERT INTO segments (kind, number, first_id, neighbouring)
SELECT k.kind, coalesce(s.number + 1, 0), CASE WHEN s.number IS NULL THEN $1 ELSE (
    SELECT max(d.id) + 1 FROM documents d WHERE d.kind = k.kind
) END, coalesce(s.neighbouring, false) OR EXISTS (SELECT FROM neighbouring_keys n WHERE n.since <= now())
FROM (SELECT CAST($2 AS smallint) AS kind) k
LEFT JOIN LATERAL (
    SELECT s.number, s.neighbouring FROM segments s WHERE s.kind = k.kind ORDER BY s.number DESC LIMIT 1
) s ON true
RETURNING number;

-- SegmentStore.weigh(_:at:in:)
WITH sample AS MATERIALIZED (
    SELECT s.number, s.neighbouring, s.first_id, lead(s.first_id) OVER (ORDER BY s.number) AS next_id FROM segments s
    WHERE s.kind = $1 AND s.number >= $2 AND s.number <= $3
),
cuts AS MATERIALIZED (
    SELECT f.term, f.since, f.shift, lead(f.since) OVER (PARTITION BY f.term ORDER BY f.since) AS next FROM frequent f
    WHERE f.kind = $4
),
known AS (
    SELECT s.number, c.term, CASE WHEN s.neighbouring THEN CAST(((c.term + 2147483648 + ((s.number >> c.shift) + c.shift * 2654404609)) & 4294967295) - 2147483648 AS integer)
    ELSE c.term # CAST((((s.number >> c.shift) * 2654435761 + c.shift * 2654404609 + 12345) & 4294967295) - 2147483648 AS integer) END AS key
    FROM sample s JOIN cuts c ON c.since <= s.number AND (c.next IS NULL OR c.next > s.number)
),
counted AS (
    SELECT s.number, s.neighbouring, t.key, count(*) AS uses
    FROM sample s
    JOIN documents d ON d.kind = $5 AND d.id >= s.first_id AND d.id < s.next_id
    CROSS JOIN LATERAL unnest(d.keys) AS t (key)
    GROUP BY s.number, s.neighbouring, t.key
),
terms AS (
    SELECT coalesce(k.term, CASE WHEN c.neighbouring THEN CAST(((c.key + 2147483648 - ((c.number >> 10) + 10 * 2654404609)) & 4294967295) - 2147483648 AS integer)
    ELSE c.key # CAST((((c.number >> 10) * 2654435761 + 10 * 2654404609 + 12345) & 4294967295) - 2147483648 AS integer) END) AS term, sum(c.uses) AS uses
    FROM counted c LEFT JOIN known k ON k.number = c.number AND k.key = c.key
    GROUP BY 1
),
size AS (
    SELECT count(*) AS documents FROM sample s
    JOIN documents d ON d.kind = $6 AND d.id >= s.first_id AND d.id < s.next_id
),
weighed AS (
    SELECT coalesce(t.term, c.term) AS term, c.shift AS before, t.uses >= greatest(8, $7 * z.documents) AS frequent,
        CASE WHEN t.uses IS NULL THEN 10 ELSE least(10, greatest(0, floor(
            ln($8 * z.documents / (CAST(t.uses AS float8) * $9)) / ln(2)
        ))) END AS shift
    FROM terms t FULL JOIN (SELECT * FROM cuts WHERE next IS NULL) c ON c.term = t.term CROSS JOIN size z
)
INSERT INTO frequent (kind, term, since, shift)
SELECT $10, w.term, $11, w.shift FROM weighed w
WHERE abs(w.shift - coalesce(w.before, 10)) >= 2 AND (w.frequent OR w.before IS NOT NULL)
ON CONFLICT (kind, term, since) DO NOTHING;

-- ShelvedBookStore.books(after:most:in:)
SELECT DISTINCT b.book_id FROM shelved_books b WHERE b.shown AND b.book_id > $1
ORDER BY b.book_id
LIMIT $2;

-- ShelvedBookStore.books(of:in:)
SELECT DISTINCT b.book_id FROM shelved_books b WHERE b.record_id = ANY ($1) AND b.shown;

-- ShelvedBookStore.first(of:besides:in:)
SELECT f.record_id
FROM unnest($1) AS k (id)
CROSS JOIN LATERAL (
    SELECT b.record_id FROM shelved_books b
    WHERE b.book_id = k.id AND b.shown AND b.record_id <> ALL ($2)
    ORDER BY b.record_id
    LIMIT 1
) f;

-- ShelvedBookStore.first(of:in:)
SELECT f.record_id, f.version, f.item, n.readers
FROM unnest($1) AS k (id)
CROSS JOIN LATERAL (
    SELECT b.record_id, b.version, b.item FROM shelved_books b
    WHERE b.book_id = k.id AND b.shown
    ORDER BY b.record_id
    LIMIT 1
) f
CROSS JOIN LATERAL (
    SELECT count(DISTINCT b.account_id) AS readers FROM (
        SELECT b.account_id FROM shelved_books b
        WHERE b.book_id = k.id AND b.shown
        ORDER BY b.record_id
        LIMIT 1000
    ) b
) n;

-- ShelvedBookStore.keep(_:in:)
INSERT INTO shelved_books (record_id, version, shown, account_id, book_id, item)
SELECT record_id, version, shown, account_id, book_id, item FROM unnest(
    $1, $2, $3, $4,
    $5, $6
) AS b (record_id, version, shown, account_id, book_id, item)
ORDER BY record_id
ON CONFLICT (record_id) DO UPDATE
SET version = excluded.version, shown = excluded.shown, account_id = excluded.account_id, book_id = excluded.book_id,
    item = excluded.item, changed_at = now()
WHERE excluded.version > shelved_books.version
    -- What is told again repairs what is not as it was told.
    OR excluded.version = shelved_books.version
        AND (excluded.shown, excluded.account_id, excluded.book_id, excluded.item) IS DISTINCT FROM
            (shelved_books.shown, shelved_books.account_id, shelved_books.book_id, shelved_books.item);

-- ShelvedBookStore.shown(_:in:)
SELECT b.record_id, b.item FROM shelved_books b WHERE b.record_id = ANY ($1) AND b.shown;

-- SuggestionStore.friendsOfFriends(of:in:)
SELECT c.id FROM (
    SELECT s.target_id AS id, count(*) AS friends FROM (
        SELECT t.target_id FROM ties t
        JOIN accounts f ON f.id = t.target_id AND NOT f.hides_follows AND NOT f.gone
        WHERE t.kind = 1 AND t.account_id = $1 AND t.active
        LIMIT 200
    ) f
    CROSS JOIN LATERAL (
        SELECT t.target_id FROM ties t WHERE t.kind = 1 AND t.account_id = f.target_id AND t.active LIMIT 100
    ) s
    GROUP BY s.target_id
    ORDER BY friends DESC
    LIMIT 400
) c
JOIN accounts a ON a.id = c.id
WHERE a.id <> $2 AND a.is_suggested AND NOT a.gone
    AND NOT EXISTS (
        SELECT FROM ties t
        WHERE t.kind IN (1, 2, 3, 4, 5) AND t.account_id = $3 AND t.target_id = a.id AND t.active
    )
    AND NOT EXISTS (
        SELECT FROM ties t WHERE t.kind = 2 AND t.account_id = a.id AND t.target_id = $4 AND t.active
    )
ORDER BY c.friends DESC, a.followers DESC, a.id DESC
LIMIT 80;

-- SuggestionStore.mostFollowed(for:in:)
SELECT a.id FROM (
    SELECT a.id, a.gone, a.is_suggested, a.followers, a.language, a.languages FROM accounts a
    WHERE a.is_suggested AND NOT a.gone
    ORDER BY a.followers DESC, a.id DESC
    LIMIT 400
) a
LEFT JOIN accounts v ON v.id = $1
WHERE a.id <> $2 AND a.is_suggested AND NOT a.gone
    AND NOT EXISTS (
        SELECT FROM ties t
        WHERE t.kind IN (1, 2, 3, 4, 5) AND t.account_id = $3 AND t.target_id = a.id AND t.active
    )
    AND NOT EXISTS (
        SELECT FROM ties t WHERE t.kind = 2 AND t.account_id = a.id AND t.target_id = $4 AND t.active
    )
ORDER BY (a.language <> '' AND a.language = v.language OR a.languages && v.languages
    OR a.languages @> ARRAY[v.language]) IS TRUE DESC, a.followers DESC, a.id DESC
LIMIT 80;

-- TermUpgradeStore.end(in:)
DELETE FROM term_upgrades u WHERE EXISTS (
    SELECT FROM rebuilds r WHERE r.queue = $1 AND r.state = 'finished' AND r.started_at > u.since
);

-- TurnStore.take(in:)
SELECT pg_advisory_xact_lock(hashtext('search.index'));

-- UsageStore.add(_:on:in:)
WITH told AS (
    SELECT t.name, t.platform, t.version, t.events FROM unnest(
        $1, $2, $3,
        $4
    ) AS t (name, platform, version, events)
), words AS (
    SELECT 1 AS kind, t.name AS word, $5 AS room FROM told t
    UNION
    SELECT 2, t.version, $6 FROM told t WHERE t.version <> ''
), known AS (
    SELECT w.kind, w.word FROM words n JOIN usage_words w ON w.kind = n.kind AND w.word = n.word
), again AS (
    UPDATE usage_words w SET told_on = CAST($7 AS date) FROM known k
    WHERE w.kind = k.kind AND w.word = k.word AND w.told_on < CAST($8 AS date)
), new AS (
    INSERT INTO usage_words (kind, word, told_on)
    SELECT n.kind, n.word, CAST($9 AS date)
    FROM (
        SELECT n.kind, n.word, n.room, row_number() OVER (PARTITION BY n.kind ORDER BY n.word) AS place
        FROM words n
        WHERE NOT EXISTS (SELECT FROM known k WHERE k.kind = n.kind AND k.word = n.word)
    ) n
    WHERE n.place <= n.room - (SELECT count(*) FROM usage_words w WHERE w.kind = n.kind)
    ORDER BY n.kind, n.word
    RETURNING kind, word
), counted AS (
    SELECT k.kind, k.word FROM known k UNION ALL SELECT n.kind, n.word FROM new n
)
INSERT INTO usage AS u (day, name, platform, version, events)
SELECT CAST($10 AS date), coalesce(n.word, $11), t.platform,
    CASE WHEN t.version = '' THEN '' ELSE coalesce(v.word, $12) END, CAST(sum(t.events) AS bigint)
FROM told t
LEFT JOIN counted n ON n.kind = 1 AND n.word = t.name
LEFT JOIN counted v ON v.kind = 2 AND v.word = t.version
GROUP BY 2, 3, 4
ORDER BY 2, 3, 4
ON CONFLICT (day, name, platform, version) DO UPDATE SET events = u.events + excluded.events;

-- UsageStore.forget(before:in:)
DELETE FROM usage
WHERE (day, name, platform, version) IN (SELECT day, name, platform, version FROM usage WHERE day < CAST($1 AS date) ORDER BY day LIMIT 1000);

-- UsageStore.forgetWords(before:in:)
DELETE FROM usage_words WHERE told_on < CAST($1 AS date);

-- UsageStore.platforms(on:in:)
SELECT u.name, u.platform, CAST(sum(u.events) AS bigint) AS events
FROM usage u
WHERE u.day = CAST($1 AS date)
GROUP BY u.name, u.platform
ORDER BY events DESC, u.name, u.platform;

-- UsageStore.take(in:)
SELECT pg_advisory_xact_lock(hashtext('search.usage'));

-- UsageStore.usage(on:in:)
SELECT u.name, u.platform, u.version, u.events
FROM usage u
WHERE u.day = CAST($1 AS date)
ORDER BY u.name, u.platform, u.version;

-- UseStore.forget(_:in:)
DELETE FROM uses WHERE post_id = ANY ($1);

-- UseStore.history(of:_:since:in:)
SELECT u.thing_id, (u.post_id >> 16) / 86400000 AS day, count(*), count(DISTINCT u.account_id)
FROM uses u
WHERE u.kind = $1 AND u.thing_id = ANY ($2) AND u.post_id >= $3
    AND (SELECT a.indexable AND NOT a.gone FROM accounts a WHERE a.id = u.account_id)
GROUP BY u.thing_id, day;

-- UseStore.keep(_:in:)
INSERT INTO uses (post_id, kind, thing_id, account_id)
SELECT post_id, kind, thing_id, account_id FROM unnest(
    $1, $2, $3, $4
) AS u (post_id, kind, thing_id, account_id)
ORDER BY post_id, kind, thing_id
ON CONFLICT (post_id, kind, thing_id) DO NOTHING;

-- UseStore.trending(_:since:usual:now:in:)
WITH latest AS (
    SELECT u.thing_id, u.account_id, max(u.post_id) AS post_id FROM uses u
    WHERE u.post_id > $1 AND u.post_id < 9223372036854775807 AND u.kind = $2
    GROUP BY u.thing_id, u.account_id
), now AS (
    SELECT l.thing_id, sum(power(0.5, greatest(($3 - l.post_id) / 65536.0, 0) / 43200000)) AS weight
    FROM latest l
    WHERE (SELECT a.indexable AND NOT a.gone FROM accounts a WHERE a.id = l.account_id)
    GROUP BY l.thing_id
    HAVING count(*) >= 2
    ORDER BY weight DESC
    LIMIT 200
)
SELECT n.thing_id, CAST(n.weight * n.weight / (1 + usual.daily) AS double precision) AS score
FROM now n
CROSS JOIN LATERAL (
    SELECT count(DISTINCT (u.account_id, (u.post_id >> 16) / 86400000)) / 5.0 AS daily FROM uses u
    WHERE u.kind = $4 AND u.thing_id = n.thing_id AND u.post_id > $5 AND u.post_id <= $6
) usual
ORDER BY score DESC, n.thing_id;

-- WordStore.begun(_:in:)
SELECT word FROM words WHERE word > $1 AND word < $2 ORDER BY word LIMIT $3;

-- WordStore.forget(_:in:)
DELETE FROM words WHERE word = ANY ($1);

-- WordStore.keep(_:in:)
INSERT INTO words (word, near)
SELECT w.word, CAST(w.near AS integer[]) FROM unnest($1, $2) AS w (word, near)
ORDER BY w.word
ON CONFLICT (word) DO NOTHING;

-- WordStore.near(_:in:)
SELECT word FROM words WHERE near && $1 ORDER BY length(word), word LIMIT 64;

-- WordStore.unused(_:in:)
SELECT w.word FROM unnest($1, $2) AS w (word, keys)
WHERE NOT EXISTS (SELECT FROM documents d WHERE d.keys && CAST(w.keys AS integer[]) AND NOT d.gone);

-- WordStore.words(after:most:in:)
SELECT word FROM words WHERE word > $1 ORDER BY word LIMIT $2;
