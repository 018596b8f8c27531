-- DocumentStore.bury(_:in:)
INSERT INTO documents (kind, id, version, audience, people, popularity, popularity_version, gone, keys, form, source)
SELECT d.kind, d.id, d.version, 0, '{}', 0, 0, true, '{}', '', ''
FROM unnest($1, $2, $3)
    AS d (kind, id, version)
ORDER BY d.kind, d.id
ON CONFLICT (kind, id) DO UPDATE
SET version = excluded.version, author_id = NULL, place_id = NULL, people = '{}', gone = true, changed_at = now(), keys = '{}', form = '',
    source = ''
WHERE excluded.version >= documents.version
RETURNING kind, id;

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
WHERE NOT EXISTS (SELECT FROM places p WHERE p.id = d.place_id AND p.gone)
ORDER BY d.kind, d.id
ON CONFLICT (kind, id) DO UPDATE
SET version = excluded.version, author_id = excluded.author_id, audience = excluded.audience,
    place_id = excluded.place_id, people = excluded.people,
    popularity = CASE WHEN excluded.popularity_version >= documents.popularity_version
        THEN excluded.popularity ELSE documents.popularity END,
    popularity_version = greatest(excluded.popularity_version, documents.popularity_version),
    changed_at = now(), gone = false, keys = excluded.keys, form = excluded.form, source = excluded.source
WHERE excluded.version > documents.version
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
WHERE excluded.popularity_version > documents.popularity_version;

