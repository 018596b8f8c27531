-- DocumentStore.bury(_:in:)
INSERT INTO documents (kind, id, version, audience, people, popularity, popularity_version, gone, keys, form, source)
SELECT d.kind, d.id, d.version, 0, '{}', 0, 0, true, '{}', '', ''
FROM unnest($1, $2, $3)
    AS d (kind, id, version)
ORDER BY d.kind, d.id
ON CONFLICT (kind, id) DO UPDATE
SET version = excluded.version, author_id = NULL, place_id = NULL, people = '{}', gone = true, keys = '{}', form = '',
    source = ''
WHERE excluded.version >= documents.version
RETURNING kind, id;

-- DocumentStore.keep(_:in:)
INSERT INTO documents (kind, id, version, author_id, audience, place_id, people, popularity, popularity_version,
    gone, keys, form, source)
SELECT d.kind, d.id, d.version, nullif(d.author_id, 0), d.audience, nullif(d.place_id, 0),
    CAST(d.people AS bigint[]), d.popularity, 0, false,
    ARRAY(SELECT t # s.mask FROM unnest(CAST(d.terms AS integer[])) AS t), d.form, d.source
FROM unnest(
    $1, $2, $3,
    $4, $5, $6,
    $7, $8,
    $9, $10, $11
) AS d (kind, id, version, author_id, audience, place_id, people, popularity, terms, form, source)
CROSS JOIN LATERAL (
    SELECT s.mask FROM segments s WHERE s.kind = d.kind AND s.first_id <= d.id ORDER BY s.number DESC LIMIT 1
) s
ORDER BY d.kind, d.id
ON CONFLICT (kind, id) DO UPDATE
SET version = excluded.version, author_id = excluded.author_id, audience = excluded.audience,
    place_id = excluded.place_id, people = excluded.people,
    popularity = CASE WHEN documents.popularity_version = 0 THEN excluded.popularity ELSE documents.popularity END,
    gone = false, keys = excluded.keys, form = excluded.form, source = excluded.source
WHERE excluded.version > documents.version
RETURNING kind, id;

-- DocumentStore.keep(_:in:), popularity
UPDATE documents d SET popularity = p.popularity, popularity_version = p.version
FROM unnest(
    $1, $2, $3,
    $4
) AS p (kind, id, popularity, version)
WHERE d.kind = p.kind AND d.id = p.id AND p.version > d.popularity_version;

-- DocumentStore.newest(_:in:), messages
SELECT d.id, d.popularity, d.form, d.source
FROM (
    SELECT number, mask FROM segments
    WHERE kind = $1 AND first_id < $2
    ORDER BY number DESC
) s
CROSS JOIN LATERAL (SELECT array_agg(t # s.mask) AS keys FROM unnest($3) AS t) k0
CROSS JOIN LATERAL (
    SELECT array_agg(m.term # s.mask) AS keys FROM memberships m
    WHERE m.account_id = $4 AND m.active
) places
CROSS JOIN LATERAL (
    SELECT d.id, d.popularity, d.form, d.source FROM (
        SELECT d.id, d.author_id, d.audience, d.place_id, d.people, d.popularity, d.form, d.source FROM documents d
        WHERE d.keys @> k0.keys AND d.keys && places.keys AND d.kind = $5 AND NOT d.gone
            AND d.id < $6 AND d.id > $7
            AND d.form LIKE ALL ($8) AND d.form NOT LIKE ALL ($9)
        ORDER BY d.id DESC
        OFFSET 0
    ) d
    WHERE NOT coalesce((SELECT a.gone FROM accounts a WHERE a.id = d.author_id), false)
AND (
    d.audience = 0
    OR d.audience = 1 AND coalesce((SELECT a.indexable FROM accounts a WHERE a.id = d.author_id), false)
    OR d.audience < 5 AND (d.author_id = $10 OR d.people @> ARRAY[$11])
    OR d.audience = 3 AND coalesce((
        SELECT t.active FROM ties t WHERE t.kind = 1 AND t.account_id = $12 AND t.target_id = d.author_id
    ), false)
    OR d.audience = 5 AND coalesce((
        SELECT m.active FROM memberships m WHERE m.account_id = $13 AND m.place_id = d.place_id
    ), false)
)
AND NOT coalesce((
    SELECT t.active FROM ties t WHERE t.kind = 2 AND t.account_id = $14 AND t.target_id = d.author_id
), false)
AND NOT coalesce((
    SELECT t.active FROM ties t WHERE t.kind = 2 AND t.account_id = d.author_id AND t.target_id = $15
), false)
    LIMIT $16
) d
LIMIT $17;

-- DocumentStore.newest(_:in:), nobody
SELECT d.id, d.popularity, d.form, d.source
FROM (
    SELECT number, mask FROM segments
    WHERE kind = $1 AND first_id < $2
    ORDER BY number DESC
) s
CROSS JOIN LATERAL (SELECT array_agg(t # s.mask) AS keys FROM unnest($3) AS t) k0

CROSS JOIN LATERAL (
    SELECT d.id, d.popularity, d.form, d.source FROM (
        SELECT d.id, d.author_id, d.audience, d.place_id, d.people, d.popularity, d.form, d.source FROM documents d
        WHERE d.keys @> k0.keys AND d.kind = $4 AND NOT d.gone
            AND d.id < $5 AND d.id > $6
            AND d.form LIKE ALL ($7) AND d.form NOT LIKE ALL ($8)
        ORDER BY d.id DESC
        OFFSET 0
    ) d
    WHERE NOT coalesce((SELECT a.gone FROM accounts a WHERE a.id = d.author_id), false)
AND (d.audience = 0 OR d.audience = 1 AND coalesce((SELECT a.indexable FROM accounts a WHERE a.id = d.author_id), false))
    LIMIT $9
) d
LIMIT $10;

-- DocumentStore.newest(_:in:), some of several, without
SELECT d.id, d.popularity, d.form, d.source
FROM (
    SELECT number, mask FROM segments
    WHERE kind = $1 AND first_id < $2
    ORDER BY number DESC
) s
CROSS JOIN LATERAL (SELECT array_agg(t # s.mask) AS keys FROM unnest($3) AS t) k0
CROSS JOIN LATERAL (SELECT array_agg(t # s.mask) AS keys FROM unnest($4) AS t) k1
CROSS JOIN LATERAL (SELECT array_agg(t # s.mask) AS keys FROM unnest($5) AS t) k2
CROSS JOIN LATERAL (SELECT array_agg(t # s.mask) AS keys FROM unnest($6) AS t) without

CROSS JOIN LATERAL (
    SELECT d.id, d.popularity, d.form, d.source FROM (
        SELECT d.id, d.author_id, d.audience, d.place_id, d.people, d.popularity, d.form, d.source FROM documents d
        WHERE d.keys @> k0.keys AND d.keys && k1.keys AND d.keys && k2.keys AND NOT d.keys && without.keys AND d.kind = $7 AND NOT d.gone
            AND d.id < $8 AND d.id > $9
            AND d.form LIKE ALL ($10) AND d.form NOT LIKE ALL ($11) AND d.form LIKE ANY ($12)
        ORDER BY d.id DESC
        OFFSET 0
    ) d
    WHERE NOT coalesce((SELECT a.gone FROM accounts a WHERE a.id = d.author_id), false)
AND (
    d.audience = 0
    OR d.audience = 1 AND coalesce((SELECT a.indexable FROM accounts a WHERE a.id = d.author_id), false)
    OR d.audience < 5 AND (d.author_id = $13 OR d.people @> ARRAY[$14])
    OR d.audience = 3 AND coalesce((
        SELECT t.active FROM ties t WHERE t.kind = 1 AND t.account_id = $15 AND t.target_id = d.author_id
    ), false)
    OR d.audience = 5 AND coalesce((
        SELECT m.active FROM memberships m WHERE m.account_id = $16 AND m.place_id = d.place_id
    ), false)
)
AND NOT coalesce((
    SELECT t.active FROM ties t WHERE t.kind = 2 AND t.account_id = $17 AND t.target_id = d.author_id
), false)
AND NOT coalesce((
    SELECT t.active FROM ties t WHERE t.kind = 2 AND t.account_id = d.author_id AND t.target_id = $18
), false)
    LIMIT $19
) d
LIMIT $20;

-- DocumentStore.newest(_:in:), somebody
SELECT d.id, d.popularity, d.form, d.source
FROM (
    SELECT number, mask FROM segments
    WHERE kind = $1 AND first_id < $2
    ORDER BY number DESC
) s
CROSS JOIN LATERAL (SELECT array_agg(t # s.mask) AS keys FROM unnest($3) AS t) k0

CROSS JOIN LATERAL (
    SELECT d.id, d.popularity, d.form, d.source FROM (
        SELECT d.id, d.author_id, d.audience, d.place_id, d.people, d.popularity, d.form, d.source FROM documents d
        WHERE d.keys @> k0.keys AND d.kind = $4 AND NOT d.gone
            AND d.id < $5 AND d.id > $6
            AND d.form LIKE ALL ($7) AND d.form NOT LIKE ALL ($8)
        ORDER BY d.id DESC
        OFFSET 0
    ) d
    WHERE NOT coalesce((SELECT a.gone FROM accounts a WHERE a.id = d.author_id), false)
AND (
    d.audience = 0
    OR d.audience = 1 AND coalesce((SELECT a.indexable FROM accounts a WHERE a.id = d.author_id), false)
    OR d.audience < 5 AND (d.author_id = $9 OR d.people @> ARRAY[$10])
    OR d.audience = 3 AND coalesce((
        SELECT t.active FROM ties t WHERE t.kind = 1 AND t.account_id = $11 AND t.target_id = d.author_id
    ), false)
    OR d.audience = 5 AND coalesce((
        SELECT m.active FROM memberships m WHERE m.account_id = $12 AND m.place_id = d.place_id
    ), false)
)
AND NOT coalesce((
    SELECT t.active FROM ties t WHERE t.kind = 2 AND t.account_id = $13 AND t.target_id = d.author_id
), false)
AND NOT coalesce((
    SELECT t.active FROM ties t WHERE t.kind = 2 AND t.account_id = d.author_id AND t.target_id = $14
), false)
    LIMIT $15
) d
LIMIT $16;

-- NameStore.add(_:in:)
INSERT INTO names (kind, id, position, typed, initials, near)
SELECT kind, id, position, typed, nullif(initials, ''), CAST(nullif(near, '') AS integer[]) FROM unnest(
    $1, $2, $3, $4,
    $5, $6
) AS n (kind, id, position, typed, initials, near)
ON CONFLICT (kind, id, position) DO NOTHING;

-- NameStore.clear(_:in:)
DELETE FROM names n USING unnest($1, $2) AS d (kind, id)
WHERE n.kind = d.kind AND n.id = d.id;

-- NameStore.find(_:of:for:in:), initials
SELECT n.kind, n.id, n.typed, n.position, d.popularity
FROM unnest($1) AS k (kind)
CROSS JOIN LATERAL (
    SELECT n.kind, n.id, n.typed, n.position FROM names n
    WHERE n.kind = k.kind AND n.initials >= $2 AND n.initials < $3
    LIMIT 400
) n
JOIN documents d ON d.kind = n.kind AND d.id = n.id
WHERE NOT d.gone AND NOT coalesce((SELECT a.gone FROM accounts a WHERE a.id = d.author_id), false)
AND (d.audience = 0 OR d.audience = 1 AND coalesce((SELECT a.indexable FROM accounts a WHERE a.id = d.author_id), false));

-- NameStore.find(_:of:for:in:), near
SELECT n.kind, n.id, n.typed, n.position, d.popularity
FROM unnest($1) AS k (kind)
CROSS JOIN LATERAL (
    SELECT n.kind, n.id, n.typed, n.position FROM names n
    WHERE n.kind = k.kind AND n.near && $2
    LIMIT 400
) n
JOIN documents d ON d.kind = n.kind AND d.id = n.id
WHERE NOT d.gone AND NOT coalesce((SELECT a.gone FROM accounts a WHERE a.id = d.author_id), false)
AND (
    d.audience = 0
    OR d.audience = 1 AND coalesce((SELECT a.indexable FROM accounts a WHERE a.id = d.author_id), false)
    OR d.audience < 5 AND (d.author_id = $3 OR d.people @> ARRAY[$4])
    OR d.audience = 3 AND coalesce((
        SELECT t.active FROM ties t WHERE t.kind = 1 AND t.account_id = $5 AND t.target_id = d.author_id
    ), false)
    OR d.audience = 5 AND coalesce((
        SELECT m.active FROM memberships m WHERE m.account_id = $6 AND m.place_id = d.place_id
    ), false)
)
AND NOT coalesce((
    SELECT t.active FROM ties t WHERE t.kind = 2 AND t.account_id = $7 AND t.target_id = d.author_id
), false)
AND NOT coalesce((
    SELECT t.active FROM ties t WHERE t.kind = 2 AND t.account_id = d.author_id AND t.target_id = $8
), false);

-- NameStore.find(_:of:for:in:), typed
SELECT n.kind, n.id, n.typed, n.position, d.popularity
FROM unnest($1) AS k (kind)
CROSS JOIN LATERAL (
    SELECT n.kind, n.id, n.typed, n.position FROM names n
    WHERE n.kind = k.kind AND n.typed >= $2 AND n.typed < $3
    LIMIT 400
) n
JOIN documents d ON d.kind = n.kind AND d.id = n.id
WHERE NOT d.gone AND NOT coalesce((SELECT a.gone FROM accounts a WHERE a.id = d.author_id), false)
AND (
    d.audience = 0
    OR d.audience = 1 AND coalesce((SELECT a.indexable FROM accounts a WHERE a.id = d.author_id), false)
    OR d.audience < 5 AND (d.author_id = $4 OR d.people @> ARRAY[$5])
    OR d.audience = 3 AND coalesce((
        SELECT t.active FROM ties t WHERE t.kind = 1 AND t.account_id = $6 AND t.target_id = d.author_id
    ), false)
    OR d.audience = 5 AND coalesce((
        SELECT m.active FROM memberships m WHERE m.account_id = $7 AND m.place_id = d.place_id
    ), false)
)
AND NOT coalesce((
    SELECT t.active FROM ties t WHERE t.kind = 2 AND t.account_id = $8 AND t.target_id = d.author_id
), false)
AND NOT coalesce((
    SELECT t.active FROM ties t WHERE t.kind = 2 AND t.account_id = d.author_id AND t.target_id = $9
), false);

-- PeopleStore.keep(_:in:), memberships
INSERT INTO memberships (account_id, place_id, version, active, term)
SELECT account_id, place_id, version, active, term FROM unnest(
    $1, $2, $3,
    $4, $5
) AS m (account_id, place_id, version, active, term)
ORDER BY account_id, place_id
ON CONFLICT (account_id, place_id) DO UPDATE SET version = excluded.version, active = excluded.active
WHERE excluded.version > memberships.version;

-- PeopleStore.keep(_:in:), people
INSERT INTO accounts (id, version, handle, indexable, gone)
SELECT id, version, handle, indexable, gone FROM unnest(
    $1, $2, $3, $4,
    $5
) AS p (id, version, handle, indexable, gone)
ORDER BY id
ON CONFLICT (id) DO UPDATE
SET version = excluded.version, handle = excluded.handle, indexable = excluded.indexable, gone = excluded.gone
WHERE excluded.version > accounts.version;

-- PeopleStore.keep(_:in:), ties
INSERT INTO ties (kind, account_id, target_id, version, active)
SELECT kind, account_id, target_id, version, active FROM unnest(
    $1, $2, $3, $4,
    $5
) AS t (kind, account_id, target_id, version, active)
ORDER BY kind, account_id, target_id
ON CONFLICT (kind, account_id, target_id) DO UPDATE SET version = excluded.version, active = excluded.active
WHERE excluded.version > ties.version;

-- PeopleStore.named(_:in:)
SELECT a.handle, a.id FROM accounts a WHERE a.handle = ANY ($1) AND NOT a.gone ORDER BY a.id;

-- SegmentStore.open(_:size:in:)
INSERT INTO segments (kind, number, first_id, mask)
SELECT k.kind, n.number, n.first_id,
    CAST(((n.number * 2654435761 + k.kind * 40503 + 12345) & 4294967295) - 2147483648 AS integer)
FROM unnest($1) AS k (kind)
LEFT JOIN LATERAL (
    SELECT s.number, s.first_id FROM segments s WHERE s.kind = k.kind ORDER BY s.number DESC LIMIT 1
) s ON true
CROSS JOIN LATERAL (
    SELECT CAST(0 AS bigint) AS number, CAST($2 AS bigint) AS first_id WHERE s.number IS NULL
    UNION ALL
    SELECT s.number + 1, (
        SELECT max(d.id) + 1 FROM documents d WHERE d.kind = k.kind
    )
    WHERE (
        SELECT count(*) FROM (
            SELECT 1 FROM documents d WHERE d.kind = k.kind AND d.id >= s.first_id LIMIT $3
        ) AS newest
    ) = $4
) n
ON CONFLICT (kind, number) DO NOTHING;

-- WordStore.begun(_:in:)
SELECT word FROM words WHERE word > $1 AND word < $2 ORDER BY word LIMIT 48;

-- WordStore.keep(_:in:)
INSERT INTO words (word, near)
SELECT w.word, CAST(w.near AS integer[]) FROM unnest($1, $2) AS w (word, near)
WHERE NOT EXISTS (SELECT FROM words k WHERE k.word = w.word)
ORDER BY w.word
ON CONFLICT (word) DO NOTHING;

-- WordStore.near(_:in:)
SELECT word FROM words WHERE near && $1 ORDER BY length(word), word LIMIT 64;