-- DocumentStore.newest(_:_:time:in:), messages
(
    SELECT d.id, d.popularity, d.form, d.source, NULL AS newest, false AS isover
    FROM (
        SELECT * FROM unnest($1, $2, $3) AS s (ceiling, floor, a) WHERE NOT clock_timestamp() > statement_timestamp() + $4 * interval '1 millisecond'
    ) s
    CROSS JOIN LATERAL (
        SELECT d.id, d.popularity, d.form, d.source FROM (
            SELECT d.id, d.author_id, d.audience, d.place_id, d.people, d.popularity, d.form, d.source FROM documents d
            WHERE d.kind + 0 = $5 AND d.id + 0 < s.ceiling AND d.id + 0 >= s.floor AND NOT d.gone AND d.keys && CAST(s.a AS integer[])
                AND d.form LIKE ALL ($6) AND d.form NOT LIKE ALL ($7)
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
AND NOT coalesce((
    SELECT t.active FROM ties t WHERE t.kind = 2 AND t.account_id = $16 AND t.target_id = d.author_id
), false)
AND NOT coalesce((
    SELECT t.active FROM ties t WHERE t.kind = 2 AND t.account_id = d.author_id AND t.target_id = $17
), false)
        LIMIT $18
    ) d
    LIMIT $19
)
UNION ALL
SELECT 0, 0, '', '', (SELECT max(s.number) FROM segments s WHERE s.kind = $20), clock_timestamp() > statement_timestamp() + $21 * interval '1 millisecond';

-- DocumentStore.newest(_:_:time:in:), nobody
(
    SELECT d.id, d.popularity, d.form, d.source, NULL AS newest, false AS isover
    FROM (
        SELECT * FROM unnest($1, $2, $3, $4) AS s (ceiling, floor, a, b) WHERE NOT clock_timestamp() > statement_timestamp() + $5 * interval '1 millisecond'
    ) s
    CROSS JOIN LATERAL (
        SELECT d.id, d.popularity, d.form, d.source FROM (
            SELECT d.id, d.author_id, d.audience, d.place_id, d.people, d.popularity, d.form, d.source FROM documents d
            WHERE d.kind + 0 = $6 AND d.id + 0 < s.ceiling AND d.id + 0 >= s.floor AND NOT d.gone AND d.keys && CAST(s.a AS integer[]) AND d.keys && CAST(s.b AS integer[])
                AND d.form LIKE ALL ($7) AND d.form NOT LIKE ALL ($8) AND d.form LIKE ANY ($9)
            ORDER BY d.id DESC
            OFFSET 0
        ) d
        WHERE coalesce((
    SELECT NOT a.gone AND (d.audience = 0 OR d.audience = 1 AND a.indexable) FROM accounts a WHERE a.id = d.author_id
), d.audience = 0)
        LIMIT $10
    ) d
    LIMIT $11
)
UNION ALL
SELECT 0, 0, '', '', (SELECT max(s.number) FROM segments s WHERE s.kind = $12), clock_timestamp() > statement_timestamp() + $13 * interval '1 millisecond';

-- DocumentStore.newest(_:_:time:in:), some of several, without
(
    SELECT d.id, d.popularity, d.form, d.source, NULL AS newest, false AS isover
    FROM (
        SELECT * FROM unnest($1, $2, $3, $4, $5, $6) AS s (ceiling, floor, a, b, c, without) WHERE NOT clock_timestamp() > statement_timestamp() + $7 * interval '1 millisecond'
    ) s
    CROSS JOIN LATERAL (
        SELECT d.id, d.popularity, d.form, d.source FROM (
            SELECT d.id, d.author_id, d.audience, d.place_id, d.people, d.popularity, d.form, d.source FROM documents d
            WHERE d.kind + 0 = $8 AND d.id + 0 < s.ceiling AND d.id + 0 >= s.floor AND NOT d.gone AND d.keys && CAST(s.a AS integer[]) AND d.keys && CAST(s.b AS integer[]) AND d.keys && CAST(s.c AS integer[]) AND NOT d.keys && CAST(s.without AS integer[])
                AND d.form LIKE ALL ($9) AND d.form NOT LIKE ALL ($10) AND d.form LIKE ANY ($11)
            ORDER BY d.id DESC
            OFFSET 0
        ) d
        WHERE coalesce((
    SELECT NOT a.gone AND (d.audience <> 1 OR a.indexable OR d.author_id = $12 OR d.people @> ARRAY[$13])
    FROM accounts a WHERE a.id = d.author_id
), d.audience <> 1 OR d.author_id = $14 OR d.people @> ARRAY[$15])
AND (
    d.audience < 2
    OR d.audience < 5 AND (d.author_id = $16 OR d.people @> ARRAY[$17])
    OR d.audience = 3 AND coalesce((
        SELECT t.active FROM ties t WHERE t.kind = 1 AND t.account_id = $18 AND t.target_id = d.author_id
    ), false)
    OR d.audience = 5 AND coalesce((
        SELECT m.active FROM memberships m WHERE m.account_id = $19 AND m.place_id = d.place_id
    ), false) AND NOT coalesce((SELECT p.gone FROM places p WHERE p.id = d.place_id), false)
)
AND NOT coalesce((
    SELECT t.active FROM ties t WHERE t.kind = 2 AND t.account_id = $20 AND t.target_id = d.author_id
), false)
AND NOT coalesce((
    SELECT t.active FROM ties t WHERE t.kind = 2 AND t.account_id = d.author_id AND t.target_id = $21
), false)
        LIMIT $22
    ) d
    LIMIT $23
)
UNION ALL
SELECT 0, 0, '', '', (SELECT max(s.number) FROM segments s WHERE s.kind = $24), clock_timestamp() > statement_timestamp() + $25 * interval '1 millisecond';

-- DocumentStore.newest(_:_:time:in:), somebody
(
    SELECT d.id, d.popularity, d.form, d.source, NULL AS newest, false AS isover
    FROM (
        SELECT * FROM unnest($1, $2, $3) AS s (ceiling, floor, a) WHERE NOT clock_timestamp() > statement_timestamp() + $4 * interval '1 millisecond'
    ) s
    CROSS JOIN LATERAL (
        SELECT d.id, d.popularity, d.form, d.source FROM (
            SELECT d.id, d.author_id, d.audience, d.place_id, d.people, d.popularity, d.form, d.source FROM documents d
            WHERE d.kind + 0 = $5 AND d.id + 0 < s.ceiling AND d.id + 0 >= s.floor AND NOT d.gone AND d.keys && CAST(s.a AS integer[])
                AND d.form LIKE ALL ($6) AND d.form NOT LIKE ALL ($7)
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
AND NOT coalesce((
    SELECT t.active FROM ties t WHERE t.kind = 2 AND t.account_id = $16 AND t.target_id = d.author_id
), false)
AND NOT coalesce((
    SELECT t.active FROM ties t WHERE t.kind = 2 AND t.account_id = d.author_id AND t.target_id = $17
), false)
        LIMIT $18
    ) d
    LIMIT $19
)
UNION ALL
SELECT 0, 0, '', '', (SELECT max(s.number) FROM segments s WHERE s.kind = $20), clock_timestamp() > statement_timestamp() + $21 * interval '1 millisecond';

-- DocumentStore.newest(_:_:time:in:), without words
(
    SELECT d.id, d.popularity, d.form, d.source, NULL AS newest, false AS isover
    FROM (
        SELECT * FROM unnest($1, $2, $3) AS s (ceiling, floor, without) WHERE NOT clock_timestamp() > statement_timestamp() + $4 * interval '1 millisecond'
    ) s
    CROSS JOIN LATERAL (
        SELECT d.id, d.popularity, d.form, d.source FROM (
            SELECT d.id, d.author_id, d.audience, d.place_id, d.people, d.popularity, d.form, d.source FROM documents d
            WHERE d.kind = $5 AND d.id < s.ceiling AND d.id >= s.floor AND NOT d.gone AND NOT d.keys && CAST(s.without AS integer[])
                AND d.form LIKE ALL ($6) AND d.form NOT LIKE ALL ($7)
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
AND NOT coalesce((
    SELECT t.active FROM ties t WHERE t.kind = 2 AND t.account_id = $16 AND t.target_id = d.author_id
), false)
AND NOT coalesce((
    SELECT t.active FROM ties t WHERE t.kind = 2 AND t.account_id = d.author_id AND t.target_id = $17
), false)
        LIMIT $18
    ) d
    LIMIT $19
)
UNION ALL
SELECT 0, 0, '', '', (SELECT max(s.number) FROM segments s WHERE s.kind = $20), clock_timestamp() > statement_timestamp() + $21 * interval '1 millisecond';

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

-- NameStore.find(_:of:for:in:), initials
SELECT n.kind, n.id, n.typed, n.position, n.popularity
FROM unnest($1) AS k (kind)
CROSS JOIN LATERAL (
    SELECT n.kind, n.id, n.typed, n.position, d.popularity
    FROM unnest($2, $3, $4) AS s (within, weight, ending)
    CROSS JOIN LATERAL (
        SELECT n.kind, n.id, n.typed, n.position FROM names n
        WHERE n.kind = k.kind AND n.within = s.within AND n.weight = s.weight
            AND n.initials >= $5 AND n.initials < s.ending
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

-- NameStore.find(_:of:for:in:), near
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
AND NOT coalesce((
    SELECT t.active FROM ties t WHERE t.kind = 2 AND t.account_id = $11 AND t.target_id = d.author_id
), false)
AND NOT coalesce((
    SELECT t.active FROM ties t WHERE t.kind = 2 AND t.account_id = d.author_id AND t.target_id = $12
), false);

-- NameStore.find(_:of:for:in:), typed
SELECT n.kind, n.id, n.typed, n.position, n.popularity
FROM unnest($1) AS k (kind)
CROSS JOIN LATERAL (
    SELECT n.kind, n.id, n.typed, n.position, d.popularity
    FROM unnest($2, $3, $4) AS s (within, weight, ending)
    CROSS JOIN LATERAL (
        SELECT n.kind, n.id, n.typed, n.position FROM names n
        WHERE n.kind = k.kind AND n.within = s.within AND n.weight = s.weight
            AND n.typed >= $5 AND n.typed < s.ending
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
AND NOT coalesce((
    SELECT t.active FROM ties t WHERE t.kind = 2 AND t.account_id = $15 AND t.target_id = d.author_id
), false)
AND NOT coalesce((
    SELECT t.active FROM ties t WHERE t.kind = 2 AND t.account_id = d.author_id AND t.target_id = $16
), false)
    LIMIT $17
) n;

-- NameStore.weigh(_:in:)
UPDATE names n SET weight = length(ltrim(CAST(CAST(greatest(d.popularity, 0) AS bit(32)) AS text), '0'))
FROM unnest($1, $2) AS k (kind, id)
JOIN documents d ON d.kind = k.kind AND d.id = k.id
WHERE n.kind = k.kind AND n.id = k.id AND n.weight <> length(ltrim(CAST(CAST(greatest(d.popularity, 0) AS bit(32)) AS text), '0'));

-- PeopleStore.keep(_:in:), memberships
INSERT INTO memberships (account_id, place_id, version, active, term)
SELECT account_id, place_id, version, active, term FROM unnest(
    $1, $2, $3,
    $4, $5
) AS m (account_id, place_id, version, active, term)
ORDER BY account_id, place_id
ON CONFLICT (account_id, place_id) DO UPDATE
SET version = excluded.version, active = excluded.active, changed_at = now()
WHERE excluded.version > memberships.version;

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
WHERE excluded.version > accounts.version;

-- PeopleStore.keep(_:in:), ties
INSERT INTO ties (kind, account_id, target_id, version, active)
SELECT kind, account_id, target_id, version, active FROM unnest(
    $1, $2, $3, $4,
    $5
) AS t (kind, account_id, target_id, version, active)
ORDER BY kind, account_id, target_id
ON CONFLICT (kind, account_id, target_id) DO UPDATE
SET version = excluded.version, active = excluded.active, changed_at = now()
WHERE excluded.version > ties.version;

-- PeopleStore.named(_:in:)
SELECT a.handle, a.id FROM accounts a WHERE a.handle = ANY ($1) AND NOT a.gone ORDER BY a.id;

-- PeopleStore.places(of:in:)
SELECT m.term FROM memberships m WHERE m.account_id = $1 AND m.active;

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
SELECT s.number, s.first_id, CAST(0 AS integer), CAST(0 AS smallint) FROM segments s
WHERE s.kind = $1 AND s.number >= $2
UNION ALL
SELECT f.since, NULL, f.term, f.shift FROM frequent f WHERE f.kind = $3 AND f.since > $4
ORDER BY 1;

-- SegmentStore.open(_:in:)
INSERT INTO segments (kind, number, first_id)
SELECT k.kind, coalesce(s.number + 1, 0), CASE WHEN s.number IS NULL THEN $1 ELSE (
    SELECT max(d.id) + 1 FROM documents d WHERE d.kind = k.kind
) END
FROM (SELECT CAST($2 AS smallint) AS kind) k
LEFT JOIN LATERAL (
    SELECT s.number FROM segments s WHERE s.kind = k.kind ORDER BY s.number DESC LIMIT 1
) s ON true
RETURNING number;

-- SegmentStore.weigh(_:at:in:)
WITH sample AS MATERIALIZED (
    SELECT s.number, s.first_id, lead(s.first_id) OVER (ORDER BY s.number) AS next_id FROM segments s
    WHERE s.kind = $1 AND s.number >= $2 AND s.number <= $3
),
cuts AS MATERIALIZED (
    SELECT f.term, f.since, f.shift, lead(f.since) OVER (PARTITION BY f.term ORDER BY f.since) AS next FROM frequent f
    WHERE f.kind = $4
),
known AS (
    SELECT s.number, c.term, c.term # CAST((((s.number >> c.shift) * 2654435761 + c.shift * 2654404609 + 12345) & 4294967295) - 2147483648 AS integer) AS key
    FROM sample s JOIN cuts c ON c.since <= s.number AND (c.next IS NULL OR c.next > s.number)
),
counted AS (
    SELECT s.number, t.key, count(*) AS uses
    FROM sample s
    JOIN documents d ON d.kind = $5 AND d.id >= s.first_id AND d.id < s.next_id
    CROSS JOIN LATERAL unnest(d.keys) AS t (key)
    GROUP BY s.number, t.key
),
terms AS (
    SELECT coalesce(k.term, c.key # CAST((((c.number >> 10) * 2654435761 + 10 * 2654404609 + 12345) & 4294967295) - 2147483648 AS integer)) AS term, sum(c.uses) AS uses
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
