-- AccountListStore.familiarFollowers(of:viewer:limit:in:)
SELECT wanted.id, a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras
FROM unnest($1) AS wanted (id)
CROSS JOIN LATERAL (
    SELECT mine.followee_id
    FROM follows mine
    JOIN follows theirs ON theirs.follower_id = mine.followee_id AND theirs.followee_id = wanted.id
    WHERE mine.follower_id = $2
    ORDER BY mine.id DESC
    LIMIT $3
) familiar
JOIN accounts a ON a.id = familiar.followee_id
WHERE NOT coalesce((a.extras ->> 'hide_collections')::boolean, false)
    AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = a.id AND restricted.is_hidden
    OFFSET 0
)
    AND NOT EXISTS (
        SELECT FROM accounts hidden
        WHERE hidden.id = wanted.id AND (hidden.extras ->> 'hide_collections')::boolean
    );

-- AccountListStore.page(_:of:in:), blocks, forwards
WITH page AS (SELECT id, target_id AS account_id, NULL::timestamptz AS expires_at FROM blocks WHERE account_id = $1 AND id < $2 AND id > $3 ORDER BY id ASC LIMIT $4)
SELECT page.id, a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, page.expires_at
FROM page
JOIN accounts a ON a.id = page.account_id
ORDER BY page.id DESC;

-- AccountListStore.page(_:of:in:), blocks, newest
WITH page AS (SELECT id, target_id AS account_id, NULL::timestamptz AS expires_at FROM blocks WHERE account_id = $1 AND id < $2 AND id > $3 ORDER BY id DESC LIMIT $4)
SELECT page.id, a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, page.expires_at
FROM page
JOIN accounts a ON a.id = page.account_id
ORDER BY page.id DESC;

-- AccountListStore.page(_:of:in:), boosts, forwards
WITH page AS (SELECT id, account_id, NULL::timestamptz AS expires_at FROM posts
WHERE boost_of_id = $1 AND deleted_at IS NULL AND visibility IN ('public', 'unlisted')
    AND NOT (posts.account_id IN (SELECT id FROM blocked_with($2)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = posts.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $3
    OFFSET 0
)) AND id < $4 AND id > $5 ORDER BY id ASC LIMIT $6)
SELECT page.id, a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, page.expires_at
FROM page
JOIN accounts a ON a.id = page.account_id
ORDER BY page.id DESC;

-- AccountListStore.page(_:of:in:), boosts, newest
WITH page AS (SELECT id, account_id, NULL::timestamptz AS expires_at FROM posts
WHERE boost_of_id = $1 AND deleted_at IS NULL AND visibility IN ('public', 'unlisted')
    AND NOT (posts.account_id IN (SELECT id FROM blocked_with($2)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = posts.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $3
    OFFSET 0
)) AND id < $4 AND id > $5 ORDER BY id DESC LIMIT $6)
SELECT page.id, a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, page.expires_at
FROM page
JOIN accounts a ON a.id = page.account_id
ORDER BY page.id DESC;

-- AccountListStore.page(_:of:in:), favourites, forwards
WITH page AS (SELECT id, account_id, NULL::timestamptz AS expires_at FROM favourites
WHERE post_id = $1 AND NOT (favourites.account_id IN (SELECT id FROM blocked_with($2)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = favourites.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $3
    OFFSET 0
)) AND id < $4 AND id > $5 ORDER BY id ASC LIMIT $6)
SELECT page.id, a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, page.expires_at
FROM page
JOIN accounts a ON a.id = page.account_id
ORDER BY page.id DESC;

-- AccountListStore.page(_:of:in:), favourites, newest
WITH page AS (SELECT id, account_id, NULL::timestamptz AS expires_at FROM favourites
WHERE post_id = $1 AND NOT (favourites.account_id IN (SELECT id FROM blocked_with($2)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = favourites.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $3
    OFFSET 0
)) AND id < $4 AND id > $5 ORDER BY id DESC LIMIT $6)
SELECT page.id, a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, page.expires_at
FROM page
JOIN accounts a ON a.id = page.account_id
ORDER BY page.id DESC;

-- AccountListStore.page(_:of:in:), followers, forwards
WITH page AS (SELECT id, follower_id AS account_id, NULL::timestamptz AS expires_at FROM follows
WHERE followee_id = $1 AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = follows.follower_id AND restricted.is_hidden
    OFFSET 0
) AND id < $2 AND id > $3 ORDER BY id ASC LIMIT $4)
SELECT page.id, a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, page.expires_at
FROM page
JOIN accounts a ON a.id = page.account_id
ORDER BY page.id DESC;

-- AccountListStore.page(_:of:in:), followers, newest
WITH page AS (SELECT id, follower_id AS account_id, NULL::timestamptz AS expires_at FROM follows
WHERE followee_id = $1 AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = follows.follower_id AND restricted.is_hidden
    OFFSET 0
) AND id < $2 AND id > $3 ORDER BY id DESC LIMIT $4)
SELECT page.id, a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, page.expires_at
FROM page
JOIN accounts a ON a.id = page.account_id
ORDER BY page.id DESC;

-- AccountListStore.page(_:of:in:), following, forwards
WITH page AS (SELECT id, followee_id AS account_id, NULL::timestamptz AS expires_at FROM follows
WHERE follower_id = $1 AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = follows.followee_id AND restricted.is_hidden
    OFFSET 0
) AND id < $2 AND id > $3 ORDER BY id ASC LIMIT $4)
SELECT page.id, a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, page.expires_at
FROM page
JOIN accounts a ON a.id = page.account_id
ORDER BY page.id DESC;

-- AccountListStore.page(_:of:in:), following, newest
WITH page AS (SELECT id, followee_id AS account_id, NULL::timestamptz AS expires_at FROM follows
WHERE follower_id = $1 AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = follows.followee_id AND restricted.is_hidden
    OFFSET 0
) AND id < $2 AND id > $3 ORDER BY id DESC LIMIT $4)
SELECT page.id, a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, page.expires_at
FROM page
JOIN accounts a ON a.id = page.account_id
ORDER BY page.id DESC;

-- AccountListStore.page(_:of:in:), mutes, forwards
WITH page AS (SELECT id, target_id AS account_id, expires_at FROM mutes
WHERE account_id = $1 AND (expires_at IS NULL OR expires_at > $2) AND id < $3 AND id > $4 ORDER BY id ASC LIMIT $5)
SELECT page.id, a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, page.expires_at
FROM page
JOIN accounts a ON a.id = page.account_id
ORDER BY page.id DESC;

-- AccountListStore.page(_:of:in:), mutes, newest
WITH page AS (SELECT id, target_id AS account_id, expires_at FROM mutes
WHERE account_id = $1 AND (expires_at IS NULL OR expires_at > $2) AND id < $3 AND id > $4 ORDER BY id DESC LIMIT $5)
SELECT page.id, a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, page.expires_at
FROM page
JOIN accounts a ON a.id = page.account_id
ORDER BY page.id DESC;

-- AccountListStore.page(_:of:in:), requests, forwards
WITH page AS (SELECT id, follower_id AS account_id, NULL::timestamptz AS expires_at FROM follow_requests
WHERE followee_id = $1 AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = follow_requests.follower_id AND restricted.is_hidden
    OFFSET 0
) AND id < $2 AND id > $3 ORDER BY id ASC LIMIT $4)
SELECT page.id, a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, page.expires_at
FROM page
JOIN accounts a ON a.id = page.account_id
ORDER BY page.id DESC;

-- AccountListStore.page(_:of:in:), requests, newest
WITH page AS (SELECT id, follower_id AS account_id, NULL::timestamptz AS expires_at FROM follow_requests
WHERE followee_id = $1 AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = follow_requests.follower_id AND restricted.is_hidden
    OFFSET 0
) AND id < $2 AND id > $3 ORDER BY id DESC LIMIT $4)
SELECT page.id, a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, page.expires_at
FROM page
JOIN accounts a ON a.id = page.account_id
ORDER BY page.id DESC;

-- AccountStore.account(_:in:), by id
SELECT a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras FROM accounts a WHERE a.id = $1;

-- AccountStore.account(_:in:), by name
SELECT a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras FROM accounts a WHERE a.username = $1 AND a.id <> 0;

-- AccountStore.accounts(_:in:)
SELECT a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras
FROM unnest($1) WITH ORDINALITY AS wanted (id, place)
JOIN accounts a ON a.id = wanted.id
ORDER BY wanted.place;

-- AccountStore.credentials(_:in:)
SELECT a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, a.default_visibility, a.default_sensitive, a.default_language,
(SELECT count(*) FROM follow_requests r WHERE r.followee_id = a.id), a.extras ->> 'quote_policy',
ARRAY (SELECT jsonb_array_elements_text(a.extras -> 'attribution_domains'))
FROM accounts a
WHERE a.id = $1;

-- AccountStore.existing(_:in:)
SELECT id FROM accounts WHERE id = ANY ($1);

-- AccountStore.exists(_:in:)
SELECT 1 FROM accounts WHERE id = $1;

-- AccountStore.found(_:viewer:in:), everybody
WITH wanted AS (
    SELECT id, min(place) AS place
    FROM (
        SELECT id, place FROM unnest($1) WITH ORDINALITY AS f (id, place)
        UNION ALL
        SELECT id, 0 FROM accounts WHERE username = $2 AND id <> 0
    ) w
    GROUP BY id
)
SELECT a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras
FROM wanted w
JOIN accounts a ON a.id = w.id
WHERE CASE WHEN w.place = 0
    THEN NOT EXISTS (SELECT FROM blocks b WHERE b.account_id = a.id AND b.target_id = $3)
    ELSE NOT a.id IN (SELECT id FROM blocked_with($4))
END AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = a.id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $5
    OFFSET 0
) 
ORDER BY w.place
LIMIT $6;

-- AccountStore.found(_:viewer:in:), followed
WITH wanted AS (
    SELECT id, min(place) AS place
    FROM (
        SELECT id, place FROM unnest($1) WITH ORDINALITY AS f (id, place)
        UNION ALL
        SELECT id, 0 FROM accounts WHERE username = $2 AND id <> 0
    ) w
    GROUP BY id
)
SELECT a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras
FROM wanted w
JOIN accounts a ON a.id = w.id
WHERE CASE WHEN w.place = 0
    THEN NOT EXISTS (SELECT FROM blocks b WHERE b.account_id = a.id AND b.target_id = $3)
    ELSE NOT a.id IN (SELECT id FROM blocked_with($4))
END AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = a.id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $5
    OFFSET 0
) AND EXISTS (SELECT FROM follows f WHERE f.follower_id = $6 AND f.followee_id = a.id)
ORDER BY w.place
LIMIT $7;

-- AccountStore.ids(of:in:)
SELECT username, id FROM accounts WHERE username = ANY ($1) AND id <> 0;

-- AccountStore.insert(_:username:in:)
INSERT INTO accounts AS a (id, username, created_at)
VALUES ($1, $2, $3)
ON CONFLICT DO NOTHING
RETURNING a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras;

-- AccountStore.showsCollections(_:to:in:)
SELECT ($1 IS NOT NULL AND id = $2) OR (NOT coalesce((extras ->> 'hide_collections')::boolean, false)
AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = accounts.id AND restricted.is_hidden
    OFFSET 0
)) FROM accounts WHERE id = $3;

-- AccountStore.showsFavourites(_:to:in:)
SELECT ($1 IS NOT NULL AND id = $2) OR (coalesce((extras ->> 'show_favourites')::boolean, false)
AND NOT (id IN (SELECT id FROM blocked_with($3)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $4
    OFFSET 0
))) FROM accounts WHERE id = $5;

-- AccountStore.statistics(activeSince:in:)
SELECT count(*), coalesce(sum(posts_count), 0)::bigint,
    count(*) FILTER (WHERE last_post_at > $1)
FROM accounts;

-- AccountStore.update(_:with:in:)
UPDATE accounts a
SET display_name = coalesce($1, display_name),
    note = coalesce($2, note),
    fields = coalesce($3, fields),
    locked = coalesce($4, locked),
    bot = coalesce($5, bot),
    discoverable = coalesce($6, discoverable),
    default_visibility = coalesce($7, default_visibility),
    default_sensitive = coalesce($8, default_sensitive),
    default_language = CASE
        WHEN $9 THEN default_language
        ELSE nullif($10, '')
    END,
    extras = coalesce(extras || $11, $12, extras),
    awaited_avatar_id = CASE
        WHEN $13 THEN awaited_avatar_id
        ELSE $14
    END,
    awaited_header_id = CASE
        WHEN $15 THEN awaited_header_id
        ELSE $16
    END,
    version = version + 1
WHERE id = $17
RETURNING a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, a.default_visibility, a.default_sensitive, a.default_language,
(SELECT count(*) FROM follow_requests r WHERE r.followee_id = a.id), a.extras ->> 'quote_policy',
ARRAY (SELECT jsonb_array_elements_text(a.extras -> 'attribution_domains'));

-- AdminStore.accounts(_:in:)
SELECT a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, coalesce(r.role, 'user'), coalesce(k.restrictions, '{}')
FROM unnest($1) w (id)
CROSS JOIN LATERAL (SELECT a.* FROM accounts a WHERE a.id = w.id OFFSET 0) a
LEFT JOIN LATERAL (SELECT r.role FROM roles r WHERE r.account_id = a.id OFFSET 0) r ON true
LEFT JOIN LATERAL (
    SELECT k.restrictions FROM restricted_accounts k WHERE k.account_id = a.id OFFSET 0
) k ON true;

-- AdminStore.page(_:_:in:), active
WITH page AS MATERIALIZED (
    SELECT a.* FROM accounts a WHERE NOT EXISTS (
    SELECT FROM restricted_accounts k
    WHERE k.account_id = a.id AND k.restrictions && '{frozen,suspended}' OFFSET 0
) AND a.id < $1 AND a.id > $2 ORDER BY a.id DESC LIMIT $3
)
SELECT a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, coalesce(r.role, 'user'), coalesce(k.restrictions, '{}')
FROM page a
LEFT JOIN LATERAL (SELECT r.role FROM roles r WHERE r.account_id = a.id OFFSET 0) r ON true
LEFT JOIN LATERAL (
    SELECT k.restrictions FROM restricted_accounts k WHERE k.account_id = a.id OFFSET 0
) k ON true
ORDER BY a.id DESC;

-- AdminStore.page(_:_:in:), all
WITH page AS MATERIALIZED (
    SELECT a.* FROM accounts a WHERE true AND a.id < $1 AND a.id > $2 ORDER BY a.id DESC LIMIT $3
)
SELECT a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, coalesce(r.role, 'user'), coalesce(k.restrictions, '{}')
FROM page a
LEFT JOIN LATERAL (SELECT r.role FROM roles r WHERE r.account_id = a.id OFFSET 0) r ON true
LEFT JOIN LATERAL (
    SELECT k.restrictions FROM restricted_accounts k WHERE k.account_id = a.id OFFSET 0
) k ON true
ORDER BY a.id DESC;

-- AdminStore.page(_:_:in:), named
WITH page AS MATERIALIZED (
    SELECT a.* FROM accounts a WHERE true AND starts_with(a.username, $1) AND starts_with(lower(a.display_name), lower($2)) AND a.id < $3 AND a.id > $4 ORDER BY a.id DESC LIMIT $5
)
SELECT a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, coalesce(r.role, 'user'), coalesce(k.restrictions, '{}')
FROM page a
LEFT JOIN LATERAL (SELECT r.role FROM roles r WHERE r.account_id = a.id OFFSET 0) r ON true
LEFT JOIN LATERAL (
    SELECT k.restrictions FROM restricted_accounts k WHERE k.account_id = a.id OFFSET 0
) k ON true
ORDER BY a.id DESC;

-- AdminStore.page(_:_:in:), silenced
WITH page AS MATERIALIZED (
    SELECT a.* FROM accounts a WHERE a.id IN (
    SELECT k.account_id FROM restricted_accounts k
    WHERE k.restrictions <> '{}' AND $1 = ANY (k.restrictions)
) AND a.id < $2 AND a.id > $3 ORDER BY a.id DESC LIMIT $4
)
SELECT a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, coalesce(r.role, 'user'), coalesce(k.restrictions, '{}')
FROM page a
LEFT JOIN LATERAL (SELECT r.role FROM roles r WHERE r.account_id = a.id OFFSET 0) r ON true
LEFT JOIN LATERAL (
    SELECT k.restrictions FROM restricted_accounts k WHERE k.account_id = a.id OFFSET 0
) k ON true
ORDER BY a.id DESC;

-- AdminStore.page(_:_:in:), staff
WITH page AS MATERIALIZED (
    SELECT a.* FROM accounts a WHERE true AND a.id IN (SELECT r.account_id FROM roles r WHERE r.role <> 'user') AND a.id < $1 AND a.id > $2 ORDER BY a.id DESC LIMIT $3
)
SELECT a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, coalesce(r.role, 'user'), coalesce(k.restrictions, '{}')
FROM page a
LEFT JOIN LATERAL (SELECT r.role FROM roles r WHERE r.account_id = a.id OFFSET 0) r ON true
LEFT JOIN LATERAL (
    SELECT k.restrictions FROM restricted_accounts k WHERE k.account_id = a.id OFFSET 0
) k ON true
ORDER BY a.id DESC;

-- ApplicationStore.application(_:in:)
SELECT q.id, q.project_id, q.account_id, q.role_id, q.role_name, q.message, q.state, q.note, q.created_at,
q.decided_at, q.version FROM applications q WHERE q.id = $1;

-- ApplicationStore.appliedFor(of:in:)
SELECT DISTINCT role_id FROM applications WHERE project_id = $1 AND state = 'open';

-- ApplicationStore.attempts(of:to:in:)
SELECT count(*) FROM applications WHERE project_id = $1 AND account_id = $2;

-- ApplicationStore.declineOpen(of:at:limit:in:)
WITH chosen AS MATERIALIZED (
    SELECT id FROM applications
    WHERE project_id = $1 AND state = 'open'
    ORDER BY id DESC
    LIMIT $2
)
UPDATE applications q
SET state = 'declined', decided_at = $3, version = q.version + 1
FROM chosen c
WHERE q.id = c.id
RETURNING q.id, q.project_id, q.account_id, q.role_id, q.role_name, q.message, q.state, q.note, q.created_at,
q.decided_at, q.version;

-- ApplicationStore.insert(_:in:)
INSERT INTO applications (id, project_id, account_id, role_id, role_name, message, created_at, version)
VALUES (
    $1, $2, $3, $4,
    $5, $6, $7, $8
)
ON CONFLICT (project_id, account_id) WHERE state = 'open' DO NOTHING;

-- ApplicationStore.page(_:of:viewer:in:), account, forwards
SELECT q.id, q.project_id, q.account_id, q.role_id, q.role_name, q.message, q.state, q.note, q.created_at,
q.decided_at, q.version, a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, p.id, p.leader_id, p.title, p.state, p.deadline,
p.version
FROM (
    SELECT q.*
    FROM applications q
    CROSS JOIN LATERAL (
        SELECT p.leader_id, p.deleted_at FROM projects p WHERE p.id = q.project_id OFFSET 0
    ) o
    WHERE q.account_id = $1  AND o.deleted_at IS NULL
        AND NOT (q.account_id IN (SELECT id FROM blocked_with($2)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = q.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $3
    OFFSET 0
))
        AND NOT (o.leader_id IN (SELECT id FROM blocked_with($4)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = o.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $5
    OFFSET 0
))
        AND q.id < $6 AND q.id > $7 ORDER BY q.id ASC LIMIT $8
) q
CROSS JOIN LATERAL (SELECT a.* FROM accounts a WHERE a.id = q.account_id OFFSET 0) a
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = q.project_id OFFSET 0) p
ORDER BY q.id DESC;

-- ApplicationStore.page(_:of:viewer:in:), account, newest
SELECT q.id, q.project_id, q.account_id, q.role_id, q.role_name, q.message, q.state, q.note, q.created_at,
q.decided_at, q.version, a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, p.id, p.leader_id, p.title, p.state, p.deadline,
p.version
FROM (
    SELECT q.*
    FROM applications q
    CROSS JOIN LATERAL (
        SELECT p.leader_id, p.deleted_at FROM projects p WHERE p.id = q.project_id OFFSET 0
    ) o
    WHERE q.account_id = $1  AND o.deleted_at IS NULL
        AND NOT (q.account_id IN (SELECT id FROM blocked_with($2)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = q.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $3
    OFFSET 0
))
        AND NOT (o.leader_id IN (SELECT id FROM blocked_with($4)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = o.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $5
    OFFSET 0
))
        AND q.id < $6 AND q.id > $7 ORDER BY q.id DESC LIMIT $8
) q
CROSS JOIN LATERAL (SELECT a.* FROM accounts a WHERE a.id = q.account_id OFFSET 0) a
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = q.project_id OFFSET 0) p
ORDER BY q.id DESC;

-- ApplicationStore.page(_:of:viewer:in:), account, open, forwards
SELECT q.id, q.project_id, q.account_id, q.role_id, q.role_name, q.message, q.state, q.note, q.created_at,
q.decided_at, q.version, a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, p.id, p.leader_id, p.title, p.state, p.deadline,
p.version
FROM (
    SELECT q.*
    FROM applications q
    CROSS JOIN LATERAL (
        SELECT p.leader_id, p.deleted_at FROM projects p WHERE p.id = q.project_id OFFSET 0
    ) o
    WHERE q.account_id = $1 AND q.state = $2 AND o.deleted_at IS NULL
        AND NOT (q.account_id IN (SELECT id FROM blocked_with($3)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = q.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $4
    OFFSET 0
))
        AND NOT (o.leader_id IN (SELECT id FROM blocked_with($5)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = o.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $6
    OFFSET 0
))
        AND q.id < $7 AND q.id > $8 ORDER BY q.id ASC LIMIT $9
) q
CROSS JOIN LATERAL (SELECT a.* FROM accounts a WHERE a.id = q.account_id OFFSET 0) a
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = q.project_id OFFSET 0) p
ORDER BY q.id DESC;

-- ApplicationStore.page(_:of:viewer:in:), account, open, newest
SELECT q.id, q.project_id, q.account_id, q.role_id, q.role_name, q.message, q.state, q.note, q.created_at,
q.decided_at, q.version, a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, p.id, p.leader_id, p.title, p.state, p.deadline,
p.version
FROM (
    SELECT q.*
    FROM applications q
    CROSS JOIN LATERAL (
        SELECT p.leader_id, p.deleted_at FROM projects p WHERE p.id = q.project_id OFFSET 0
    ) o
    WHERE q.account_id = $1 AND q.state = $2 AND o.deleted_at IS NULL
        AND NOT (q.account_id IN (SELECT id FROM blocked_with($3)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = q.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $4
    OFFSET 0
))
        AND NOT (o.leader_id IN (SELECT id FROM blocked_with($5)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = o.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $6
    OFFSET 0
))
        AND q.id < $7 AND q.id > $8 ORDER BY q.id DESC LIMIT $9
) q
CROSS JOIN LATERAL (SELECT a.* FROM accounts a WHERE a.id = q.account_id OFFSET 0) a
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = q.project_id OFFSET 0) p
ORDER BY q.id DESC;

-- ApplicationStore.page(_:of:viewer:in:), project, forwards
SELECT q.id, q.project_id, q.account_id, q.role_id, q.role_name, q.message, q.state, q.note, q.created_at,
q.decided_at, q.version, a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, p.id, p.leader_id, p.title, p.state, p.deadline,
p.version
FROM (
    SELECT q.*
    FROM applications q
    CROSS JOIN LATERAL (
        SELECT p.leader_id, p.deleted_at FROM projects p WHERE p.id = q.project_id OFFSET 0
    ) o
    WHERE q.project_id = $1  AND o.deleted_at IS NULL
        AND NOT (q.account_id IN (SELECT id FROM blocked_with($2)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = q.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $3
    OFFSET 0
))
        AND NOT (o.leader_id IN (SELECT id FROM blocked_with($4)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = o.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $5
    OFFSET 0
))
        AND q.id < $6 AND q.id > $7 ORDER BY q.id ASC LIMIT $8
) q
CROSS JOIN LATERAL (SELECT a.* FROM accounts a WHERE a.id = q.account_id OFFSET 0) a
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = q.project_id OFFSET 0) p
ORDER BY q.id DESC;

-- ApplicationStore.page(_:of:viewer:in:), project, newest
SELECT q.id, q.project_id, q.account_id, q.role_id, q.role_name, q.message, q.state, q.note, q.created_at,
q.decided_at, q.version, a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, p.id, p.leader_id, p.title, p.state, p.deadline,
p.version
FROM (
    SELECT q.*
    FROM applications q
    CROSS JOIN LATERAL (
        SELECT p.leader_id, p.deleted_at FROM projects p WHERE p.id = q.project_id OFFSET 0
    ) o
    WHERE q.project_id = $1  AND o.deleted_at IS NULL
        AND NOT (q.account_id IN (SELECT id FROM blocked_with($2)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = q.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $3
    OFFSET 0
))
        AND NOT (o.leader_id IN (SELECT id FROM blocked_with($4)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = o.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $5
    OFFSET 0
))
        AND q.id < $6 AND q.id > $7 ORDER BY q.id DESC LIMIT $8
) q
CROSS JOIN LATERAL (SELECT a.* FROM accounts a WHERE a.id = q.account_id OFFSET 0) a
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = q.project_id OFFSET 0) p
ORDER BY q.id DESC;

-- ApplicationStore.page(_:of:viewer:in:), project, open, forwards
SELECT q.id, q.project_id, q.account_id, q.role_id, q.role_name, q.message, q.state, q.note, q.created_at,
q.decided_at, q.version, a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, p.id, p.leader_id, p.title, p.state, p.deadline,
p.version
FROM (
    SELECT q.*
    FROM applications q
    CROSS JOIN LATERAL (
        SELECT p.leader_id, p.deleted_at FROM projects p WHERE p.id = q.project_id OFFSET 0
    ) o
    WHERE q.project_id = $1 AND q.state = $2 AND o.deleted_at IS NULL
        AND NOT (q.account_id IN (SELECT id FROM blocked_with($3)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = q.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $4
    OFFSET 0
))
        AND NOT (o.leader_id IN (SELECT id FROM blocked_with($5)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = o.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $6
    OFFSET 0
))
        AND q.id < $7 AND q.id > $8 ORDER BY q.id ASC LIMIT $9
) q
CROSS JOIN LATERAL (SELECT a.* FROM accounts a WHERE a.id = q.account_id OFFSET 0) a
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = q.project_id OFFSET 0) p
ORDER BY q.id DESC;

-- ApplicationStore.page(_:of:viewer:in:), project, open, newest
SELECT q.id, q.project_id, q.account_id, q.role_id, q.role_name, q.message, q.state, q.note, q.created_at,
q.decided_at, q.version, a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, p.id, p.leader_id, p.title, p.state, p.deadline,
p.version
FROM (
    SELECT q.*
    FROM applications q
    CROSS JOIN LATERAL (
        SELECT p.leader_id, p.deleted_at FROM projects p WHERE p.id = q.project_id OFFSET 0
    ) o
    WHERE q.project_id = $1 AND q.state = $2 AND o.deleted_at IS NULL
        AND NOT (q.account_id IN (SELECT id FROM blocked_with($3)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = q.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $4
    OFFSET 0
))
        AND NOT (o.leader_id IN (SELECT id FROM blocked_with($5)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = o.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $6
    OFFSET 0
))
        AND q.id < $7 AND q.id > $8 ORDER BY q.id DESC LIMIT $9
) q
CROSS JOIN LATERAL (SELECT a.* FROM accounts a WHERE a.id = q.account_id OFFSET 0) a
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = q.project_id OFFSET 0) p
ORDER BY q.id DESC;

-- ApplicationStore.recount(_:version:in:)
WITH counted AS (
    UPDATE projects
    SET applications_count = (
            SELECT count(*) FROM applications
            WHERE project_id = $1 AND state IN ('open', 'accepted', 'declined')
        ),
        open_count = (
            SELECT count(*) FROM applications WHERE project_id = $2 AND state = 'open'
        ),
        version = $3
    WHERE id = $4
    RETURNING id, applications_count
)
UPDATE project_facets f
SET applications_count = c.applications_count
FROM counted c
WHERE f.project_id = c.id AND f.applications_count <> c.applications_count;

-- ApplicationStore.row(_:viewer:in:)
SELECT q.id, q.project_id, q.account_id, q.role_id, q.role_name, q.message, q.state, q.note, q.created_at,
q.decided_at, q.version, a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, p.id, p.leader_id, p.title, p.state, p.deadline,
p.version
FROM applications q
CROSS JOIN LATERAL (SELECT a.* FROM accounts a WHERE a.id = q.account_id OFFSET 0) a
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = q.project_id OFFSET 0) p
WHERE q.id = $1 AND p.deleted_at IS NULL AND $2 IN (q.account_id, p.leader_id)
    AND NOT (q.account_id IN (SELECT id FROM blocked_with($3)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = q.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $4
    OFFSET 0
))
    AND NOT (p.leader_id IN (SELECT id FROM blocked_with($5)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $6
    OFFSET 0
));

-- ApplicationStore.save(_:in:)
UPDATE applications
SET state = $1, note = $2, decided_at = $3,
    version = $4
WHERE id = $5;

-- BlockStore.delete(_:_:in:), block
DELETE FROM blocks WHERE account_id = $1 AND target_id = $2;

-- BlockStore.delete(_:_:in:), mute
DELETE FROM mutes WHERE account_id = $1 AND target_id = $2;

-- BlockStore.deleteNote(_:in:)
DELETE FROM account_notes WHERE account_id = $1 AND target_id = $2;

-- BlockStore.forgetMutes(before:in:)
DELETE FROM mutes
WHERE (account_id, target_id) IN (SELECT account_id, target_id FROM mutes WHERE expires_at < $1 ORDER BY expires_at LIMIT 1000);

-- BlockStore.insertBlock(_:id:in:)
INSERT INTO blocks (account_id, target_id, id)
VALUES ($1, $2, $3)
ON CONFLICT (account_id, target_id) DO NOTHING;

-- BlockStore.setMute(_:id:notifications:expires:in:)
INSERT INTO mutes (account_id, target_id, id, notifications, expires_at)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (account_id, target_id)
DO UPDATE SET notifications = excluded.notifications, expires_at = excluded.expires_at;

-- BlockStore.setNote(_:comment:in:)
INSERT INTO account_notes (account_id, target_id, comment)
VALUES ($1, $2, $3)
ON CONFLICT (account_id, target_id) DO UPDATE SET comment = excluded.comment;

-- BoardStore.board(_:viewer:page:in:), applications, facets, back
WITH page AS MATERIALIZED (SELECT f.project_id AS id, row_number() OVER (ORDER BY f.applications_count, f.project_id) AS place
FROM (
    SELECT f.project_id, f.deadline, f.applications_count
    FROM (SELECT f.project_id, f.deadline, f.applications_count
FROM project_facets f
WHERE f.state = $1 AND f.facet = $2
    AND (f.applications_count, f.project_id) > ((SELECT p.applications_count FROM projects p WHERE p.id = $3), $4)
ORDER BY f.applications_count, f.project_id
LIMIT 1000) f
    CROSS JOIN LATERAL (SELECT p.leader_id FROM projects p WHERE p.id = f.project_id OFFSET 0) p
    WHERE (NOT p.leader_id IN (SELECT id FROM hidden_from($5)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $6
    OFFSET 0
))
    AND EXISTS (SELECT FROM project_facets o WHERE o.project_id = f.project_id AND o.facet = $7)
    AND EXISTS (SELECT FROM project_facets o WHERE o.project_id = f.project_id AND o.facet = $8)
    AND EXISTS (SELECT FROM project_facets o WHERE o.project_id = f.project_id AND o.facet = $9)
    ORDER BY f.applications_count, f.project_id
    LIMIT $10
) f)
SELECT page.place, p.id, p.leader_id, p.state, p.title, p.summary, p.body,
p.mentioned_ids, p.mentioned_names, p.category, p.tags, p.roles, p.place,
p.frequency, to_char(p.starts_on, 'YYYY-MM-DD'), p.deadline, p.contact_url,
p.language, p.media, p.created_at, p.published_at, p.edited_at,
p.version, l.id, l.username, l.display_name, l.note, l.fields, l.locked,
l.bot, l.discoverable, l.created_at, l.last_post_at, l.posts_count,
l.followers_count, l.following_count, l.version, l.extras, c.card, m.count, m.taken,
p.applications_count, coalesce(v.views, 0), p.playground_id, p.channel_id, k.is_kept, m.has_viewer, q.id, q.state
FROM page
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = page.id OFFSET 0) p
CROSS JOIN LATERAL (SELECT l.* FROM accounts l WHERE l.id = p.leader_id OFFSET 0) l
LEFT JOIN LATERAL (SELECT c.card FROM cards c WHERE c.hash = p.link_hash OFFSET 0) c ON true
CROSS JOIN LATERAL (
    SELECT count(*) AS count,
        coalesce(array_agg(m.role_id) FILTER (WHERE m.role_id IS NOT NULL), '{}') AS taken,
        coalesce(bool_or(m.account_id = $11), false) AS has_viewer
    FROM project_members m
    WHERE m.project_id = p.id
) m
LEFT JOIN LATERAL (SELECT v.views FROM project_views v WHERE v.project_id = p.id OFFSET 0) v ON true
CROSS JOIN LATERAL (
    SELECT EXISTS (
        SELECT FROM project_bookmarks k WHERE k.account_id = $12 AND k.project_id = p.id
    ) AS is_kept
) k
LEFT JOIN LATERAL (
    SELECT q.id, q.state
    FROM applications q
    WHERE q.project_id = p.id AND q.account_id = $13
    ORDER BY q.id DESC
    LIMIT 1
) q ON true
ORDER BY page.place DESC;

-- BoardStore.board(_:viewer:page:in:), applications, facets, first
WITH page AS MATERIALIZED (SELECT f.project_id AS id, row_number() OVER (ORDER BY f.applications_count, f.project_id) AS place
FROM (
    SELECT f.project_id, f.deadline, f.applications_count
    FROM (SELECT f.project_id, f.deadline, f.applications_count
FROM project_facets f
WHERE f.state = $1 AND f.facet = $2
    AND true
ORDER BY f.applications_count DESC, f.project_id DESC
LIMIT 1000) f
    CROSS JOIN LATERAL (SELECT p.leader_id FROM projects p WHERE p.id = f.project_id OFFSET 0) p
    WHERE (NOT p.leader_id IN (SELECT id FROM hidden_from($3)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $4
    OFFSET 0
))
    AND EXISTS (SELECT FROM project_facets o WHERE o.project_id = f.project_id AND o.facet = $5)
    AND EXISTS (SELECT FROM project_facets o WHERE o.project_id = f.project_id AND o.facet = $6)
    AND EXISTS (SELECT FROM project_facets o WHERE o.project_id = f.project_id AND o.facet = $7)
    ORDER BY f.applications_count DESC, f.project_id DESC
    LIMIT $8
) f)
SELECT page.place, p.id, p.leader_id, p.state, p.title, p.summary, p.body,
p.mentioned_ids, p.mentioned_names, p.category, p.tags, p.roles, p.place,
p.frequency, to_char(p.starts_on, 'YYYY-MM-DD'), p.deadline, p.contact_url,
p.language, p.media, p.created_at, p.published_at, p.edited_at,
p.version, l.id, l.username, l.display_name, l.note, l.fields, l.locked,
l.bot, l.discoverable, l.created_at, l.last_post_at, l.posts_count,
l.followers_count, l.following_count, l.version, l.extras, c.card, m.count, m.taken,
p.applications_count, coalesce(v.views, 0), p.playground_id, p.channel_id, k.is_kept, m.has_viewer, q.id, q.state
FROM page
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = page.id OFFSET 0) p
CROSS JOIN LATERAL (SELECT l.* FROM accounts l WHERE l.id = p.leader_id OFFSET 0) l
LEFT JOIN LATERAL (SELECT c.card FROM cards c WHERE c.hash = p.link_hash OFFSET 0) c ON true
CROSS JOIN LATERAL (
    SELECT count(*) AS count,
        coalesce(array_agg(m.role_id) FILTER (WHERE m.role_id IS NOT NULL), '{}') AS taken,
        coalesce(bool_or(m.account_id = $9), false) AS has_viewer
    FROM project_members m
    WHERE m.project_id = p.id
) m
LEFT JOIN LATERAL (SELECT v.views FROM project_views v WHERE v.project_id = p.id OFFSET 0) v ON true
CROSS JOIN LATERAL (
    SELECT EXISTS (
        SELECT FROM project_bookmarks k WHERE k.account_id = $10 AND k.project_id = p.id
    ) AS is_kept
) k
LEFT JOIN LATERAL (
    SELECT q.id, q.state
    FROM applications q
    WHERE q.project_id = p.id AND q.account_id = $11
    ORDER BY q.id DESC
    LIMIT 1
) q ON true
ORDER BY page.place DESC;

-- BoardStore.board(_:viewer:page:in:), applications, facets, next
WITH page AS MATERIALIZED (SELECT f.project_id AS id, row_number() OVER (ORDER BY f.applications_count, f.project_id) AS place
FROM (
    SELECT f.project_id, f.deadline, f.applications_count
    FROM (SELECT f.project_id, f.deadline, f.applications_count
FROM project_facets f
WHERE f.state = $1 AND f.facet = $2
    AND (f.applications_count, f.project_id) < ((SELECT p.applications_count FROM projects p WHERE p.id = $3), $4)
ORDER BY f.applications_count DESC, f.project_id DESC
LIMIT 1000) f
    CROSS JOIN LATERAL (SELECT p.leader_id FROM projects p WHERE p.id = f.project_id OFFSET 0) p
    WHERE (NOT p.leader_id IN (SELECT id FROM hidden_from($5)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $6
    OFFSET 0
))
    AND EXISTS (SELECT FROM project_facets o WHERE o.project_id = f.project_id AND o.facet = $7)
    AND EXISTS (SELECT FROM project_facets o WHERE o.project_id = f.project_id AND o.facet = $8)
    AND EXISTS (SELECT FROM project_facets o WHERE o.project_id = f.project_id AND o.facet = $9)
    ORDER BY f.applications_count DESC, f.project_id DESC
    LIMIT $10
) f)
SELECT page.place, p.id, p.leader_id, p.state, p.title, p.summary, p.body,
p.mentioned_ids, p.mentioned_names, p.category, p.tags, p.roles, p.place,
p.frequency, to_char(p.starts_on, 'YYYY-MM-DD'), p.deadline, p.contact_url,
p.language, p.media, p.created_at, p.published_at, p.edited_at,
p.version, l.id, l.username, l.display_name, l.note, l.fields, l.locked,
l.bot, l.discoverable, l.created_at, l.last_post_at, l.posts_count,
l.followers_count, l.following_count, l.version, l.extras, c.card, m.count, m.taken,
p.applications_count, coalesce(v.views, 0), p.playground_id, p.channel_id, k.is_kept, m.has_viewer, q.id, q.state
FROM page
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = page.id OFFSET 0) p
CROSS JOIN LATERAL (SELECT l.* FROM accounts l WHERE l.id = p.leader_id OFFSET 0) l
LEFT JOIN LATERAL (SELECT c.card FROM cards c WHERE c.hash = p.link_hash OFFSET 0) c ON true
CROSS JOIN LATERAL (
    SELECT count(*) AS count,
        coalesce(array_agg(m.role_id) FILTER (WHERE m.role_id IS NOT NULL), '{}') AS taken,
        coalesce(bool_or(m.account_id = $11), false) AS has_viewer
    FROM project_members m
    WHERE m.project_id = p.id
) m
LEFT JOIN LATERAL (SELECT v.views FROM project_views v WHERE v.project_id = p.id OFFSET 0) v ON true
CROSS JOIN LATERAL (
    SELECT EXISTS (
        SELECT FROM project_bookmarks k WHERE k.account_id = $12 AND k.project_id = p.id
    ) AS is_kept
) k
LEFT JOIN LATERAL (
    SELECT q.id, q.state
    FROM applications q
    WHERE q.project_id = p.id AND q.account_id = $13
    ORDER BY q.id DESC
    LIMIT 1
) q ON true
ORDER BY page.place DESC;

-- BoardStore.board(_:viewer:page:in:), applications, whole, back
WITH page AS MATERIALIZED (SELECT f.project_id AS id, row_number() OVER (ORDER BY f.applications_count, f.project_id) AS place
FROM (
    SELECT f.project_id, f.deadline, f.applications_count
    FROM (SELECT f.project_id, f.deadline, f.applications_count
FROM project_facets f
WHERE f.state = $1 AND f.facet = $2
    AND (f.applications_count, f.project_id) > ((SELECT p.applications_count FROM projects p WHERE p.id = $3), $4)
ORDER BY f.applications_count, f.project_id
LIMIT 1000) f
    CROSS JOIN LATERAL (SELECT p.leader_id FROM projects p WHERE p.id = f.project_id OFFSET 0) p
    WHERE (NOT p.leader_id IN (SELECT id FROM hidden_from($5)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $6
    OFFSET 0
))
    ORDER BY f.applications_count, f.project_id
    LIMIT $7
) f)
SELECT page.place, p.id, p.leader_id, p.state, p.title, p.summary, p.body,
p.mentioned_ids, p.mentioned_names, p.category, p.tags, p.roles, p.place,
p.frequency, to_char(p.starts_on, 'YYYY-MM-DD'), p.deadline, p.contact_url,
p.language, p.media, p.created_at, p.published_at, p.edited_at,
p.version, l.id, l.username, l.display_name, l.note, l.fields, l.locked,
l.bot, l.discoverable, l.created_at, l.last_post_at, l.posts_count,
l.followers_count, l.following_count, l.version, l.extras, c.card, m.count, m.taken,
p.applications_count, coalesce(v.views, 0), p.playground_id, p.channel_id, k.is_kept, m.has_viewer, q.id, q.state
FROM page
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = page.id OFFSET 0) p
CROSS JOIN LATERAL (SELECT l.* FROM accounts l WHERE l.id = p.leader_id OFFSET 0) l
LEFT JOIN LATERAL (SELECT c.card FROM cards c WHERE c.hash = p.link_hash OFFSET 0) c ON true
CROSS JOIN LATERAL (
    SELECT count(*) AS count,
        coalesce(array_agg(m.role_id) FILTER (WHERE m.role_id IS NOT NULL), '{}') AS taken,
        coalesce(bool_or(m.account_id = $8), false) AS has_viewer
    FROM project_members m
    WHERE m.project_id = p.id
) m
LEFT JOIN LATERAL (SELECT v.views FROM project_views v WHERE v.project_id = p.id OFFSET 0) v ON true
CROSS JOIN LATERAL (
    SELECT EXISTS (
        SELECT FROM project_bookmarks k WHERE k.account_id = $9 AND k.project_id = p.id
    ) AS is_kept
) k
LEFT JOIN LATERAL (
    SELECT q.id, q.state
    FROM applications q
    WHERE q.project_id = p.id AND q.account_id = $10
    ORDER BY q.id DESC
    LIMIT 1
) q ON true
ORDER BY page.place DESC;

-- BoardStore.board(_:viewer:page:in:), applications, whole, first
WITH page AS MATERIALIZED (SELECT f.project_id AS id, row_number() OVER (ORDER BY f.applications_count, f.project_id) AS place
FROM (
    SELECT f.project_id, f.deadline, f.applications_count
    FROM (SELECT f.project_id, f.deadline, f.applications_count
FROM project_facets f
WHERE f.state = $1 AND f.facet = $2
    AND true
ORDER BY f.applications_count DESC, f.project_id DESC
LIMIT 1000) f
    CROSS JOIN LATERAL (SELECT p.leader_id FROM projects p WHERE p.id = f.project_id OFFSET 0) p
    WHERE (NOT p.leader_id IN (SELECT id FROM hidden_from($3)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $4
    OFFSET 0
))
    ORDER BY f.applications_count DESC, f.project_id DESC
    LIMIT $5
) f)
SELECT page.place, p.id, p.leader_id, p.state, p.title, p.summary, p.body,
p.mentioned_ids, p.mentioned_names, p.category, p.tags, p.roles, p.place,
p.frequency, to_char(p.starts_on, 'YYYY-MM-DD'), p.deadline, p.contact_url,
p.language, p.media, p.created_at, p.published_at, p.edited_at,
p.version, l.id, l.username, l.display_name, l.note, l.fields, l.locked,
l.bot, l.discoverable, l.created_at, l.last_post_at, l.posts_count,
l.followers_count, l.following_count, l.version, l.extras, c.card, m.count, m.taken,
p.applications_count, coalesce(v.views, 0), p.playground_id, p.channel_id, k.is_kept, m.has_viewer, q.id, q.state
FROM page
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = page.id OFFSET 0) p
CROSS JOIN LATERAL (SELECT l.* FROM accounts l WHERE l.id = p.leader_id OFFSET 0) l
LEFT JOIN LATERAL (SELECT c.card FROM cards c WHERE c.hash = p.link_hash OFFSET 0) c ON true
CROSS JOIN LATERAL (
    SELECT count(*) AS count,
        coalesce(array_agg(m.role_id) FILTER (WHERE m.role_id IS NOT NULL), '{}') AS taken,
        coalesce(bool_or(m.account_id = $6), false) AS has_viewer
    FROM project_members m
    WHERE m.project_id = p.id
) m
LEFT JOIN LATERAL (SELECT v.views FROM project_views v WHERE v.project_id = p.id OFFSET 0) v ON true
CROSS JOIN LATERAL (
    SELECT EXISTS (
        SELECT FROM project_bookmarks k WHERE k.account_id = $7 AND k.project_id = p.id
    ) AS is_kept
) k
LEFT JOIN LATERAL (
    SELECT q.id, q.state
    FROM applications q
    WHERE q.project_id = p.id AND q.account_id = $8
    ORDER BY q.id DESC
    LIMIT 1
) q ON true
ORDER BY page.place DESC;

-- BoardStore.board(_:viewer:page:in:), applications, whole, next
WITH page AS MATERIALIZED (SELECT f.project_id AS id, row_number() OVER (ORDER BY f.applications_count, f.project_id) AS place
FROM (
    SELECT f.project_id, f.deadline, f.applications_count
    FROM (SELECT f.project_id, f.deadline, f.applications_count
FROM project_facets f
WHERE f.state = $1 AND f.facet = $2
    AND (f.applications_count, f.project_id) < ((SELECT p.applications_count FROM projects p WHERE p.id = $3), $4)
ORDER BY f.applications_count DESC, f.project_id DESC
LIMIT 1000) f
    CROSS JOIN LATERAL (SELECT p.leader_id FROM projects p WHERE p.id = f.project_id OFFSET 0) p
    WHERE (NOT p.leader_id IN (SELECT id FROM hidden_from($5)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $6
    OFFSET 0
))
    ORDER BY f.applications_count DESC, f.project_id DESC
    LIMIT $7
) f)
SELECT page.place, p.id, p.leader_id, p.state, p.title, p.summary, p.body,
p.mentioned_ids, p.mentioned_names, p.category, p.tags, p.roles, p.place,
p.frequency, to_char(p.starts_on, 'YYYY-MM-DD'), p.deadline, p.contact_url,
p.language, p.media, p.created_at, p.published_at, p.edited_at,
p.version, l.id, l.username, l.display_name, l.note, l.fields, l.locked,
l.bot, l.discoverable, l.created_at, l.last_post_at, l.posts_count,
l.followers_count, l.following_count, l.version, l.extras, c.card, m.count, m.taken,
p.applications_count, coalesce(v.views, 0), p.playground_id, p.channel_id, k.is_kept, m.has_viewer, q.id, q.state
FROM page
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = page.id OFFSET 0) p
CROSS JOIN LATERAL (SELECT l.* FROM accounts l WHERE l.id = p.leader_id OFFSET 0) l
LEFT JOIN LATERAL (SELECT c.card FROM cards c WHERE c.hash = p.link_hash OFFSET 0) c ON true
CROSS JOIN LATERAL (
    SELECT count(*) AS count,
        coalesce(array_agg(m.role_id) FILTER (WHERE m.role_id IS NOT NULL), '{}') AS taken,
        coalesce(bool_or(m.account_id = $8), false) AS has_viewer
    FROM project_members m
    WHERE m.project_id = p.id
) m
LEFT JOIN LATERAL (SELECT v.views FROM project_views v WHERE v.project_id = p.id OFFSET 0) v ON true
CROSS JOIN LATERAL (
    SELECT EXISTS (
        SELECT FROM project_bookmarks k WHERE k.account_id = $9 AND k.project_id = p.id
    ) AS is_kept
) k
LEFT JOIN LATERAL (
    SELECT q.id, q.state
    FROM applications q
    WHERE q.project_id = p.id AND q.account_id = $10
    ORDER BY q.id DESC
    LIMIT 1
) q ON true
ORDER BY page.place DESC;

-- BoardStore.board(_:viewer:page:in:), deadline, facets, back
WITH page AS MATERIALIZED (SELECT f.project_id AS id, row_number() OVER (ORDER BY f.deadline DESC, f.project_id DESC) AS place
FROM (
    SELECT f.project_id, f.deadline, f.applications_count
    FROM (SELECT f.project_id, f.deadline, f.applications_count
FROM project_facets f
WHERE f.state = $1 AND f.facet = $2
    AND (f.deadline, f.project_id) < ((SELECT coalesce(p.deadline, 'infinity') FROM projects p WHERE p.id = $3), $4)
ORDER BY f.deadline DESC, f.project_id DESC
LIMIT 1000) f
    CROSS JOIN LATERAL (SELECT p.leader_id FROM projects p WHERE p.id = f.project_id OFFSET 0) p
    WHERE (NOT p.leader_id IN (SELECT id FROM hidden_from($5)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $6
    OFFSET 0
))
    AND EXISTS (SELECT FROM project_facets o WHERE o.project_id = f.project_id AND o.facet = $7)
    AND EXISTS (SELECT FROM project_facets o WHERE o.project_id = f.project_id AND o.facet = $8)
    AND EXISTS (SELECT FROM project_facets o WHERE o.project_id = f.project_id AND o.facet = $9)
    ORDER BY f.deadline DESC, f.project_id DESC
    LIMIT $10
) f)
SELECT page.place, p.id, p.leader_id, p.state, p.title, p.summary, p.body,
p.mentioned_ids, p.mentioned_names, p.category, p.tags, p.roles, p.place,
p.frequency, to_char(p.starts_on, 'YYYY-MM-DD'), p.deadline, p.contact_url,
p.language, p.media, p.created_at, p.published_at, p.edited_at,
p.version, l.id, l.username, l.display_name, l.note, l.fields, l.locked,
l.bot, l.discoverable, l.created_at, l.last_post_at, l.posts_count,
l.followers_count, l.following_count, l.version, l.extras, c.card, m.count, m.taken,
p.applications_count, coalesce(v.views, 0), p.playground_id, p.channel_id, k.is_kept, m.has_viewer, q.id, q.state
FROM page
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = page.id OFFSET 0) p
CROSS JOIN LATERAL (SELECT l.* FROM accounts l WHERE l.id = p.leader_id OFFSET 0) l
LEFT JOIN LATERAL (SELECT c.card FROM cards c WHERE c.hash = p.link_hash OFFSET 0) c ON true
CROSS JOIN LATERAL (
    SELECT count(*) AS count,
        coalesce(array_agg(m.role_id) FILTER (WHERE m.role_id IS NOT NULL), '{}') AS taken,
        coalesce(bool_or(m.account_id = $11), false) AS has_viewer
    FROM project_members m
    WHERE m.project_id = p.id
) m
LEFT JOIN LATERAL (SELECT v.views FROM project_views v WHERE v.project_id = p.id OFFSET 0) v ON true
CROSS JOIN LATERAL (
    SELECT EXISTS (
        SELECT FROM project_bookmarks k WHERE k.account_id = $12 AND k.project_id = p.id
    ) AS is_kept
) k
LEFT JOIN LATERAL (
    SELECT q.id, q.state
    FROM applications q
    WHERE q.project_id = p.id AND q.account_id = $13
    ORDER BY q.id DESC
    LIMIT 1
) q ON true
ORDER BY page.place DESC;

-- BoardStore.board(_:viewer:page:in:), deadline, facets, first
WITH page AS MATERIALIZED (SELECT f.project_id AS id, row_number() OVER (ORDER BY f.deadline DESC, f.project_id DESC) AS place
FROM (
    SELECT f.project_id, f.deadline, f.applications_count
    FROM (SELECT f.project_id, f.deadline, f.applications_count
FROM project_facets f
WHERE f.state = $1 AND f.facet = $2
    AND true
ORDER BY f.deadline, f.project_id
LIMIT 1000) f
    CROSS JOIN LATERAL (SELECT p.leader_id FROM projects p WHERE p.id = f.project_id OFFSET 0) p
    WHERE (NOT p.leader_id IN (SELECT id FROM hidden_from($3)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $4
    OFFSET 0
))
    AND EXISTS (SELECT FROM project_facets o WHERE o.project_id = f.project_id AND o.facet = $5)
    AND EXISTS (SELECT FROM project_facets o WHERE o.project_id = f.project_id AND o.facet = $6)
    AND EXISTS (SELECT FROM project_facets o WHERE o.project_id = f.project_id AND o.facet = $7)
    ORDER BY f.deadline, f.project_id
    LIMIT $8
) f)
SELECT page.place, p.id, p.leader_id, p.state, p.title, p.summary, p.body,
p.mentioned_ids, p.mentioned_names, p.category, p.tags, p.roles, p.place,
p.frequency, to_char(p.starts_on, 'YYYY-MM-DD'), p.deadline, p.contact_url,
p.language, p.media, p.created_at, p.published_at, p.edited_at,
p.version, l.id, l.username, l.display_name, l.note, l.fields, l.locked,
l.bot, l.discoverable, l.created_at, l.last_post_at, l.posts_count,
l.followers_count, l.following_count, l.version, l.extras, c.card, m.count, m.taken,
p.applications_count, coalesce(v.views, 0), p.playground_id, p.channel_id, k.is_kept, m.has_viewer, q.id, q.state
FROM page
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = page.id OFFSET 0) p
CROSS JOIN LATERAL (SELECT l.* FROM accounts l WHERE l.id = p.leader_id OFFSET 0) l
LEFT JOIN LATERAL (SELECT c.card FROM cards c WHERE c.hash = p.link_hash OFFSET 0) c ON true
CROSS JOIN LATERAL (
    SELECT count(*) AS count,
        coalesce(array_agg(m.role_id) FILTER (WHERE m.role_id IS NOT NULL), '{}') AS taken,
        coalesce(bool_or(m.account_id = $9), false) AS has_viewer
    FROM project_members m
    WHERE m.project_id = p.id
) m
LEFT JOIN LATERAL (SELECT v.views FROM project_views v WHERE v.project_id = p.id OFFSET 0) v ON true
CROSS JOIN LATERAL (
    SELECT EXISTS (
        SELECT FROM project_bookmarks k WHERE k.account_id = $10 AND k.project_id = p.id
    ) AS is_kept
) k
LEFT JOIN LATERAL (
    SELECT q.id, q.state
    FROM applications q
    WHERE q.project_id = p.id AND q.account_id = $11
    ORDER BY q.id DESC
    LIMIT 1
) q ON true
ORDER BY page.place DESC;

-- BoardStore.board(_:viewer:page:in:), deadline, facets, next
WITH page AS MATERIALIZED (SELECT f.project_id AS id, row_number() OVER (ORDER BY f.deadline DESC, f.project_id DESC) AS place
FROM (
    SELECT f.project_id, f.deadline, f.applications_count
    FROM (SELECT f.project_id, f.deadline, f.applications_count
FROM project_facets f
WHERE f.state = $1 AND f.facet = $2
    AND (f.deadline, f.project_id) > ((SELECT coalesce(p.deadline, 'infinity') FROM projects p WHERE p.id = $3), $4)
ORDER BY f.deadline, f.project_id
LIMIT 1000) f
    CROSS JOIN LATERAL (SELECT p.leader_id FROM projects p WHERE p.id = f.project_id OFFSET 0) p
    WHERE (NOT p.leader_id IN (SELECT id FROM hidden_from($5)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $6
    OFFSET 0
))
    AND EXISTS (SELECT FROM project_facets o WHERE o.project_id = f.project_id AND o.facet = $7)
    AND EXISTS (SELECT FROM project_facets o WHERE o.project_id = f.project_id AND o.facet = $8)
    AND EXISTS (SELECT FROM project_facets o WHERE o.project_id = f.project_id AND o.facet = $9)
    ORDER BY f.deadline, f.project_id
    LIMIT $10
) f)
SELECT page.place, p.id, p.leader_id, p.state, p.title, p.summary, p.body,
p.mentioned_ids, p.mentioned_names, p.category, p.tags, p.roles, p.place,
p.frequency, to_char(p.starts_on, 'YYYY-MM-DD'), p.deadline, p.contact_url,
p.language, p.media, p.created_at, p.published_at, p.edited_at,
p.version, l.id, l.username, l.display_name, l.note, l.fields, l.locked,
l.bot, l.discoverable, l.created_at, l.last_post_at, l.posts_count,
l.followers_count, l.following_count, l.version, l.extras, c.card, m.count, m.taken,
p.applications_count, coalesce(v.views, 0), p.playground_id, p.channel_id, k.is_kept, m.has_viewer, q.id, q.state
FROM page
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = page.id OFFSET 0) p
CROSS JOIN LATERAL (SELECT l.* FROM accounts l WHERE l.id = p.leader_id OFFSET 0) l
LEFT JOIN LATERAL (SELECT c.card FROM cards c WHERE c.hash = p.link_hash OFFSET 0) c ON true
CROSS JOIN LATERAL (
    SELECT count(*) AS count,
        coalesce(array_agg(m.role_id) FILTER (WHERE m.role_id IS NOT NULL), '{}') AS taken,
        coalesce(bool_or(m.account_id = $11), false) AS has_viewer
    FROM project_members m
    WHERE m.project_id = p.id
) m
LEFT JOIN LATERAL (SELECT v.views FROM project_views v WHERE v.project_id = p.id OFFSET 0) v ON true
CROSS JOIN LATERAL (
    SELECT EXISTS (
        SELECT FROM project_bookmarks k WHERE k.account_id = $12 AND k.project_id = p.id
    ) AS is_kept
) k
LEFT JOIN LATERAL (
    SELECT q.id, q.state
    FROM applications q
    WHERE q.project_id = p.id AND q.account_id = $13
    ORDER BY q.id DESC
    LIMIT 1
) q ON true
ORDER BY page.place DESC;

-- BoardStore.board(_:viewer:page:in:), deadline, whole, back
WITH page AS MATERIALIZED (SELECT f.project_id AS id, row_number() OVER (ORDER BY f.deadline DESC, f.project_id DESC) AS place
FROM (
    SELECT f.project_id, f.deadline, f.applications_count
    FROM (SELECT f.project_id, f.deadline, f.applications_count
FROM project_facets f
WHERE f.state = $1 AND f.facet = $2
    AND (f.deadline, f.project_id) < ((SELECT coalesce(p.deadline, 'infinity') FROM projects p WHERE p.id = $3), $4)
ORDER BY f.deadline DESC, f.project_id DESC
LIMIT 1000) f
    CROSS JOIN LATERAL (SELECT p.leader_id FROM projects p WHERE p.id = f.project_id OFFSET 0) p
    WHERE (NOT p.leader_id IN (SELECT id FROM hidden_from($5)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $6
    OFFSET 0
))
    ORDER BY f.deadline DESC, f.project_id DESC
    LIMIT $7
) f)
SELECT page.place, p.id, p.leader_id, p.state, p.title, p.summary, p.body,
p.mentioned_ids, p.mentioned_names, p.category, p.tags, p.roles, p.place,
p.frequency, to_char(p.starts_on, 'YYYY-MM-DD'), p.deadline, p.contact_url,
p.language, p.media, p.created_at, p.published_at, p.edited_at,
p.version, l.id, l.username, l.display_name, l.note, l.fields, l.locked,
l.bot, l.discoverable, l.created_at, l.last_post_at, l.posts_count,
l.followers_count, l.following_count, l.version, l.extras, c.card, m.count, m.taken,
p.applications_count, coalesce(v.views, 0), p.playground_id, p.channel_id, k.is_kept, m.has_viewer, q.id, q.state
FROM page
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = page.id OFFSET 0) p
CROSS JOIN LATERAL (SELECT l.* FROM accounts l WHERE l.id = p.leader_id OFFSET 0) l
LEFT JOIN LATERAL (SELECT c.card FROM cards c WHERE c.hash = p.link_hash OFFSET 0) c ON true
CROSS JOIN LATERAL (
    SELECT count(*) AS count,
        coalesce(array_agg(m.role_id) FILTER (WHERE m.role_id IS NOT NULL), '{}') AS taken,
        coalesce(bool_or(m.account_id = $8), false) AS has_viewer
    FROM project_members m
    WHERE m.project_id = p.id
) m
LEFT JOIN LATERAL (SELECT v.views FROM project_views v WHERE v.project_id = p.id OFFSET 0) v ON true
CROSS JOIN LATERAL (
    SELECT EXISTS (
        SELECT FROM project_bookmarks k WHERE k.account_id = $9 AND k.project_id = p.id
    ) AS is_kept
) k
LEFT JOIN LATERAL (
    SELECT q.id, q.state
    FROM applications q
    WHERE q.project_id = p.id AND q.account_id = $10
    ORDER BY q.id DESC
    LIMIT 1
) q ON true
ORDER BY page.place DESC;

-- BoardStore.board(_:viewer:page:in:), deadline, whole, first
WITH page AS MATERIALIZED (SELECT f.project_id AS id, row_number() OVER (ORDER BY f.deadline DESC, f.project_id DESC) AS place
FROM (
    SELECT f.project_id, f.deadline, f.applications_count
    FROM (SELECT f.project_id, f.deadline, f.applications_count
FROM project_facets f
WHERE f.state = $1 AND f.facet = $2
    AND true
ORDER BY f.deadline, f.project_id
LIMIT 1000) f
    CROSS JOIN LATERAL (SELECT p.leader_id FROM projects p WHERE p.id = f.project_id OFFSET 0) p
    WHERE (NOT p.leader_id IN (SELECT id FROM hidden_from($3)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $4
    OFFSET 0
))
    ORDER BY f.deadline, f.project_id
    LIMIT $5
) f)
SELECT page.place, p.id, p.leader_id, p.state, p.title, p.summary, p.body,
p.mentioned_ids, p.mentioned_names, p.category, p.tags, p.roles, p.place,
p.frequency, to_char(p.starts_on, 'YYYY-MM-DD'), p.deadline, p.contact_url,
p.language, p.media, p.created_at, p.published_at, p.edited_at,
p.version, l.id, l.username, l.display_name, l.note, l.fields, l.locked,
l.bot, l.discoverable, l.created_at, l.last_post_at, l.posts_count,
l.followers_count, l.following_count, l.version, l.extras, c.card, m.count, m.taken,
p.applications_count, coalesce(v.views, 0), p.playground_id, p.channel_id, k.is_kept, m.has_viewer, q.id, q.state
FROM page
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = page.id OFFSET 0) p
CROSS JOIN LATERAL (SELECT l.* FROM accounts l WHERE l.id = p.leader_id OFFSET 0) l
LEFT JOIN LATERAL (SELECT c.card FROM cards c WHERE c.hash = p.link_hash OFFSET 0) c ON true
CROSS JOIN LATERAL (
    SELECT count(*) AS count,
        coalesce(array_agg(m.role_id) FILTER (WHERE m.role_id IS NOT NULL), '{}') AS taken,
        coalesce(bool_or(m.account_id = $6), false) AS has_viewer
    FROM project_members m
    WHERE m.project_id = p.id
) m
LEFT JOIN LATERAL (SELECT v.views FROM project_views v WHERE v.project_id = p.id OFFSET 0) v ON true
CROSS JOIN LATERAL (
    SELECT EXISTS (
        SELECT FROM project_bookmarks k WHERE k.account_id = $7 AND k.project_id = p.id
    ) AS is_kept
) k
LEFT JOIN LATERAL (
    SELECT q.id, q.state
    FROM applications q
    WHERE q.project_id = p.id AND q.account_id = $8
    ORDER BY q.id DESC
    LIMIT 1
) q ON true
ORDER BY page.place DESC;

-- BoardStore.board(_:viewer:page:in:), deadline, whole, next
WITH page AS MATERIALIZED (SELECT f.project_id AS id, row_number() OVER (ORDER BY f.deadline DESC, f.project_id DESC) AS place
FROM (
    SELECT f.project_id, f.deadline, f.applications_count
    FROM (SELECT f.project_id, f.deadline, f.applications_count
FROM project_facets f
WHERE f.state = $1 AND f.facet = $2
    AND (f.deadline, f.project_id) > ((SELECT coalesce(p.deadline, 'infinity') FROM projects p WHERE p.id = $3), $4)
ORDER BY f.deadline, f.project_id
LIMIT 1000) f
    CROSS JOIN LATERAL (SELECT p.leader_id FROM projects p WHERE p.id = f.project_id OFFSET 0) p
    WHERE (NOT p.leader_id IN (SELECT id FROM hidden_from($5)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $6
    OFFSET 0
))
    ORDER BY f.deadline, f.project_id
    LIMIT $7
) f)
SELECT page.place, p.id, p.leader_id, p.state, p.title, p.summary, p.body,
p.mentioned_ids, p.mentioned_names, p.category, p.tags, p.roles, p.place,
p.frequency, to_char(p.starts_on, 'YYYY-MM-DD'), p.deadline, p.contact_url,
p.language, p.media, p.created_at, p.published_at, p.edited_at,
p.version, l.id, l.username, l.display_name, l.note, l.fields, l.locked,
l.bot, l.discoverable, l.created_at, l.last_post_at, l.posts_count,
l.followers_count, l.following_count, l.version, l.extras, c.card, m.count, m.taken,
p.applications_count, coalesce(v.views, 0), p.playground_id, p.channel_id, k.is_kept, m.has_viewer, q.id, q.state
FROM page
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = page.id OFFSET 0) p
CROSS JOIN LATERAL (SELECT l.* FROM accounts l WHERE l.id = p.leader_id OFFSET 0) l
LEFT JOIN LATERAL (SELECT c.card FROM cards c WHERE c.hash = p.link_hash OFFSET 0) c ON true
CROSS JOIN LATERAL (
    SELECT count(*) AS count,
        coalesce(array_agg(m.role_id) FILTER (WHERE m.role_id IS NOT NULL), '{}') AS taken,
        coalesce(bool_or(m.account_id = $8), false) AS has_viewer
    FROM project_members m
    WHERE m.project_id = p.id
) m
LEFT JOIN LATERAL (SELECT v.views FROM project_views v WHERE v.project_id = p.id OFFSET 0) v ON true
CROSS JOIN LATERAL (
    SELECT EXISTS (
        SELECT FROM project_bookmarks k WHERE k.account_id = $9 AND k.project_id = p.id
    ) AS is_kept
) k
LEFT JOIN LATERAL (
    SELECT q.id, q.state
    FROM applications q
    WHERE q.project_id = p.id AND q.account_id = $10
    ORDER BY q.id DESC
    LIMIT 1
) q ON true
ORDER BY page.place DESC;

-- BoardStore.board(_:viewer:page:in:), newest, facets, back
WITH page AS MATERIALIZED (SELECT f.project_id AS id, row_number() OVER (ORDER BY f.project_id) AS place
FROM (
    SELECT f.project_id, f.deadline, f.applications_count
    FROM (SELECT f.project_id, f.deadline, f.applications_count
FROM project_facets f
WHERE f.state = $1 AND f.facet = $2
    AND (f.project_id) > ($3)
ORDER BY f.project_id
LIMIT 1000) f
    CROSS JOIN LATERAL (SELECT p.leader_id FROM projects p WHERE p.id = f.project_id OFFSET 0) p
    WHERE (NOT p.leader_id IN (SELECT id FROM hidden_from($4)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $5
    OFFSET 0
))
    AND EXISTS (SELECT FROM project_facets o WHERE o.project_id = f.project_id AND o.facet = $6)
    AND EXISTS (SELECT FROM project_facets o WHERE o.project_id = f.project_id AND o.facet = $7)
    AND EXISTS (SELECT FROM project_facets o WHERE o.project_id = f.project_id AND o.facet = $8)
    ORDER BY f.project_id
    LIMIT $9
) f)
SELECT page.place, p.id, p.leader_id, p.state, p.title, p.summary, p.body,
p.mentioned_ids, p.mentioned_names, p.category, p.tags, p.roles, p.place,
p.frequency, to_char(p.starts_on, 'YYYY-MM-DD'), p.deadline, p.contact_url,
p.language, p.media, p.created_at, p.published_at, p.edited_at,
p.version, l.id, l.username, l.display_name, l.note, l.fields, l.locked,
l.bot, l.discoverable, l.created_at, l.last_post_at, l.posts_count,
l.followers_count, l.following_count, l.version, l.extras, c.card, m.count, m.taken,
p.applications_count, coalesce(v.views, 0), p.playground_id, p.channel_id, k.is_kept, m.has_viewer, q.id, q.state
FROM page
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = page.id OFFSET 0) p
CROSS JOIN LATERAL (SELECT l.* FROM accounts l WHERE l.id = p.leader_id OFFSET 0) l
LEFT JOIN LATERAL (SELECT c.card FROM cards c WHERE c.hash = p.link_hash OFFSET 0) c ON true
CROSS JOIN LATERAL (
    SELECT count(*) AS count,
        coalesce(array_agg(m.role_id) FILTER (WHERE m.role_id IS NOT NULL), '{}') AS taken,
        coalesce(bool_or(m.account_id = $10), false) AS has_viewer
    FROM project_members m
    WHERE m.project_id = p.id
) m
LEFT JOIN LATERAL (SELECT v.views FROM project_views v WHERE v.project_id = p.id OFFSET 0) v ON true
CROSS JOIN LATERAL (
    SELECT EXISTS (
        SELECT FROM project_bookmarks k WHERE k.account_id = $11 AND k.project_id = p.id
    ) AS is_kept
) k
LEFT JOIN LATERAL (
    SELECT q.id, q.state
    FROM applications q
    WHERE q.project_id = p.id AND q.account_id = $12
    ORDER BY q.id DESC
    LIMIT 1
) q ON true
ORDER BY page.place DESC;

-- BoardStore.board(_:viewer:page:in:), newest, facets, first
WITH page AS MATERIALIZED (SELECT f.project_id AS id, row_number() OVER (ORDER BY f.project_id) AS place
FROM (
    SELECT f.project_id, f.deadline, f.applications_count
    FROM (SELECT f.project_id, f.deadline, f.applications_count
FROM project_facets f
WHERE f.state = $1 AND f.facet = $2
    AND true
ORDER BY f.project_id DESC
LIMIT 1000) f
    CROSS JOIN LATERAL (SELECT p.leader_id FROM projects p WHERE p.id = f.project_id OFFSET 0) p
    WHERE (NOT p.leader_id IN (SELECT id FROM hidden_from($3)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $4
    OFFSET 0
))
    AND EXISTS (SELECT FROM project_facets o WHERE o.project_id = f.project_id AND o.facet = $5)
    AND EXISTS (SELECT FROM project_facets o WHERE o.project_id = f.project_id AND o.facet = $6)
    AND EXISTS (SELECT FROM project_facets o WHERE o.project_id = f.project_id AND o.facet = $7)
    ORDER BY f.project_id DESC
    LIMIT $8
) f)
SELECT page.place, p.id, p.leader_id, p.state, p.title, p.summary, p.body,
p.mentioned_ids, p.mentioned_names, p.category, p.tags, p.roles, p.place,
p.frequency, to_char(p.starts_on, 'YYYY-MM-DD'), p.deadline, p.contact_url,
p.language, p.media, p.created_at, p.published_at, p.edited_at,
p.version, l.id, l.username, l.display_name, l.note, l.fields, l.locked,
l.bot, l.discoverable, l.created_at, l.last_post_at, l.posts_count,
l.followers_count, l.following_count, l.version, l.extras, c.card, m.count, m.taken,
p.applications_count, coalesce(v.views, 0), p.playground_id, p.channel_id, k.is_kept, m.has_viewer, q.id, q.state
FROM page
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = page.id OFFSET 0) p
CROSS JOIN LATERAL (SELECT l.* FROM accounts l WHERE l.id = p.leader_id OFFSET 0) l
LEFT JOIN LATERAL (SELECT c.card FROM cards c WHERE c.hash = p.link_hash OFFSET 0) c ON true
CROSS JOIN LATERAL (
    SELECT count(*) AS count,
        coalesce(array_agg(m.role_id) FILTER (WHERE m.role_id IS NOT NULL), '{}') AS taken,
        coalesce(bool_or(m.account_id = $9), false) AS has_viewer
    FROM project_members m
    WHERE m.project_id = p.id
) m
LEFT JOIN LATERAL (SELECT v.views FROM project_views v WHERE v.project_id = p.id OFFSET 0) v ON true
CROSS JOIN LATERAL (
    SELECT EXISTS (
        SELECT FROM project_bookmarks k WHERE k.account_id = $10 AND k.project_id = p.id
    ) AS is_kept
) k
LEFT JOIN LATERAL (
    SELECT q.id, q.state
    FROM applications q
    WHERE q.project_id = p.id AND q.account_id = $11
    ORDER BY q.id DESC
    LIMIT 1
) q ON true
ORDER BY page.place DESC;

-- BoardStore.board(_:viewer:page:in:), newest, facets, next
WITH page AS MATERIALIZED (SELECT f.project_id AS id, row_number() OVER (ORDER BY f.project_id) AS place
FROM (
    SELECT f.project_id, f.deadline, f.applications_count
    FROM (SELECT f.project_id, f.deadline, f.applications_count
FROM project_facets f
WHERE f.state = $1 AND f.facet = $2
    AND (f.project_id) < ($3)
ORDER BY f.project_id DESC
LIMIT 1000) f
    CROSS JOIN LATERAL (SELECT p.leader_id FROM projects p WHERE p.id = f.project_id OFFSET 0) p
    WHERE (NOT p.leader_id IN (SELECT id FROM hidden_from($4)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $5
    OFFSET 0
))
    AND EXISTS (SELECT FROM project_facets o WHERE o.project_id = f.project_id AND o.facet = $6)
    AND EXISTS (SELECT FROM project_facets o WHERE o.project_id = f.project_id AND o.facet = $7)
    AND EXISTS (SELECT FROM project_facets o WHERE o.project_id = f.project_id AND o.facet = $8)
    ORDER BY f.project_id DESC
    LIMIT $9
) f)
SELECT page.place, p.id, p.leader_id, p.state, p.title, p.summary, p.body,
p.mentioned_ids, p.mentioned_names, p.category, p.tags, p.roles, p.place,
p.frequency, to_char(p.starts_on, 'YYYY-MM-DD'), p.deadline, p.contact_url,
p.language, p.media, p.created_at, p.published_at, p.edited_at,
p.version, l.id, l.username, l.display_name, l.note, l.fields, l.locked,
l.bot, l.discoverable, l.created_at, l.last_post_at, l.posts_count,
l.followers_count, l.following_count, l.version, l.extras, c.card, m.count, m.taken,
p.applications_count, coalesce(v.views, 0), p.playground_id, p.channel_id, k.is_kept, m.has_viewer, q.id, q.state
FROM page
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = page.id OFFSET 0) p
CROSS JOIN LATERAL (SELECT l.* FROM accounts l WHERE l.id = p.leader_id OFFSET 0) l
LEFT JOIN LATERAL (SELECT c.card FROM cards c WHERE c.hash = p.link_hash OFFSET 0) c ON true
CROSS JOIN LATERAL (
    SELECT count(*) AS count,
        coalesce(array_agg(m.role_id) FILTER (WHERE m.role_id IS NOT NULL), '{}') AS taken,
        coalesce(bool_or(m.account_id = $10), false) AS has_viewer
    FROM project_members m
    WHERE m.project_id = p.id
) m
LEFT JOIN LATERAL (SELECT v.views FROM project_views v WHERE v.project_id = p.id OFFSET 0) v ON true
CROSS JOIN LATERAL (
    SELECT EXISTS (
        SELECT FROM project_bookmarks k WHERE k.account_id = $11 AND k.project_id = p.id
    ) AS is_kept
) k
LEFT JOIN LATERAL (
    SELECT q.id, q.state
    FROM applications q
    WHERE q.project_id = p.id AND q.account_id = $12
    ORDER BY q.id DESC
    LIMIT 1
) q ON true
ORDER BY page.place DESC;

-- BoardStore.board(_:viewer:page:in:), newest, whole, back
WITH page AS MATERIALIZED (SELECT f.project_id AS id, row_number() OVER (ORDER BY f.project_id) AS place
FROM (
    SELECT f.project_id, f.deadline, f.applications_count
    FROM (SELECT f.project_id, f.deadline, f.applications_count
FROM project_facets f
WHERE f.state = $1 AND f.facet = $2
    AND (f.project_id) > ($3)
ORDER BY f.project_id
LIMIT 1000) f
    CROSS JOIN LATERAL (SELECT p.leader_id FROM projects p WHERE p.id = f.project_id OFFSET 0) p
    WHERE (NOT p.leader_id IN (SELECT id FROM hidden_from($4)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $5
    OFFSET 0
))
    ORDER BY f.project_id
    LIMIT $6
) f)
SELECT page.place, p.id, p.leader_id, p.state, p.title, p.summary, p.body,
p.mentioned_ids, p.mentioned_names, p.category, p.tags, p.roles, p.place,
p.frequency, to_char(p.starts_on, 'YYYY-MM-DD'), p.deadline, p.contact_url,
p.language, p.media, p.created_at, p.published_at, p.edited_at,
p.version, l.id, l.username, l.display_name, l.note, l.fields, l.locked,
l.bot, l.discoverable, l.created_at, l.last_post_at, l.posts_count,
l.followers_count, l.following_count, l.version, l.extras, c.card, m.count, m.taken,
p.applications_count, coalesce(v.views, 0), p.playground_id, p.channel_id, k.is_kept, m.has_viewer, q.id, q.state
FROM page
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = page.id OFFSET 0) p
CROSS JOIN LATERAL (SELECT l.* FROM accounts l WHERE l.id = p.leader_id OFFSET 0) l
LEFT JOIN LATERAL (SELECT c.card FROM cards c WHERE c.hash = p.link_hash OFFSET 0) c ON true
CROSS JOIN LATERAL (
    SELECT count(*) AS count,
        coalesce(array_agg(m.role_id) FILTER (WHERE m.role_id IS NOT NULL), '{}') AS taken,
        coalesce(bool_or(m.account_id = $7), false) AS has_viewer
    FROM project_members m
    WHERE m.project_id = p.id
) m
LEFT JOIN LATERAL (SELECT v.views FROM project_views v WHERE v.project_id = p.id OFFSET 0) v ON true
CROSS JOIN LATERAL (
    SELECT EXISTS (
        SELECT FROM project_bookmarks k WHERE k.account_id = $8 AND k.project_id = p.id
    ) AS is_kept
) k
LEFT JOIN LATERAL (
    SELECT q.id, q.state
    FROM applications q
    WHERE q.project_id = p.id AND q.account_id = $9
    ORDER BY q.id DESC
    LIMIT 1
) q ON true
ORDER BY page.place DESC;

-- BoardStore.board(_:viewer:page:in:), newest, whole, first
WITH page AS MATERIALIZED (SELECT f.project_id AS id, row_number() OVER (ORDER BY f.project_id) AS place
FROM (
    SELECT f.project_id, f.deadline, f.applications_count
    FROM (SELECT f.project_id, f.deadline, f.applications_count
FROM project_facets f
WHERE f.state = $1 AND f.facet = $2
    AND true
ORDER BY f.project_id DESC
LIMIT 1000) f
    CROSS JOIN LATERAL (SELECT p.leader_id FROM projects p WHERE p.id = f.project_id OFFSET 0) p
    WHERE (NOT p.leader_id IN (SELECT id FROM hidden_from($3)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $4
    OFFSET 0
))
    ORDER BY f.project_id DESC
    LIMIT $5
) f)
SELECT page.place, p.id, p.leader_id, p.state, p.title, p.summary, p.body,
p.mentioned_ids, p.mentioned_names, p.category, p.tags, p.roles, p.place,
p.frequency, to_char(p.starts_on, 'YYYY-MM-DD'), p.deadline, p.contact_url,
p.language, p.media, p.created_at, p.published_at, p.edited_at,
p.version, l.id, l.username, l.display_name, l.note, l.fields, l.locked,
l.bot, l.discoverable, l.created_at, l.last_post_at, l.posts_count,
l.followers_count, l.following_count, l.version, l.extras, c.card, m.count, m.taken,
p.applications_count, coalesce(v.views, 0), p.playground_id, p.channel_id, k.is_kept, m.has_viewer, q.id, q.state
FROM page
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = page.id OFFSET 0) p
CROSS JOIN LATERAL (SELECT l.* FROM accounts l WHERE l.id = p.leader_id OFFSET 0) l
LEFT JOIN LATERAL (SELECT c.card FROM cards c WHERE c.hash = p.link_hash OFFSET 0) c ON true
CROSS JOIN LATERAL (
    SELECT count(*) AS count,
        coalesce(array_agg(m.role_id) FILTER (WHERE m.role_id IS NOT NULL), '{}') AS taken,
        coalesce(bool_or(m.account_id = $6), false) AS has_viewer
    FROM project_members m
    WHERE m.project_id = p.id
) m
LEFT JOIN LATERAL (SELECT v.views FROM project_views v WHERE v.project_id = p.id OFFSET 0) v ON true
CROSS JOIN LATERAL (
    SELECT EXISTS (
        SELECT FROM project_bookmarks k WHERE k.account_id = $7 AND k.project_id = p.id
    ) AS is_kept
) k
LEFT JOIN LATERAL (
    SELECT q.id, q.state
    FROM applications q
    WHERE q.project_id = p.id AND q.account_id = $8
    ORDER BY q.id DESC
    LIMIT 1
) q ON true
ORDER BY page.place DESC;

-- BoardStore.board(_:viewer:page:in:), newest, whole, next
WITH page AS MATERIALIZED (SELECT f.project_id AS id, row_number() OVER (ORDER BY f.project_id) AS place
FROM (
    SELECT f.project_id, f.deadline, f.applications_count
    FROM (SELECT f.project_id, f.deadline, f.applications_count
FROM project_facets f
WHERE f.state = $1 AND f.facet = $2
    AND (f.project_id) < ($3)
ORDER BY f.project_id DESC
LIMIT 1000) f
    CROSS JOIN LATERAL (SELECT p.leader_id FROM projects p WHERE p.id = f.project_id OFFSET 0) p
    WHERE (NOT p.leader_id IN (SELECT id FROM hidden_from($4)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $5
    OFFSET 0
))
    ORDER BY f.project_id DESC
    LIMIT $6
) f)
SELECT page.place, p.id, p.leader_id, p.state, p.title, p.summary, p.body,
p.mentioned_ids, p.mentioned_names, p.category, p.tags, p.roles, p.place,
p.frequency, to_char(p.starts_on, 'YYYY-MM-DD'), p.deadline, p.contact_url,
p.language, p.media, p.created_at, p.published_at, p.edited_at,
p.version, l.id, l.username, l.display_name, l.note, l.fields, l.locked,
l.bot, l.discoverable, l.created_at, l.last_post_at, l.posts_count,
l.followers_count, l.following_count, l.version, l.extras, c.card, m.count, m.taken,
p.applications_count, coalesce(v.views, 0), p.playground_id, p.channel_id, k.is_kept, m.has_viewer, q.id, q.state
FROM page
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = page.id OFFSET 0) p
CROSS JOIN LATERAL (SELECT l.* FROM accounts l WHERE l.id = p.leader_id OFFSET 0) l
LEFT JOIN LATERAL (SELECT c.card FROM cards c WHERE c.hash = p.link_hash OFFSET 0) c ON true
CROSS JOIN LATERAL (
    SELECT count(*) AS count,
        coalesce(array_agg(m.role_id) FILTER (WHERE m.role_id IS NOT NULL), '{}') AS taken,
        coalesce(bool_or(m.account_id = $7), false) AS has_viewer
    FROM project_members m
    WHERE m.project_id = p.id
) m
LEFT JOIN LATERAL (SELECT v.views FROM project_views v WHERE v.project_id = p.id OFFSET 0) v ON true
CROSS JOIN LATERAL (
    SELECT EXISTS (
        SELECT FROM project_bookmarks k WHERE k.account_id = $8 AND k.project_id = p.id
    ) AS is_kept
) k
LEFT JOIN LATERAL (
    SELECT q.id, q.state
    FROM applications q
    WHERE q.project_id = p.id AND q.account_id = $9
    ORDER BY q.id DESC
    LIMIT 1
) q ON true
ORDER BY page.place DESC;

-- BoardStore.bookmarked(by:page:in:), forwards
WITH page AS MATERIALIZED (SELECT n.project_id AS id, n.id AS place
FROM (
    SELECT k.id, k.project_id
    FROM project_bookmarks k
    CROSS JOIN LATERAL (
        SELECT p.leader_id, p.state, p.deleted_at FROM projects p WHERE p.id = k.project_id OFFSET 0
    ) p
    WHERE k.account_id = $1 AND k.id < $2 AND k.id > $3 AND p.deleted_at IS NULL AND (
    p.leader_id = $4
    OR p.state <> 'draft' AND NOT (p.leader_id IN (SELECT id FROM blocked_with($5)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $6
    OFFSET 0
))
)
    ORDER BY k.id ASC
    LIMIT 40
) n
ORDER BY n.id ASC LIMIT $7)
SELECT page.place, p.id, p.leader_id, p.state, p.title, p.summary, p.body,
p.mentioned_ids, p.mentioned_names, p.category, p.tags, p.roles, p.place,
p.frequency, to_char(p.starts_on, 'YYYY-MM-DD'), p.deadline, p.contact_url,
p.language, p.media, p.created_at, p.published_at, p.edited_at,
p.version, l.id, l.username, l.display_name, l.note, l.fields, l.locked,
l.bot, l.discoverable, l.created_at, l.last_post_at, l.posts_count,
l.followers_count, l.following_count, l.version, l.extras, c.card, m.count, m.taken,
p.applications_count, coalesce(v.views, 0), p.playground_id, p.channel_id, k.is_kept, m.has_viewer, q.id, q.state
FROM page
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = page.id OFFSET 0) p
CROSS JOIN LATERAL (SELECT l.* FROM accounts l WHERE l.id = p.leader_id OFFSET 0) l
LEFT JOIN LATERAL (SELECT c.card FROM cards c WHERE c.hash = p.link_hash OFFSET 0) c ON true
CROSS JOIN LATERAL (
    SELECT count(*) AS count,
        coalesce(array_agg(m.role_id) FILTER (WHERE m.role_id IS NOT NULL), '{}') AS taken,
        coalesce(bool_or(m.account_id = $8), false) AS has_viewer
    FROM project_members m
    WHERE m.project_id = p.id
) m
LEFT JOIN LATERAL (SELECT v.views FROM project_views v WHERE v.project_id = p.id OFFSET 0) v ON true
CROSS JOIN LATERAL (
    SELECT EXISTS (
        SELECT FROM project_bookmarks k WHERE k.account_id = $9 AND k.project_id = p.id
    ) AS is_kept
) k
LEFT JOIN LATERAL (
    SELECT q.id, q.state
    FROM applications q
    WHERE q.project_id = p.id AND q.account_id = $10
    ORDER BY q.id DESC
    LIMIT 1
) q ON true
ORDER BY page.place DESC;

-- BoardStore.bookmarked(by:page:in:), newest
WITH page AS MATERIALIZED (SELECT n.project_id AS id, n.id AS place
FROM (
    SELECT k.id, k.project_id
    FROM project_bookmarks k
    CROSS JOIN LATERAL (
        SELECT p.leader_id, p.state, p.deleted_at FROM projects p WHERE p.id = k.project_id OFFSET 0
    ) p
    WHERE k.account_id = $1 AND k.id < $2 AND k.id > $3 AND p.deleted_at IS NULL AND (
    p.leader_id = $4
    OR p.state <> 'draft' AND NOT (p.leader_id IN (SELECT id FROM blocked_with($5)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $6
    OFFSET 0
))
)
    ORDER BY k.id DESC
    LIMIT 40
) n
ORDER BY n.id DESC LIMIT $7)
SELECT page.place, p.id, p.leader_id, p.state, p.title, p.summary, p.body,
p.mentioned_ids, p.mentioned_names, p.category, p.tags, p.roles, p.place,
p.frequency, to_char(p.starts_on, 'YYYY-MM-DD'), p.deadline, p.contact_url,
p.language, p.media, p.created_at, p.published_at, p.edited_at,
p.version, l.id, l.username, l.display_name, l.note, l.fields, l.locked,
l.bot, l.discoverable, l.created_at, l.last_post_at, l.posts_count,
l.followers_count, l.following_count, l.version, l.extras, c.card, m.count, m.taken,
p.applications_count, coalesce(v.views, 0), p.playground_id, p.channel_id, k.is_kept, m.has_viewer, q.id, q.state
FROM page
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = page.id OFFSET 0) p
CROSS JOIN LATERAL (SELECT l.* FROM accounts l WHERE l.id = p.leader_id OFFSET 0) l
LEFT JOIN LATERAL (SELECT c.card FROM cards c WHERE c.hash = p.link_hash OFFSET 0) c ON true
CROSS JOIN LATERAL (
    SELECT count(*) AS count,
        coalesce(array_agg(m.role_id) FILTER (WHERE m.role_id IS NOT NULL), '{}') AS taken,
        coalesce(bool_or(m.account_id = $8), false) AS has_viewer
    FROM project_members m
    WHERE m.project_id = p.id
) m
LEFT JOIN LATERAL (SELECT v.views FROM project_views v WHERE v.project_id = p.id OFFSET 0) v ON true
CROSS JOIN LATERAL (
    SELECT EXISTS (
        SELECT FROM project_bookmarks k WHERE k.account_id = $9 AND k.project_id = p.id
    ) AS is_kept
) k
LEFT JOIN LATERAL (
    SELECT q.id, q.state
    FROM applications q
    WHERE q.project_id = p.id AND q.account_id = $10
    ORDER BY q.id DESC
    LIMIT 1
) q ON true
ORDER BY page.place DESC;

-- BoardStore.end(of:page:in:), applications, back
SELECT f.project_id
FROM (SELECT f.project_id, f.deadline, f.applications_count
FROM project_facets f
WHERE f.state = $1 AND f.facet = $2
    AND (f.applications_count, f.project_id) > ((SELECT p.applications_count FROM projects p WHERE p.id = $3), $4)
ORDER BY f.applications_count, f.project_id
LIMIT 1000) f
ORDER BY f.applications_count, f.project_id
LIMIT 1 OFFSET 1000 - 1;

-- BoardStore.end(of:page:in:), applications, first
SELECT f.project_id
FROM (SELECT f.project_id, f.deadline, f.applications_count
FROM project_facets f
WHERE f.state = $1 AND f.facet = $2
    AND true
ORDER BY f.applications_count DESC, f.project_id DESC
LIMIT 1000) f
ORDER BY f.applications_count DESC, f.project_id DESC
LIMIT 1 OFFSET 1000 - 1;

-- BoardStore.end(of:page:in:), applications, next
SELECT f.project_id
FROM (SELECT f.project_id, f.deadline, f.applications_count
FROM project_facets f
WHERE f.state = $1 AND f.facet = $2
    AND (f.applications_count, f.project_id) < ((SELECT p.applications_count FROM projects p WHERE p.id = $3), $4)
ORDER BY f.applications_count DESC, f.project_id DESC
LIMIT 1000) f
ORDER BY f.applications_count DESC, f.project_id DESC
LIMIT 1 OFFSET 1000 - 1;

-- BoardStore.end(of:page:in:), deadline, back
SELECT f.project_id
FROM (SELECT f.project_id, f.deadline, f.applications_count
FROM project_facets f
WHERE f.state = $1 AND f.facet = $2
    AND (f.deadline, f.project_id) < ((SELECT coalesce(p.deadline, 'infinity') FROM projects p WHERE p.id = $3), $4)
ORDER BY f.deadline DESC, f.project_id DESC
LIMIT 1000) f
ORDER BY f.deadline DESC, f.project_id DESC
LIMIT 1 OFFSET 1000 - 1;

-- BoardStore.end(of:page:in:), deadline, first
SELECT f.project_id
FROM (SELECT f.project_id, f.deadline, f.applications_count
FROM project_facets f
WHERE f.state = $1 AND f.facet = $2
    AND true
ORDER BY f.deadline, f.project_id
LIMIT 1000) f
ORDER BY f.deadline, f.project_id
LIMIT 1 OFFSET 1000 - 1;

-- BoardStore.end(of:page:in:), deadline, next
SELECT f.project_id
FROM (SELECT f.project_id, f.deadline, f.applications_count
FROM project_facets f
WHERE f.state = $1 AND f.facet = $2
    AND (f.deadline, f.project_id) > ((SELECT coalesce(p.deadline, 'infinity') FROM projects p WHERE p.id = $3), $4)
ORDER BY f.deadline, f.project_id
LIMIT 1000) f
ORDER BY f.deadline, f.project_id
LIMIT 1 OFFSET 1000 - 1;

-- BoardStore.end(of:page:in:), newest, back
SELECT f.project_id
FROM (SELECT f.project_id, f.deadline, f.applications_count
FROM project_facets f
WHERE f.state = $1 AND f.facet = $2
    AND (f.project_id) > ($3)
ORDER BY f.project_id
LIMIT 1000) f
ORDER BY f.project_id
LIMIT 1 OFFSET 1000 - 1;

-- BoardStore.end(of:page:in:), newest, first
SELECT f.project_id
FROM (SELECT f.project_id, f.deadline, f.applications_count
FROM project_facets f
WHERE f.state = $1 AND f.facet = $2
    AND true
ORDER BY f.project_id DESC
LIMIT 1000) f
ORDER BY f.project_id DESC
LIMIT 1 OFFSET 1000 - 1;

-- BoardStore.end(of:page:in:), newest, next
SELECT f.project_id
FROM (SELECT f.project_id, f.deadline, f.applications_count
FROM project_facets f
WHERE f.state = $1 AND f.facet = $2
    AND (f.project_id) < ($3)
ORDER BY f.project_id DESC
LIMIT 1000) f
ORDER BY f.project_id DESC
LIMIT 1 OFFSET 1000 - 1;

-- BoardStore.found(_:viewer:in:)
WITH page AS MATERIALIZED (SELECT p.id, -w.place AS place
FROM unnest($1) WITH ORDINALITY AS w (id, place)
CROSS JOIN LATERAL (
    SELECT p.id, p.leader_id, p.state, p.deleted_at FROM projects p WHERE p.id = w.id OFFSET 0
) p
WHERE p.deleted_at IS NULL AND (
    p.leader_id = $2
    OR p.state <> 'draft' AND NOT (p.leader_id IN (SELECT id FROM blocked_with($3)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $4
    OFFSET 0
))
))
SELECT page.place, p.id, p.leader_id, p.state, p.title, p.summary, p.body,
p.mentioned_ids, p.mentioned_names, p.category, p.tags, p.roles, p.place,
p.frequency, to_char(p.starts_on, 'YYYY-MM-DD'), p.deadline, p.contact_url,
p.language, p.media, p.created_at, p.published_at, p.edited_at,
p.version, l.id, l.username, l.display_name, l.note, l.fields, l.locked,
l.bot, l.discoverable, l.created_at, l.last_post_at, l.posts_count,
l.followers_count, l.following_count, l.version, l.extras, c.card, m.count, m.taken,
p.applications_count, coalesce(v.views, 0), p.playground_id, p.channel_id, k.is_kept, m.has_viewer, q.id, q.state
FROM page
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = page.id OFFSET 0) p
CROSS JOIN LATERAL (SELECT l.* FROM accounts l WHERE l.id = p.leader_id OFFSET 0) l
LEFT JOIN LATERAL (SELECT c.card FROM cards c WHERE c.hash = p.link_hash OFFSET 0) c ON true
CROSS JOIN LATERAL (
    SELECT count(*) AS count,
        coalesce(array_agg(m.role_id) FILTER (WHERE m.role_id IS NOT NULL), '{}') AS taken,
        coalesce(bool_or(m.account_id = $5), false) AS has_viewer
    FROM project_members m
    WHERE m.project_id = p.id
) m
LEFT JOIN LATERAL (SELECT v.views FROM project_views v WHERE v.project_id = p.id OFFSET 0) v ON true
CROSS JOIN LATERAL (
    SELECT EXISTS (
        SELECT FROM project_bookmarks k WHERE k.account_id = $6 AND k.project_id = p.id
    ) AS is_kept
) k
LEFT JOIN LATERAL (
    SELECT q.id, q.state
    FROM applications q
    WHERE q.project_id = p.id AND q.account_id = $7
    ORDER BY q.id DESC
    LIMIT 1
) q ON true
ORDER BY page.place DESC;

-- BoardStore.list(_:in:)
WITH unlisted AS (
    DELETE FROM project_facets WHERE project_id = $1 AND facet <> ALL ($2)
)
INSERT INTO project_facets AS f (project_id, facet, state, deadline, applications_count)
SELECT $3, n.facet, $4, coalesce($5, 'infinity'),
    $6
FROM unnest($7) AS n (facet)
ON CONFLICT (project_id, facet) DO UPDATE
SET state = excluded.state, deadline = excluded.deadline, applications_count = excluded.applications_count
WHERE (f.state, f.deadline, f.applications_count)
    IS DISTINCT FROM (excluded.state, excluded.deadline, excluded.applications_count);

-- BoardStore.projects(of:viewer:page:in:), leader, forwards
WITH page AS MATERIALIZED (SELECT n.id, n.id AS place FROM (SELECT p.id FROM projects p
WHERE p.leader_id = $1 AND p.id < $2 AND p.id > $3 AND p.deleted_at IS NULL AND (
    p.leader_id = $4
    OR p.state <> 'draft' AND NOT (p.leader_id IN (SELECT id FROM blocked_with($5)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $6
    OFFSET 0
))
)
ORDER BY p.id ASC LIMIT 40) n ORDER BY n.id ASC LIMIT $7)
SELECT page.place, p.id, p.leader_id, p.state, p.title, p.summary, p.body,
p.mentioned_ids, p.mentioned_names, p.category, p.tags, p.roles, p.place,
p.frequency, to_char(p.starts_on, 'YYYY-MM-DD'), p.deadline, p.contact_url,
p.language, p.media, p.created_at, p.published_at, p.edited_at,
p.version, l.id, l.username, l.display_name, l.note, l.fields, l.locked,
l.bot, l.discoverable, l.created_at, l.last_post_at, l.posts_count,
l.followers_count, l.following_count, l.version, l.extras, c.card, m.count, m.taken,
p.applications_count, coalesce(v.views, 0), p.playground_id, p.channel_id, k.is_kept, m.has_viewer, q.id, q.state
FROM page
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = page.id OFFSET 0) p
CROSS JOIN LATERAL (SELECT l.* FROM accounts l WHERE l.id = p.leader_id OFFSET 0) l
LEFT JOIN LATERAL (SELECT c.card FROM cards c WHERE c.hash = p.link_hash OFFSET 0) c ON true
CROSS JOIN LATERAL (
    SELECT count(*) AS count,
        coalesce(array_agg(m.role_id) FILTER (WHERE m.role_id IS NOT NULL), '{}') AS taken,
        coalesce(bool_or(m.account_id = $8), false) AS has_viewer
    FROM project_members m
    WHERE m.project_id = p.id
) m
LEFT JOIN LATERAL (SELECT v.views FROM project_views v WHERE v.project_id = p.id OFFSET 0) v ON true
CROSS JOIN LATERAL (
    SELECT EXISTS (
        SELECT FROM project_bookmarks k WHERE k.account_id = $9 AND k.project_id = p.id
    ) AS is_kept
) k
LEFT JOIN LATERAL (
    SELECT q.id, q.state
    FROM applications q
    WHERE q.project_id = p.id AND q.account_id = $10
    ORDER BY q.id DESC
    LIMIT 1
) q ON true
ORDER BY page.place DESC;

-- BoardStore.projects(of:viewer:page:in:), leader, newest
WITH page AS MATERIALIZED (SELECT n.id, n.id AS place FROM (SELECT p.id FROM projects p
WHERE p.leader_id = $1 AND p.id < $2 AND p.id > $3 AND p.deleted_at IS NULL AND (
    p.leader_id = $4
    OR p.state <> 'draft' AND NOT (p.leader_id IN (SELECT id FROM blocked_with($5)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $6
    OFFSET 0
))
)
ORDER BY p.id DESC LIMIT 40) n ORDER BY n.id DESC LIMIT $7)
SELECT page.place, p.id, p.leader_id, p.state, p.title, p.summary, p.body,
p.mentioned_ids, p.mentioned_names, p.category, p.tags, p.roles, p.place,
p.frequency, to_char(p.starts_on, 'YYYY-MM-DD'), p.deadline, p.contact_url,
p.language, p.media, p.created_at, p.published_at, p.edited_at,
p.version, l.id, l.username, l.display_name, l.note, l.fields, l.locked,
l.bot, l.discoverable, l.created_at, l.last_post_at, l.posts_count,
l.followers_count, l.following_count, l.version, l.extras, c.card, m.count, m.taken,
p.applications_count, coalesce(v.views, 0), p.playground_id, p.channel_id, k.is_kept, m.has_viewer, q.id, q.state
FROM page
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = page.id OFFSET 0) p
CROSS JOIN LATERAL (SELECT l.* FROM accounts l WHERE l.id = p.leader_id OFFSET 0) l
LEFT JOIN LATERAL (SELECT c.card FROM cards c WHERE c.hash = p.link_hash OFFSET 0) c ON true
CROSS JOIN LATERAL (
    SELECT count(*) AS count,
        coalesce(array_agg(m.role_id) FILTER (WHERE m.role_id IS NOT NULL), '{}') AS taken,
        coalesce(bool_or(m.account_id = $8), false) AS has_viewer
    FROM project_members m
    WHERE m.project_id = p.id
) m
LEFT JOIN LATERAL (SELECT v.views FROM project_views v WHERE v.project_id = p.id OFFSET 0) v ON true
CROSS JOIN LATERAL (
    SELECT EXISTS (
        SELECT FROM project_bookmarks k WHERE k.account_id = $9 AND k.project_id = p.id
    ) AS is_kept
) k
LEFT JOIN LATERAL (
    SELECT q.id, q.state
    FROM applications q
    WHERE q.project_id = p.id AND q.account_id = $10
    ORDER BY q.id DESC
    LIMIT 1
) q ON true
ORDER BY page.place DESC;

-- BoardStore.projects(of:viewer:page:in:), member, forwards
WITH page AS MATERIALIZED (SELECT n.id, n.id AS place FROM (SELECT p.id
FROM project_members m
CROSS JOIN LATERAL (
    SELECT p.id, p.leader_id, p.state, p.deleted_at FROM projects p WHERE p.id = m.project_id OFFSET 0
) p
WHERE m.account_id = $1 AND m.project_id < $2 AND m.project_id > $3
    AND p.deleted_at IS NULL AND (
    p.leader_id = $4
    OR p.state <> 'draft' AND NOT (p.leader_id IN (SELECT id FROM blocked_with($5)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $6
    OFFSET 0
))
)
ORDER BY m.project_id ASC LIMIT 40) n ORDER BY n.id ASC LIMIT $7)
SELECT page.place, p.id, p.leader_id, p.state, p.title, p.summary, p.body,
p.mentioned_ids, p.mentioned_names, p.category, p.tags, p.roles, p.place,
p.frequency, to_char(p.starts_on, 'YYYY-MM-DD'), p.deadline, p.contact_url,
p.language, p.media, p.created_at, p.published_at, p.edited_at,
p.version, l.id, l.username, l.display_name, l.note, l.fields, l.locked,
l.bot, l.discoverable, l.created_at, l.last_post_at, l.posts_count,
l.followers_count, l.following_count, l.version, l.extras, c.card, m.count, m.taken,
p.applications_count, coalesce(v.views, 0), p.playground_id, p.channel_id, k.is_kept, m.has_viewer, q.id, q.state
FROM page
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = page.id OFFSET 0) p
CROSS JOIN LATERAL (SELECT l.* FROM accounts l WHERE l.id = p.leader_id OFFSET 0) l
LEFT JOIN LATERAL (SELECT c.card FROM cards c WHERE c.hash = p.link_hash OFFSET 0) c ON true
CROSS JOIN LATERAL (
    SELECT count(*) AS count,
        coalesce(array_agg(m.role_id) FILTER (WHERE m.role_id IS NOT NULL), '{}') AS taken,
        coalesce(bool_or(m.account_id = $8), false) AS has_viewer
    FROM project_members m
    WHERE m.project_id = p.id
) m
LEFT JOIN LATERAL (SELECT v.views FROM project_views v WHERE v.project_id = p.id OFFSET 0) v ON true
CROSS JOIN LATERAL (
    SELECT EXISTS (
        SELECT FROM project_bookmarks k WHERE k.account_id = $9 AND k.project_id = p.id
    ) AS is_kept
) k
LEFT JOIN LATERAL (
    SELECT q.id, q.state
    FROM applications q
    WHERE q.project_id = p.id AND q.account_id = $10
    ORDER BY q.id DESC
    LIMIT 1
) q ON true
ORDER BY page.place DESC;

-- BoardStore.projects(of:viewer:page:in:), member, newest
WITH page AS MATERIALIZED (SELECT n.id, n.id AS place FROM (SELECT p.id
FROM project_members m
CROSS JOIN LATERAL (
    SELECT p.id, p.leader_id, p.state, p.deleted_at FROM projects p WHERE p.id = m.project_id OFFSET 0
) p
WHERE m.account_id = $1 AND m.project_id < $2 AND m.project_id > $3
    AND p.deleted_at IS NULL AND (
    p.leader_id = $4
    OR p.state <> 'draft' AND NOT (p.leader_id IN (SELECT id FROM blocked_with($5)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $6
    OFFSET 0
))
)
ORDER BY m.project_id DESC LIMIT 40) n ORDER BY n.id DESC LIMIT $7)
SELECT page.place, p.id, p.leader_id, p.state, p.title, p.summary, p.body,
p.mentioned_ids, p.mentioned_names, p.category, p.tags, p.roles, p.place,
p.frequency, to_char(p.starts_on, 'YYYY-MM-DD'), p.deadline, p.contact_url,
p.language, p.media, p.created_at, p.published_at, p.edited_at,
p.version, l.id, l.username, l.display_name, l.note, l.fields, l.locked,
l.bot, l.discoverable, l.created_at, l.last_post_at, l.posts_count,
l.followers_count, l.following_count, l.version, l.extras, c.card, m.count, m.taken,
p.applications_count, coalesce(v.views, 0), p.playground_id, p.channel_id, k.is_kept, m.has_viewer, q.id, q.state
FROM page
CROSS JOIN LATERAL (SELECT p.* FROM projects p WHERE p.id = page.id OFFSET 0) p
CROSS JOIN LATERAL (SELECT l.* FROM accounts l WHERE l.id = p.leader_id OFFSET 0) l
LEFT JOIN LATERAL (SELECT c.card FROM cards c WHERE c.hash = p.link_hash OFFSET 0) c ON true
CROSS JOIN LATERAL (
    SELECT count(*) AS count,
        coalesce(array_agg(m.role_id) FILTER (WHERE m.role_id IS NOT NULL), '{}') AS taken,
        coalesce(bool_or(m.account_id = $8), false) AS has_viewer
    FROM project_members m
    WHERE m.project_id = p.id
) m
LEFT JOIN LATERAL (SELECT v.views FROM project_views v WHERE v.project_id = p.id OFFSET 0) v ON true
CROSS JOIN LATERAL (
    SELECT EXISTS (
        SELECT FROM project_bookmarks k WHERE k.account_id = $9 AND k.project_id = p.id
    ) AS is_kept
) k
LEFT JOIN LATERAL (
    SELECT q.id, q.state
    FROM applications q
    WHERE q.project_id = p.id AND q.account_id = $10
    ORDER BY q.id DESC
    LIMIT 1
) q ON true
ORDER BY page.place DESC;

-- CardStore.forget(before:at:unless:in:)
WITH old AS MATERIALIZED (
    SELECT c.hash, EXISTS (SELECT FROM posts p WHERE p.link_hash = c.hash)
OR EXISTS (SELECT FROM projects p WHERE p.link_hash = c.hash) AS is_shown
    FROM cards c
    WHERE c.touched_at < $1
    ORDER BY c.touched_at LIMIT 100
), kept AS (
    UPDATE cards SET touched_at = $2 FROM old WHERE cards.hash = old.hash AND old.is_shown
), gone AS (
    DELETE FROM cards USING old WHERE cards.hash = old.hash AND NOT old.is_shown
)
SELECT count(*) FROM old;

-- CardStore.keep(_:at:repairing:in:)
INSERT INTO cards (hash, url, link_id, version, card, touched_at)
VALUES (sha256(convert_to($1, 'UTF8')), $2, $3, $4,
    $5, $6)
ON CONFLICT (hash) DO UPDATE
SET link_id = excluded.link_id, version = excluded.version, card = excluded.card,
    touched_at = excluded.touched_at
WHERE excluded.version > cards.version
RETURNING card IS DISTINCT FROM (SELECT c.card FROM cards c WHERE c.hash = sha256(convert_to($7, 'UTF8')));

-- CardStore.keep(_:at:repairing:in:), repairing
INSERT INTO cards (hash, url, link_id, version, card, touched_at)
VALUES (sha256(convert_to($1, 'UTF8')), $2, $3, $4,
    $5, $6)
ON CONFLICT (hash) DO UPDATE
SET link_id = excluded.link_id, version = excluded.version, card = excluded.card,
    touched_at = excluded.touched_at
WHERE excluded.version >= cards.version
RETURNING card IS DISTINCT FROM (SELECT c.card FROM cards c WHERE c.hash = sha256(convert_to($7, 'UTF8')));

-- CardStore.tell(of:from:most:in:)
INSERT INTO fanouts (post_id, author_id, kind, after_id)
SELECT p.id, p.account_id, 'refresh', 0
FROM posts p
WHERE p.link_hash = sha256(convert_to($1, 'UTF8')) AND p.id >= $2 AND p.deleted_at IS NULL
ORDER BY p.id DESC
LIMIT $3
ON CONFLICT (post_id, kind) DO UPDATE SET after_id = excluded.after_id, attempts = 0, due_at = now();

-- ConversationStore.clear(_:of:in:)
UPDATE conversations c SET cleared_id = c.last_post_id, unread = false
WHERE c.id = $1 AND c.account_id = $2 AND c.last_post_id > c.cleared_id;

-- ConversationStore.conversations(_:in:)
SELECT c.id, c.account_id, c.unread, c.party, v.favourited, v.boosted, v.bookmarked, v.muted, e.is_pinned, e.entry_id, e.card, e.id, e.account_id, e.text, e.spoiler_text, e.sensitive,
e.visibility, e.language, e.in_reply_to_id, e.in_reply_to_account_id,
e.mentioned_ids, e.mentioned_names, e.tags, e.app_name, e.app_website,
e.created_at, e.edited_at, e.replies_count, e.boosts_count,
e.favourites_count, e.version, e.media,
e.author_id, e.author_username, e.author_display_name, e.author_note, e.author_fields, e.author_locked,
e.author_bot, e.author_discoverable, e.author_created_at, e.author_last_post_at, e.author_posts_count,
e.author_followers_count, e.author_following_count, e.author_version, e.author_extras, e.boost_visibility, e.boost_created_at,
e.booster_id, e.booster_username, e.booster_display_name, e.booster_note, e.booster_fields, e.booster_locked,
e.booster_bot, e.booster_discoverable, e.booster_created_at, e.booster_last_post_at, e.booster_posts_count,
e.booster_followers_count, e.booster_following_count, e.booster_version, e.booster_extras
FROM unnest($1) wanted (id)
JOIN conversations c ON c.id = wanted.id
CROSS JOIN LATERAL (
    SELECT e.is_pinned, e.entry_id, e.card, e.id, e.account_id, e.text, e.spoiler_text, e.sensitive,
e.visibility, e.language, e.in_reply_to_id, e.in_reply_to_account_id,
e.mentioned_ids, e.mentioned_names, e.tags, e.app_name, e.app_website,
e.created_at, e.edited_at, e.replies_count, e.boosts_count,
e.favourites_count, e.version, e.media,
e.author_id, e.author_username, e.author_display_name, e.author_note, e.author_fields, e.author_locked,
e.author_bot, e.author_discoverable, e.author_created_at, e.author_last_post_at, e.author_posts_count,
e.author_followers_count, e.author_following_count, e.author_version, e.author_extras, e.boost_visibility, e.boost_created_at,
e.booster_id, e.booster_username, e.booster_display_name, e.booster_note, e.booster_fields, e.booster_locked,
e.booster_bot, e.booster_discoverable, e.booster_created_at, e.booster_last_post_at, e.booster_posts_count,
e.booster_followers_count, e.booster_following_count, e.booster_version, e.booster_extras, e.conversation_id FROM entries e WHERE e.entry_id = c.last_post_id OFFSET 0
) e
CROSS JOIN LATERAL viewer_marks(c.account_id, e.id, e.conversation_id, e.favourites_count, e.boosts_count) v
WHERE c.last_post_id > c.cleared_id
ORDER BY c.account_id;

-- ConversationStore.follow(_:in:)
WITH post AS MATERIALIZED (
    SELECT p.id, p.account_id, p.conversation_id, party_of(p.account_id, p.mentioned_ids) AS party
    FROM posts p
    WHERE p.id = $1 AND p.visibility = 'direct' AND p.boost_of_id IS NULL AND p.deleted_at IS NULL
)
INSERT INTO conversations (account_id, thread_id, party, last_post_id, unread)
SELECT member.id, p.conversation_id, p.party, p.id, member.id <> p.account_id
FROM post p
CROSS JOIN LATERAL unnest(p.party) member (id)
WHERE (NOT p.account_id IN (SELECT id FROM hidden_from(member.id)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM member.id
    OFFSET 0
))
ORDER BY member.id
ON CONFLICT (thread_id, account_id, party) DO UPDATE
SET last_post_id = excluded.last_post_id, unread = excluded.unread
WHERE excluded.last_post_id > conversations.last_post_id
RETURNING id;

-- ConversationStore.forget(of:with:in:)
DELETE FROM conversations WHERE account_id = $1 AND $2 = ANY (party);

-- ConversationStore.leave(_:in:)
WITH stale AS MATERIALIZED (
    SELECT c.id, (
        SELECT e.id
        FROM posts e
        WHERE e.conversation_id = c.thread_id AND e.visibility = 'direct' AND e.deleted_at IS NULL
            AND e.id < $1 AND party_of(e.account_id, e.mentioned_ids) = c.party
            AND NOT e.account_id IN (SELECT id FROM blocked_with(c.account_id))
        ORDER BY e.id DESC
        LIMIT 1
    ) AS before_id
    FROM posts p
    JOIN conversations c ON c.thread_id = p.conversation_id AND c.last_post_id = p.id
    WHERE p.id = $2 AND p.visibility = 'direct' AND (p.deleted_at IS NOT NULL OR c.party <> party_of(p.account_id, p.mentioned_ids))
    ORDER BY c.account_id
    FOR UPDATE OF c
),
gone AS (
    DELETE FROM conversations c USING stale s WHERE c.id = s.id AND s.before_id IS NULL
)
UPDATE conversations c
SET last_post_id = s.before_id
FROM stale s
WHERE c.id = s.id AND s.before_id IS NOT NULL
RETURNING c.id;

-- ConversationStore.mark(_:of:unread:in:)
UPDATE conversations c SET unread = $1
WHERE c.id = $2 AND c.account_id = $3 AND c.last_post_id > c.cleared_id;

-- ConversationStore.page(_:of:in:), forwards
WITH page AS MATERIALIZED (
    SELECT near.id, near.last_post_id
    FROM (
        SELECT c.id, c.last_post_id
        FROM conversations c
        JOIN posts p ON p.id = c.last_post_id
        WHERE c.account_id = $1 AND c.last_post_id < $2 AND c.last_post_id > $3 AND c.last_post_id > c.cleared_id
            AND p.deleted_at IS NULL AND is_visible(p.account_id, p.visibility, p.mentioned_ids, $4, (p.account_id IN (SELECT id FROM blocked_with($5)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $6
    OFFSET 0
)), EXISTS (SELECT FROM follows f WHERE f.follower_id = $7 AND f.followee_id = p.account_id))
        ORDER BY c.last_post_id ASC
        LIMIT 40
    ) near
    ORDER BY near.last_post_id ASC LIMIT $8
)
SELECT c.id, c.account_id, c.unread, c.party, v.favourited, v.boosted, v.bookmarked, v.muted, e.is_pinned, e.entry_id, e.card, e.id, e.account_id, e.text, e.spoiler_text, e.sensitive,
e.visibility, e.language, e.in_reply_to_id, e.in_reply_to_account_id,
e.mentioned_ids, e.mentioned_names, e.tags, e.app_name, e.app_website,
e.created_at, e.edited_at, e.replies_count, e.boosts_count,
e.favourites_count, e.version, e.media,
e.author_id, e.author_username, e.author_display_name, e.author_note, e.author_fields, e.author_locked,
e.author_bot, e.author_discoverable, e.author_created_at, e.author_last_post_at, e.author_posts_count,
e.author_followers_count, e.author_following_count, e.author_version, e.author_extras, e.boost_visibility, e.boost_created_at,
e.booster_id, e.booster_username, e.booster_display_name, e.booster_note, e.booster_fields, e.booster_locked,
e.booster_bot, e.booster_discoverable, e.booster_created_at, e.booster_last_post_at, e.booster_posts_count,
e.booster_followers_count, e.booster_following_count, e.booster_version, e.booster_extras
FROM page
JOIN conversations c ON c.id = page.id
CROSS JOIN LATERAL (
    SELECT e.is_pinned, e.entry_id, e.card, e.id, e.account_id, e.text, e.spoiler_text, e.sensitive,
e.visibility, e.language, e.in_reply_to_id, e.in_reply_to_account_id,
e.mentioned_ids, e.mentioned_names, e.tags, e.app_name, e.app_website,
e.created_at, e.edited_at, e.replies_count, e.boosts_count,
e.favourites_count, e.version, e.media,
e.author_id, e.author_username, e.author_display_name, e.author_note, e.author_fields, e.author_locked,
e.author_bot, e.author_discoverable, e.author_created_at, e.author_last_post_at, e.author_posts_count,
e.author_followers_count, e.author_following_count, e.author_version, e.author_extras, e.boost_visibility, e.boost_created_at,
e.booster_id, e.booster_username, e.booster_display_name, e.booster_note, e.booster_fields, e.booster_locked,
e.booster_bot, e.booster_discoverable, e.booster_created_at, e.booster_last_post_at, e.booster_posts_count,
e.booster_followers_count, e.booster_following_count, e.booster_version, e.booster_extras, e.conversation_id FROM entries e WHERE e.entry_id = page.last_post_id OFFSET 0
) e
CROSS JOIN LATERAL viewer_marks($9, e.id, e.conversation_id, e.favourites_count, e.boosts_count) v
ORDER BY page.last_post_id DESC;

-- ConversationStore.page(_:of:in:), newest
WITH page AS MATERIALIZED (
    SELECT near.id, near.last_post_id
    FROM (
        SELECT c.id, c.last_post_id
        FROM conversations c
        JOIN posts p ON p.id = c.last_post_id
        WHERE c.account_id = $1 AND c.last_post_id < $2 AND c.last_post_id > $3 AND c.last_post_id > c.cleared_id
            AND p.deleted_at IS NULL AND is_visible(p.account_id, p.visibility, p.mentioned_ids, $4, (p.account_id IN (SELECT id FROM blocked_with($5)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $6
    OFFSET 0
)), EXISTS (SELECT FROM follows f WHERE f.follower_id = $7 AND f.followee_id = p.account_id))
        ORDER BY c.last_post_id DESC
        LIMIT 40
    ) near
    ORDER BY near.last_post_id DESC LIMIT $8
)
SELECT c.id, c.account_id, c.unread, c.party, v.favourited, v.boosted, v.bookmarked, v.muted, e.is_pinned, e.entry_id, e.card, e.id, e.account_id, e.text, e.spoiler_text, e.sensitive,
e.visibility, e.language, e.in_reply_to_id, e.in_reply_to_account_id,
e.mentioned_ids, e.mentioned_names, e.tags, e.app_name, e.app_website,
e.created_at, e.edited_at, e.replies_count, e.boosts_count,
e.favourites_count, e.version, e.media,
e.author_id, e.author_username, e.author_display_name, e.author_note, e.author_fields, e.author_locked,
e.author_bot, e.author_discoverable, e.author_created_at, e.author_last_post_at, e.author_posts_count,
e.author_followers_count, e.author_following_count, e.author_version, e.author_extras, e.boost_visibility, e.boost_created_at,
e.booster_id, e.booster_username, e.booster_display_name, e.booster_note, e.booster_fields, e.booster_locked,
e.booster_bot, e.booster_discoverable, e.booster_created_at, e.booster_last_post_at, e.booster_posts_count,
e.booster_followers_count, e.booster_following_count, e.booster_version, e.booster_extras
FROM page
JOIN conversations c ON c.id = page.id
CROSS JOIN LATERAL (
    SELECT e.is_pinned, e.entry_id, e.card, e.id, e.account_id, e.text, e.spoiler_text, e.sensitive,
e.visibility, e.language, e.in_reply_to_id, e.in_reply_to_account_id,
e.mentioned_ids, e.mentioned_names, e.tags, e.app_name, e.app_website,
e.created_at, e.edited_at, e.replies_count, e.boosts_count,
e.favourites_count, e.version, e.media,
e.author_id, e.author_username, e.author_display_name, e.author_note, e.author_fields, e.author_locked,
e.author_bot, e.author_discoverable, e.author_created_at, e.author_last_post_at, e.author_posts_count,
e.author_followers_count, e.author_following_count, e.author_version, e.author_extras, e.boost_visibility, e.boost_created_at,
e.booster_id, e.booster_username, e.booster_display_name, e.booster_note, e.booster_fields, e.booster_locked,
e.booster_bot, e.booster_discoverable, e.booster_created_at, e.booster_last_post_at, e.booster_posts_count,
e.booster_followers_count, e.booster_following_count, e.booster_version, e.booster_extras, e.conversation_id FROM entries e WHERE e.entry_id = page.last_post_id OFFSET 0
) e
CROSS JOIN LATERAL viewer_marks($9, e.id, e.conversation_id, e.favourites_count, e.boosts_count) v
ORDER BY page.last_post_id DESC;

-- ConversationStore.trim(after:to:in:)
WITH visited AS MATERIALIZED (
    SELECT a.id FROM accounts a WHERE a.id > $1 ORDER BY a.id LIMIT 200
),
surplus AS MATERIALIZED (
    SELECT b.id, v.id AS account_id
    FROM visited v
    CROSS JOIN LATERAL (
        SELECT c.id
        FROM conversations c
        WHERE c.account_id = v.id
        ORDER BY c.last_post_id DESC
        OFFSET $2
        LIMIT 1000
    ) b
    ORDER BY v.id
    LIMIT 5000
),
removed AS (DELETE FROM conversations c USING surplus s WHERE c.id = s.id RETURNING 1)
SELECT (SELECT count(*) FROM removed),
    CASE
        WHEN (SELECT count(*) FROM surplus) = 5000 THEN (SELECT max(account_id) - 1 FROM surplus)
        ELSE (SELECT max(id) FROM visited)
    END;

-- DecisionStore.agedEvidence
DELETE FROM evidence
WHERE (decision_id) IN (SELECT decision_id FROM evidence WHERE kept_until < $1 ORDER BY kept_until LIMIT 1000);

-- DecisionStore.agedLog
DELETE FROM moderation_log
WHERE (id) IN (SELECT id FROM moderation_log WHERE at < $1 ORDER BY at LIMIT 1000);

-- DecisionStore.appeal(to:by:_:at:in:)
INSERT INTO appeals (decision_id, account_id, text, state, created_at)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (decision_id) DO NOTHING;

-- DecisionStore.appeals(_:seenBy:in:)
WITH page AS MATERIALIZED (
    SELECT o.decision_id
    FROM appeals o
    WHERE o.state = 'open' AND o.account_id <> $1 AND o.decision_id < $2 AND o.decision_id > $3 ORDER BY o.decision_id DESC LIMIT $4
)
SELECT d.id, d.moderator_id, d.account_id, d.report_id, d.action, d.thing_kind, d.thing_id, d.reason, d.until,
d.appeal_until, d.decided_at, d.lifted_at, d.version, q.text, q.state, q.created_at, q.moderator_id, q.decided_at, e.snapshot
FROM page
CROSS JOIN LATERAL (SELECT d.* FROM decisions d WHERE d.id = page.decision_id OFFSET 0) d
LEFT JOIN LATERAL (SELECT q.* FROM appeals q WHERE q.decision_id = d.id OFFSET 0) q ON true
LEFT JOIN LATERAL (SELECT e.* FROM evidence e WHERE e.decision_id = d.id OFFSET 0) e ON true
ORDER BY d.id DESC;

-- DecisionStore.decide(_:_:by:at:in:)
UPDATE appeals SET state = $1, moderator_id = $2, decided_at = $3
WHERE decision_id = $4;

-- DecisionStore.decision(_:in:)
SELECT d.id, d.moderator_id, d.account_id, d.report_id, d.action, d.thing_kind, d.thing_id, d.reason, d.until,
d.appeal_until, d.decided_at, d.lifted_at, d.version, q.text, q.state, q.created_at, q.moderator_id, q.decided_at, e.snapshot FROM decisions d LEFT JOIN LATERAL (SELECT q.* FROM appeals q WHERE q.decision_id = d.id OFFSET 0) q ON true
LEFT JOIN LATERAL (SELECT e.* FROM evidence e WHERE e.decision_id = d.id OFFSET 0) e ON true WHERE d.id = $1;

-- DecisionStore.forget(_:in:)
WITH answered AS (
    DELETE FROM appeals WHERE decision_id = ANY ($1)
)
DELETE FROM decisions WHERE id = ANY ($2);

-- DecisionStore.forgettable(before:at:in:)
SELECT d.id
FROM decisions d
WHERE d.decided_at < $1 AND NOT (d.thing_id IS NULL AND d.lifted_at IS NULL AND d.action <> 'warn'
    AND (d.until IS NULL OR d.until > $2))
    AND NOT EXISTS (SELECT FROM evidence e WHERE e.decision_id = d.id)
    AND NOT EXISTS (SELECT FROM appeals q WHERE q.decision_id = d.id AND q.state = 'open')
ORDER BY d.decided_at
LIMIT 200
FOR UPDATE SKIP LOCKED;

-- DecisionStore.holding(_:of:at:in:)
SELECT d.id FROM decisions d
WHERE d.account_id = $1 AND d.action = $2 AND d.thing_id IS NULL AND d.lifted_at IS NULL AND d.action <> 'warn'
    AND (d.until IS NULL OR d.until > $3)
ORDER BY d.id;

-- DecisionStore.insert(_:in:)
INSERT INTO decisions (
    id, moderator_id, account_id, report_id, action, thing_kind, thing_id, reason, until, appeal_until,
    decided_at, version
)
VALUES (
    $1, $2, $3, $4,
    $5, $6, $7, $8,
    $9, $10, $11, $12
);

-- DecisionStore.keep(_:of:for:until:in:)
INSERT INTO evidence (decision_id, kind, thing_id, snapshot, kept_until)
VALUES ($1, $2, $3, $4, $5);

-- DecisionStore.lift(_:at:in:)
UPDATE decisions SET lifted_at = $1, version = version + 1 WHERE id = $2 AND lifted_at IS NULL;

-- DecisionStore.lock(_:in:)
SELECT 1 FROM decisions WHERE id = $1 FOR UPDATE;

-- DecisionStore.log(_:about:seenBy:in:), account
SELECT * FROM (
    SELECT l.id, l.moderator_id, l.deed, l.report_id, l.decision_id, l.account_id, l.at
    FROM moderation_log l
    WHERE l.account_id = $1 AND (l.account_id IS DISTINCT FROM $2 OR l.moderator_id = $3) AND l.id < $4 AND l.id > $5 ORDER BY l.id DESC LIMIT $6
) page
ORDER BY id DESC;

-- DecisionStore.log(_:about:seenBy:in:), all
SELECT * FROM (
    SELECT l.id, l.moderator_id, l.deed, l.report_id, l.decision_id, l.account_id, l.at
    FROM moderation_log l
    WHERE true AND (l.account_id IS DISTINCT FROM $1 OR l.moderator_id = $2) AND l.id < $3 AND l.id > $4 ORDER BY l.id DESC LIMIT $5
) page
ORDER BY id DESC;

-- DecisionStore.log(_:in:)
INSERT INTO moderation_log (id, moderator_id, deed, report_id, decision_id, account_id, at)
VALUES (
    $1, $2, $3, $4, $5, $6,
    $7
);

-- DecisionStore.page(_:of:in:), account
WITH page AS MATERIALIZED (
    SELECT d.* FROM decisions d WHERE d.account_id = $1 AND d.account_id <> $2 AND d.id < $3 AND d.id > $4 ORDER BY d.id DESC LIMIT $5
)
SELECT d.id, d.moderator_id, d.account_id, d.report_id, d.action, d.thing_kind, d.thing_id, d.reason, d.until,
d.appeal_until, d.decided_at, d.lifted_at, d.version, q.text, q.state, q.created_at, q.moderator_id, q.decided_at, e.snapshot FROM page d LEFT JOIN LATERAL (SELECT q.* FROM appeals q WHERE q.decision_id = d.id OFFSET 0) q ON true
LEFT JOIN LATERAL (SELECT e.* FROM evidence e WHERE e.decision_id = d.id OFFSET 0) e ON true ORDER BY d.id DESC;

-- DecisionStore.page(_:of:in:), all
WITH page AS MATERIALIZED (
    SELECT d.* FROM decisions d WHERE d.account_id <> $1 AND d.id < $2 AND d.id > $3 ORDER BY d.id DESC LIMIT $4
)
SELECT d.id, d.moderator_id, d.account_id, d.report_id, d.action, d.thing_kind, d.thing_id, d.reason, d.until,
d.appeal_until, d.decided_at, d.lifted_at, d.version, q.text, q.state, q.created_at, q.moderator_id, q.decided_at, e.snapshot FROM page d LEFT JOIN LATERAL (SELECT q.* FROM appeals q WHERE q.decision_id = d.id OFFSET 0) q ON true
LEFT JOIN LATERAL (SELECT e.* FROM evidence e WHERE e.decision_id = d.id OFFSET 0) e ON true ORDER BY d.id DESC;

-- DecisionStore.page(_:of:in:), own
WITH page AS MATERIALIZED (
    SELECT d.* FROM decisions d WHERE d.account_id = $1 AND d.id < $2 AND d.id > $3 ORDER BY d.id DESC LIMIT $4
)
SELECT d.id, d.moderator_id, d.account_id, d.report_id, d.action, d.thing_kind, d.thing_id, d.reason, d.until,
d.appeal_until, d.decided_at, d.lifted_at, d.version, q.text, q.state, q.created_at, q.moderator_id, q.decided_at, e.snapshot FROM page d LEFT JOIN LATERAL (SELECT q.* FROM appeals q WHERE q.decision_id = d.id OFFSET 0) q ON true
LEFT JOIN LATERAL (SELECT e.* FROM evidence e WHERE e.decision_id = d.id OFFSET 0) e ON true ORDER BY d.id DESC;

-- DecisionStore.page(_:of:in:), report
WITH page AS MATERIALIZED (
    SELECT d.* FROM decisions d WHERE d.report_id = $1 AND d.account_id <> $2 AND d.id < $3 AND d.id > $4 ORDER BY d.id DESC LIMIT $5
)
SELECT d.id, d.moderator_id, d.account_id, d.report_id, d.action, d.thing_kind, d.thing_id, d.reason, d.until,
d.appeal_until, d.decided_at, d.lifted_at, d.version, q.text, q.state, q.created_at, q.moderator_id, q.decided_at, e.snapshot FROM page d LEFT JOIN LATERAL (SELECT q.* FROM appeals q WHERE q.decision_id = d.id OFFSET 0) q ON true
LEFT JOIN LATERAL (SELECT e.* FROM evidence e WHERE e.decision_id = d.id OFFSET 0) e ON true ORDER BY d.id DESC;

-- EarlierTextStore.keep(_:of:keeping:in:)
WITH new AS (
    INSERT INTO earlier_texts (id, record_id, field, text)
    SELECT t.id, $1, t.field, t.text
    FROM unnest($2, $3, $4)
        t (id, field, text)
)
DELETE FROM earlier_texts
WHERE record_id = $5 AND id <= (
    SELECT id FROM earlier_texts WHERE record_id = $6 ORDER BY id DESC LIMIT 1 OFFSET $7
);

-- EarlierTextStore.texts(of:limit:in:)
SELECT id, field, text FROM earlier_texts WHERE record_id = $1 ORDER BY id DESC LIMIT $2;

-- ErasedAccountStore.account
DELETE FROM accounts
WHERE (id) IN (SELECT id FROM accounts WHERE id = $1 LIMIT 500);

-- ErasedAccountStore.applications(of:limit:in:)
SELECT id, project_id FROM applications WHERE account_id = $1 ORDER BY id DESC LIMIT $2;

-- ErasedAccountStore.belongings, account_notes
DELETE FROM account_notes
WHERE (account_id, target_id) IN (SELECT account_id, target_id FROM account_notes WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, account_notes by others
DELETE FROM account_notes
WHERE (account_id, target_id) IN (SELECT account_id, target_id FROM account_notes WHERE target_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, appeals
DELETE FROM appeals
WHERE (decision_id) IN (SELECT decision_id FROM appeals WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, blocks
DELETE FROM blocks
WHERE (account_id, target_id) IN (SELECT account_id, target_id FROM blocks WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, blocks by others
DELETE FROM blocks
WHERE (account_id, target_id) IN (SELECT account_id, target_id FROM blocks WHERE target_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, bookmarks
DELETE FROM bookmarks
WHERE (account_id, post_id) IN (SELECT account_id, post_id FROM bookmarks WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, conversation_mutes
DELETE FROM conversation_mutes
WHERE (account_id, conversation_id) IN (SELECT account_id, conversation_id FROM conversation_mutes WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, conversations
DELETE FROM conversations
WHERE (id) IN (SELECT id FROM conversations WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, decisions
DELETE FROM decisions
WHERE (id) IN (SELECT id FROM decisions WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, evidence
DELETE FROM evidence
WHERE (decision_id) IN (SELECT decision_id FROM evidence WHERE decision_id IN (SELECT id FROM decisions WHERE account_id = $1) LIMIT 500);

-- ErasedAccountStore.belongings, idempotency_keys
DELETE FROM idempotency_keys
WHERE (account_id, key) IN (SELECT account_id, key FROM idempotency_keys WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, media
DELETE FROM media
WHERE (id) IN (SELECT id FROM media WHERE owner_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, mutes
DELETE FROM mutes
WHERE (account_id, target_id) IN (SELECT account_id, target_id FROM mutes WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, mutes by others
DELETE FROM mutes
WHERE (account_id, target_id) IN (SELECT account_id, target_id FROM mutes WHERE target_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, new_account_acts
DELETE FROM new_account_acts
WHERE (account_id, act) IN (SELECT account_id, act FROM new_account_acts WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, popular_accounts
DELETE FROM popular_accounts
WHERE (account_id) IN (SELECT account_id FROM popular_accounts WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, project_bookmarks
DELETE FROM project_bookmarks
WHERE (account_id, project_id) IN (SELECT account_id, project_id FROM project_bookmarks WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, reading_goals
DELETE FROM reading_goals
WHERE (account_id, year, month) IN (SELECT account_id, year, month FROM reading_goals WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, reading_records
DELETE FROM reading_records
WHERE (id) IN (SELECT id FROM reading_records WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, report_things
DELETE FROM report_things
WHERE (report_id, kind, thing_id) IN (SELECT report_id, kind, thing_id FROM report_things WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, restricted_accounts
DELETE FROM restricted_accounts
WHERE (account_id) IN (SELECT account_id FROM restricted_accounts WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, restrictions
DELETE FROM restrictions
WHERE (account_id, kind, decision_id) IN (SELECT account_id, kind, decision_id FROM restrictions WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, roles
DELETE FROM roles
WHERE (account_id) IN (SELECT account_id FROM roles WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, shelf_books
DELETE FROM shelf_books
WHERE (id) IN (SELECT id FROM shelf_books WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, shelf_tombstones
DELETE FROM shelf_tombstones
WHERE (account_id, version) IN (SELECT account_id, version FROM shelf_tombstones WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, shelf_writes
DELETE FROM shelf_writes
WHERE (account_id, key) IN (SELECT account_id, key FROM shelf_writes WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, shelves
DELETE FROM shelves
WHERE (account_id) IN (SELECT account_id FROM shelves WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, timeline
DELETE FROM timeline
WHERE (account_id, post_id) IN (SELECT account_id, post_id FROM timeline WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.deeds, appeals to it
UPDATE appeals SET moderator_id = 0
WHERE (decision_id) IN (SELECT decision_id FROM appeals WHERE moderator_id = $1 LIMIT 500);

-- ErasedAccountStore.deeds, assignments
UPDATE reports SET assigned_id = NULL
WHERE (id) IN (SELECT id FROM reports WHERE assigned_id = $1 LIMIT 500);

-- ErasedAccountStore.deeds, closings
UPDATE reports SET closed_id = 0
WHERE (id) IN (SELECT id FROM reports WHERE closed_id = $1 LIMIT 500);

-- ErasedAccountStore.deeds, decisions by it
UPDATE decisions SET moderator_id = 0
WHERE (id) IN (SELECT id FROM decisions WHERE moderator_id = $1 LIMIT 500);

-- ErasedAccountStore.deeds, moderation_log
UPDATE moderation_log SET moderator_id = 0
WHERE (id) IN (SELECT id FROM moderation_log WHERE moderator_id = $1 LIMIT 500);

-- ErasedAccountStore.deeds, moderation_log of it
UPDATE moderation_log SET account_id = 0
WHERE (id) IN (SELECT id FROM moderation_log WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.deeds, report_notes
UPDATE report_notes SET account_id = 0
WHERE (id) IN (SELECT id FROM report_notes WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.deeds, reports by it
UPDATE reports SET reporter_id = 0, comment = ''
WHERE (id) IN (SELECT id FROM reports WHERE reporter_id = $1 LIMIT 500);

-- ErasedAccountStore.delete(_:in:)
DELETE FROM applications WHERE id = $1;

-- ErasedAccountStore.deleteReports(about:in:)
WITH gone AS (
    DELETE FROM reports
    WHERE id IN (SELECT id FROM reports WHERE target_id = $1 AND target_id IS NOT NULL LIMIT 200)
    RETURNING id
),
things AS (
    DELETE FROM report_things WHERE report_id IN (SELECT id FROM gone)
),
notes AS (
    DELETE FROM report_notes WHERE report_id IN (SELECT id FROM gone)
)
SELECT id FROM gone;

-- ErasedAccountStore.disown(_:of:at:in:), posts
WITH chosen AS MATERIALIZED (
    SELECT id FROM posts
    WHERE account_id = $1 AND deleted_at IS NOT NULL AND account_id <> 0 AND erased_at IS NOT NULL
    LIMIT 500
),
nobody AS (
    INSERT INTO accounts (id, username, created_at)
    SELECT 0,
        CASE
            WHEN EXISTS (SELECT FROM accounts WHERE username = 'deleted')
                THEN 'deleted_' || substr(md5(random()::text), 1, 20)
            ELSE 'deleted'
        END,
        $2
    WHERE EXISTS (SELECT FROM chosen)
    ON CONFLICT (id) DO NOTHING
)
UPDATE posts t
SET account_id = 0
FROM chosen c
WHERE t.id = c.id;

-- ErasedAccountStore.disown(_:of:at:in:), projects
WITH chosen AS MATERIALIZED (
    SELECT id FROM projects
    WHERE leader_id = $1 AND deleted_at IS NOT NULL AND leader_id <> 0 AND erased_at IS NOT NULL
    LIMIT 500
),
nobody AS (
    INSERT INTO accounts (id, username, created_at)
    SELECT 0,
        CASE
            WHEN EXISTS (SELECT FROM accounts WHERE username = 'deleted')
                THEN 'deleted_' || substr(md5(random()::text), 1, 20)
            ELSE 'deleted'
        END,
        $2
    WHERE EXISTS (SELECT FROM chosen)
    ON CONFLICT (id) DO NOTHING
)
UPDATE projects t
SET leader_id = 0
FROM chosen c
WHERE t.id = c.id;

-- ErasedAccountStore.endFanouts(of:in:)
DELETE FROM fanouts WHERE post_id = ANY ($1);

-- ErasedAccountStore.favourites(of:limit:in:)
SELECT post_id FROM favourites WHERE account_id = $1 ORDER BY id DESC LIMIT $2;

-- ErasedAccountStore.follows(_:of:limit:in:), followers
SELECT follower_id, followee_id FROM follows WHERE followee_id = $1 LIMIT $2;

-- ErasedAccountStore.follows(_:of:limit:in:), following
SELECT follower_id, followee_id FROM follows WHERE follower_id = $1 LIMIT $2;

-- ErasedAccountStore.follows(_:of:limit:in:), requested
SELECT follower_id, followee_id FROM follow_requests WHERE follower_id = $1 LIMIT $2;

-- ErasedAccountStore.follows(_:of:limit:in:), requesters
SELECT follower_id, followee_id FROM follow_requests WHERE followee_id = $1 LIMIT $2;

-- ErasedAccountStore.forgetAnswered(_:in:)
UPDATE posts r
SET in_reply_to_account_id = 0
WHERE r.id IN (
    SELECT a.id
    FROM posts p
    JOIN posts a ON a.in_reply_to_id = p.id
    WHERE p.account_id = $1 AND p.deleted_at IS NOT NULL AND p.account_id <> 0
        AND a.in_reply_to_account_id = $2
    LIMIT 500
);

-- ErasedAccountStore.leaveConversations(_:in:)
WITH chosen AS MATERIALIZED (
    SELECT c.id, c.thread_id, c.account_id,
        ARRAY(
            SELECT DISTINCT CASE WHEN m.id = $1 THEN 0 ELSE m.id END AS member
            FROM unnest(c.party) m (id)
            ORDER BY member
        ) AS party
    FROM conversations c
    WHERE c.party @> ARRAY[CAST($2 AS bigint)]
    ORDER BY c.id
    LIMIT 200
),
kept AS (
    SELECT min(c.id) AS id FROM chosen c
    WHERE NOT EXISTS (
        SELECT FROM conversations o
        WHERE o.thread_id = c.thread_id AND o.account_id = c.account_id AND o.party = c.party
    )
    GROUP BY c.thread_id, c.account_id, c.party
),
gone AS (
    DELETE FROM conversations WHERE id IN (SELECT id FROM chosen EXCEPT SELECT id FROM kept)
)
UPDATE conversations t
SET party = c.party
FROM chosen c
JOIN kept k ON k.id = c.id
WHERE t.id = c.id;

-- ErasedAccountStore.naming, post_edits that name it
UPDATE post_edits SET mentioned_ids = ARRAY(SELECT m.id FROM unnest(mentioned_ids, mentioned_names) WITH ORDINALITY m (id, name, place) WHERE m.id <> $1 ORDER BY m.place),
mentioned_names = ARRAY(SELECT m.name FROM unnest(mentioned_ids, mentioned_names) WITH ORDINALITY m (id, name, place) WHERE m.id <> $2 ORDER BY m.place)
WHERE (post_id, created_at) IN (SELECT post_id, created_at FROM post_edits WHERE mentioned_ids @> ARRAY[CAST($3 AS bigint)] AND mentioned_ids <> '{}' LIMIT 500);

-- ErasedAccountStore.naming, posts that name it
UPDATE posts SET mentioned_ids = ARRAY(SELECT m.id FROM unnest(mentioned_ids, mentioned_names) WITH ORDINALITY m (id, name, place) WHERE m.id <> $1 ORDER BY m.place),
mentioned_names = ARRAY(SELECT m.name FROM unnest(mentioned_ids, mentioned_names) WITH ORDINALITY m (id, name, place) WHERE m.id <> $2 ORDER BY m.place)
WHERE (id) IN (SELECT id FROM posts WHERE mentioned_ids @> ARRAY[CAST($3 AS bigint)] AND mentioned_ids <> '{}' LIMIT 500);

-- ErasedAccountStore.naming, project_edits
UPDATE project_edits SET form = jsonb_set(
    form,
    '{mentions}',
    (
        SELECT coalesce(jsonb_agg(m.value ORDER BY m.place), '[]')
        FROM jsonb_array_elements(form -> 'mentions') WITH ORDINALITY m (value, place)
        WHERE m.value ->> 'id' <> CAST($1 AS bigint)::text
    )
)
WHERE (project_id, created_at) IN (SELECT project_id, created_at FROM project_edits WHERE form -> 'mentions' @> jsonb_build_array(jsonb_build_object('id', CAST($2 AS bigint)::text)) LIMIT 500);

-- ErasedAccountStore.naming, projects that name it
UPDATE projects SET mentioned_ids = ARRAY(SELECT m.id FROM unnest(mentioned_ids, mentioned_names) WITH ORDINALITY m (id, name, place) WHERE m.id <> $1 ORDER BY m.place),
mentioned_names = ARRAY(SELECT m.name FROM unnest(mentioned_ids, mentioned_names) WITH ORDINALITY m (id, name, place) WHERE m.id <> $2 ORDER BY m.place)
WHERE (id) IN (SELECT id FROM projects WHERE mentioned_ids @> ARRAY[CAST($3 AS bigint)] AND mentioned_ids <> '{}' LIMIT 500);

-- ErasedAccountStore.posts(of:boosts:limit:in:), boosts
SELECT id FROM posts
WHERE account_id = $1 AND deleted_at IS NULL AND boost_of_id IS NOT NULL
ORDER BY id DESC
LIMIT $2;

-- ErasedAccountStore.posts(of:boosts:limit:in:), posts
SELECT id FROM posts
WHERE account_id = $1 AND deleted_at IS NULL AND boost_of_id IS NULL
ORDER BY id DESC
LIMIT $2;

-- ErasedAccountStore.projects(ledBy:limit:in:)
SELECT id FROM projects
WHERE leader_id = $1 AND deleted_at IS NULL
ORDER BY id DESC
LIMIT $2;

-- ErasedAccountStore.projects(withMember:limit:in:)
SELECT project_id FROM project_members
WHERE account_id = $1
ORDER BY project_id DESC
LIMIT $2;

-- ErasedAccountStore.unerasedPosts(of:in:)
SELECT id FROM posts
WHERE account_id = $1 AND deleted_at IS NOT NULL AND account_id <> 0 AND erased_at IS NULL
ORDER BY id
LIMIT 100
FOR UPDATE;

-- ErasedAccountStore.unerasedProjects(of:in:)
SELECT id FROM projects
WHERE leader_id = $1 AND deleted_at IS NOT NULL AND leader_id <> 0 AND erased_at IS NULL
ORDER BY id
LIMIT 100
FOR UPDATE;

-- ErasedAccountStore.withdraw(_:in:)
DELETE FROM timeline
WHERE (account_id, post_id) IN (
    SELECT account_id, post_id FROM timeline WHERE post_id = ANY ($1) LIMIT 2000
);

-- ErasureStore.deleteBoosts(_:in:)
DELETE FROM posts WHERE id = ANY ($1) AND boost_of_id IS NOT NULL;

-- ErasureStore.deleted(before:in:)
SELECT p.id
FROM posts p
WHERE p.deleted_at < $1 AND p.erased_at IS NULL
    AND NOT EXISTS (SELECT FROM posts b WHERE b.boost_of_id = p.id AND b.deleted_at IS NULL)
    AND NOT EXISTS (SELECT FROM outbox o WHERE o.subject = coalesce(p.boost_of_id, p.id)::text)
    AND NOT EXISTS (SELECT FROM evidence e WHERE e.kind = 'post' AND e.thing_id = p.id::text)
ORDER BY p.deleted_at
LIMIT 200
FOR UPDATE SKIP LOCKED;

-- ErasureStore.empty(_:at:in:)
UPDATE posts p
SET text = '', spoiler_text = '', language = NULL, mentioned_ids = '{}', mentioned_names = '{}',
    tags = '{}', app_name = NULL, app_website = NULL, media = NULL, link_hash = NULL, card = NULL,
    erased_at = $1
WHERE p.id = ANY ($2)
    AND NOT EXISTS (SELECT FROM favourites f WHERE f.post_id = p.id)
    AND NOT EXISTS (SELECT FROM bookmarks k WHERE k.post_id = p.id)
    AND NOT EXISTS (SELECT FROM post_edits h WHERE h.post_id = p.id);

-- ErasureStore.erase(from:in:), applications
DELETE FROM applications
WHERE (id) IN (
    SELECT id FROM applications WHERE project_id = ANY ($1) LIMIT 2000
);

-- ErasureStore.erase(from:in:), bookmarks
DELETE FROM bookmarks
WHERE (account_id, post_id) IN (
    SELECT account_id, post_id FROM bookmarks WHERE post_id = ANY ($1) LIMIT 2000
);

-- ErasureStore.erase(from:in:), favourites
DELETE FROM favourites
WHERE (account_id, post_id) IN (
    SELECT account_id, post_id FROM favourites WHERE post_id = ANY ($1) LIMIT 2000
);

-- ErasureStore.erase(from:in:), post_edits
DELETE FROM post_edits
WHERE (post_id, created_at) IN (
    SELECT post_id, created_at FROM post_edits WHERE post_id = ANY ($1) LIMIT 2000
);

-- ErasureStore.erase(from:in:), project_bookmarks
DELETE FROM project_bookmarks
WHERE (project_id, account_id) IN (
    SELECT project_id, account_id FROM project_bookmarks WHERE project_id = ANY ($1) LIMIT 2000
);

-- ErasureStore.erase(from:in:), project_edits
DELETE FROM project_edits
WHERE (project_id, created_at) IN (
    SELECT project_id, created_at FROM project_edits WHERE project_id = ANY ($1) LIMIT 2000
);

-- ErasureStore.erase(from:in:), project_members
DELETE FROM project_members
WHERE (project_id, account_id) IN (
    SELECT project_id, account_id FROM project_members WHERE project_id = ANY ($1) LIMIT 2000
);

-- ErasureStore.erase(from:in:), project_views
DELETE FROM project_views
WHERE (project_id) IN (
    SELECT project_id FROM project_views WHERE project_id = ANY ($1) LIMIT 2000
);

-- ErasureStore.forgetEdits(keeping:in:)
DELETE FROM post_edits e
USING (
    SELECT post_id, (array_agg(created_at ORDER BY created_at DESC))[$1] AS oldest
    FROM post_edits
    GROUP BY post_id
    HAVING count(*) > $2
    LIMIT 500
) kept
WHERE e.post_id = kept.post_id AND e.created_at < kept.oldest;

-- ExportedStore.appeals
SELECT ARRAY[q.decision_id], json_build_object(
    'decision_id', q.decision_id::text, 'text', q.text, 'state', q.state, 'created_at', q.created_at,
    'decided_at', q.decided_at
)::text
FROM appeals q
WHERE q.account_id = $1 AND q.decision_id > $2
ORDER BY q.decision_id LIMIT $3;

-- ExportedStore.applications
SELECT ARRAY[a.id], json_build_object(
    'id', a.id::text, 'project_id', a.project_id::text, 'project', p.title, 'role', a.role_name,
    'message', a.message, 'state', a.state, 'note', a.note, 'created_at', a.created_at,
    'decided_at', a.decided_at
)::text
FROM applications a
CROSS JOIN LATERAL (SELECT p.title FROM projects p WHERE p.id = a.project_id OFFSET 0) p
WHERE a.account_id = $1 AND a.id > $2
ORDER BY a.id LIMIT $3;

-- ExportedStore.blocks
SELECT ARRAY[b.id], ARRAY[a.username || '@' || $1]
FROM blocks b
CROSS JOIN LATERAL (SELECT a.username FROM accounts a WHERE a.id = b.target_id OFFSET 0) a
WHERE b.account_id = $2 AND b.id > $3
ORDER BY b.id LIMIT $4;

-- ExportedStore.bookmarks
SELECT ARRAY[k.id], ARRAY[$1 || '/@' || a.username || '/' || p.id]
FROM bookmarks k
CROSS JOIN LATERAL (SELECT p.* FROM posts p WHERE p.id = k.post_id OFFSET 0) p
CROSS JOIN LATERAL (SELECT a.username FROM accounts a WHERE a.id = p.account_id OFFSET 0) a
WHERE k.account_id = $2 AND k.id > $3
ORDER BY k.id LIMIT $4;

-- ExportedStore.boosts
SELECT ARRAY[b.id], json_build_object(
    'id', b.id::text, 'created_at', b.created_at, 'visibility', b.visibility, 'post_id', p.id::text, 'account', a.username, 'url', $1 || '/@' || a.username || '/' || p.id
)::text
FROM posts b
CROSS JOIN LATERAL (SELECT p.* FROM posts p WHERE p.id = b.boost_of_id OFFSET 0) p
CROSS JOIN LATERAL (SELECT a.username FROM accounts a WHERE a.id = p.account_id OFFSET 0) a
WHERE b.account_id = $2 AND b.deleted_at IS NULL AND b.boost_of_id IS NOT NULL AND b.id > $3
ORDER BY b.id LIMIT $4;

-- ExportedStore.decisions
SELECT ARRAY[d.id], json_build_object(
    'id', d.id::text, 'action', d.action, 'thing_kind', d.thing_kind, 'thing_id', d.thing_id,
    'removed_text', (SELECT e.snapshot ->> 'text' FROM evidence e WHERE e.decision_id = d.id),
    'reason', d.reason, 'decided_at', d.decided_at, 'until', d.until, 'appeal_until', d.appeal_until,
    'lifted_at', d.lifted_at
)::text
FROM decisions d
WHERE d.account_id = $1 AND d.id > $2
ORDER BY d.id LIMIT $3;

-- ExportedStore.earlierTexts
SELECT ARRAY[r.id], json_build_object(
    'record_id', r.id::text,
    'texts', (
        SELECT json_agg(json_build_object('id', e.id::text, 'field', e.field, 'text', e.text) ORDER BY e.id)
        FROM earlier_texts e WHERE e.record_id = r.id
    )
)::text
FROM reading_records r
WHERE r.account_id = $1 AND EXISTS (SELECT FROM earlier_texts e WHERE e.record_id = r.id) AND r.id > $2
ORDER BY r.id LIMIT $3;

-- ExportedStore.favourites
SELECT ARRAY[f.id], json_build_object('post_id', p.id::text, 'account', a.username, 'url', $1 || '/@' || a.username || '/' || p.id)::text
FROM favourites f
CROSS JOIN LATERAL (SELECT p.* FROM posts p WHERE p.id = f.post_id OFFSET 0) p
CROSS JOIN LATERAL (SELECT a.username FROM accounts a WHERE a.id = p.account_id OFFSET 0) a
WHERE f.account_id = $2 AND f.id > $3
ORDER BY f.id LIMIT $4;

-- ExportedStore.followRequests
SELECT ARRAY[r.followee_id], ARRAY[a.username || '@' || $1]
FROM follow_requests r
CROSS JOIN LATERAL (SELECT a.username FROM accounts a WHERE a.id = r.followee_id OFFSET 0) a
WHERE r.follower_id = $2 AND r.followee_id > $3
ORDER BY r.followee_id LIMIT $4;

-- ExportedStore.followers
SELECT ARRAY[f.id], ARRAY[a.username || '@' || $1]
FROM follows f
CROSS JOIN LATERAL (SELECT a.username FROM accounts a WHERE a.id = f.follower_id OFFSET 0) a
WHERE f.followee_id = $2 AND f.id > $3
ORDER BY f.id LIMIT $4;

-- ExportedStore.following
SELECT ARRAY[f.id], ARRAY[a.username || '@' || $1, f.show_boosts::text, f.notify::text, coalesce(array_to_string(f.languages, ', '), '')]
FROM follows f
CROSS JOIN LATERAL (SELECT a.username FROM accounts a WHERE a.id = f.followee_id OFFSET 0) a
WHERE f.follower_id = $2 AND f.id > $3
ORDER BY f.id LIMIT $4;

-- ExportedStore.memberships
SELECT ARRAY[m.project_id], json_build_object(
    'project_id', m.project_id::text, 'project', p.title, 'joined_at', m.joined_at
)::text
FROM project_members m
CROSS JOIN LATERAL (SELECT p.title FROM projects p WHERE p.id = m.project_id OFFSET 0) p
WHERE m.account_id = $1 AND m.project_id > $2
ORDER BY m.project_id LIMIT $3;

-- ExportedStore.mutedConversations
SELECT ARRAY[m.conversation_id], json_build_object('conversation_id', m.conversation_id::text)::text
FROM conversation_mutes m
WHERE m.account_id = $1 AND m.conversation_id > $2
ORDER BY m.conversation_id LIMIT $3;

-- ExportedStore.mutes
SELECT ARRAY[m.id], ARRAY[a.username || '@' || $1, m.notifications::text]
FROM mutes m
CROSS JOIN LATERAL (SELECT a.username FROM accounts a WHERE a.id = m.target_id OFFSET 0) a
WHERE m.account_id = $2 AND m.id > $3
ORDER BY m.id LIMIT $4;

-- ExportedStore.notes
SELECT ARRAY[n.target_id], ARRAY[a.username || '@' || $1, n.comment]
FROM account_notes n
CROSS JOIN LATERAL (SELECT a.username FROM accounts a WHERE a.id = n.target_id OFFSET 0) a
WHERE n.account_id = $2 AND n.target_id > $3
ORDER BY n.target_id LIMIT $4;

-- ExportedStore.posts
SELECT ARRAY[p.id], json_build_object(
    'id', p.id::text, 'url', $1 || '/@' || a.username || '/' || p.id, 'created_at', p.created_at,
    'edited_at', p.edited_at, 'text', p.text, 'spoiler_text', p.spoiler_text, 'sensitive', p.sensitive,
    'visibility', p.visibility, 'language', p.language, 'in_reply_to_id', p.in_reply_to_id::text,
    'in_reply_to_account_id', p.in_reply_to_account_id::text, 'mentions', p.mentioned_names,
    'tags', p.tags, 'app', p.app_name, 'pinned', p.pinned_id IS NOT NULL, 'replies_count', p.replies_count,
    'boosts_count', p.boosts_count, 'favourites_count', p.favourites_count,
    'media', (
        SELECT json_agg(json_build_object('id', m ->> 'id', 'description', m ->> 'description'))
        FROM jsonb_array_elements(p.media) m
    ),
    'earlier_versions', (
        SELECT json_agg(
            json_build_object(
                'created_at', e.created_at, 'text', e.text, 'spoiler_text', e.spoiler_text,
                'sensitive', e.sensitive
            )
            ORDER BY e.created_at
        )
        FROM post_edits e WHERE e.post_id = p.id
    )
)::text
FROM posts p
CROSS JOIN LATERAL (SELECT a.username FROM accounts a WHERE a.id = p.account_id OFFSET 0) a
WHERE p.account_id = $2 AND p.deleted_at IS NULL AND p.boost_of_id IS NULL AND p.id > $3
ORDER BY p.id LIMIT $4;

-- ExportedStore.profile(_:in:)
SELECT json_build_object(
    'id', a.id::text, 'username', a.username, 'display_name', a.display_name, 'note', a.note,
    'fields', a.fields, 'locked', a.locked, 'bot', a.bot, 'discoverable', a.discoverable,
    'default_visibility', a.default_visibility, 'default_sensitive', a.default_sensitive,
    'default_language', a.default_language, 'extras', a.extras, 'created_at', a.created_at,
    'posts_count', a.posts_count, 'followers_count', a.followers_count,
    'following_count', a.following_count
)::text
FROM accounts a WHERE a.id = $1;

-- ExportedStore.projectBookmarks
SELECT ARRAY[k.id], json_build_object('project_id', k.project_id::text, 'project', p.title)::text
FROM project_bookmarks k
CROSS JOIN LATERAL (SELECT p.title FROM projects p WHERE p.id = k.project_id OFFSET 0) p
WHERE k.account_id = $1 AND k.id > $2
ORDER BY k.id LIMIT $3;

-- ExportedStore.projects
SELECT ARRAY[p.id], json_build_object(
    'id', p.id::text, 'state', p.state, 'title', p.title, 'summary', p.summary, 'body', p.body,
    'category', p.category, 'labels', p.labels, 'tags', p.tags, 'roles', p.roles, 'place', p.place,
    'frequency', p.frequency, 'starts_on', p.starts_on, 'deadline', p.deadline,
    'contact_url', p.contact_url, 'language', p.language, 'created_at', p.created_at,
    'published_at', p.published_at, 'edited_at', p.edited_at
)::text
FROM projects p
WHERE p.leader_id = $1 AND p.deleted_at IS NULL AND p.id > $2
ORDER BY p.id LIMIT $3;

-- ExportedStore.reports
SELECT ARRAY[p.id], json_build_object(
    'id', p.id::text, 'category', p.category, 'comment', p.comment, 'rule_ids', p.rule_ids,
    'target_account_id', p.target_id::text, 'created_at', p.created_at, 'closed_at', p.closed_at,
    'things', (
        SELECT coalesce(
            json_agg(json_build_object('kind', t.kind, 'id', t.thing_id) ORDER BY t.kind, t.thing_id), '[]'
        )
        FROM report_things t WHERE t.report_id = p.id
    )
)::text
FROM reports p
WHERE p.reporter_id = $1 AND p.id > $2
ORDER BY p.id LIMIT $3;

-- FanoutStore.averse(to:in:)
SELECT account_id FROM blocks WHERE target_id = ANY ($1)
UNION
SELECT target_id FROM blocks WHERE account_id = ANY ($2)
UNION
SELECT account_id FROM mutes
WHERE target_id = ANY ($3) AND (expires_at IS NULL OR expires_at > statement_timestamp());

-- FanoutStore.hold(sharing:alone:andAuthorsOf:in:), boosts
SELECT CASE WHEN a.is_claimed THEN pg_advisory_xact_lock(a.id) ELSE pg_advisory_xact_lock_shared(a.id) END
FROM (
    SELECT h.id, bool_or(h.is_claimed) AS is_claimed
    FROM (
        SELECT s.id, false AS is_claimed FROM unnest($1) AS s (id)
        UNION ALL
        SELECT c.id, true FROM unnest($2) AS c (id)
        UNION ALL
        SELECT p.account_id, true FROM posts p WHERE p.id = ANY ($3)
    ) h
    GROUP BY h.id
    ORDER BY h.id
) a;

-- FanoutStore.hold(sharing:alone:andAuthorsOf:in:), nobody's boosts
SELECT CASE WHEN is_claimed THEN pg_advisory_xact_lock(number) ELSE pg_advisory_xact_lock_shared(number) END
FROM unnest($1, $2) AS l (number, is_claimed);

-- FanoutStore.readers(of:by:_:in:)
WITH post AS MATERIALIZED (
    SELECT p.id, p.visibility, p.mentioned_ids, l.account_id IS NOT NULL AS is_popular
    FROM posts p
    LEFT JOIN popular_accounts l ON l.account_id = p.account_id
    WHERE p.id = $1 AND p.account_id = $2 AND p.deleted_at IS NULL
),
looked AS MATERIALIZED (
    SELECT f.id, f.follower_id
    FROM follows f
    WHERE f.followee_id = $3 AND EXISTS (SELECT FROM post p WHERE p.visibility <> 'direct')
        AND f.id > $4
    ORDER BY f.id
    LIMIT $5
),
readers AS MATERIALIZED (
    SELECT f.follower_id AS account_id
    FROM post p
    CROSS JOIN looked f
    WHERE p.is_popular
        OR EXISTS (SELECT FROM timeline t WHERE t.account_id = f.follower_id AND t.post_id = p.id OFFSET 0)
    UNION
    SELECT t.account_id
    FROM post p
    JOIN timeline t ON t.post_id = p.id AND t.account_id = ANY (p.mentioned_ids)
    WHERE p.visibility = 'direct' AND $6 = 0
)
SELECT coalesce((SELECT array_agg(account_id) FROM readers), '{}'), coalesce((SELECT max(id) FROM looked), 0), (SELECT count(*) FROM looked) >= $7;

-- FanoutStore.tombstone(_:in:)
SELECT visibility = 'public' AND boost_of_id IS NULL
    AND (in_reply_to_id IS NULL OR in_reply_to_account_id = account_id),
visibility = 'direct',
CASE WHEN visibility = 'public' THEN tags ELSE '{}' END,
CASE WHEN visibility = 'direct' THEN mentioned_ids ELSE '{}' END FROM posts WHERE id = $1;

-- FanoutStore.withdraw(_:by:_:in:)
WITH chosen AS MATERIALIZED (
    SELECT account_id, post_id FROM timeline WHERE post_id = $1 LIMIT $2
),
removed AS (
    DELETE FROM timeline t
    USING chosen c
    WHERE t.account_id = c.account_id AND t.post_id = c.post_id
),
looked AS MATERIALIZED (
    SELECT f.id, f.follower_id
    FROM follows f
    WHERE f.followee_id = (SELECT l.account_id FROM popular_accounts l WHERE l.account_id = $3)
        AND EXISTS (SELECT FROM posts p WHERE p.id = $4 AND p.visibility <> 'direct')
        AND (SELECT count(*) FROM chosen) = 0
        AND f.id > $5
    ORDER BY f.id
    LIMIT $6
)
SELECT coalesce((SELECT array_agg(r.account_id)
FROM (SELECT account_id FROM chosen UNION ALL SELECT follower_id FROM looked) r), '{}'), coalesce((SELECT max(id) FROM looked), $7), (SELECT count(*) FROM chosen) > 0 OR (SELECT count(*) FROM looked) >= $8;

-- FanoutStore.withdraw(_:limit:in:)
WITH chosen AS MATERIALIZED (
    SELECT account_id, post_id FROM timeline WHERE post_id = ANY ($1) LIMIT $2
)
DELETE FROM timeline t
USING chosen c
WHERE t.account_id = c.account_id AND t.post_id = c.post_id
RETURNING t.post_id, t.account_id;

-- FollowStore.count(_:by:above:in:)
UPDATE accounts a
SET following_count = a.following_count + $1 * changed.following,
    followers_count = a.followers_count + $2 * changed.followers,
    graph_version = CASE
        WHEN changed.following > 0 THEN greatest(a.graph_version + 1, $3)
        ELSE a.graph_version
    END,
    version = a.version + 1
FROM (
    SELECT side.id, sum(side.following) AS following, sum(side.followers) AS followers
    FROM (
        SELECT follower.id, 1 AS following, 0 AS followers FROM unnest($4) AS follower (id)
        UNION ALL
        SELECT followee.id, 0, 1 FROM unnest($5) AS followee (id)
    ) AS side
    GROUP BY side.id
) AS changed
WHERE a.id = changed.id
RETURNING a.graph_version, a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras;

-- FollowStore.delete(_:from:in:), follow
DELETE FROM follows
WHERE follower_id = $1 AND followee_id = $2
RETURNING show_boosts, notify, languages;

-- FollowStore.delete(_:from:in:), request
DELETE FROM follow_requests
WHERE follower_id = $1 AND followee_id = $2
RETURNING show_boosts, notify, languages;

-- FollowStore.delete(_:in:)
DELETE FROM follows f
USING unnest($1, $2) AS gone (follower_id, followee_id)
WHERE f.follower_id = gone.follower_id AND f.followee_id = gone.followee_id;

-- FollowStore.insert(_:in:)
INSERT INTO follows (follower_id, followee_id, id, show_boosts, notify)
SELECT follower_id, followee_id, id, show_boosts, notify
FROM unnest(
    $1, $2, $3,
    $4, $5
) AS new (follower_id, followee_id, id, show_boosts, notify);

-- FollowStore.insert(_:into:id:options:in:), follow
INSERT INTO follows (follower_id, followee_id, id, show_boosts, notify, languages)
VALUES ($1, $2, $3, $4,
    $5, $6);

-- FollowStore.insert(_:into:id:options:in:), request
INSERT INTO follow_requests (follower_id, followee_id, id, show_boosts, notify, languages)
VALUES ($1, $2, $3, $4,
    $5, $6);

-- FollowStore.strangers(among:to:in:)
SELECT count(*)
FROM unnest($1) AS person (id)
WHERE person.id <> $2 AND NOT EXISTS (
    SELECT FROM follows f WHERE f.follower_id = person.id AND f.followee_id = $3
);

-- FollowStore.update(_:of:options:in:), follow
UPDATE follows
SET show_boosts = coalesce($1, show_boosts),
    notify = coalesce($2, notify),
    languages = CASE
        WHEN $3 THEN languages
        ELSE $4
    END
WHERE follower_id = $5 AND followee_id = $6;

-- FollowStore.update(_:of:options:in:), request
UPDATE follow_requests
SET show_boosts = coalesce($1, show_boosts),
    notify = coalesce($2, notify),
    languages = CASE
        WHEN $3 THEN languages
        ELSE $4
    END
WHERE follower_id = $5 AND followee_id = $6;

-- GoalStore.count(of:in:)
SELECT count(*) FROM reading_goals WHERE account_id = $1;

-- GoalStore.delete(_:of:in:)
DELETE FROM reading_goals
WHERE account_id = $1 AND year = $2 AND month = $3;

-- GoalStore.goals(_:of:in:)
SELECT g.year, g.month, g.books, g.version, g.reached_at, (
    SELECT count(*)
    FROM reading_records r
    WHERE r.account_id = g.account_id AND r.state = 'finished' AND r.ended_on IS NOT NULL
        AND r.ended_on BETWEEN make_date(g.year, 1, 1) AND make_date(g.year, 12, 31)
        AND (g.month = 0 OR r.ended_month = g.month)
)
FROM unnest($1, $2) wanted (year, month)
JOIN reading_goals g ON g.account_id = $3 AND g.year = wanted.year AND g.month = wanted.month;

-- GoalStore.goals(of:year:in:), all
SELECT g.year, g.month, g.books, g.version, g.reached_at, (
    SELECT count(*)
    FROM reading_records r
    WHERE r.account_id = g.account_id AND r.state = 'finished' AND r.ended_on IS NOT NULL
        AND r.ended_on BETWEEN make_date(g.year, 1, 1) AND make_date(g.year, 12, 31)
        AND (g.month = 0 OR r.ended_month = g.month)
) FROM reading_goals g WHERE g.account_id = $1 
ORDER BY g.year DESC, g.month;

-- GoalStore.goals(of:year:in:), of a year
SELECT g.year, g.month, g.books, g.version, g.reached_at, (
    SELECT count(*)
    FROM reading_records r
    WHERE r.account_id = g.account_id AND r.state = 'finished' AND r.ended_on IS NOT NULL
        AND r.ended_on BETWEEN make_date(g.year, 1, 1) AND make_date(g.year, 12, 31)
        AND (g.month = 0 OR r.ended_month = g.month)
) FROM reading_goals g WHERE g.account_id = $1 AND g.year = $2
ORDER BY g.year DESC, g.month;

-- GoalStore.put(_:books:of:version:in:)
WITH risen AS (
    DELETE FROM shelf_tombstones
    WHERE account_id = $1 AND kind = 'goal' AND item_id = $2
)
INSERT INTO reading_goals (account_id, year, month, books, version)
VALUES ($3, $4, $5, $6, $7)
ON CONFLICT (account_id, year, month) DO UPDATE
SET books = excluded.books, version = excluded.version, reached_at = NULL;

-- GoalStore.reach(_:of:at:version:in:)
UPDATE reading_goals SET reached_at = $1, version = $2
WHERE account_id = $3 AND year = $4 AND month = $5;

-- GoalStore.reached(in:of:in:)
SELECT g.year, g.month
FROM reading_goals g
WHERE g.account_id = $1 AND g.year = ANY ($2) AND g.reached_at IS NULL
    AND g.books <= (
    SELECT count(*)
    FROM reading_records r
    WHERE r.account_id = g.account_id AND r.state = 'finished' AND r.ended_on IS NOT NULL
        AND r.ended_on BETWEEN make_date(g.year, 1, 1) AND make_date(g.year, 12, 31)
        AND (g.month = 0 OR r.ended_month = g.month)
)
ORDER BY g.year, g.month;

-- HomeStore.backfill(_:in:)
INSERT INTO timeline (account_id, post_id, author_id)
SELECT f.follower_id, near.id, f.followee_id
FROM unnest($1, $2) AS new (follower_id, followee_id)
JOIN follows f ON f.follower_id = new.follower_id AND f.followee_id = new.followee_id
CROSS JOIN LATERAL (
    SELECT p.id
    FROM posts p
    WHERE p.account_id = f.followee_id AND p.deleted_at IS NULL
        AND CASE WHEN p.visibility = 'direct' THEN f.follower_id = ANY (p.mentioned_ids) ELSE (p.boost_of_id IS NULL OR f.show_boosts) AND
(p.language = ANY (f.languages) OR coalesce(f.languages, '{}') = '{}' OR p.language IS NULL)
AND (
    p.in_reply_to_account_id IS NULL
    OR p.in_reply_to_account_id IN (p.account_id, f.follower_id)
    OR EXISTS (
        SELECT FROM follows r
        WHERE r.follower_id = f.follower_id AND r.followee_id = p.in_reply_to_account_id
    )
) END
    ORDER BY p.id DESC
    LIMIT 40
) near
WHERE (NOT f.followee_id IN (SELECT id FROM hidden_from(f.follower_id)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = f.followee_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM f.follower_id
    OFFSET 0
))
ORDER BY f.follower_id, near.id
ON CONFLICT (account_id, post_id) DO NOTHING;

-- HomeStore.clear(_:in:)
DELETE FROM timeline t
USING unnest($1, $2) AS gone (follower_id, followee_id)
WHERE t.account_id = gone.follower_id AND t.author_id = gone.followee_id
    AND NOT EXISTS (
        SELECT FROM follows f
        WHERE f.follower_id = gone.follower_id AND f.followee_id = gone.followee_id
    );

-- HomeStore.clearHidden(_:from:in:)
DELETE FROM timeline t
WHERE t.account_id = $1 AND t.author_id = $2
    AND $3 IN (SELECT id FROM hidden_from($4));

-- HomeStore.trim(after:to:in:)
WITH visited AS MATERIALIZED (
    SELECT a.id FROM accounts a WHERE a.id > $1 ORDER BY a.id LIMIT 200
),
behind AS MATERIALIZED (
    SELECT v.id, b.post_id
    FROM visited v
    CROSS JOIN LATERAL (
        SELECT t.post_id
        FROM timeline t
        WHERE t.account_id = v.id
        ORDER BY t.post_id DESC
        OFFSET $2
        LIMIT 1
    ) b
),
surplus AS MATERIALIZED (
    SELECT t.account_id, t.post_id
    FROM behind b
    CROSS JOIN LATERAL (
        SELECT t.account_id, t.post_id
        FROM timeline t
        WHERE t.account_id = b.id AND t.post_id <= b.post_id
        ORDER BY t.post_id
        LIMIT 5000
    ) t
    ORDER BY t.account_id
    LIMIT 5000
),
removed AS (DELETE FROM timeline t
USING surplus s
WHERE t.account_id = s.account_id AND t.post_id = s.post_id
RETURNING 1)
SELECT (SELECT count(*) FROM removed),
    CASE
        WHEN (SELECT count(*) FROM surplus) = 5000 THEN (SELECT max(account_id) - 1 FROM surplus)
        ELSE (SELECT max(id) FROM visited)
    END;

-- IdempotencyStore.aged
DELETE FROM idempotency_keys
WHERE (account_id, key) IN (SELECT account_id, key FROM idempotency_keys WHERE created_at < $1 ORDER BY created_at LIMIT 1000);

-- IdempotencyStore.claim(_:of:fingerprint:for:at:in:)
INSERT INTO idempotency_keys AS k (account_id, key, request_hash, post_id, created_at)
VALUES ($1, $2, sha256($3), $4, $5)
ON CONFLICT (account_id, key) DO UPDATE
SET request_hash = excluded.request_hash, post_id = excluded.post_id, created_at = excluded.created_at
WHERE k.created_at < $6;

-- IdempotencyStore.claimed(_:of:fingerprint:in:)
SELECT post_id, request_hash = sha256($1)
FROM idempotency_keys
WHERE account_id = $2 AND key = $3;

-- LargeFanoutStore.advance(_:to:in:)
UPDATE fanouts SET after_id = $1, attempts = 0, reason = NULL
WHERE post_id = $2 AND kind = $3;

-- LargeFanoutStore.backlog(failures:in:)
SELECT count(*), coalesce(extract(epoch FROM now() - min(since)), 0)::bigint,
    count(*) FILTER (WHERE attempts >= $1)
FROM fanouts;

-- LargeFanoutStore.boosters(of:_:in:)
WITH looked AS MATERIALIZED (
    SELECT b.id, b.account_id, p.account_id AS author_id
    FROM posts b
    JOIN posts p ON p.id = b.boost_of_id
    WHERE b.boost_of_id = $1 AND b.id > $2 AND b.deleted_at IS NULL AND p.deleted_at IS NULL
    ORDER BY b.id
    LIMIT $3
)
SELECT coalesce((SELECT array_agg(account_id) FROM looked WHERE account_id <> author_id), '{}'), coalesce((SELECT max(id) FROM looked), 0), (SELECT count(*) FROM looked) >= $4;

-- LargeFanoutStore.finish(_:in:)
DELETE FROM fanouts WHERE post_id = $1 AND kind = $2;

-- LargeFanoutStore.goOn(_:_:by:after:in:)
INSERT INTO fanouts (post_id, author_id, kind, after_id)
VALUES ($1, $2, $3, $4)
ON CONFLICT (post_id, kind) DO UPDATE SET after_id = excluded.after_id, attempts = 0, due_at = now();

-- LargeFanoutStore.next(in:)
SELECT post_id, author_id, kind, after_id, version, attempts
FROM fanouts
WHERE due_at <= statement_timestamp() AND kind = ANY ($1)
ORDER BY due_at, post_id
LIMIT 1
FOR UPDATE SKIP LOCKED;

-- LargeFanoutStore.putOff(_:reason:in:)
UPDATE fanouts
SET attempts = attempts + 1,
    due_at = statement_timestamp() + least(power(2, least(attempts, 20)), 600) * interval '1 second',
    reason = $1
WHERE post_id = $2 AND kind = $3;

-- LargeFanoutStore.withdrawRest(of:version:in:)
WITH entry AS MATERIALIZED (
    SELECT p.id, p.account_id, p.visibility FROM posts p WHERE p.id = ANY ($1)
),
rest AS (
    INSERT INTO fanouts (post_id, author_id, kind, after_id, version)
    SELECT p.id, p.account_id, 'withdraw', 0, $2
    FROM entry p
    WHERE EXISTS (SELECT FROM timeline t WHERE t.post_id = p.id)
        OR p.visibility <> 'direct'
            AND EXISTS (SELECT FROM popular_accounts l WHERE l.account_id = p.account_id)
    ON CONFLICT (post_id, kind) DO NOTHING
)
SELECT id, account_id FROM entry;

-- MediaStore.aged
DELETE FROM media
WHERE (id) IN (SELECT id FROM media WHERE free_since < $1 ORDER BY free_since LIMIT 1000);

-- MediaStore.attach(_:to:in:)
UPDATE media SET post_id = $1, free_since = NULL WHERE id = ANY ($2);

-- MediaStore.files(_:in:)
SELECT id, owner_id, snapshot FROM media WHERE id = ANY ($1);

-- MediaStore.hold(_:of:in:)
SELECT id, snapshot, post_id
FROM media
WHERE id = ANY ($1) AND owner_id = $2
ORDER BY id
FOR UPDATE;

-- MediaStore.keep(_:repairing:in:)
INSERT INTO media (id, version, owner_id, snapshot, failure)
VALUES ($1, $2, $3, $4,
    $5)
ON CONFLICT (id) DO UPDATE
SET version = excluded.version, snapshot = excluded.snapshot, failure = excluded.failure
WHERE excluded.version > media.version;

-- MediaStore.keep(_:repairing:in:), repairing
INSERT INTO media (id, version, owner_id, snapshot, failure)
VALUES ($1, $2, $3, $4,
    $5)
ON CONFLICT (id) DO UPDATE
SET version = excluded.version, snapshot = excluded.snapshot, failure = excluded.failure
WHERE excluded.version >= media.version;

-- MediaStore.post(of:in:)
SELECT post_id FROM media WHERE id = $1 AND post_id IS NOT NULL;

-- MediaStore.release(from:except:at:in:)
UPDATE media SET post_id = NULL, free_since = $1 WHERE post_id = $2 AND id <> ALL ($3);

-- MediaStore.restore(_:of:by:in:), post
UPDATE media SET post_id = p.id, free_since = NULL
FROM (
    SELECT p.id FROM posts p
    WHERE p.account_id = $1 AND p.media IS NOT NULL AND p.deleted_at IS NULL
        AND EXISTS (SELECT FROM jsonb_array_elements(p.media) f WHERE f ->> 'id' = $2)
    LIMIT 1
    FOR SHARE
) p
WHERE media.id = $3 AND media.post_id IS NULL;

-- MediaStore.restore(_:of:by:in:), project
UPDATE media SET post_id = p.id, free_since = NULL
FROM (
    SELECT p.id FROM projects p
    WHERE p.leader_id = $1 AND p.media IS NOT NULL AND p.deleted_at IS NULL
        AND EXISTS (SELECT FROM jsonb_array_elements(p.media) f WHERE f ->> 'id' = $2)
    LIMIT 1
    FOR SHARE
) p
WHERE media.id = $3 AND media.post_id IS NULL;

-- MediaStore.show(_:in:_:)
UPDATE posts SET media = $1, version = version + 1 WHERE id = $2;

-- NewPostStore.insert(_:in:), post
WITH new AS MATERIALIZED (
    SELECT
        n.id, n.account_id, n.text, n.spoiler_text, n.mentioned_ids, n.mentioned_names, n.tags, n.app_name,
        n.app_website, n.created_at, n.media, n.link, n.card,
        coalesce(n.visibility, a.default_visibility) AS visibility,
        coalesce(n.sensitive, a.default_sensitive) AS sensitive,
        coalesce(n.language, a.default_language) AS language
    FROM jsonb_to_recordset($1) AS n (
        id bigint, account_id bigint, text text, spoiler_text text, visibility text, sensitive boolean,
        language text, mentioned_ids bigint[], mentioned_names text[], tags text[], app_name text,
        app_website text, created_at timestamptz, media jsonb, link text, card jsonb
    )
    CROSS JOIN LATERAL (
        SELECT a.default_visibility, a.default_sensitive, a.default_language
        FROM accounts a
        WHERE a.id = n.account_id
        OFFSET 0
    ) a
),


writer AS (
    UPDATE accounts a
    SET posts_count = a.posts_count + w.counted, last_post_at = coalesce(w.last, a.last_post_at),
        version = a.version + w.number
    FROM (
        SELECT
            n.account_id, count(*) AS number, count(*) FILTER (WHERE n.visibility <> 'direct') AS counted,
            max(n.created_at) FILTER (WHERE n.visibility <> 'direct') AS last
        FROM new n
        GROUP BY n.account_id
    ) w
    WHERE a.id = w.account_id AND a.id = ANY ($2)  
    RETURNING a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras
),
post AS (
    INSERT INTO posts (
        id, account_id, text, spoiler_text, sensitive, visibility, language, in_reply_to_id,
        in_reply_to_account_id, conversation_id, mentioned_ids, mentioned_names, tags, app_name,
        app_website, created_at, media, link_hash, card
    )
    SELECT
        n.id, w.id, n.text, n.spoiler_text, n.sensitive, n.visibility, n.language, NULL::bigint, NULL::bigint, n.id,
        n.mentioned_ids, n.mentioned_names, n.tags, n.app_name, n.app_website, n.created_at, n.media,
        sha256(convert_to(n.link, 'UTF8')), n.card
    FROM new n
    JOIN writer w ON w.id = n.account_id
    
    RETURNING id, account_id, text, spoiler_text, sensitive,
visibility, language, in_reply_to_id, in_reply_to_account_id,
mentioned_ids, mentioned_names, tags, app_name, app_website,
created_at, edited_at, replies_count, boosts_count,
favourites_count, version, media
),
own_home AS (
    INSERT INTO timeline (account_id, post_id, author_id)
    SELECT p.account_id, p.id, p.account_id FROM post p
)
SELECT p.id, p.account_id, p.text, p.spoiler_text, p.sensitive,
p.visibility, p.language, p.in_reply_to_id, p.in_reply_to_account_id,
p.mentioned_ids, p.mentioned_names, p.tags, p.app_name, p.app_website,
p.created_at, p.edited_at, p.replies_count, p.boosts_count,
p.favourites_count, p.version, p.media, w.id, w.username, w.display_name, w.note, w.fields, w.locked,
w.bot, w.discoverable, w.created_at, w.last_post_at, w.posts_count,
w.followers_count, w.following_count, w.version, w.extras
FROM post p
JOIN writer w ON w.id = p.account_id;

-- NewPostStore.insert(_:in:), posts
WITH new AS MATERIALIZED (
    SELECT
        n.id, n.account_id, n.text, n.spoiler_text, n.mentioned_ids, n.mentioned_names, n.tags, n.app_name,
        n.app_website, n.created_at, n.media, n.link, n.card,
        coalesce(n.visibility, a.default_visibility) AS visibility,
        coalesce(n.sensitive, a.default_sensitive) AS sensitive,
        coalesce(n.language, a.default_language) AS language
    FROM jsonb_to_recordset($1) AS n (
        id bigint, account_id bigint, text text, spoiler_text text, visibility text, sensitive boolean,
        language text, mentioned_ids bigint[], mentioned_names text[], tags text[], app_name text,
        app_website text, created_at timestamptz, media jsonb, link text, card jsonb
    )
    CROSS JOIN LATERAL (
        SELECT a.default_visibility, a.default_sensitive, a.default_language
        FROM accounts a
        WHERE a.id = n.account_id
        OFFSET 0
    ) a
),

locked AS MATERIALIZED (
    SELECT a.id FROM accounts a WHERE a.id = ANY ($2)  ORDER BY a.id FOR NO KEY UPDATE
),
writer AS (
    UPDATE accounts a
    SET posts_count = a.posts_count + w.counted, last_post_at = coalesce(w.last, a.last_post_at),
        version = a.version + w.number
    FROM (
        SELECT
            n.account_id, count(*) AS number, count(*) FILTER (WHERE n.visibility <> 'direct') AS counted,
            max(n.created_at) FILTER (WHERE n.visibility <> 'direct') AS last
        FROM new n
        GROUP BY n.account_id
    ) w
    WHERE a.id = w.account_id AND a.id = ANY ($3) AND a.id IN (SELECT l.id FROM locked l) 
    RETURNING a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras
),
post AS (
    INSERT INTO posts (
        id, account_id, text, spoiler_text, sensitive, visibility, language, in_reply_to_id,
        in_reply_to_account_id, conversation_id, mentioned_ids, mentioned_names, tags, app_name,
        app_website, created_at, media, link_hash, card
    )
    SELECT
        n.id, w.id, n.text, n.spoiler_text, n.sensitive, n.visibility, n.language, NULL::bigint, NULL::bigint, n.id,
        n.mentioned_ids, n.mentioned_names, n.tags, n.app_name, n.app_website, n.created_at, n.media,
        sha256(convert_to(n.link, 'UTF8')), n.card
    FROM new n
    JOIN writer w ON w.id = n.account_id
    
    RETURNING id, account_id, text, spoiler_text, sensitive,
visibility, language, in_reply_to_id, in_reply_to_account_id,
mentioned_ids, mentioned_names, tags, app_name, app_website,
created_at, edited_at, replies_count, boosts_count,
favourites_count, version, media
),
own_home AS (
    INSERT INTO timeline (account_id, post_id, author_id)
    SELECT p.account_id, p.id, p.account_id FROM post p
), tagged AS (
    INSERT INTO post_tags (tag, post_id)
    SELECT t.tag, p.id
    FROM post p
    CROSS JOIN unnest(p.tags) t (tag)
    WHERE p.visibility = 'public'
)
SELECT p.id, p.account_id, p.text, p.spoiler_text, p.sensitive,
p.visibility, p.language, p.in_reply_to_id, p.in_reply_to_account_id,
p.mentioned_ids, p.mentioned_names, p.tags, p.app_name, p.app_website,
p.created_at, p.edited_at, p.replies_count, p.boosts_count,
p.favourites_count, p.version, p.media, w.id, w.username, w.display_name, w.note, w.fields, w.locked,
w.bot, w.discoverable, w.created_at, w.last_post_at, w.posts_count,
w.followers_count, w.following_count, w.version, w.extras
FROM post p
JOIN writer w ON w.id = p.account_id;

-- NewPostStore.insert(_:in:), replies
WITH new AS MATERIALIZED (
    SELECT
        n.id, n.account_id, n.text, n.spoiler_text, n.mentioned_ids, n.mentioned_names, n.tags, n.app_name,
        n.app_website, n.created_at, n.media, n.link, n.card,
        coalesce(n.visibility, a.default_visibility) AS visibility,
        coalesce(n.sensitive, a.default_sensitive) AS sensitive,
        coalesce(n.language, a.default_language) AS language
    FROM jsonb_to_recordset($1) AS n (
        id bigint, account_id bigint, text text, spoiler_text text, visibility text, sensitive boolean,
        language text, mentioned_ids bigint[], mentioned_names text[], tags text[], app_name text,
        app_website text, created_at timestamptz, media jsonb, link text, card jsonb
    )
    CROSS JOIN LATERAL (
        SELECT a.default_visibility, a.default_sensitive, a.default_language
        FROM accounts a
        WHERE a.id = n.account_id
        OFFSET 0
    ) a
),
answered AS MATERIALIZED (
    SELECT p.id, p.account_id, p.visibility, p.mentioned_ids
    FROM posts p
    WHERE p.id = (
            SELECT coalesce(e.boost_of_id, e.id)
            FROM posts e
            WHERE e.id = $2 AND e.deleted_at IS NULL
        )
        AND p.deleted_at IS NULL
),
allowed AS MATERIALIZED (
    SELECT n.*
    FROM new n
    CROSS JOIN answered p
    WHERE is_visible(p.account_id, p.visibility, p.mentioned_ids, n.account_id, (p.account_id IN (SELECT id FROM blocked_with(n.account_id)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM n.account_id
    OFFSET 0
)), EXISTS (SELECT FROM follows f WHERE f.follower_id = n.account_id AND f.followee_id = p.account_id))
),
parent AS (
    UPDATE posts p
    SET replies_count = p.replies_count + c.number, version = p.version + c.number
    FROM (
        SELECT count(*) FILTER (WHERE n.visibility IN ('public', 'unlisted')) AS number
        FROM allowed n
        HAVING count(*) > 0
    ) c
    WHERE p.id = (SELECT a.id FROM answered a) AND p.deleted_at IS NULL
    RETURNING p.id, p.account_id, p.conversation_id
),
locked AS MATERIALIZED (
    SELECT a.id FROM accounts a WHERE a.id = ANY ($3) AND EXISTS (SELECT FROM parent) ORDER BY a.id FOR NO KEY UPDATE
),
writer AS (
    UPDATE accounts a
    SET posts_count = a.posts_count + w.counted, last_post_at = coalesce(w.last, a.last_post_at),
        version = a.version + w.number
    FROM (
        SELECT
            n.account_id, count(*) AS number, count(*) FILTER (WHERE n.visibility <> 'direct') AS counted,
            max(n.created_at) FILTER (WHERE n.visibility <> 'direct') AS last
        FROM allowed n
        GROUP BY n.account_id
    ) w
    WHERE a.id = w.account_id AND a.id = ANY ($4) AND a.id IN (SELECT l.id FROM locked l) AND EXISTS (SELECT FROM parent)
    RETURNING a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras
),
post AS (
    INSERT INTO posts (
        id, account_id, text, spoiler_text, sensitive, visibility, language, in_reply_to_id,
        in_reply_to_account_id, conversation_id, mentioned_ids, mentioned_names, tags, app_name,
        app_website, created_at, media, link_hash, card
    )
    SELECT
        n.id, w.id, n.text, n.spoiler_text, n.sensitive, n.visibility, n.language, p.id, p.account_id, p.conversation_id,
        n.mentioned_ids, n.mentioned_names, n.tags, n.app_name, n.app_website, n.created_at, n.media,
        sha256(convert_to(n.link, 'UTF8')), n.card
    FROM allowed n
    JOIN writer w ON w.id = n.account_id
    CROSS JOIN parent p
    RETURNING id, account_id, text, spoiler_text, sensitive,
visibility, language, in_reply_to_id, in_reply_to_account_id,
mentioned_ids, mentioned_names, tags, app_name, app_website,
created_at, edited_at, replies_count, boosts_count,
favourites_count, version, media
),
own_home AS (
    INSERT INTO timeline (account_id, post_id, author_id)
    SELECT p.account_id, p.id, p.account_id FROM post p
)
SELECT p.id, p.account_id, p.text, p.spoiler_text, p.sensitive,
p.visibility, p.language, p.in_reply_to_id, p.in_reply_to_account_id,
p.mentioned_ids, p.mentioned_names, p.tags, p.app_name, p.app_website,
p.created_at, p.edited_at, p.replies_count, p.boosts_count,
p.favourites_count, p.version, p.media, w.id, w.username, w.display_name, w.note, w.fields, w.locked,
w.bot, w.discoverable, w.created_at, w.last_post_at, w.posts_count,
w.followers_count, w.following_count, w.version, w.extras
FROM post p
JOIN writer w ON w.id = p.account_id;

-- NewPostStore.insert(_:in:), reply
WITH new AS MATERIALIZED (
    SELECT
        n.id, n.account_id, n.text, n.spoiler_text, n.mentioned_ids, n.mentioned_names, n.tags, n.app_name,
        n.app_website, n.created_at, n.media, n.link, n.card,
        coalesce(n.visibility, a.default_visibility) AS visibility,
        coalesce(n.sensitive, a.default_sensitive) AS sensitive,
        coalesce(n.language, a.default_language) AS language
    FROM jsonb_to_recordset($1) AS n (
        id bigint, account_id bigint, text text, spoiler_text text, visibility text, sensitive boolean,
        language text, mentioned_ids bigint[], mentioned_names text[], tags text[], app_name text,
        app_website text, created_at timestamptz, media jsonb, link text, card jsonb
    )
    CROSS JOIN LATERAL (
        SELECT a.default_visibility, a.default_sensitive, a.default_language
        FROM accounts a
        WHERE a.id = n.account_id
        OFFSET 0
    ) a
),
answered AS MATERIALIZED (
    SELECT p.id, p.account_id, p.visibility, p.mentioned_ids
    FROM posts p
    WHERE p.id = (
            SELECT coalesce(e.boost_of_id, e.id)
            FROM posts e
            WHERE e.id = $2 AND e.deleted_at IS NULL
        )
        AND p.deleted_at IS NULL
),
allowed AS MATERIALIZED (
    SELECT n.*
    FROM new n
    CROSS JOIN answered p
    WHERE is_visible(p.account_id, p.visibility, p.mentioned_ids, n.account_id, (p.account_id IN (SELECT id FROM blocked_with(n.account_id)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM n.account_id
    OFFSET 0
)), EXISTS (SELECT FROM follows f WHERE f.follower_id = n.account_id AND f.followee_id = p.account_id))
),
parent AS (
    UPDATE posts p
    SET replies_count = p.replies_count + c.number, version = p.version + c.number
    FROM (
        SELECT count(*) FILTER (WHERE n.visibility IN ('public', 'unlisted')) AS number
        FROM allowed n
        HAVING count(*) > 0
    ) c
    WHERE p.id = (SELECT a.id FROM answered a) AND p.deleted_at IS NULL
    RETURNING p.id, p.account_id, p.conversation_id
),

writer AS (
    UPDATE accounts a
    SET posts_count = a.posts_count + w.counted, last_post_at = coalesce(w.last, a.last_post_at),
        version = a.version + w.number
    FROM (
        SELECT
            n.account_id, count(*) AS number, count(*) FILTER (WHERE n.visibility <> 'direct') AS counted,
            max(n.created_at) FILTER (WHERE n.visibility <> 'direct') AS last
        FROM allowed n
        GROUP BY n.account_id
    ) w
    WHERE a.id = w.account_id AND a.id = ANY ($3)  AND EXISTS (SELECT FROM parent)
    RETURNING a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras
),
post AS (
    INSERT INTO posts (
        id, account_id, text, spoiler_text, sensitive, visibility, language, in_reply_to_id,
        in_reply_to_account_id, conversation_id, mentioned_ids, mentioned_names, tags, app_name,
        app_website, created_at, media, link_hash, card
    )
    SELECT
        n.id, w.id, n.text, n.spoiler_text, n.sensitive, n.visibility, n.language, p.id, p.account_id, p.conversation_id,
        n.mentioned_ids, n.mentioned_names, n.tags, n.app_name, n.app_website, n.created_at, n.media,
        sha256(convert_to(n.link, 'UTF8')), n.card
    FROM allowed n
    JOIN writer w ON w.id = n.account_id
    CROSS JOIN parent p
    RETURNING id, account_id, text, spoiler_text, sensitive,
visibility, language, in_reply_to_id, in_reply_to_account_id,
mentioned_ids, mentioned_names, tags, app_name, app_website,
created_at, edited_at, replies_count, boosts_count,
favourites_count, version, media
),
own_home AS (
    INSERT INTO timeline (account_id, post_id, author_id)
    SELECT p.account_id, p.id, p.account_id FROM post p
), tagged AS (
    INSERT INTO post_tags (tag, post_id)
    SELECT t.tag, p.id
    FROM post p
    CROSS JOIN unnest(p.tags) t (tag)
    WHERE p.visibility = 'public'
)
SELECT p.id, p.account_id, p.text, p.spoiler_text, p.sensitive,
p.visibility, p.language, p.in_reply_to_id, p.in_reply_to_account_id,
p.mentioned_ids, p.mentioned_names, p.tags, p.app_name, p.app_website,
p.created_at, p.edited_at, p.replies_count, p.boosts_count,
p.favourites_count, p.version, p.media, w.id, w.username, w.display_name, w.note, w.fields, w.locked,
w.bot, w.discoverable, w.created_at, w.last_post_at, w.posts_count,
w.followers_count, w.following_count, w.version, w.extras
FROM post p
JOIN writer w ON w.id = p.account_id;

-- PairStore.lock(_:in:)
SELECT id, locked
FROM accounts
WHERE id = ANY ($1)
ORDER BY id
FOR NO KEY UPDATE;

-- PairStore.nextVersion(of:above:in:)
UPDATE accounts
SET graph_version = greatest(graph_version + 1, $1)
WHERE id = $2
RETURNING graph_version;

-- PairStore.ties(of:in:)
SELECT EXISTS (SELECT FROM blocks WHERE account_id = pair.actor_id AND target_id = pair.target_id OFFSET 0)
    OR EXISTS (SELECT FROM blocks WHERE account_id = pair.target_id AND target_id = pair.actor_id OFFSET 0),
EXISTS (SELECT FROM follows WHERE follower_id = pair.actor_id AND followee_id = pair.target_id OFFSET 0),
EXISTS (SELECT FROM follow_requests WHERE follower_id = pair.actor_id AND followee_id = pair.target_id OFFSET 0),
EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = pair.target_id AND restricted.is_hidden
    OFFSET 0
)
FROM unnest($1, $2)
    WITH ORDINALITY AS pair (actor_id, target_id, place)
ORDER BY pair.place;

-- PictureStore.hold(_:in:)
SELECT 1 FROM accounts WHERE id = $1 FOR NO KEY UPDATE;

-- PictureStore.remove(_:of:in:)
UPDATE accounts a
SET awaited_avatar_id = NULL, extras = extras - '{avatar,avatar_description}'::text[], version = version + 1
WHERE id = $1
    AND (awaited_avatar_id IS NOT NULL OR extras -> 'avatar' IS NOT NULL)
RETURNING a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, a.default_visibility, a.default_sensitive, a.default_language,
(SELECT count(*) FROM follow_requests r WHERE r.followee_id = a.id), a.extras ->> 'quote_policy',
ARRAY (SELECT jsonb_array_elements_text(a.extras -> 'attribution_domains'));

-- PictureStore.show(_:as:of:in:)
UPDATE accounts a
SET awaited_avatar_id = NULL, version = version + 1,
    extras = coalesce(extras, '{}')
        || jsonb_build_object('avatar', $1)
WHERE id = $2 AND awaited_avatar_id = $3
RETURNING a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras;

-- PictureStore.withdraw(_:as:of:in:)
UPDATE accounts a
SET awaited_header_id = nullif(awaited_header_id, $1), version = version + 1,
    extras = CASE WHEN coalesce(extras -> 'header' ->> 'id' = $2, false) THEN extras - '{header,header_description}'::text[] ELSE extras END
WHERE id = $3 AND (awaited_header_id = $4 OR coalesce(extras -> 'header' ->> 'id' = $5, false))
RETURNING a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras;

-- PinStore.candidate(_:of:in:)
SELECT p.visibility, p.pinned_id IS NOT NULL,
(SELECT count(*) FROM posts o WHERE o.account_id = p.account_id AND o.pinned_id IS NOT NULL AND o.deleted_at IS NULL)
FROM posts p
WHERE p.id = $1 AND p.account_id = $2 AND p.boost_of_id IS NULL AND p.deleted_at IS NULL;

-- PinStore.lock(_:in:)
SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE;

-- PinStore.pin(_:as:in:)
UPDATE posts SET pinned_id = $1 WHERE id = $2 AND pinned_id IS NULL;

-- PinStore.unpin(_:of:in:)
UPDATE posts SET pinned_id = NULL WHERE id = $1 AND account_id = $2 AND pinned_id IS NOT NULL;

-- PostListStore.end(of:onlyMedia:page:in:), forwards
SELECT max(id) FROM (SELECT e.id, e.xmin AS writer, e.account_id, e.visibility, e.mentioned_ids, e.boost_of_id, e.conversation_id, e.link_hash,
e.favourites_count, e.boosts_count, e.in_reply_to_id, e.in_reply_to_account_id, e.tags
FROM posts e
WHERE e.account_id = $1 AND e.deleted_at IS NULL AND e.id < $2 AND e.id > $3 
ORDER BY e.id ASC
LIMIT 1000) e HAVING count(*) = 1000;

-- PostListStore.end(of:onlyMedia:page:in:), newest
SELECT min(id) FROM (SELECT e.id, e.xmin AS writer, e.account_id, e.visibility, e.mentioned_ids, e.boost_of_id, e.conversation_id, e.link_hash,
e.favourites_count, e.boosts_count, e.in_reply_to_id, e.in_reply_to_account_id, e.tags
FROM posts e
WHERE e.account_id = $1 AND e.deleted_at IS NULL AND e.id < $2 AND e.id > $3 
ORDER BY e.id DESC
LIMIT 1000) e HAVING count(*) = 1000;

-- PostListStore.end(of:onlyMedia:page:in:), with files
SELECT min(id) FROM (SELECT e.id, e.xmin AS writer, e.account_id, e.visibility, e.mentioned_ids, e.boost_of_id, e.conversation_id, e.link_hash,
e.favourites_count, e.boosts_count, e.in_reply_to_id, e.in_reply_to_account_id, e.tags
FROM posts e
WHERE e.account_id = $1 AND e.deleted_at IS NULL AND e.id < $2 AND e.id > $3 AND e.media IS NOT NULL
ORDER BY e.id DESC
LIMIT 1000) e HAVING count(*) = 1000;

-- PostListStore.favourites(of:viewer:page:in:), forwards
WITH page AS MATERIALIZED (
    SELECT near.id, near.post_id
    FROM (
        SELECT m.id, m.post_id
        FROM favourites m
        CROSS JOIN LATERAL (
            SELECT p.account_id, p.visibility, p.mentioned_ids, p.deleted_at
            FROM posts p
            WHERE p.id = m.post_id
            OFFSET 0
        ) p
        WHERE m.account_id = $1 AND m.id < $2 AND m.id > $3
            AND p.deleted_at IS NULL
            AND (NOT p.account_id IN (SELECT id FROM hidden_from($4)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $5
    OFFSET 0
))
AND is_visible(p.account_id, p.visibility, p.mentioned_ids, $6, false, EXISTS (SELECT FROM follows f WHERE f.follower_id = $7 AND f.followee_id = p.account_id))
        ORDER BY m.id ASC
        LIMIT 40
    ) near
    ORDER BY near.id ASC LIMIT $8
)
SELECT page.id, v.favourited, v.boosted, v.bookmarked, v.muted, n.entry_id, n.entry_writer, n.post_writer, n.author_writer, n.booster_writer, n.card_writer
FROM page
CROSS JOIN LATERAL (
    SELECT e.id AS entry_id, e.writer AS entry_writer, coalesce(o.writer, e.writer) AS post_writer, a.writer AS author_writer,
b.writer AS booster_writer, c.writer AS card_writer, coalesce(o.id, e.id) AS id,
coalesce(o.conversation_id, e.conversation_id) AS conversation_id,
coalesce(o.favourites_count, e.favourites_count) AS favourites_count,
coalesce(o.boosts_count, e.boosts_count) AS boosts_count
    FROM (
        SELECT e.id, e.xmin AS writer, e.account_id, e.visibility, e.mentioned_ids, e.boost_of_id, e.conversation_id, e.link_hash,
e.favourites_count, e.boosts_count
        FROM posts e
        WHERE e.id = page.post_id AND e.deleted_at IS NULL
    ) e
    LEFT JOIN LATERAL (
    SELECT p.id, p.xmin AS writer, p.account_id, p.conversation_id, p.link_hash, p.favourites_count, p.boosts_count
    FROM posts p
    WHERE p.id = e.boost_of_id AND p.deleted_at IS NULL
    OFFSET 0
) o ON true
CROSS JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NULL THEN e.account_id ELSE o.account_id END
    OFFSET 0
) a
LEFT JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NOT NULL THEN e.account_id END
    OFFSET 0
) b ON true
LEFT JOIN LATERAL (
    SELECT k.xmin AS writer
    FROM cards k
    WHERE k.hash = CASE WHEN e.boost_of_id IS NULL THEN e.link_hash ELSE o.link_hash END
    OFFSET 0
) c ON true
    OFFSET 0
) n
CROSS JOIN LATERAL viewer_marks($9, n.id, n.conversation_id, n.favourites_count, n.boosts_count) v
ORDER BY page.id DESC;

-- PostListStore.favourites(of:viewer:page:in:), newest
WITH page AS MATERIALIZED (
    SELECT near.id, near.post_id
    FROM (
        SELECT m.id, m.post_id
        FROM favourites m
        CROSS JOIN LATERAL (
            SELECT p.account_id, p.visibility, p.mentioned_ids, p.deleted_at
            FROM posts p
            WHERE p.id = m.post_id
            OFFSET 0
        ) p
        WHERE m.account_id = $1 AND m.id < $2 AND m.id > $3
            AND p.deleted_at IS NULL
            AND (NOT p.account_id IN (SELECT id FROM hidden_from($4)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $5
    OFFSET 0
))
AND is_visible(p.account_id, p.visibility, p.mentioned_ids, $6, false, EXISTS (SELECT FROM follows f WHERE f.follower_id = $7 AND f.followee_id = p.account_id))
        ORDER BY m.id DESC
        LIMIT 40
    ) near
    ORDER BY near.id DESC LIMIT $8
)
SELECT page.id, v.favourited, v.boosted, v.bookmarked, v.muted, n.entry_id, n.entry_writer, n.post_writer, n.author_writer, n.booster_writer, n.card_writer
FROM page
CROSS JOIN LATERAL (
    SELECT e.id AS entry_id, e.writer AS entry_writer, coalesce(o.writer, e.writer) AS post_writer, a.writer AS author_writer,
b.writer AS booster_writer, c.writer AS card_writer, coalesce(o.id, e.id) AS id,
coalesce(o.conversation_id, e.conversation_id) AS conversation_id,
coalesce(o.favourites_count, e.favourites_count) AS favourites_count,
coalesce(o.boosts_count, e.boosts_count) AS boosts_count
    FROM (
        SELECT e.id, e.xmin AS writer, e.account_id, e.visibility, e.mentioned_ids, e.boost_of_id, e.conversation_id, e.link_hash,
e.favourites_count, e.boosts_count
        FROM posts e
        WHERE e.id = page.post_id AND e.deleted_at IS NULL
    ) e
    LEFT JOIN LATERAL (
    SELECT p.id, p.xmin AS writer, p.account_id, p.conversation_id, p.link_hash, p.favourites_count, p.boosts_count
    FROM posts p
    WHERE p.id = e.boost_of_id AND p.deleted_at IS NULL
    OFFSET 0
) o ON true
CROSS JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NULL THEN e.account_id ELSE o.account_id END
    OFFSET 0
) a
LEFT JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NOT NULL THEN e.account_id END
    OFFSET 0
) b ON true
LEFT JOIN LATERAL (
    SELECT k.xmin AS writer
    FROM cards k
    WHERE k.hash = CASE WHEN e.boost_of_id IS NULL THEN e.link_hash ELSE o.link_hash END
    OFFSET 0
) c ON true
    OFFSET 0
) n
CROSS JOIN LATERAL viewer_marks($9, n.id, n.conversation_id, n.favourites_count, n.boosts_count) v
ORDER BY page.id DESC;

-- PostListStore.marked(_:of:page:in:), bookmarks, forwards
WITH page AS MATERIALIZED (
    SELECT near.id, near.post_id
    FROM (
        SELECT m.id, m.post_id
        FROM bookmarks m
        CROSS JOIN LATERAL (
            SELECT p.account_id, p.visibility, p.mentioned_ids, p.deleted_at
            FROM posts p
            WHERE p.id = m.post_id
            OFFSET 0
        ) p
        WHERE m.account_id = $1 AND m.id < $2 AND m.id > $3
            AND p.deleted_at IS NULL
            AND is_visible(p.account_id, p.visibility, p.mentioned_ids, $4, (p.account_id IN (SELECT id FROM blocked_with($5)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $6
    OFFSET 0
)), EXISTS (SELECT FROM follows f WHERE f.follower_id = $7 AND f.followee_id = p.account_id))
        ORDER BY m.id ASC
        LIMIT 40
    ) near
    ORDER BY near.id ASC LIMIT $8
)
SELECT page.id, v.favourited, v.boosted, v.bookmarked, v.muted, n.entry_id, n.entry_writer, n.post_writer, n.author_writer, n.booster_writer, n.card_writer
FROM page
CROSS JOIN LATERAL (
    SELECT e.id AS entry_id, e.writer AS entry_writer, coalesce(o.writer, e.writer) AS post_writer, a.writer AS author_writer,
b.writer AS booster_writer, c.writer AS card_writer, coalesce(o.id, e.id) AS id,
coalesce(o.conversation_id, e.conversation_id) AS conversation_id,
coalesce(o.favourites_count, e.favourites_count) AS favourites_count,
coalesce(o.boosts_count, e.boosts_count) AS boosts_count
    FROM (
        SELECT e.id, e.xmin AS writer, e.account_id, e.visibility, e.mentioned_ids, e.boost_of_id, e.conversation_id, e.link_hash,
e.favourites_count, e.boosts_count
        FROM posts e
        WHERE e.id = page.post_id AND e.deleted_at IS NULL
    ) e
    LEFT JOIN LATERAL (
    SELECT p.id, p.xmin AS writer, p.account_id, p.conversation_id, p.link_hash, p.favourites_count, p.boosts_count
    FROM posts p
    WHERE p.id = e.boost_of_id AND p.deleted_at IS NULL
    OFFSET 0
) o ON true
CROSS JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NULL THEN e.account_id ELSE o.account_id END
    OFFSET 0
) a
LEFT JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NOT NULL THEN e.account_id END
    OFFSET 0
) b ON true
LEFT JOIN LATERAL (
    SELECT k.xmin AS writer
    FROM cards k
    WHERE k.hash = CASE WHEN e.boost_of_id IS NULL THEN e.link_hash ELSE o.link_hash END
    OFFSET 0
) c ON true
    OFFSET 0
) n
CROSS JOIN LATERAL viewer_marks($9, n.id, n.conversation_id, n.favourites_count, n.boosts_count) v
ORDER BY page.id DESC;

-- PostListStore.marked(_:of:page:in:), bookmarks, newest
WITH page AS MATERIALIZED (
    SELECT near.id, near.post_id
    FROM (
        SELECT m.id, m.post_id
        FROM bookmarks m
        CROSS JOIN LATERAL (
            SELECT p.account_id, p.visibility, p.mentioned_ids, p.deleted_at
            FROM posts p
            WHERE p.id = m.post_id
            OFFSET 0
        ) p
        WHERE m.account_id = $1 AND m.id < $2 AND m.id > $3
            AND p.deleted_at IS NULL
            AND is_visible(p.account_id, p.visibility, p.mentioned_ids, $4, (p.account_id IN (SELECT id FROM blocked_with($5)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $6
    OFFSET 0
)), EXISTS (SELECT FROM follows f WHERE f.follower_id = $7 AND f.followee_id = p.account_id))
        ORDER BY m.id DESC
        LIMIT 40
    ) near
    ORDER BY near.id DESC LIMIT $8
)
SELECT page.id, v.favourited, v.boosted, v.bookmarked, v.muted, n.entry_id, n.entry_writer, n.post_writer, n.author_writer, n.booster_writer, n.card_writer
FROM page
CROSS JOIN LATERAL (
    SELECT e.id AS entry_id, e.writer AS entry_writer, coalesce(o.writer, e.writer) AS post_writer, a.writer AS author_writer,
b.writer AS booster_writer, c.writer AS card_writer, coalesce(o.id, e.id) AS id,
coalesce(o.conversation_id, e.conversation_id) AS conversation_id,
coalesce(o.favourites_count, e.favourites_count) AS favourites_count,
coalesce(o.boosts_count, e.boosts_count) AS boosts_count
    FROM (
        SELECT e.id, e.xmin AS writer, e.account_id, e.visibility, e.mentioned_ids, e.boost_of_id, e.conversation_id, e.link_hash,
e.favourites_count, e.boosts_count
        FROM posts e
        WHERE e.id = page.post_id AND e.deleted_at IS NULL
    ) e
    LEFT JOIN LATERAL (
    SELECT p.id, p.xmin AS writer, p.account_id, p.conversation_id, p.link_hash, p.favourites_count, p.boosts_count
    FROM posts p
    WHERE p.id = e.boost_of_id AND p.deleted_at IS NULL
    OFFSET 0
) o ON true
CROSS JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NULL THEN e.account_id ELSE o.account_id END
    OFFSET 0
) a
LEFT JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NOT NULL THEN e.account_id END
    OFFSET 0
) b ON true
LEFT JOIN LATERAL (
    SELECT k.xmin AS writer
    FROM cards k
    WHERE k.hash = CASE WHEN e.boost_of_id IS NULL THEN e.link_hash ELSE o.link_hash END
    OFFSET 0
) c ON true
    OFFSET 0
) n
CROSS JOIN LATERAL viewer_marks($9, n.id, n.conversation_id, n.favourites_count, n.boosts_count) v
ORDER BY page.id DESC;

-- PostListStore.marked(_:of:page:in:), favourites, forwards
WITH page AS MATERIALIZED (
    SELECT near.id, near.post_id
    FROM (
        SELECT m.id, m.post_id
        FROM favourites m
        CROSS JOIN LATERAL (
            SELECT p.account_id, p.visibility, p.mentioned_ids, p.deleted_at
            FROM posts p
            WHERE p.id = m.post_id
            OFFSET 0
        ) p
        WHERE m.account_id = $1 AND m.id < $2 AND m.id > $3
            AND p.deleted_at IS NULL
            AND is_visible(p.account_id, p.visibility, p.mentioned_ids, $4, (p.account_id IN (SELECT id FROM blocked_with($5)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $6
    OFFSET 0
)), EXISTS (SELECT FROM follows f WHERE f.follower_id = $7 AND f.followee_id = p.account_id))
        ORDER BY m.id ASC
        LIMIT 40
    ) near
    ORDER BY near.id ASC LIMIT $8
)
SELECT page.id, v.favourited, v.boosted, v.bookmarked, v.muted, n.entry_id, n.entry_writer, n.post_writer, n.author_writer, n.booster_writer, n.card_writer
FROM page
CROSS JOIN LATERAL (
    SELECT e.id AS entry_id, e.writer AS entry_writer, coalesce(o.writer, e.writer) AS post_writer, a.writer AS author_writer,
b.writer AS booster_writer, c.writer AS card_writer, coalesce(o.id, e.id) AS id,
coalesce(o.conversation_id, e.conversation_id) AS conversation_id,
coalesce(o.favourites_count, e.favourites_count) AS favourites_count,
coalesce(o.boosts_count, e.boosts_count) AS boosts_count
    FROM (
        SELECT e.id, e.xmin AS writer, e.account_id, e.visibility, e.mentioned_ids, e.boost_of_id, e.conversation_id, e.link_hash,
e.favourites_count, e.boosts_count
        FROM posts e
        WHERE e.id = page.post_id AND e.deleted_at IS NULL
    ) e
    LEFT JOIN LATERAL (
    SELECT p.id, p.xmin AS writer, p.account_id, p.conversation_id, p.link_hash, p.favourites_count, p.boosts_count
    FROM posts p
    WHERE p.id = e.boost_of_id AND p.deleted_at IS NULL
    OFFSET 0
) o ON true
CROSS JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NULL THEN e.account_id ELSE o.account_id END
    OFFSET 0
) a
LEFT JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NOT NULL THEN e.account_id END
    OFFSET 0
) b ON true
LEFT JOIN LATERAL (
    SELECT k.xmin AS writer
    FROM cards k
    WHERE k.hash = CASE WHEN e.boost_of_id IS NULL THEN e.link_hash ELSE o.link_hash END
    OFFSET 0
) c ON true
    OFFSET 0
) n
CROSS JOIN LATERAL viewer_marks($9, n.id, n.conversation_id, n.favourites_count, n.boosts_count) v
ORDER BY page.id DESC;

-- PostListStore.marked(_:of:page:in:), favourites, newest
WITH page AS MATERIALIZED (
    SELECT near.id, near.post_id
    FROM (
        SELECT m.id, m.post_id
        FROM favourites m
        CROSS JOIN LATERAL (
            SELECT p.account_id, p.visibility, p.mentioned_ids, p.deleted_at
            FROM posts p
            WHERE p.id = m.post_id
            OFFSET 0
        ) p
        WHERE m.account_id = $1 AND m.id < $2 AND m.id > $3
            AND p.deleted_at IS NULL
            AND is_visible(p.account_id, p.visibility, p.mentioned_ids, $4, (p.account_id IN (SELECT id FROM blocked_with($5)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $6
    OFFSET 0
)), EXISTS (SELECT FROM follows f WHERE f.follower_id = $7 AND f.followee_id = p.account_id))
        ORDER BY m.id DESC
        LIMIT 40
    ) near
    ORDER BY near.id DESC LIMIT $8
)
SELECT page.id, v.favourited, v.boosted, v.bookmarked, v.muted, n.entry_id, n.entry_writer, n.post_writer, n.author_writer, n.booster_writer, n.card_writer
FROM page
CROSS JOIN LATERAL (
    SELECT e.id AS entry_id, e.writer AS entry_writer, coalesce(o.writer, e.writer) AS post_writer, a.writer AS author_writer,
b.writer AS booster_writer, c.writer AS card_writer, coalesce(o.id, e.id) AS id,
coalesce(o.conversation_id, e.conversation_id) AS conversation_id,
coalesce(o.favourites_count, e.favourites_count) AS favourites_count,
coalesce(o.boosts_count, e.boosts_count) AS boosts_count
    FROM (
        SELECT e.id, e.xmin AS writer, e.account_id, e.visibility, e.mentioned_ids, e.boost_of_id, e.conversation_id, e.link_hash,
e.favourites_count, e.boosts_count
        FROM posts e
        WHERE e.id = page.post_id AND e.deleted_at IS NULL
    ) e
    LEFT JOIN LATERAL (
    SELECT p.id, p.xmin AS writer, p.account_id, p.conversation_id, p.link_hash, p.favourites_count, p.boosts_count
    FROM posts p
    WHERE p.id = e.boost_of_id AND p.deleted_at IS NULL
    OFFSET 0
) o ON true
CROSS JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NULL THEN e.account_id ELSE o.account_id END
    OFFSET 0
) a
LEFT JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NOT NULL THEN e.account_id END
    OFFSET 0
) b ON true
LEFT JOIN LATERAL (
    SELECT k.xmin AS writer
    FROM cards k
    WHERE k.hash = CASE WHEN e.boost_of_id IS NULL THEN e.link_hash ELSE o.link_hash END
    OFFSET 0
) c ON true
    OFFSET 0
) n
CROSS JOIN LATERAL viewer_marks($9, n.id, n.conversation_id, n.favourites_count, n.boosts_count) v
ORDER BY page.id DESC;

-- PostListStore.pinned(of:viewer:page:in:)
WITH page AS MATERIALIZED (
    SELECT p.id, p.pinned_id
    FROM posts p
    WHERE p.account_id = $1 AND p.pinned_id IS NOT NULL AND p.deleted_at IS NULL
        AND p.id < $2 AND p.id > $3 AND is_visible(p.account_id, p.visibility, p.mentioned_ids, $4, (p.account_id IN (SELECT id FROM blocked_with($5)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $6
    OFFSET 0
)), EXISTS (SELECT FROM follows f WHERE f.follower_id = $7 AND f.followee_id = p.account_id))
    ORDER BY p.pinned_id DESC
    LIMIT $8
)
SELECT v.favourited, v.boosted, v.bookmarked, v.muted, n.entry_id, n.entry_writer, n.post_writer, n.author_writer, n.booster_writer, n.card_writer
FROM page
CROSS JOIN LATERAL (
    SELECT e.id AS entry_id, e.writer AS entry_writer, coalesce(o.writer, e.writer) AS post_writer, a.writer AS author_writer,
b.writer AS booster_writer, c.writer AS card_writer, coalesce(o.id, e.id) AS id,
coalesce(o.conversation_id, e.conversation_id) AS conversation_id,
coalesce(o.favourites_count, e.favourites_count) AS favourites_count,
coalesce(o.boosts_count, e.boosts_count) AS boosts_count
    FROM (
        SELECT e.id, e.xmin AS writer, e.account_id, e.visibility, e.mentioned_ids, e.boost_of_id, e.conversation_id, e.link_hash,
e.favourites_count, e.boosts_count
        FROM posts e
        WHERE e.id = page.id AND e.deleted_at IS NULL
    ) e
    LEFT JOIN LATERAL (
    SELECT p.id, p.xmin AS writer, p.account_id, p.conversation_id, p.link_hash, p.favourites_count, p.boosts_count
    FROM posts p
    WHERE p.id = e.boost_of_id AND p.deleted_at IS NULL
    OFFSET 0
) o ON true
CROSS JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NULL THEN e.account_id ELSE o.account_id END
    OFFSET 0
) a
LEFT JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NOT NULL THEN e.account_id END
    OFFSET 0
) b ON true
LEFT JOIN LATERAL (
    SELECT k.xmin AS writer
    FROM cards k
    WHERE k.hash = CASE WHEN e.boost_of_id IS NULL THEN e.link_hash ELSE o.link_hash END
    OFFSET 0
) c ON true
    OFFSET 0
) n
CROSS JOIN LATERAL viewer_marks($9, n.id, n.conversation_id, n.favourites_count, n.boosts_count) v
ORDER BY page.pinned_id DESC;

-- PostListStore.posts(of:filter:viewer:page:in:), forwards
SELECT *
FROM (SELECT *
FROM (SELECT v.favourited, v.boosted, v.bookmarked, v.muted, n.entry_id, n.entry_writer, n.post_writer, n.author_writer, n.booster_writer, n.card_writer, e.id AS place
FROM (SELECT e.id, e.xmin AS writer, e.account_id, e.visibility, e.mentioned_ids, e.boost_of_id, e.conversation_id, e.link_hash,
e.favourites_count, e.boosts_count, e.in_reply_to_id, e.in_reply_to_account_id, e.tags
FROM posts e
WHERE e.account_id = $1 AND e.deleted_at IS NULL AND e.id < $2 AND e.id > $3 
ORDER BY e.id ASC
LIMIT 1000) e
LEFT JOIN LATERAL (
    SELECT p.id, p.xmin AS writer, p.account_id, p.conversation_id, p.link_hash, p.favourites_count, p.boosts_count
    FROM posts p
    WHERE p.id = e.boost_of_id AND p.deleted_at IS NULL
    OFFSET 0
) o ON true
CROSS JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NULL THEN e.account_id ELSE o.account_id END
    OFFSET 0
) a
LEFT JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NOT NULL THEN e.account_id END
    OFFSET 0
) b ON true
LEFT JOIN LATERAL (
    SELECT k.xmin AS writer
    FROM cards k
    WHERE k.hash = CASE WHEN e.boost_of_id IS NULL THEN e.link_hash ELSE o.link_hash END
    OFFSET 0
) c ON true
CROSS JOIN LATERAL (SELECT e.id AS entry_id, e.writer AS entry_writer, coalesce(o.writer, e.writer) AS post_writer, a.writer AS author_writer,
b.writer AS booster_writer, c.writer AS card_writer, coalesce(o.id, e.id) AS id,
coalesce(o.conversation_id, e.conversation_id) AS conversation_id,
coalesce(o.favourites_count, e.favourites_count) AS favourites_count,
coalesce(o.boosts_count, e.boosts_count) AS boosts_count) n
CROSS JOIN LATERAL viewer_marks($4, n.id, n.conversation_id, n.favourites_count, n.boosts_count) v
WHERE is_visible($5, e.visibility, e.mentioned_ids, $6, ($7 IN (SELECT id FROM blocked_with($8)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = $9 AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $10
    OFFSET 0
)), EXISTS (SELECT FROM follows f WHERE f.follower_id = $11 AND f.followee_id = $12))
    AND (
        e.boost_of_id IS NULL
        OR NOT $13
        AND (NOT o.account_id IN (SELECT id FROM hidden_from($14)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = o.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $15
    OFFSET 0
))
    )
    AND (
        NOT $16 OR e.in_reply_to_id IS NULL
        OR e.in_reply_to_account_id = e.account_id
    )
    AND ($17 IS NULL OR $18 = ANY (e.tags)) ORDER BY place ASC LIMIT 40) near
ORDER BY place ASC LIMIT $19) page
ORDER BY place DESC;

-- PostListStore.posts(of:filter:viewer:page:in:), newest
SELECT *
FROM (SELECT *
FROM (SELECT v.favourited, v.boosted, v.bookmarked, v.muted, n.entry_id, n.entry_writer, n.post_writer, n.author_writer, n.booster_writer, n.card_writer, e.id AS place
FROM (SELECT e.id, e.xmin AS writer, e.account_id, e.visibility, e.mentioned_ids, e.boost_of_id, e.conversation_id, e.link_hash,
e.favourites_count, e.boosts_count, e.in_reply_to_id, e.in_reply_to_account_id, e.tags
FROM posts e
WHERE e.account_id = $1 AND e.deleted_at IS NULL AND e.id < $2 AND e.id > $3 
ORDER BY e.id DESC
LIMIT 1000) e
LEFT JOIN LATERAL (
    SELECT p.id, p.xmin AS writer, p.account_id, p.conversation_id, p.link_hash, p.favourites_count, p.boosts_count
    FROM posts p
    WHERE p.id = e.boost_of_id AND p.deleted_at IS NULL
    OFFSET 0
) o ON true
CROSS JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NULL THEN e.account_id ELSE o.account_id END
    OFFSET 0
) a
LEFT JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NOT NULL THEN e.account_id END
    OFFSET 0
) b ON true
LEFT JOIN LATERAL (
    SELECT k.xmin AS writer
    FROM cards k
    WHERE k.hash = CASE WHEN e.boost_of_id IS NULL THEN e.link_hash ELSE o.link_hash END
    OFFSET 0
) c ON true
CROSS JOIN LATERAL (SELECT e.id AS entry_id, e.writer AS entry_writer, coalesce(o.writer, e.writer) AS post_writer, a.writer AS author_writer,
b.writer AS booster_writer, c.writer AS card_writer, coalesce(o.id, e.id) AS id,
coalesce(o.conversation_id, e.conversation_id) AS conversation_id,
coalesce(o.favourites_count, e.favourites_count) AS favourites_count,
coalesce(o.boosts_count, e.boosts_count) AS boosts_count) n
CROSS JOIN LATERAL viewer_marks($4, n.id, n.conversation_id, n.favourites_count, n.boosts_count) v
WHERE is_visible($5, e.visibility, e.mentioned_ids, $6, ($7 IN (SELECT id FROM blocked_with($8)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = $9 AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $10
    OFFSET 0
)), EXISTS (SELECT FROM follows f WHERE f.follower_id = $11 AND f.followee_id = $12))
    AND (
        e.boost_of_id IS NULL
        OR NOT $13
        AND (NOT o.account_id IN (SELECT id FROM hidden_from($14)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = o.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $15
    OFFSET 0
))
    )
    AND (
        NOT $16 OR e.in_reply_to_id IS NULL
        OR e.in_reply_to_account_id = e.account_id
    )
    AND ($17 IS NULL OR $18 = ANY (e.tags)) ORDER BY place DESC LIMIT 40) near
ORDER BY place DESC LIMIT $19) page
ORDER BY place DESC;

-- PostListStore.posts(of:filter:viewer:page:in:), with files
SELECT *
FROM (SELECT *
FROM (SELECT v.favourited, v.boosted, v.bookmarked, v.muted, n.entry_id, n.entry_writer, n.post_writer, n.author_writer, n.booster_writer, n.card_writer, e.id AS place
FROM (SELECT e.id, e.xmin AS writer, e.account_id, e.visibility, e.mentioned_ids, e.boost_of_id, e.conversation_id, e.link_hash,
e.favourites_count, e.boosts_count, e.in_reply_to_id, e.in_reply_to_account_id, e.tags
FROM posts e
WHERE e.account_id = $1 AND e.deleted_at IS NULL AND e.id < $2 AND e.id > $3 AND e.media IS NOT NULL
ORDER BY e.id DESC
LIMIT 1000) e
LEFT JOIN LATERAL (
    SELECT p.id, p.xmin AS writer, p.account_id, p.conversation_id, p.link_hash, p.favourites_count, p.boosts_count
    FROM posts p
    WHERE p.id = e.boost_of_id AND p.deleted_at IS NULL
    OFFSET 0
) o ON true
CROSS JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NULL THEN e.account_id ELSE o.account_id END
    OFFSET 0
) a
LEFT JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NOT NULL THEN e.account_id END
    OFFSET 0
) b ON true
LEFT JOIN LATERAL (
    SELECT k.xmin AS writer
    FROM cards k
    WHERE k.hash = CASE WHEN e.boost_of_id IS NULL THEN e.link_hash ELSE o.link_hash END
    OFFSET 0
) c ON true
CROSS JOIN LATERAL (SELECT e.id AS entry_id, e.writer AS entry_writer, coalesce(o.writer, e.writer) AS post_writer, a.writer AS author_writer,
b.writer AS booster_writer, c.writer AS card_writer, coalesce(o.id, e.id) AS id,
coalesce(o.conversation_id, e.conversation_id) AS conversation_id,
coalesce(o.favourites_count, e.favourites_count) AS favourites_count,
coalesce(o.boosts_count, e.boosts_count) AS boosts_count) n
CROSS JOIN LATERAL viewer_marks($4, n.id, n.conversation_id, n.favourites_count, n.boosts_count) v
WHERE is_visible($5, e.visibility, e.mentioned_ids, $6, ($7 IN (SELECT id FROM blocked_with($8)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = $9 AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $10
    OFFSET 0
)), EXISTS (SELECT FROM follows f WHERE f.follower_id = $11 AND f.followee_id = $12))
    AND (
        e.boost_of_id IS NULL
        OR NOT $13
        AND (NOT o.account_id IN (SELECT id FROM hidden_from($14)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = o.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $15
    OFFSET 0
))
    )
    AND (
        NOT $16 OR e.in_reply_to_id IS NULL
        OR e.in_reply_to_account_id = e.account_id
    )
    AND ($17 IS NULL OR $18 = ANY (e.tags)) ORDER BY place DESC LIMIT 40) near
ORDER BY place DESC LIMIT $19) page
ORDER BY place DESC;

-- PostStore.delete(_:at:in:)
WITH gone AS (
    UPDATE posts
    SET deleted_at = $1, version = version + 1
    WHERE id = $2 AND deleted_at IS NULL
    RETURNING id, account_id, visibility, in_reply_to_id, version
),
untagged AS (
    DELETE FROM post_tags
    WHERE post_id = $3 AND tag = ANY (SELECT unnest(tags) FROM posts WHERE id = $4)
),
parent AS (
    UPDATE posts p
    SET replies_count = p.replies_count - 1, version = p.version + 1
    FROM gone g
    WHERE p.id = g.in_reply_to_id AND g.visibility IN ('public', 'unlisted')
),
writer AS (
    UPDATE accounts a
    SET posts_count = a.posts_count - 1, version = a.version + 1
    FROM gone g
    WHERE a.id = g.account_id AND g.visibility <> 'direct'
)
SELECT version FROM gone;

-- PostStore.deleteBoosts(of:limit:at:in:)
WITH chosen AS MATERIALIZED (
    SELECT b.id
    FROM posts b
    WHERE b.boost_of_id = $1 AND b.deleted_at IS NULL
        AND EXISTS (SELECT FROM posts p WHERE p.id = $2 AND p.deleted_at IS NOT NULL)
    ORDER BY b.id
    LIMIT $3
    FOR UPDATE OF b
),
gone AS (
    UPDATE posts b
    SET deleted_at = $4, version = b.version + 1
    FROM chosen c
    WHERE b.id = c.id
    RETURNING b.id, b.account_id
),
-- In the order in which everybody locks accounts.
locked AS MATERIALIZED (
    SELECT a.id
    FROM accounts a
    WHERE a.id IN (SELECT account_id FROM gone)
    ORDER BY a.id
    FOR NO KEY UPDATE
),
writers AS (
    UPDATE accounts a
    SET posts_count = a.posts_count - 1, version = a.version + 1
    FROM locked l
    WHERE a.id = l.id
)
SELECT id FROM gone ORDER BY id;

-- PostStore.edits(of:viewer:limit:in:)
SELECT created_at, text, spoiler_text, sensitive,
mentioned_ids, mentioned_names, media
FROM (
    SELECT h.created_at, h.text, h.spoiler_text, h.sensitive,
h.mentioned_ids, h.mentioned_names, h.media
    FROM post_edits h
    JOIN posts p ON p.id = h.post_id
    WHERE h.post_id = $1
        AND is_visible(p.account_id, p.visibility, h.mentioned_ids, $2, (p.account_id IN (SELECT id FROM blocked_with($3)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $4
    OFFSET 0
)), EXISTS (SELECT FROM follows f WHERE f.follower_id = $5 AND f.followee_id = p.account_id))
    ORDER BY h.created_at DESC
    LIMIT $6
) newest
ORDER BY created_at;

-- PostStore.entries(_:in:)
SELECT wanted.place, v.favourited, v.boosted, v.bookmarked, v.muted, e.is_pinned, e.entry_id, e.card, e.id, e.account_id, e.text, e.spoiler_text, e.sensitive,
e.visibility, e.language, e.in_reply_to_id, e.in_reply_to_account_id,
e.mentioned_ids, e.mentioned_names, e.tags, e.app_name, e.app_website,
e.created_at, e.edited_at, e.replies_count, e.boosts_count,
e.favourites_count, e.version, e.media,
e.author_id, e.author_username, e.author_display_name, e.author_note, e.author_fields, e.author_locked,
e.author_bot, e.author_discoverable, e.author_created_at, e.author_last_post_at, e.author_posts_count,
e.author_followers_count, e.author_following_count, e.author_version, e.author_extras, e.boost_visibility, e.boost_created_at,
e.booster_id, e.booster_username, e.booster_display_name, e.booster_note, e.booster_fields, e.booster_locked,
e.booster_bot, e.booster_discoverable, e.booster_created_at, e.booster_last_post_at, e.booster_posts_count,
e.booster_followers_count, e.booster_following_count, e.booster_version, e.booster_extras
FROM unnest($1, $2)
    WITH ORDINALITY AS wanted (id, viewer_id, place)
CROSS JOIN LATERAL (
    SELECT e.is_pinned, e.entry_id, e.card, e.id, e.account_id, e.text, e.spoiler_text, e.sensitive,
e.visibility, e.language, e.in_reply_to_id, e.in_reply_to_account_id,
e.mentioned_ids, e.mentioned_names, e.tags, e.app_name, e.app_website,
e.created_at, e.edited_at, e.replies_count, e.boosts_count,
e.favourites_count, e.version, e.media,
e.author_id, e.author_username, e.author_display_name, e.author_note, e.author_fields, e.author_locked,
e.author_bot, e.author_discoverable, e.author_created_at, e.author_last_post_at, e.author_posts_count,
e.author_followers_count, e.author_following_count, e.author_version, e.author_extras, e.boost_visibility, e.boost_created_at,
e.booster_id, e.booster_username, e.booster_display_name, e.booster_note, e.booster_fields, e.booster_locked,
e.booster_bot, e.booster_discoverable, e.booster_created_at, e.booster_last_post_at, e.booster_posts_count,
e.booster_followers_count, e.booster_following_count, e.booster_version, e.booster_extras, e.conversation_id FROM entries e WHERE e.entry_id = wanted.id OFFSET 0
) e
CROSS JOIN LATERAL viewer_marks(wanted.viewer_id, e.id, e.conversation_id, e.favourites_count, e.boosts_count) v
WHERE true;

-- PostStore.entries(_:viewer:in:)
SELECT v.favourited, v.boosted, v.bookmarked, v.muted, e.is_pinned, e.entry_id, e.card, e.id, e.account_id, e.text, e.spoiler_text, e.sensitive,
e.visibility, e.language, e.in_reply_to_id, e.in_reply_to_account_id,
e.mentioned_ids, e.mentioned_names, e.tags, e.app_name, e.app_website,
e.created_at, e.edited_at, e.replies_count, e.boosts_count,
e.favourites_count, e.version, e.media,
e.author_id, e.author_username, e.author_display_name, e.author_note, e.author_fields, e.author_locked,
e.author_bot, e.author_discoverable, e.author_created_at, e.author_last_post_at, e.author_posts_count,
e.author_followers_count, e.author_following_count, e.author_version, e.author_extras, e.boost_visibility, e.boost_created_at,
e.booster_id, e.booster_username, e.booster_display_name, e.booster_note, e.booster_fields, e.booster_locked,
e.booster_bot, e.booster_discoverable, e.booster_created_at, e.booster_last_post_at, e.booster_posts_count,
e.booster_followers_count, e.booster_following_count, e.booster_version, e.booster_extras
FROM unnest($1) wanted (id)
CROSS JOIN LATERAL (
    SELECT e.is_pinned, e.entry_id, e.card, e.id, e.account_id, e.text, e.spoiler_text, e.sensitive,
e.visibility, e.language, e.in_reply_to_id, e.in_reply_to_account_id,
e.mentioned_ids, e.mentioned_names, e.tags, e.app_name, e.app_website,
e.created_at, e.edited_at, e.replies_count, e.boosts_count,
e.favourites_count, e.version, e.media,
e.author_id, e.author_username, e.author_display_name, e.author_note, e.author_fields, e.author_locked,
e.author_bot, e.author_discoverable, e.author_created_at, e.author_last_post_at, e.author_posts_count,
e.author_followers_count, e.author_following_count, e.author_version, e.author_extras, e.boost_visibility, e.boost_created_at,
e.booster_id, e.booster_username, e.booster_display_name, e.booster_note, e.booster_fields, e.booster_locked,
e.booster_bot, e.booster_discoverable, e.booster_created_at, e.booster_last_post_at, e.booster_posts_count,
e.booster_followers_count, e.booster_following_count, e.booster_version, e.booster_extras, e.conversation_id FROM entries e WHERE e.entry_id = wanted.id OFFSET 0
) e
CROSS JOIN LATERAL viewer_marks($2, e.id, e.conversation_id, e.favourites_count, e.boosts_count) v;

-- PostStore.entries(of:in:)
SELECT n.entry_writer, n.post_writer, n.author_writer, n.booster_writer, n.card_writer, n.conversation_id, link_subject(n.link_hash), v.favourited, v.boosted, v.bookmarked, v.muted, e.is_pinned, e.entry_id, e.card, e.id, e.account_id, e.text, e.spoiler_text, e.sensitive,
e.visibility, e.language, e.in_reply_to_id, e.in_reply_to_account_id,
e.mentioned_ids, e.mentioned_names, e.tags, e.app_name, e.app_website,
e.created_at, e.edited_at, e.replies_count, e.boosts_count,
e.favourites_count, e.version, e.media,
e.author_id, e.author_username, e.author_display_name, e.author_note, e.author_fields, e.author_locked,
e.author_bot, e.author_discoverable, e.author_created_at, e.author_last_post_at, e.author_posts_count,
e.author_followers_count, e.author_following_count, e.author_version, e.author_extras, e.boost_visibility, e.boost_created_at,
e.booster_id, e.booster_username, e.booster_display_name, e.booster_note, e.booster_fields, e.booster_locked,
e.booster_bot, e.booster_discoverable, e.booster_created_at, e.booster_last_post_at, e.booster_posts_count,
e.booster_followers_count, e.booster_following_count, e.booster_version, e.booster_extras
FROM unnest($1) wanted (id)
CROSS JOIN LATERAL (
    SELECT e.id AS entry_id, e.writer AS entry_writer, coalesce(o.writer, e.writer) AS post_writer, a.writer AS author_writer,
b.writer AS booster_writer, c.writer AS card_writer, coalesce(o.id, e.id) AS id,
coalesce(o.conversation_id, e.conversation_id) AS conversation_id,
coalesce(o.favourites_count, e.favourites_count) AS favourites_count,
coalesce(o.boosts_count, e.boosts_count) AS boosts_count, coalesce(o.link_hash, e.link_hash) AS link_hash
    FROM (
        SELECT e.id, e.xmin AS writer, e.account_id, e.visibility, e.mentioned_ids, e.boost_of_id, e.conversation_id, e.link_hash,
e.favourites_count, e.boosts_count
        FROM posts e
        WHERE e.id = wanted.id AND e.deleted_at IS NULL
    ) e
    LEFT JOIN LATERAL (
    SELECT p.id, p.xmin AS writer, p.account_id, p.conversation_id, p.link_hash, p.favourites_count, p.boosts_count
    FROM posts p
    WHERE p.id = e.boost_of_id AND p.deleted_at IS NULL
    OFFSET 0
) o ON true
CROSS JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NULL THEN e.account_id ELSE o.account_id END
    OFFSET 0
) a
LEFT JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NOT NULL THEN e.account_id END
    OFFSET 0
) b ON true
LEFT JOIN LATERAL (
    SELECT k.xmin AS writer
    FROM cards k
    WHERE k.hash = CASE WHEN e.boost_of_id IS NULL THEN e.link_hash ELSE o.link_hash END
    OFFSET 0
) c ON true
    OFFSET 0
) n
CROSS JOIN LATERAL (
    SELECT e.is_pinned, e.entry_id, e.card, e.id, e.account_id, e.text, e.spoiler_text, e.sensitive,
e.visibility, e.language, e.in_reply_to_id, e.in_reply_to_account_id,
e.mentioned_ids, e.mentioned_names, e.tags, e.app_name, e.app_website,
e.created_at, e.edited_at, e.replies_count, e.boosts_count,
e.favourites_count, e.version, e.media,
e.author_id, e.author_username, e.author_display_name, e.author_note, e.author_fields, e.author_locked,
e.author_bot, e.author_discoverable, e.author_created_at, e.author_last_post_at, e.author_posts_count,
e.author_followers_count, e.author_following_count, e.author_version, e.author_extras, e.boost_visibility, e.boost_created_at,
e.booster_id, e.booster_username, e.booster_display_name, e.booster_note, e.booster_fields, e.booster_locked,
e.booster_bot, e.booster_discoverable, e.booster_created_at, e.booster_last_post_at, e.booster_posts_count,
e.booster_followers_count, e.booster_following_count, e.booster_version, e.booster_extras, e.conversation_id FROM entries e WHERE e.entry_id = wanted.id OFFSET 0
) e
CROSS JOIN (VALUES (false, false, false, false)) v (favourited, boosted, bookmarked, muted);

-- PostStore.entry(_:viewer:in:)
SELECT v.favourited, v.boosted, v.bookmarked, v.muted, e.is_pinned, e.entry_id, e.card, e.id, e.account_id, e.text, e.spoiler_text, e.sensitive,
e.visibility, e.language, e.in_reply_to_id, e.in_reply_to_account_id,
e.mentioned_ids, e.mentioned_names, e.tags, e.app_name, e.app_website,
e.created_at, e.edited_at, e.replies_count, e.boosts_count,
e.favourites_count, e.version, e.media,
e.author_id, e.author_username, e.author_display_name, e.author_note, e.author_fields, e.author_locked,
e.author_bot, e.author_discoverable, e.author_created_at, e.author_last_post_at, e.author_posts_count,
e.author_followers_count, e.author_following_count, e.author_version, e.author_extras, e.boost_visibility, e.boost_created_at,
e.booster_id, e.booster_username, e.booster_display_name, e.booster_note, e.booster_fields, e.booster_locked,
e.booster_bot, e.booster_discoverable, e.booster_created_at, e.booster_last_post_at, e.booster_posts_count,
e.booster_followers_count, e.booster_following_count, e.booster_version, e.booster_extras
FROM entries e
CROSS JOIN LATERAL viewer_marks($1, e.id, e.conversation_id, e.favourites_count, e.boosts_count) v
WHERE e.entry_id = $2;

-- PostStore.lock(_:of:in:)
SELECT boost_of_id
FROM posts
WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL
FOR UPDATE;

-- PostStore.status(_:viewer:in:)
SELECT v.favourited, v.boosted, v.bookmarked, v.muted, e.is_pinned, e.entry_id, e.card, e.id, e.account_id, e.text, e.spoiler_text, e.sensitive,
e.visibility, e.language, e.in_reply_to_id, e.in_reply_to_account_id,
e.mentioned_ids, e.mentioned_names, e.tags, e.app_name, e.app_website,
e.created_at, e.edited_at, e.replies_count, e.boosts_count,
e.favourites_count, e.version, e.media,
e.author_id, e.author_username, e.author_display_name, e.author_note, e.author_fields, e.author_locked,
e.author_bot, e.author_discoverable, e.author_created_at, e.author_last_post_at, e.author_posts_count,
e.author_followers_count, e.author_following_count, e.author_version, e.author_extras, e.boost_visibility, e.boost_created_at,
e.booster_id, e.booster_username, e.booster_display_name, e.booster_note, e.booster_fields, e.booster_locked,
e.booster_bot, e.booster_discoverable, e.booster_created_at, e.booster_last_post_at, e.booster_posts_count,
e.booster_followers_count, e.booster_following_count, e.booster_version, e.booster_extras
FROM entries e
CROSS JOIN LATERAL viewer_marks($1, e.id, e.conversation_id, e.favourites_count, e.boosts_count) v
WHERE e.entry_id = $2 AND is_visible(e.account_id, e.visibility, e.mentioned_ids, $3, (e.account_id IN (SELECT id FROM blocked_with($4)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = e.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $5
    OFFSET 0
)), EXISTS (SELECT FROM follows f WHERE f.follower_id = $6 AND f.followee_id = e.account_id)) AND (e.booster_id IS NULL OR is_visible(e.booster_id, e.boost_visibility, '{}', $7, (e.booster_id IN (SELECT id FROM blocked_with($8)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = e.booster_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $9
    OFFSET 0
)), EXISTS (SELECT FROM follows f WHERE f.follower_id = $10 AND f.followee_id = e.booster_id)));

-- PostStore.statuses(_:in:)
SELECT wanted.place, v.favourited, v.boosted, v.bookmarked, v.muted, e.is_pinned, e.entry_id, e.card, e.id, e.account_id, e.text, e.spoiler_text, e.sensitive,
e.visibility, e.language, e.in_reply_to_id, e.in_reply_to_account_id,
e.mentioned_ids, e.mentioned_names, e.tags, e.app_name, e.app_website,
e.created_at, e.edited_at, e.replies_count, e.boosts_count,
e.favourites_count, e.version, e.media,
e.author_id, e.author_username, e.author_display_name, e.author_note, e.author_fields, e.author_locked,
e.author_bot, e.author_discoverable, e.author_created_at, e.author_last_post_at, e.author_posts_count,
e.author_followers_count, e.author_following_count, e.author_version, e.author_extras, e.boost_visibility, e.boost_created_at,
e.booster_id, e.booster_username, e.booster_display_name, e.booster_note, e.booster_fields, e.booster_locked,
e.booster_bot, e.booster_discoverable, e.booster_created_at, e.booster_last_post_at, e.booster_posts_count,
e.booster_followers_count, e.booster_following_count, e.booster_version, e.booster_extras
FROM unnest($1, $2)
    WITH ORDINALITY AS wanted (id, viewer_id, place)
CROSS JOIN LATERAL (
    SELECT e.is_pinned, e.entry_id, e.card, e.id, e.account_id, e.text, e.spoiler_text, e.sensitive,
e.visibility, e.language, e.in_reply_to_id, e.in_reply_to_account_id,
e.mentioned_ids, e.mentioned_names, e.tags, e.app_name, e.app_website,
e.created_at, e.edited_at, e.replies_count, e.boosts_count,
e.favourites_count, e.version, e.media,
e.author_id, e.author_username, e.author_display_name, e.author_note, e.author_fields, e.author_locked,
e.author_bot, e.author_discoverable, e.author_created_at, e.author_last_post_at, e.author_posts_count,
e.author_followers_count, e.author_following_count, e.author_version, e.author_extras, e.boost_visibility, e.boost_created_at,
e.booster_id, e.booster_username, e.booster_display_name, e.booster_note, e.booster_fields, e.booster_locked,
e.booster_bot, e.booster_discoverable, e.booster_created_at, e.booster_last_post_at, e.booster_posts_count,
e.booster_followers_count, e.booster_following_count, e.booster_version, e.booster_extras, e.conversation_id FROM entries e WHERE e.entry_id = wanted.id OFFSET 0
) e
CROSS JOIN LATERAL viewer_marks(wanted.viewer_id, e.id, e.conversation_id, e.favourites_count, e.boosts_count) v
WHERE is_visible(e.account_id, e.visibility, e.mentioned_ids, wanted.viewer_id, (e.account_id IN (SELECT id FROM blocked_with(wanted.viewer_id)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = e.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM wanted.viewer_id
    OFFSET 0
)), EXISTS (SELECT FROM follows f WHERE f.follower_id = wanted.viewer_id AND f.followee_id = e.account_id)) AND (e.booster_id IS NULL OR is_visible(e.booster_id, e.boost_visibility, '{}', wanted.viewer_id, (e.booster_id IN (SELECT id FROM blocked_with(wanted.viewer_id)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = e.booster_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM wanted.viewer_id
    OFFSET 0
)), EXISTS (SELECT FROM follows f WHERE f.follower_id = wanted.viewer_id AND f.followee_id = e.booster_id)));

-- PostStore.statuses(_:viewer:in:)
SELECT v.favourited, v.boosted, v.bookmarked, v.muted, e.is_pinned, e.entry_id, e.card, e.id, e.account_id, e.text, e.spoiler_text, e.sensitive,
e.visibility, e.language, e.in_reply_to_id, e.in_reply_to_account_id,
e.mentioned_ids, e.mentioned_names, e.tags, e.app_name, e.app_website,
e.created_at, e.edited_at, e.replies_count, e.boosts_count,
e.favourites_count, e.version, e.media,
e.author_id, e.author_username, e.author_display_name, e.author_note, e.author_fields, e.author_locked,
e.author_bot, e.author_discoverable, e.author_created_at, e.author_last_post_at, e.author_posts_count,
e.author_followers_count, e.author_following_count, e.author_version, e.author_extras, e.boost_visibility, e.boost_created_at,
e.booster_id, e.booster_username, e.booster_display_name, e.booster_note, e.booster_fields, e.booster_locked,
e.booster_bot, e.booster_discoverable, e.booster_created_at, e.booster_last_post_at, e.booster_posts_count,
e.booster_followers_count, e.booster_following_count, e.booster_version, e.booster_extras
FROM unnest($1) wanted (id)
CROSS JOIN LATERAL (
    SELECT e.is_pinned, e.entry_id, e.card, e.id, e.account_id, e.text, e.spoiler_text, e.sensitive,
e.visibility, e.language, e.in_reply_to_id, e.in_reply_to_account_id,
e.mentioned_ids, e.mentioned_names, e.tags, e.app_name, e.app_website,
e.created_at, e.edited_at, e.replies_count, e.boosts_count,
e.favourites_count, e.version, e.media,
e.author_id, e.author_username, e.author_display_name, e.author_note, e.author_fields, e.author_locked,
e.author_bot, e.author_discoverable, e.author_created_at, e.author_last_post_at, e.author_posts_count,
e.author_followers_count, e.author_following_count, e.author_version, e.author_extras, e.boost_visibility, e.boost_created_at,
e.booster_id, e.booster_username, e.booster_display_name, e.booster_note, e.booster_fields, e.booster_locked,
e.booster_bot, e.booster_discoverable, e.booster_created_at, e.booster_last_post_at, e.booster_posts_count,
e.booster_followers_count, e.booster_following_count, e.booster_version, e.booster_extras, e.conversation_id FROM entries e WHERE e.entry_id = wanted.id OFFSET 0
) e
CROSS JOIN LATERAL viewer_marks($2, e.id, e.conversation_id, e.favourites_count, e.boosts_count) v
WHERE is_visible(e.account_id, e.visibility, e.mentioned_ids, $3, (e.account_id IN (SELECT id FROM blocked_with($4)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = e.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $5
    OFFSET 0
)), EXISTS (SELECT FROM follows f WHERE f.follower_id = $6 AND f.followee_id = e.account_id)) AND (e.booster_id IS NULL OR is_visible(e.booster_id, e.boost_visibility, '{}', $7, (e.booster_id IN (SELECT id FROM blocked_with($8)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = e.booster_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $9
    OFFSET 0
)), EXISTS (SELECT FROM follows f WHERE f.follower_id = $10 AND f.followee_id = e.booster_id)));

-- PostStore.update(_:at:keeping:in:)
WITH forgotten AS (
    DELETE FROM post_edits
WHERE post_id = $1 AND created_at <= (
    SELECT created_at FROM post_edits WHERE post_id = $2 ORDER BY created_at DESC LIMIT 1 OFFSET $3
)
),
before AS (
    INSERT INTO post_edits (
        post_id, created_at, text, spoiler_text, sensitive,
mentioned_ids, mentioned_names, media
    )
    SELECT id, coalesce(edited_at, created_at), text, spoiler_text, sensitive, mentioned_ids,
        mentioned_names, media
    FROM posts
    WHERE id = $4
),
untagged AS (
    DELETE FROM post_tags WHERE post_id = $5 AND tag = ANY (
        SELECT unnest(tags) FROM posts WHERE id = $6
    ) AND tag <> ALL ($7)
),
tagged AS (
    INSERT INTO post_tags (tag, post_id)
    SELECT t.tag, $8
    FROM unnest($9) t (tag)
    WHERE $10 = 'public'
    ON CONFLICT (tag, post_id) DO NOTHING
)
UPDATE posts
SET text = $11, spoiler_text = $12, sensitive = $13,
    language = $14, mentioned_ids = $15,
    mentioned_names = $16, tags = $17,
    media = $18, link_hash = sha256(convert_to($19, 'UTF8')),
    edited_at = greatest($20, coalesce(edited_at, created_at) + interval '1 millisecond'),
    version = version + 1
WHERE id = $21;

-- ProgressStore.delete(_:of:in:)
DELETE FROM reading_progress WHERE record_id = $1 AND day = ANY ($2);

-- ProgressStore.progress(of:in:)
SELECT record_id, day, page, percent FROM reading_progress WHERE record_id = ANY ($1)
ORDER BY record_id, day;

-- ProgressStore.put(_:of:by:in:)
INSERT INTO reading_progress (record_id, day, account_id, page, percent)
SELECT $1, d.day, $2, nullif(d.page, -1), nullif(d.percent, -1)
FROM unnest($3, $4, $5)
    d (day, page, percent)
ON CONFLICT (record_id, day) DO UPDATE SET page = excluded.page, percent = excluded.percent;

-- ProjectErasureStore.deleted(before:in:)
SELECT p.id
FROM projects p
WHERE p.deleted_at < $1 AND p.erased_at IS NULL
    AND NOT EXISTS (SELECT FROM outbox o WHERE o.subject = p.id::text)
    AND NOT EXISTS (SELECT FROM evidence e WHERE e.kind = 'project' AND e.thing_id = p.id::text)
ORDER BY p.deleted_at
LIMIT 200
FOR UPDATE SKIP LOCKED;

-- ProjectErasureStore.empty(_:at:in:)
UPDATE projects p
SET title = '', summary = '', body = '', mentioned_ids = '{}', mentioned_names = '{}', category = NULL,
    labels = '{}', tags = '{}', roles = '[]', place = NULL, frequency = NULL, starts_on = NULL,
    contact_url = NULL, language = NULL, media = '[]', link_hash = NULL, playground_id = NULL,
    channel_id = NULL, erased_at = $1
WHERE p.id = ANY ($2)
    AND NOT EXISTS (SELECT FROM applications q WHERE q.project_id = p.id)
    AND NOT EXISTS (SELECT FROM project_bookmarks k WHERE k.project_id = p.id);

-- ProjectMemberStore.all(of:in:)
SELECT m.account_id, a.username, m.since
FROM project_members m
CROSS JOIN LATERAL (SELECT a.username FROM accounts a WHERE a.id = m.account_id OFFSET 0) a
WHERE m.project_id = $1
ORDER BY m.account_id;

-- ProjectMemberStore.concerned(_:by:limit:in:), keepers
SELECT account_id FROM project_bookmarks WHERE project_id = $1
ORDER BY id DESC LIMIT $2;

-- ProjectMemberStore.concerned(_:by:limit:in:), people
SELECT account_id FROM project_members WHERE project_id = $1
UNION
SELECT account_id FROM applications WHERE project_id = $2 AND state = 'open'
LIMIT $3;

-- ProjectMemberStore.delete(_:from:in:)
DELETE FROM project_members WHERE project_id = $1 AND account_id = $2;

-- ProjectMemberStore.insert(_:into:as:since:at:in:)
INSERT INTO project_members (project_id, account_id, role_id, since, joined_at)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (project_id, account_id) DO NOTHING;

-- ProjectMemberStore.list(of:viewer:in:)
SELECT a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, m.role_id, m.joined_at
FROM project_members m
CROSS JOIN LATERAL (SELECT a.* FROM accounts a WHERE a.id = m.account_id OFFSET 0) a
WHERE m.project_id = $1 AND NOT (m.account_id IN (SELECT id FROM blocked_with($2)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = m.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $3
    OFFSET 0
))
ORDER BY m.since, m.account_id;

-- ProjectMemberStore.renew(_:in:since:_:)
UPDATE project_members SET since = $1
WHERE project_id = $2 AND account_id = $3;

-- ProjectMemberStore.since(_:in:_:)
SELECT since FROM project_members WHERE project_id = $1 AND account_id = $2;

-- ProjectMemberStore.taken(of:in:)
SELECT role_id FROM project_members WHERE project_id = $1 AND role_id IS NOT NULL;

-- ProjectStore.addViews(_:in:)
INSERT INTO project_views (project_id, views)
SELECT n.id, n.count
FROM unnest($1, $2) AS n (id, count)
JOIN projects p ON p.id = n.id
ORDER BY n.id
ON CONFLICT (project_id) DO UPDATE SET views = project_views.views + excluded.views;

-- ProjectStore.bookmark(_:by:as:in:)
WITH target AS MATERIALIZED (
    SELECT p.id FROM projects p WHERE p.id = $1 AND p.deleted_at IS NULL AND (
    p.leader_id = $2
    OR p.state <> 'draft' AND NOT (p.leader_id IN (SELECT id FROM blocked_with($3)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $4
    OFFSET 0
))
)
),
added AS (
    INSERT INTO project_bookmarks (account_id, project_id, id)
    SELECT $5, t.id, $6 FROM target t
    ON CONFLICT (account_id, project_id) DO NOTHING
)
SELECT id FROM target;

-- ProjectStore.delete(_:version:at:in:)
WITH unlisted AS (DELETE FROM project_facets WHERE project_id = $1)
UPDATE projects SET deleted_at = $2, version = $3 WHERE id = $4;

-- ProjectStore.due(_:at:notice:in:), answer
SELECT p.id
FROM projects p
WHERE p.state = 'finished' AND p.deleted_at IS NULL AND p.open_count > 0
ORDER BY p.id
LIMIT 100;

-- ProjectStore.due(_:at:notice:in:), close
SELECT p.id
FROM projects p
WHERE p.state = 'recruiting' AND p.deleted_at IS NULL AND p.deadline <= $1
ORDER BY p.deadline, p.id
LIMIT 100;

-- ProjectStore.due(_:at:notice:in:), remind
SELECT p.id
FROM projects p
WHERE p.state = 'recruiting' AND p.deleted_at IS NULL AND p.reminded_for IS DISTINCT FROM p.deadline
    AND p.deadline > $1 AND p.deadline <= $2
ORDER BY p.deadline, p.id
LIMIT 100;

-- ProjectStore.forms(of:limit:in:)
SELECT form
FROM (
    SELECT created_at, form FROM project_edits
    WHERE project_id = $1
    ORDER BY created_at DESC
    LIMIT $2
) newest
ORDER BY created_at;

-- ProjectStore.hold(_:in:)
SELECT p.id, p.leader_id, p.state, p.title, p.summary, p.body,
p.mentioned_ids, p.mentioned_names, p.category, p.tags, p.roles, p.place,
p.frequency, to_char(p.starts_on, 'YYYY-MM-DD'), p.deadline, p.contact_url,
p.language, p.media, p.created_at, p.published_at, p.edited_at,
p.version, p.labels, p.reminded_for, p.applications_count
FROM projects p
WHERE p.id = $1 AND p.deleted_at IS NULL
FOR UPDATE;

-- ProjectStore.insert(_:in:)
WITH made AS (
    INSERT INTO projects (
        id, leader_id, state, title, summary, body, mentioned_ids, mentioned_names, category, labels,
        tags, roles, place, frequency, starts_on, deadline, reminded_for, contact_url, language, media,
        link_hash, created_at, published_at, edited_at, version
    )
    VALUES (
        $1, $2, $3, $4, $5,
        $6, $7, $8,
        $9, $10, $11, $12,
        $13, $14, CAST($15 AS date), $16,
        $17, $18, $19,
        $20,
        sha256(convert_to($21, 'UTF8')), $22,
        $23, $24, $25
    )
    RETURNING id, leader_id, version, created_at
)
INSERT INTO project_members (project_id, account_id, since, joined_at)
SELECT id, leader_id, version, created_at FROM made;

-- ProjectStore.isLed(_:by:in:)
SELECT p.leader_id = $1 FROM projects p
WHERE p.id = $2 AND p.deleted_at IS NULL AND (
    p.leader_id = $3
    OR p.state <> 'draft' AND NOT (p.leader_id IN (SELECT id FROM blocked_with($4)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $5
    OFFSET 0
))
);

-- ProjectStore.keep(_:keeping:in:)
WITH forgotten AS (
    DELETE FROM project_edits
WHERE project_id = $1 AND created_at <= (
    SELECT created_at FROM project_edits WHERE project_id = $2 ORDER BY created_at DESC LIMIT 1 OFFSET $3
)
)
INSERT INTO project_edits (project_id, created_at, form)
VALUES ($4, $5, $6)
ON CONFLICT (project_id, created_at) DO UPDATE SET form = excluded.form;

-- ProjectStore.row(_:viewer:in:)
SELECT p.id, p.leader_id, p.state, p.title, p.summary, p.body,
p.mentioned_ids, p.mentioned_names, p.category, p.tags, p.roles, p.place,
p.frequency, to_char(p.starts_on, 'YYYY-MM-DD'), p.deadline, p.contact_url,
p.language, p.media, p.created_at, p.published_at, p.edited_at,
p.version, l.id, l.username, l.display_name, l.note, l.fields, l.locked,
l.bot, l.discoverable, l.created_at, l.last_post_at, l.posts_count,
l.followers_count, l.following_count, l.version, l.extras, c.card, m.count, m.taken,
p.applications_count, coalesce(v.views, 0), p.playground_id, p.channel_id, k.is_kept, m.has_viewer, q.id, q.state
FROM projects p
CROSS JOIN LATERAL (SELECT l.* FROM accounts l WHERE l.id = p.leader_id OFFSET 0) l
LEFT JOIN LATERAL (SELECT c.card FROM cards c WHERE c.hash = p.link_hash OFFSET 0) c ON true
CROSS JOIN LATERAL (
    SELECT count(*) AS count,
        coalesce(array_agg(m.role_id) FILTER (WHERE m.role_id IS NOT NULL), '{}') AS taken,
        coalesce(bool_or(m.account_id = $1), false) AS has_viewer
    FROM project_members m
    WHERE m.project_id = p.id
) m
LEFT JOIN LATERAL (SELECT v.views FROM project_views v WHERE v.project_id = p.id OFFSET 0) v ON true
CROSS JOIN LATERAL (
    SELECT EXISTS (
        SELECT FROM project_bookmarks k WHERE k.account_id = $2 AND k.project_id = p.id
    ) AS is_kept
) k
LEFT JOIN LATERAL (
    SELECT q.id, q.state
    FROM applications q
    WHERE q.project_id = p.id AND q.account_id = $3
    ORDER BY q.id DESC
    LIMIT 1
) q ON true
WHERE p.id = $4 AND p.deleted_at IS NULL AND (
    p.leader_id = $5
    OR p.state <> 'draft' AND NOT (p.leader_id IN (SELECT id FROM blocked_with($6)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.leader_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $7
    OFFSET 0
))
);

-- ProjectStore.save(_:in:)
UPDATE projects
SET leader_id = $1, state = $2, title = $3,
    summary = $4, body = $5, mentioned_ids = $6,
    mentioned_names = $7, category = $8,
    labels = $9, tags = $10, roles = $11,
    place = $12, frequency = $13,
    starts_on = CAST($14 AS date), deadline = $15,
    reminded_for = $16, contact_url = $17,
    language = $18, media = $19,
    link_hash = sha256(convert_to($20, 'UTF8')),
    published_at = $21, edited_at = $22, version = $23
WHERE id = $24;

-- ProjectStore.setReminded(_:in:)
UPDATE projects SET reminded_for = $1, version = $2
WHERE id = $3;

-- ProjectStore.setRoom(_:in:)
UPDATE projects
SET playground_id = $1, channel_id = $2,
    room_version = $3
WHERE id = $4 AND room_version < $5;

-- ProjectStore.setVersion(_:of:in:)
UPDATE projects SET version = $1 WHERE id = $2;

-- ProjectStore.show(_:in:version:_:)
UPDATE projects SET media = $1, version = $2
WHERE id = $3;

-- ProjectStore.take(_:_:at:notice:in:), answer
SELECT p.id, p.leader_id, p.state, p.title, p.summary, p.body,
p.mentioned_ids, p.mentioned_names, p.category, p.tags, p.roles, p.place,
p.frequency, to_char(p.starts_on, 'YYYY-MM-DD'), p.deadline, p.contact_url,
p.language, p.media, p.created_at, p.published_at, p.edited_at,
p.version, p.labels, p.reminded_for, p.applications_count
FROM projects p
WHERE p.id = $1 AND p.state = 'finished' AND p.deleted_at IS NULL AND p.open_count > 0
FOR UPDATE SKIP LOCKED;

-- ProjectStore.take(_:_:at:notice:in:), close
SELECT p.id, p.leader_id, p.state, p.title, p.summary, p.body,
p.mentioned_ids, p.mentioned_names, p.category, p.tags, p.roles, p.place,
p.frequency, to_char(p.starts_on, 'YYYY-MM-DD'), p.deadline, p.contact_url,
p.language, p.media, p.created_at, p.published_at, p.edited_at,
p.version, p.labels, p.reminded_for, p.applications_count
FROM projects p
WHERE p.id = $1 AND p.state = 'recruiting' AND p.deleted_at IS NULL AND p.deadline <= $2
FOR UPDATE SKIP LOCKED;

-- ProjectStore.take(_:_:at:notice:in:), remind
SELECT p.id, p.leader_id, p.state, p.title, p.summary, p.body,
p.mentioned_ids, p.mentioned_names, p.category, p.tags, p.roles, p.place,
p.frequency, to_char(p.starts_on, 'YYYY-MM-DD'), p.deadline, p.contact_url,
p.language, p.media, p.created_at, p.published_at, p.edited_at,
p.version, p.labels, p.reminded_for, p.applications_count
FROM projects p
WHERE p.id = $1 AND p.state = 'recruiting' AND p.deleted_at IS NULL AND p.reminded_for IS DISTINCT FROM p.deadline
    AND p.deadline > $2 AND p.deadline <= $3
FOR UPDATE SKIP LOCKED;

-- ProjectStore.unbookmark(_:by:in:)
DELETE FROM project_bookmarks WHERE account_id = $1 AND project_id = $2;

-- ProjectStore.unfinished(of:in:)
SELECT count(*) FROM projects
WHERE leader_id = $1 AND deleted_at IS NULL AND state <> 'finished';

-- ReactionStore.add(_:in:)
WITH target AS MATERIALIZED (
    SELECT c.place, c.viewer_id, p.id
    FROM unnest($1, $2, $3)
        AS c (entry_id, viewer_id, place)
    JOIN posts e ON e.id = c.entry_id AND e.deleted_at IS NULL
    JOIN posts p ON p.id = coalesce(e.boost_of_id, e.id) AND p.deleted_at IS NULL
    WHERE is_visible(p.account_id, p.visibility, p.mentioned_ids, c.viewer_id, (p.account_id IN (SELECT id FROM blocked_with(c.viewer_id)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM c.viewer_id
    OFFSET 0
)), EXISTS (SELECT FROM follows f WHERE f.follower_id = c.viewer_id AND f.followee_id = p.account_id))
),
wanted AS MATERIALIZED (
    SELECT t.place, t.viewer_id, t.id
    FROM target t
    WHERE NOT EXISTS (SELECT FROM favourites f WHERE f.account_id = t.viewer_id AND f.post_id = t.id)
),
locked AS MATERIALIZED (
    SELECT p.id
    FROM posts p
    WHERE p.id IN (SELECT w.id FROM wanted w) AND p.deleted_at IS NULL
    ORDER BY p.id
    FOR NO KEY UPDATE
),
added AS (
    INSERT INTO favourites (account_id, post_id, id)
    SELECT w.viewer_id, w.id, w.place FROM wanted w JOIN locked l ON l.id = w.id
    ON CONFLICT (account_id, post_id) DO NOTHING
    RETURNING id, post_id
),
counted AS (
    UPDATE posts p
    SET favourites_count = p.favourites_count + n.number, version = p.version + n.number
    FROM (SELECT a.post_id, count(*) AS number FROM added a GROUP BY a.post_id) n
    WHERE p.id = n.post_id
    RETURNING p.id, p.version
),
numbered AS (
    SELECT a.id, c.version + 1 - row_number() OVER (PARTITION BY a.post_id ORDER BY a.id DESC) AS version
    FROM added a
    JOIN counted c ON c.id = a.post_id
)
SELECT t.place, t.id, n.version FROM target t LEFT JOIN numbered n ON n.id = t.place;

-- ReactionStore.addBookmark(_:by:as:in:)
WITH target AS MATERIALIZED (
    SELECT p.id
    FROM posts e
    JOIN posts p ON p.id = coalesce(e.boost_of_id, e.id)
WHERE e.id = $1 AND e.deleted_at IS NULL AND p.deleted_at IS NULL
    AND is_visible(p.account_id, p.visibility, p.mentioned_ids, $2, (p.account_id IN (SELECT id FROM blocked_with($3)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $4
    OFFSET 0
)), EXISTS (SELECT FROM follows f WHERE f.follower_id = $5 AND f.followee_id = p.account_id))
),
added AS (
    INSERT INTO bookmarks (account_id, post_id, id)
    SELECT $6, t.id, $7 FROM target t
    ON CONFLICT (account_id, post_id) DO NOTHING
)
SELECT FROM target;

-- ReactionStore.boost(_:by:as:visibility:in:)
WITH added AS (
    INSERT INTO posts (id, account_id, text, visibility, conversation_id, boost_of_id, created_at)
    SELECT
        $1, a.id, '',
        CASE
            WHEN p.visibility = 'private' THEN 'private'
            ELSE coalesce($2, nullif(a.default_visibility, 'direct'), 'public')
        END,
        p.conversation_id, p.id, $3
    FROM posts p
    JOIN accounts a ON a.id = $4
    WHERE p.id = $5
    ON CONFLICT (boost_of_id, account_id) WHERE boost_of_id IS NOT NULL AND deleted_at IS NULL DO NOTHING
    RETURNING id, account_id, boost_of_id
),
counted AS (
    UPDATE posts p
    SET boosts_count = p.boosts_count + 1, version = p.version + 1
    FROM added b
    WHERE p.id = b.boost_of_id
),
writer AS (
    UPDATE accounts a
    SET posts_count = a.posts_count + 1, last_post_at = $6, version = a.version + 1
    FROM added b
    WHERE a.id = b.account_id
),
own_home AS (
    INSERT INTO timeline (account_id, post_id, author_id)
    SELECT b.account_id, b.id, b.account_id FROM added b
)
SELECT id FROM added;

-- ReactionStore.boost(of:by:in:)
SELECT id FROM posts WHERE boost_of_id = $1 AND account_id = $2 AND deleted_at IS NULL;

-- ReactionStore.boostTarget(_:by:in:)
SELECT p.id, p.visibility,
p.visibility IN ('public', 'unlisted') OR (p.visibility = 'private' AND p.account_id = $1)
FROM posts e
JOIN posts p ON p.id = coalesce(e.boost_of_id, e.id)
WHERE e.id = $2 AND e.deleted_at IS NULL AND p.deleted_at IS NULL
    AND is_visible(p.account_id, p.visibility, p.mentioned_ids, $3, (p.account_id IN (SELECT id FROM blocked_with($4)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $5
    OFFSET 0
)), EXISTS (SELECT FROM follows f WHERE f.follower_id = $6 AND f.followee_id = p.account_id))
FOR NO KEY UPDATE OF p;

-- ReactionStore.delete(_:in:)
WITH target AS MATERIALIZED (
    SELECT f.account_id, f.post_id
    FROM unnest($1, $2) AS c (entry_id, viewer_id)
    JOIN posts e ON e.id = c.entry_id
    JOIN favourites f ON f.account_id = c.viewer_id AND f.post_id = coalesce(e.boost_of_id, e.id)
),
locked AS MATERIALIZED (
    SELECT p.id
    FROM posts p
    WHERE p.id IN (SELECT t.post_id FROM target t)
    ORDER BY p.id
    FOR NO KEY UPDATE
),
removed AS (
    DELETE FROM favourites f
    USING target t
    JOIN locked l ON l.id = t.post_id
    WHERE f.account_id = t.account_id AND f.post_id = t.post_id
    RETURNING f.account_id, f.post_id
),
counted AS (
    UPDATE posts p
    SET favourites_count = p.favourites_count - n.number, version = p.version + n.number
    FROM (SELECT r.post_id, count(*) AS number FROM removed r GROUP BY r.post_id) n
    WHERE p.id = n.post_id
    RETURNING p.id, p.version
)
SELECT r.account_id, r.post_id,
    c.version + 1 - row_number() OVER (PARTITION BY r.post_id ORDER BY r.account_id)
FROM removed r
JOIN counted c ON c.id = r.post_id;

-- ReactionStore.deleteBookmark(_:by:in:)
DELETE FROM bookmarks
WHERE account_id = $1
    AND post_id = (SELECT coalesce(e.boost_of_id, e.id) FROM posts e WHERE e.id = $2);

-- ReactionStore.unboost(_:by:at:in:)
WITH target AS MATERIALIZED (
    SELECT p.id
    FROM posts p
    WHERE p.id = (SELECT coalesce(e.boost_of_id, e.id) FROM posts e WHERE e.id = $1)
    FOR NO KEY UPDATE
),
removed AS (
    UPDATE posts b
    SET deleted_at = $2, version = b.version + 1
    WHERE b.boost_of_id = (SELECT t.id FROM target t) AND b.account_id = $3 AND b.deleted_at IS NULL
    RETURNING b.id, b.account_id, b.boost_of_id
),
writer AS (
    UPDATE accounts a
    SET posts_count = a.posts_count - 1, version = a.version + 1
    FROM removed r
    WHERE a.id = r.account_id
)
UPDATE posts p
SET boosts_count = p.boosts_count - 1, version = p.version + 1
FROM removed r
WHERE p.id = r.boost_of_id
RETURNING r.id, p.id, p.version;

-- ReadingStatisticsStore.day(of:in:in:)
SELECT ($1 AT TIME ZONE $2)::date;

-- ReadingStatisticsStore.days(of:of:in:)
WITH days AS (SELECT day FROM reading_progress WHERE account_id = $1 AND day BETWEEN $2 AND $3
UNION
SELECT ended_on FROM reading_records
WHERE account_id = $4 AND state = 'finished' AND ended_on BETWEEN $5 AND $6),
islands AS (
    SELECT
        extract(year FROM day)::integer AS year,
        day - (row_number() OVER (PARTITION BY extract(year FROM day) ORDER BY day))::integer AS island
    FROM days
),
runs AS (SELECT year, count(*) AS days FROM islands GROUP BY year, island)
SELECT y.year, coalesce(sum(r.days), 0)::bigint, coalesce(max(r.days), 0)
FROM unnest($7) y (year)
LEFT JOIN runs r ON r.year = y.year
GROUP BY y.year
ORDER BY y.year DESC;

-- ReadingStatisticsStore.months(of:of:in:)
SELECT m.month, coalesce(f.finished, 0), coalesce(f.pages, 0), g.books
FROM generate_series(1, 12) m (month)
LEFT JOIN (
    SELECT r.ended_month AS month, count(*) AS finished, sum(b.pages) AS pages
    FROM reading_records r
JOIN shelf_books b ON b.id = r.book_id
WHERE r.account_id = $1 AND r.state = 'finished' AND r.ended_on IS NOT NULL AND r.ended_on BETWEEN $2 AND $3
    GROUP BY r.ended_month
) f ON f.month = m.month
LEFT JOIN reading_goals g ON g.account_id = $4 AND g.year = $5 AND g.month = m.month
ORDER BY m.month;

-- ReadingStatisticsStore.shares(_:of:of:limit:in:), authors
SELECT n.name, count(*), coalesce(sum(f.pages), 0)
FROM (SELECT b.authors, b.publisher, b.pages FROM reading_records r
JOIN shelf_books b ON b.id = r.book_id
WHERE r.account_id = $1 AND r.state = 'finished' AND r.ended_on IS NOT NULL AND r.ended_on BETWEEN $2 AND $3) f
CROSS JOIN LATERAL (SELECT DISTINCT name FROM unnest(f.authors) name) n
GROUP BY n.name
ORDER BY 2 DESC, 3 DESC, n.name COLLATE "C"
LIMIT $4;

-- ReadingStatisticsStore.shares(_:of:of:limit:in:), publishers
SELECT n.name, count(*), coalesce(sum(f.pages), 0)
FROM (SELECT b.authors, b.publisher, b.pages FROM reading_records r
JOIN shelf_books b ON b.id = r.book_id
WHERE r.account_id = $1 AND r.state = 'finished' AND r.ended_on IS NOT NULL AND r.ended_on BETWEEN $2 AND $3) f
CROSS JOIN LATERAL (SELECT f.publisher AS name WHERE f.publisher IS NOT NULL) n
GROUP BY n.name
ORDER BY 2 DESC, 3 DESC, n.name COLLATE "C"
LIMIT $4;

-- ReadingStatisticsStore.streaks(of:until:in:)
WITH days AS (SELECT day FROM reading_progress WHERE account_id = $1 AND day BETWEEN $2 AND $3
UNION
SELECT ended_on FROM reading_records
WHERE account_id = $4 AND state = 'finished' AND ended_on BETWEEN $5 AND $6),
islands AS (SELECT day, day - (row_number() OVER (ORDER BY day))::integer AS island FROM days),
runs AS (SELECT max(day) AS last, count(*) AS days FROM islands GROUP BY island)
SELECT coalesce(max(days), 0), coalesce(max(days) FILTER (WHERE last >= $7), 0)
FROM runs;

-- ReadingStatisticsStore.years(of:in:)
SELECT coalesce(f.year, g.year), coalesce(f.finished, 0), coalesce(f.pages, 0), g.books
FROM (
    SELECT r.ended_year AS year, count(*) AS finished, sum(b.pages) AS pages
    FROM reading_records r
JOIN shelf_books b ON b.id = r.book_id
WHERE r.account_id = $1 AND r.state = 'finished' AND r.ended_on IS NOT NULL
    GROUP BY r.ended_year
) f
FULL JOIN (SELECT year, books FROM reading_goals WHERE account_id = $2 AND month = 0) g
    ON g.year = f.year
ORDER BY 1;

-- RecordStore.count(of:in:)
SELECT count(*) FROM reading_records WHERE account_id = $1;

-- RecordStore.delete(_:in:)
DELETE FROM reading_records WHERE id = $1;

-- RecordStore.found(_:to:in:)
SELECT r.id, r.account_id, r.client_id, r.version, r.state, r.rating, r.one_line, r.review, r.quotes, r.started_on,
r.ended_on, r.visibility, r.favourite_id, r.updated_at, p.page, p.percent, b.id, b.version, b.title, b.authors, b.translators, b.publisher, b.published_on, b.isbn, b.description, b.pages,
b.language, b.cover_url, b.link, a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras
FROM unnest($1) WITH ORDINALITY AS w (id, place)
CROSS JOIN LATERAL (SELECT r.* FROM reading_records r WHERE r.id = w.id OFFSET 0) r
CROSS JOIN LATERAL (SELECT b.* FROM shelf_books b WHERE b.id = r.book_id OFFSET 0) b
LEFT JOIN LATERAL (
    SELECT p.page, p.percent FROM reading_progress p WHERE p.record_id = r.id ORDER BY p.day DESC LIMIT 1
) p ON true
CROSS JOIN LATERAL (SELECT a.* FROM accounts a WHERE a.id = r.account_id OFFSET 0) a
WHERE is_visible(r.account_id, CASE r.visibility WHEN 'followers' THEN 'private' WHEN 'private' THEN 'direct' ELSE r.visibility END, '{}', $2, (r.account_id IN (SELECT id FROM blocked_with($3)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = r.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $4
    OFFSET 0
)), EXISTS (SELECT FROM follows f WHERE f.follower_id = $5 AND f.followee_id = r.account_id))
ORDER BY w.place;

-- RecordStore.insert(_:in:)
INSERT INTO reading_records (
    id, account_id, book_id, client_id, version, state, rating, one_line, review, quotes, started_on,
    ended_on, favourite_id, visibility, updated_at
)
VALUES (
    $1, $2, $3, $4, $5,
    $6, $7, $8, $9,
    $10, $11, $12,
    $13, $14, $15
);

-- RecordStore.newest(of:in:)
SELECT r.id, r.account_id, r.client_id, r.version, r.state, r.rating, r.one_line, r.review, r.quotes, r.started_on,
r.ended_on, r.visibility, r.favourite_id, r.updated_at, p.page, p.percent, b.id, b.version, b.title, b.authors, b.translators, b.publisher, b.published_on, b.isbn, b.description, b.pages,
b.language, b.cover_url, b.link
FROM unnest($1) wanted (id)
CROSS JOIN LATERAL (
    SELECT r.* FROM reading_records r WHERE r.book_id = wanted.id ORDER BY r.id DESC LIMIT 1
) r
CROSS JOIN LATERAL (SELECT b.* FROM shelf_books b WHERE b.id = r.book_id OFFSET 0) b
LEFT JOIN LATERAL (
    SELECT p.page, p.percent FROM reading_progress p WHERE p.record_id = r.id ORDER BY p.day DESC LIMIT 1
) p ON true;

-- RecordStore.owner(of:in:)
SELECT account_id FROM reading_records WHERE id = $1;

-- RecordStore.page(_:of:of:in:), all, forwards
WITH page AS MATERIALIZED (
    SELECT r.* FROM reading_records r WHERE r.account_id = $1 AND r.id < $2 AND r.id > $3 ORDER BY r.id ASC LIMIT $4
)
SELECT r.id, r.account_id, r.client_id, r.version, r.state, r.rating, r.one_line, r.review, r.quotes, r.started_on,
r.ended_on, r.visibility, r.favourite_id, r.updated_at, p.page, p.percent, b.id, b.version, b.title, b.authors, b.translators, b.publisher, b.published_on, b.isbn, b.description, b.pages,
b.language, b.cover_url, b.link FROM page r CROSS JOIN LATERAL (SELECT b.* FROM shelf_books b WHERE b.id = r.book_id OFFSET 0) b
LEFT JOIN LATERAL (
    SELECT p.page, p.percent FROM reading_progress p WHERE p.record_id = r.id ORDER BY p.day DESC LIMIT 1
) p ON true ORDER BY r.id DESC;

-- RecordStore.page(_:of:of:in:), all, newest
WITH page AS MATERIALIZED (
    SELECT r.* FROM reading_records r WHERE r.account_id = $1 AND r.id < $2 AND r.id > $3 ORDER BY r.id DESC LIMIT $4
)
SELECT r.id, r.account_id, r.client_id, r.version, r.state, r.rating, r.one_line, r.review, r.quotes, r.started_on,
r.ended_on, r.visibility, r.favourite_id, r.updated_at, p.page, p.percent, b.id, b.version, b.title, b.authors, b.translators, b.publisher, b.published_on, b.isbn, b.description, b.pages,
b.language, b.cover_url, b.link FROM page r CROSS JOIN LATERAL (SELECT b.* FROM shelf_books b WHERE b.id = r.book_id OFFSET 0) b
LEFT JOIN LATERAL (
    SELECT p.page, p.percent FROM reading_progress p WHERE p.record_id = r.id ORDER BY p.day DESC LIMIT 1
) p ON true ORDER BY r.id DESC;

-- RecordStore.page(_:of:of:in:), favourites, forwards
WITH page AS MATERIALIZED (
    SELECT r.* FROM reading_records r WHERE r.account_id = $1 AND r.favourite_id IS NOT NULL AND r.favourite_id < $2 AND r.favourite_id > $3 ORDER BY r.favourite_id ASC LIMIT $4
)
SELECT r.id, r.account_id, r.client_id, r.version, r.state, r.rating, r.one_line, r.review, r.quotes, r.started_on,
r.ended_on, r.visibility, r.favourite_id, r.updated_at, p.page, p.percent, b.id, b.version, b.title, b.authors, b.translators, b.publisher, b.published_on, b.isbn, b.description, b.pages,
b.language, b.cover_url, b.link FROM page r CROSS JOIN LATERAL (SELECT b.* FROM shelf_books b WHERE b.id = r.book_id OFFSET 0) b
LEFT JOIN LATERAL (
    SELECT p.page, p.percent FROM reading_progress p WHERE p.record_id = r.id ORDER BY p.day DESC LIMIT 1
) p ON true ORDER BY r.favourite_id DESC;

-- RecordStore.page(_:of:of:in:), favourites, newest
WITH page AS MATERIALIZED (
    SELECT r.* FROM reading_records r WHERE r.account_id = $1 AND r.favourite_id IS NOT NULL AND r.favourite_id < $2 AND r.favourite_id > $3 ORDER BY r.favourite_id DESC LIMIT $4
)
SELECT r.id, r.account_id, r.client_id, r.version, r.state, r.rating, r.one_line, r.review, r.quotes, r.started_on,
r.ended_on, r.visibility, r.favourite_id, r.updated_at, p.page, p.percent, b.id, b.version, b.title, b.authors, b.translators, b.publisher, b.published_on, b.isbn, b.description, b.pages,
b.language, b.cover_url, b.link FROM page r CROSS JOIN LATERAL (SELECT b.* FROM shelf_books b WHERE b.id = r.book_id OFFSET 0) b
LEFT JOIN LATERAL (
    SELECT p.page, p.percent FROM reading_progress p WHERE p.record_id = r.id ORDER BY p.day DESC LIMIT 1
) p ON true ORDER BY r.favourite_id DESC;

-- RecordStore.page(_:of:of:in:), of a book, forwards
WITH page AS MATERIALIZED (
    SELECT r.* FROM reading_records r WHERE r.account_id = $1 AND r.book_id = $2 AND r.id < $3 AND r.id > $4 ORDER BY r.id ASC LIMIT $5
)
SELECT r.id, r.account_id, r.client_id, r.version, r.state, r.rating, r.one_line, r.review, r.quotes, r.started_on,
r.ended_on, r.visibility, r.favourite_id, r.updated_at, p.page, p.percent, b.id, b.version, b.title, b.authors, b.translators, b.publisher, b.published_on, b.isbn, b.description, b.pages,
b.language, b.cover_url, b.link FROM page r CROSS JOIN LATERAL (SELECT b.* FROM shelf_books b WHERE b.id = r.book_id OFFSET 0) b
LEFT JOIN LATERAL (
    SELECT p.page, p.percent FROM reading_progress p WHERE p.record_id = r.id ORDER BY p.day DESC LIMIT 1
) p ON true ORDER BY r.id DESC;

-- RecordStore.page(_:of:of:in:), of a book, newest
WITH page AS MATERIALIZED (
    SELECT r.* FROM reading_records r WHERE r.account_id = $1 AND r.book_id = $2 AND r.id < $3 AND r.id > $4 ORDER BY r.id DESC LIMIT $5
)
SELECT r.id, r.account_id, r.client_id, r.version, r.state, r.rating, r.one_line, r.review, r.quotes, r.started_on,
r.ended_on, r.visibility, r.favourite_id, r.updated_at, p.page, p.percent, b.id, b.version, b.title, b.authors, b.translators, b.publisher, b.published_on, b.isbn, b.description, b.pages,
b.language, b.cover_url, b.link FROM page r CROSS JOIN LATERAL (SELECT b.* FROM shelf_books b WHERE b.id = r.book_id OFFSET 0) b
LEFT JOIN LATERAL (
    SELECT p.page, p.percent FROM reading_progress p WHERE p.record_id = r.id ORDER BY p.day DESC LIMIT 1
) p ON true ORDER BY r.id DESC;

-- RecordStore.page(_:of:of:in:), of a month, forwards
WITH page AS MATERIALIZED (
    SELECT r.* FROM reading_records r WHERE r.account_id = $1 AND r.ended_on IS NOT NULL AND r.ended_year = $2 AND r.ended_month = $3 AND r.id < $4 AND r.id > $5 ORDER BY r.id ASC LIMIT $6
)
SELECT r.id, r.account_id, r.client_id, r.version, r.state, r.rating, r.one_line, r.review, r.quotes, r.started_on,
r.ended_on, r.visibility, r.favourite_id, r.updated_at, p.page, p.percent, b.id, b.version, b.title, b.authors, b.translators, b.publisher, b.published_on, b.isbn, b.description, b.pages,
b.language, b.cover_url, b.link FROM page r CROSS JOIN LATERAL (SELECT b.* FROM shelf_books b WHERE b.id = r.book_id OFFSET 0) b
LEFT JOIN LATERAL (
    SELECT p.page, p.percent FROM reading_progress p WHERE p.record_id = r.id ORDER BY p.day DESC LIMIT 1
) p ON true ORDER BY r.id DESC;

-- RecordStore.page(_:of:of:in:), of a month, newest
WITH page AS MATERIALIZED (
    SELECT r.* FROM reading_records r WHERE r.account_id = $1 AND r.ended_on IS NOT NULL AND r.ended_year = $2 AND r.ended_month = $3 AND r.id < $4 AND r.id > $5 ORDER BY r.id DESC LIMIT $6
)
SELECT r.id, r.account_id, r.client_id, r.version, r.state, r.rating, r.one_line, r.review, r.quotes, r.started_on,
r.ended_on, r.visibility, r.favourite_id, r.updated_at, p.page, p.percent, b.id, b.version, b.title, b.authors, b.translators, b.publisher, b.published_on, b.isbn, b.description, b.pages,
b.language, b.cover_url, b.link FROM page r CROSS JOIN LATERAL (SELECT b.* FROM shelf_books b WHERE b.id = r.book_id OFFSET 0) b
LEFT JOIN LATERAL (
    SELECT p.page, p.percent FROM reading_progress p WHERE p.record_id = r.id ORDER BY p.day DESC LIMIT 1
) p ON true ORDER BY r.id DESC;

-- RecordStore.page(_:of:of:in:), of a year, forwards
WITH page AS MATERIALIZED (
    SELECT r.* FROM reading_records r WHERE r.account_id = $1 AND r.ended_on IS NOT NULL AND r.ended_year = $2 AND r.id < $3 AND r.id > $4 ORDER BY r.id ASC LIMIT $5
)
SELECT r.id, r.account_id, r.client_id, r.version, r.state, r.rating, r.one_line, r.review, r.quotes, r.started_on,
r.ended_on, r.visibility, r.favourite_id, r.updated_at, p.page, p.percent, b.id, b.version, b.title, b.authors, b.translators, b.publisher, b.published_on, b.isbn, b.description, b.pages,
b.language, b.cover_url, b.link FROM page r CROSS JOIN LATERAL (SELECT b.* FROM shelf_books b WHERE b.id = r.book_id OFFSET 0) b
LEFT JOIN LATERAL (
    SELECT p.page, p.percent FROM reading_progress p WHERE p.record_id = r.id ORDER BY p.day DESC LIMIT 1
) p ON true ORDER BY r.id DESC;

-- RecordStore.page(_:of:of:in:), of a year, newest
WITH page AS MATERIALIZED (
    SELECT r.* FROM reading_records r WHERE r.account_id = $1 AND r.ended_on IS NOT NULL AND r.ended_year = $2 AND r.id < $3 AND r.id > $4 ORDER BY r.id DESC LIMIT $5
)
SELECT r.id, r.account_id, r.client_id, r.version, r.state, r.rating, r.one_line, r.review, r.quotes, r.started_on,
r.ended_on, r.visibility, r.favourite_id, r.updated_at, p.page, p.percent, b.id, b.version, b.title, b.authors, b.translators, b.publisher, b.published_on, b.isbn, b.description, b.pages,
b.language, b.cover_url, b.link FROM page r CROSS JOIN LATERAL (SELECT b.* FROM shelf_books b WHERE b.id = r.book_id OFFSET 0) b
LEFT JOIN LATERAL (
    SELECT p.page, p.percent FROM reading_progress p WHERE p.record_id = r.id ORDER BY p.day DESC LIMIT 1
) p ON true ORDER BY r.id DESC;

-- RecordStore.page(_:of:of:in:), to read next, forwards
WITH page AS MATERIALIZED (
    SELECT r.* FROM reading_records r WHERE r.account_id = $1 AND r.state = $2 AND r.id < $3 AND r.id > $4 ORDER BY r.id ASC LIMIT $5
)
SELECT r.id, r.account_id, r.client_id, r.version, r.state, r.rating, r.one_line, r.review, r.quotes, r.started_on,
r.ended_on, r.visibility, r.favourite_id, r.updated_at, p.page, p.percent, b.id, b.version, b.title, b.authors, b.translators, b.publisher, b.published_on, b.isbn, b.description, b.pages,
b.language, b.cover_url, b.link FROM page r CROSS JOIN LATERAL (SELECT b.* FROM shelf_books b WHERE b.id = r.book_id OFFSET 0) b
LEFT JOIN LATERAL (
    SELECT p.page, p.percent FROM reading_progress p WHERE p.record_id = r.id ORDER BY p.day DESC LIMIT 1
) p ON true ORDER BY r.id DESC;

-- RecordStore.page(_:of:of:in:), to read next, newest
WITH page AS MATERIALIZED (
    SELECT r.* FROM reading_records r WHERE r.account_id = $1 AND r.state = $2 AND r.id < $3 AND r.id > $4 ORDER BY r.id DESC LIMIT $5
)
SELECT r.id, r.account_id, r.client_id, r.version, r.state, r.rating, r.one_line, r.review, r.quotes, r.started_on,
r.ended_on, r.visibility, r.favourite_id, r.updated_at, p.page, p.percent, b.id, b.version, b.title, b.authors, b.translators, b.publisher, b.published_on, b.isbn, b.description, b.pages,
b.language, b.cover_url, b.link FROM page r CROSS JOIN LATERAL (SELECT b.* FROM shelf_books b WHERE b.id = r.book_id OFFSET 0) b
LEFT JOIN LATERAL (
    SELECT p.page, p.percent FROM reading_progress p WHERE p.record_id = r.id ORDER BY p.day DESC LIMIT 1
) p ON true ORDER BY r.id DESC;

-- RecordStore.readings(of:in:)
SELECT book_id, state, started_on, ended_on FROM reading_records WHERE book_id = ANY ($1);

-- RecordStore.record(_:of:in:), by id
SELECT r.id, r.account_id, r.client_id, r.version, r.state, r.rating, r.one_line, r.review, r.quotes, r.started_on,
r.ended_on, r.visibility, r.favourite_id, r.updated_at, p.page, p.percent, b.id, b.version, b.title, b.authors, b.translators, b.publisher, b.published_on, b.isbn, b.description, b.pages,
b.language, b.cover_url, b.link
FROM reading_records r
CROSS JOIN LATERAL (SELECT b.* FROM shelf_books b WHERE b.id = r.book_id OFFSET 0) b
LEFT JOIN LATERAL (
    SELECT p.page, p.percent FROM reading_progress p WHERE p.record_id = r.id ORDER BY p.day DESC LIMIT 1
) p ON true
WHERE r.account_id = $1 AND r.id = $2;

-- RecordStore.record(_:of:in:), by its app's
SELECT r.id, r.account_id, r.client_id, r.version, r.state, r.rating, r.one_line, r.review, r.quotes, r.started_on,
r.ended_on, r.visibility, r.favourite_id, r.updated_at, p.page, p.percent, b.id, b.version, b.title, b.authors, b.translators, b.publisher, b.published_on, b.isbn, b.description, b.pages,
b.language, b.cover_url, b.link
FROM reading_records r
CROSS JOIN LATERAL (SELECT b.* FROM shelf_books b WHERE b.id = r.book_id OFFSET 0) b
LEFT JOIN LATERAL (
    SELECT p.page, p.percent FROM reading_progress p WHERE p.record_id = r.id ORDER BY p.day DESC LIMIT 1
) p ON true
WHERE r.account_id = $1 AND r.client_id = $2;

-- RecordStore.records(_:of:in:)
SELECT r.id, r.account_id, r.client_id, r.version, r.state, r.rating, r.one_line, r.review, r.quotes, r.started_on,
r.ended_on, r.visibility, r.favourite_id, r.updated_at, p.page, p.percent, b.id, b.version, b.title, b.authors, b.translators, b.publisher, b.published_on, b.isbn, b.description, b.pages,
b.language, b.cover_url, b.link
FROM unnest($1) wanted (id)
CROSS JOIN LATERAL (
    SELECT r.* FROM reading_records r WHERE r.id = wanted.id AND r.account_id = $2 OFFSET 0
) r
CROSS JOIN LATERAL (SELECT b.* FROM shelf_books b WHERE b.id = r.book_id OFFSET 0) b
LEFT JOIN LATERAL (
    SELECT p.page, p.percent FROM reading_progress p WHERE p.record_id = r.id ORDER BY p.day DESC LIMIT 1
) p ON true;

-- RecordStore.shown(_:of:to:in:), forwards
WITH page AS MATERIALIZED (
    SELECT r.*
    FROM reading_records r
    WHERE r.account_id = $1 AND r.visibility <> 'private' AND is_visible(r.account_id, CASE r.visibility WHEN 'followers' THEN 'private' WHEN 'private' THEN 'direct' ELSE r.visibility END, '{}', $2, (r.account_id IN (SELECT id FROM blocked_with($3)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = r.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $4
    OFFSET 0
)), EXISTS (SELECT FROM follows f WHERE f.follower_id = $5 AND f.followee_id = r.account_id))
        AND r.id < $6 AND r.id > $7 ORDER BY r.id ASC LIMIT $8
)
SELECT r.id, r.account_id, r.client_id, r.version, r.state, r.rating, r.one_line, r.review, r.quotes, r.started_on,
r.ended_on, r.visibility, r.favourite_id, r.updated_at, p.page, p.percent, b.id, b.version, b.title, b.authors, b.translators, b.publisher, b.published_on, b.isbn, b.description, b.pages,
b.language, b.cover_url, b.link FROM page r CROSS JOIN LATERAL (SELECT b.* FROM shelf_books b WHERE b.id = r.book_id OFFSET 0) b
LEFT JOIN LATERAL (
    SELECT p.page, p.percent FROM reading_progress p WHERE p.record_id = r.id ORDER BY p.day DESC LIMIT 1
) p ON true ORDER BY r.id DESC;

-- RecordStore.shown(_:of:to:in:), newest
WITH page AS MATERIALIZED (
    SELECT r.*
    FROM reading_records r
    WHERE r.account_id = $1 AND r.visibility <> 'private' AND is_visible(r.account_id, CASE r.visibility WHEN 'followers' THEN 'private' WHEN 'private' THEN 'direct' ELSE r.visibility END, '{}', $2, (r.account_id IN (SELECT id FROM blocked_with($3)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = r.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $4
    OFFSET 0
)), EXISTS (SELECT FROM follows f WHERE f.follower_id = $5 AND f.followee_id = r.account_id))
        AND r.id < $6 AND r.id > $7 ORDER BY r.id DESC LIMIT $8
)
SELECT r.id, r.account_id, r.client_id, r.version, r.state, r.rating, r.one_line, r.review, r.quotes, r.started_on,
r.ended_on, r.visibility, r.favourite_id, r.updated_at, p.page, p.percent, b.id, b.version, b.title, b.authors, b.translators, b.publisher, b.published_on, b.isbn, b.description, b.pages,
b.language, b.cover_url, b.link FROM page r CROSS JOIN LATERAL (SELECT b.* FROM shelf_books b WHERE b.id = r.book_id OFFSET 0) b
LEFT JOIN LATERAL (
    SELECT p.page, p.percent FROM reading_progress p WHERE p.record_id = r.id ORDER BY p.day DESC LIMIT 1
) p ON true ORDER BY r.id DESC;

-- RecordStore.shown(_:to:in:)
SELECT r.id, r.account_id, r.client_id, r.version, r.state, r.rating, r.one_line, r.review, r.quotes, r.started_on,
r.ended_on, r.visibility, r.favourite_id, r.updated_at, p.page, p.percent, b.id, b.version, b.title, b.authors, b.translators, b.publisher, b.published_on, b.isbn, b.description, b.pages,
b.language, b.cover_url, b.link, a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras
FROM reading_records r
CROSS JOIN LATERAL (SELECT b.* FROM shelf_books b WHERE b.id = r.book_id OFFSET 0) b
LEFT JOIN LATERAL (
    SELECT p.page, p.percent FROM reading_progress p WHERE p.record_id = r.id ORDER BY p.day DESC LIMIT 1
) p ON true
JOIN accounts a ON a.id = r.account_id
WHERE r.id = $1 AND is_visible(r.account_id, CASE r.visibility WHEN 'followers' THEN 'private' WHEN 'private' THEN 'direct' ELSE r.visibility END, '{}', $2, (r.account_id IN (SELECT id FROM blocked_with($3)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = r.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $4
    OFFSET 0
)), EXISTS (SELECT FROM follows f WHERE f.follower_id = $5 AND f.followee_id = r.account_id));

-- RecordStore.shown(of:most:in:)
SELECT r.id, r.account_id, r.client_id, r.version, r.state, r.rating, r.one_line, r.review, r.quotes, r.started_on,
r.ended_on, r.visibility, r.favourite_id, r.updated_at, p.page, p.percent, b.id, b.version, b.title, b.authors, b.translators, b.publisher, b.published_on, b.isbn, b.description, b.pages,
b.language, b.cover_url, b.link
FROM (
    SELECT r.* FROM reading_records r
    WHERE r.book_id = $1 AND r.visibility <> 'private'
    ORDER BY r.id DESC
    LIMIT $2
) r
CROSS JOIN LATERAL (SELECT b.* FROM shelf_books b WHERE b.id = r.book_id OFFSET 0) b
LEFT JOIN LATERAL (
    SELECT p.page, p.percent FROM reading_progress p WHERE p.record_id = r.id ORDER BY p.day DESC LIMIT 1
) p ON true
ORDER BY r.id;

-- RecordStore.update(_:in:)
UPDATE reading_records
SET version = $1, state = $2, rating = $3,
    one_line = $4, review = $5,
    quotes = $6, started_on = $7,
    ended_on = $8, favourite_id = $9,
    visibility = $10, updated_at = $11
WHERE id = $12;

-- RelationshipStore.relationships(of:now:in:)
SELECT wanted.place, a.id, f.id IS NOT NULL, coalesce(f.show_boosts, r.show_boosts, false),
coalesce(f.notify, r.notify, false), coalesce(f.languages, r.languages),
EXISTS (SELECT FROM follows WHERE follower_id = a.id AND followee_id = wanted.viewer_id OFFSET 0),
EXISTS (SELECT FROM blocks WHERE account_id = wanted.viewer_id AND target_id = a.id OFFSET 0),
EXISTS (SELECT FROM blocks WHERE account_id = a.id AND target_id = wanted.viewer_id OFFSET 0),
m.id IS NOT NULL, coalesce(m.notifications, false), m.expires_at,
r.id IS NOT NULL,
EXISTS (SELECT FROM follow_requests WHERE follower_id = a.id AND followee_id = wanted.viewer_id OFFSET 0),
coalesce(n.comment, '')
FROM unnest($1, $2)
    WITH ORDINALITY AS wanted (viewer_id, id, place)
JOIN accounts a ON a.id = wanted.id
LEFT JOIN LATERAL (
    SELECT f.id, f.show_boosts, f.notify, f.languages
    FROM follows f
    WHERE f.follower_id = wanted.viewer_id AND f.followee_id = a.id
    OFFSET 0
) f ON true
LEFT JOIN LATERAL (
    SELECT r.id, r.show_boosts, r.notify, r.languages
    FROM follow_requests r
    WHERE r.follower_id = wanted.viewer_id AND r.followee_id = a.id
    OFFSET 0
) r ON true
LEFT JOIN LATERAL (
    SELECT m.id, m.notifications, m.expires_at
    FROM mutes m
    WHERE m.account_id = wanted.viewer_id AND m.target_id = a.id
        AND (m.expires_at IS NULL OR m.expires_at > $3)
    OFFSET 0
) m ON true
LEFT JOIN LATERAL (
    SELECT n.comment FROM account_notes n WHERE n.account_id = wanted.viewer_id AND n.target_id = a.id OFFSET 0
) n ON true;

-- RemovedStore.restore(_:in:), post
WITH back AS (
    UPDATE posts
    SET deleted_at = NULL, media = NULL, version = version + 1,
        boosts_count = (
            SELECT count(*) FROM posts b WHERE b.boost_of_id = posts.id AND b.deleted_at IS NULL
        )
    WHERE id = $1 AND deleted_at IS NOT NULL AND erased_at IS NULL AND text <> ''
    RETURNING id, account_id, visibility, in_reply_to_id, tags
),
tagged AS (
    INSERT INTO post_tags (tag, post_id)
    SELECT t.tag, b.id FROM back b CROSS JOIN unnest(b.tags) t (tag) WHERE b.visibility = 'public'
    ON CONFLICT (tag, post_id) DO NOTHING
),
own_home AS (
    INSERT INTO timeline (account_id, post_id, author_id)
    SELECT account_id, id, account_id FROM back
    ON CONFLICT DO NOTHING
),
parent AS (
    UPDATE posts p
    SET replies_count = p.replies_count + 1, version = p.version + 1
    FROM back b
    WHERE p.id = b.in_reply_to_id AND b.visibility IN ('public', 'unlisted')
),
writer AS (
    UPDATE accounts a
    SET posts_count = a.posts_count + 1, version = a.version + 1
    FROM back b
    WHERE a.id = b.account_id AND b.visibility <> 'direct'
)
SELECT id FROM back;

-- RemovedStore.restore(_:in:), project
UPDATE projects
SET deleted_at = NULL, media = '[]', version = version + 1
WHERE id = $1 AND deleted_at IS NOT NULL AND erased_at IS NULL
RETURNING id;

-- ReportStore.assign(_:to:at:in:)
UPDATE reports SET assigned_id = $1, updated_at = $2 WHERE id = $3;

-- ReportStore.change(_:category:ruleIDs:at:in:)
UPDATE reports SET category = $1, rule_ids = $2, updated_at = $3 WHERE id = $4;

-- ReportStore.close(_:by:at:in:)
UPDATE reports
SET closed_id = $1, closed_at = CASE WHEN $2 IS NULL THEN NULL ELSE $3 END,
    updated_at = $4
WHERE id = $5;

-- ReportStore.deleteEmpty(_:in:)
DELETE FROM reports
WHERE id = $1 AND target_id IS NULL
    AND NOT EXISTS (SELECT FROM report_things t WHERE t.report_id = $2);

-- ReportStore.drop(_:of:in:)
DELETE FROM report_things
WHERE report_id = $1 AND kind = $2 AND thing_id = $3 AND snapshot IS NULL;

-- ReportStore.filed(by:since:in:)
SELECT count(*) FROM reports WHERE reporter_id = $1 AND id >= $2;

-- ReportStore.forget(_:in:)
WITH things AS (
    DELETE FROM report_things WHERE report_id = ANY ($1)
), notes AS (
    DELETE FROM report_notes WHERE report_id = ANY ($2)
)
DELETE FROM reports WHERE id = ANY ($3);

-- ReportStore.forgettable(before:in:)
SELECT id FROM reports WHERE closed_at < $1 ORDER BY closed_at LIMIT 200 FOR UPDATE SKIP LOCKED;

-- ReportStore.hold(_:in:)
SELECT p.id, p.reporter_id, p.target_id, p.category, p.comment, p.rule_ids, p.created_at, p.updated_at, p.assigned_id,
p.closed_id, p.closed_at FROM reports p WHERE p.id = $1 FOR UPDATE;

-- ReportStore.insert(_:in:)
INSERT INTO reports (id, reporter_id, target_id, category, comment, rule_ids, created_at, updated_at)
VALUES (
    $1, $2, $3, $4, $5,
    $6, $7, $8
);

-- ReportStore.insert(_:of:in:), note
INSERT INTO report_notes (id, report_id, account_id, text, created_at)
VALUES ($1, $2, $3, $4, $5);

-- ReportStore.insert(_:of:in:), thing
INSERT INTO report_things (report_id, kind, thing_id, account_id, snapshot)
VALUES (
    $1, $2, $3, $4,
    $5
);

-- ReportStore.keep(_:of:in:)
UPDATE report_things
SET account_id = $1, snapshot = $2
WHERE report_id = $3 AND kind = $4 AND thing_id = $5
    AND snapshot IS NULL;

-- ReportStore.lock(_:in:)
SELECT pg_advisory_xact_lock(hashtextextended('flag ' || $1 || ' ' || $2, 0));

-- ReportStore.notes(of:in:)
SELECT id, account_id, text, created_at FROM report_notes WHERE report_id = $1 ORDER BY id;

-- ReportStore.openFlag(of:in:)
SELECT p.id
FROM report_things t
JOIN reports p ON p.id = t.report_id AND p.reporter_id IS NULL AND p.closed_at IS NULL
WHERE t.kind = $1 AND t.thing_id = $2
LIMIT 1;

-- ReportStore.page(_:_:in:), assigned
WITH page AS MATERIALIZED (
    SELECT p.* FROM reports p WHERE p.closed_at IS NULL AND p.assigned_id = $1 AND p.id < $2 AND p.id > $3 ORDER BY p.id DESC LIMIT $4
)
SELECT p.id, p.reporter_id, p.target_id, p.category, p.comment, p.rule_ids, p.created_at, p.updated_at, p.assigned_id,
p.closed_id, p.closed_at FROM page p ORDER BY p.id DESC;

-- ReportStore.page(_:_:in:), closed
WITH page AS MATERIALIZED (
    SELECT p.* FROM reports p WHERE p.closed_at IS NOT NULL AND p.id < $1 AND p.id > $2 ORDER BY p.id DESC LIMIT $3
)
SELECT p.id, p.reporter_id, p.target_id, p.category, p.comment, p.rule_ids, p.created_at, p.updated_at, p.assigned_id,
p.closed_id, p.closed_at FROM page p ORDER BY p.id DESC;

-- ReportStore.page(_:_:in:), for a moderator
WITH page AS MATERIALIZED (
    SELECT p.* FROM reports p WHERE p.closed_at IS NULL AND p.target_id IS DISTINCT FROM $1
AND NOT EXISTS (
    SELECT FROM report_things t WHERE t.report_id = p.id AND t.account_id = $2 OFFSET 0
) AND p.id < $3 AND p.id > $4 ORDER BY p.id DESC LIMIT $5
)
SELECT p.id, p.reporter_id, p.target_id, p.category, p.comment, p.rule_ids, p.created_at, p.updated_at, p.assigned_id,
p.closed_id, p.closed_at FROM page p ORDER BY p.id DESC;

-- ReportStore.page(_:_:in:), free
WITH page AS MATERIALIZED (
    SELECT p.* FROM reports p WHERE p.closed_at IS NULL AND p.assigned_id IS NULL AND p.id < $1 AND p.id > $2 ORDER BY p.id DESC LIMIT $3
)
SELECT p.id, p.reporter_id, p.target_id, p.category, p.comment, p.rule_ids, p.created_at, p.updated_at, p.assigned_id,
p.closed_id, p.closed_at FROM page p ORDER BY p.id DESC;

-- ReportStore.page(_:_:in:), open
WITH page AS MATERIALIZED (
    SELECT p.* FROM reports p WHERE p.closed_at IS NULL AND p.id < $1 AND p.id > $2 ORDER BY p.id DESC LIMIT $3
)
SELECT p.id, p.reporter_id, p.target_id, p.category, p.comment, p.rule_ids, p.created_at, p.updated_at, p.assigned_id,
p.closed_id, p.closed_at FROM page p ORDER BY p.id DESC;

-- ReportStore.page(_:_:in:), reporter
WITH page AS MATERIALIZED (
    SELECT p.* FROM reports p WHERE p.closed_at IS NULL AND p.reporter_id = $1 AND p.id < $2 AND p.id > $3 ORDER BY p.id DESC LIMIT $4
)
SELECT p.id, p.reporter_id, p.target_id, p.category, p.comment, p.rule_ids, p.created_at, p.updated_at, p.assigned_id,
p.closed_id, p.closed_at FROM page p ORDER BY p.id DESC;

-- ReportStore.page(_:_:in:), target
WITH page AS MATERIALIZED (
    SELECT p.* FROM reports p WHERE p.closed_at IS NULL AND p.target_id = $1 AND p.id < $2 AND p.id > $3 ORDER BY p.id DESC LIMIT $4
)
SELECT p.id, p.reporter_id, p.target_id, p.category, p.comment, p.rule_ids, p.created_at, p.updated_at, p.assigned_id,
p.closed_id, p.closed_at FROM page p ORDER BY p.id DESC;

-- ReportStore.report(_:in:)
SELECT p.id, p.reporter_id, p.target_id, p.category, p.comment, p.rule_ids, p.created_at, p.updated_at, p.assigned_id,
p.closed_id, p.closed_at FROM reports p WHERE p.id = $1;

-- ReportStore.setTarget(_:of:in:)
UPDATE reports SET target_id = $1 WHERE id = $2;

-- ReportStore.things(of:in:)
SELECT report_id, kind, thing_id, account_id, snapshot
FROM report_things
WHERE report_id = ANY ($1)
ORDER BY report_id, kind, thing_id;

-- ReportStore.waiting(since:in:)
SELECT count(*) FROM reports WHERE closed_at IS NULL AND id < $1;

-- RestrictionStore.ended(before:in:)
SELECT DISTINCT e.account_id
FROM (SELECT r.account_id FROM restrictions r WHERE r.until <= $1 ORDER BY r.until LIMIT 100) e
ORDER BY e.account_id;

-- RestrictionStore.hear(_:in:)
INSERT INTO restricted_accounts AS told (account_id, restrictions, version, leaving_version)
VALUES ($1, '{}', 0, $2)
ON CONFLICT (account_id) DO UPDATE SET leaving_version = excluded.leaving_version
WHERE told.leaving_version < excluded.leaving_version;

-- RestrictionStore.lock(_:in:)
SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE;

-- RestrictionStore.nextEnd(in:)
SELECT min(until) FROM restrictions;

-- RestrictionStore.put(_:on:until:_:at:in:)
INSERT INTO restrictions (account_id, kind, since, until, decision_id, by_whom)
VALUES ($1, $2, $3, $4, coalesce($5, 0), $6)
ON CONFLICT (account_id, kind, decision_id) DO UPDATE
SET until = excluded.until, by_whom = excluded.by_whom;

-- RestrictionStore.recount(_:at:in:)
WITH in_force AS (
    SELECT coalesce(array_agg(k.kind ORDER BY k.place), '{}') AS kinds
    FROM unnest($1) WITH ORDINALITY k (kind, place)
    WHERE EXISTS (
        SELECT FROM restrictions r
        WHERE r.account_id = $2 AND r.kind = k.kind AND (r.until IS NULL OR r.until > $3)
    )
)
INSERT INTO restricted_accounts AS told (account_id, restrictions, version)
SELECT $4, f.kinds, 1
FROM in_force f
WHERE f.kinds <> '{}' OR EXISTS (SELECT FROM restricted_accounts t WHERE t.account_id = $5)
ON CONFLICT (account_id) DO UPDATE
SET restrictions = excluded.restrictions, version = told.version + 1
WHERE told.restrictions <> excluded.restrictions
RETURNING told.account_id, told.restrictions, told.version;

-- RestrictionStore.remove(_:from:decision:in:)
DELETE FROM restrictions
WHERE account_id = $1 AND kind = ANY ($2) AND decision_id = coalesce($3, decision_id);

-- RestrictionStore.removeEnded(of:before:in:)
DELETE FROM restrictions WHERE account_id = $1 AND until <= $2;

-- RestrictionStore.show(_:in:), none
UPDATE accounts a
SET extras = nullif(a.extras - 'restrictions', '{}'), version = a.version + 1
WHERE a.id = $1
RETURNING a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras;

-- RestrictionStore.show(_:in:), some
UPDATE accounts a
SET extras = coalesce(a.extras, '{}') || jsonb_build_object('restrictions', to_jsonb($1)), version = a.version + 1
WHERE a.id = $2
RETURNING a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras;

-- RestrictionStore.told(after:in:)
SELECT account_id, restrictions, version
FROM restricted_accounts
WHERE account_id > $1 AND version > 0
ORDER BY account_id
LIMIT $2;

-- RetoldStore.accounts(after:in:)
SELECT a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras FROM accounts a WHERE a.id > $1
ORDER BY a.id LIMIT $2;

-- RetoldStore.boosts(after:in:)
SELECT f.id, f.visibility, a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, p.id, p.account_id, p.text, p.spoiler_text, p.sensitive,
p.visibility, p.language, p.in_reply_to_id, p.in_reply_to_account_id,
p.mentioned_ids, p.mentioned_names, p.tags, p.app_name, p.app_website,
p.created_at, p.edited_at, p.replies_count, p.boosts_count,
p.favourites_count, p.version, p.media, w.id, w.username, w.display_name, w.note, w.fields, w.locked,
w.bot, w.discoverable, w.created_at, w.last_post_at, w.posts_count,
w.followers_count, w.following_count, w.version, w.extras
FROM posts f
CROSS JOIN LATERAL (SELECT p.* FROM posts p WHERE p.id = f.boost_of_id OFFSET 0) p
CROSS JOIN LATERAL (SELECT w.* FROM accounts w WHERE w.id = p.account_id OFFSET 0) w
CROSS JOIN LATERAL (SELECT a.* FROM accounts a WHERE a.id = f.account_id OFFSET 0) a
WHERE f.id > $1 AND f.boost_of_id IS NOT NULL AND f.deleted_at IS NULL AND p.deleted_at IS NULL
ORDER BY f.id
LIMIT $2;

-- RetoldStore.favourites(after:in:)
SELECT f.id, p.visibility, a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, p.id, p.account_id, p.text, p.spoiler_text, p.sensitive,
p.visibility, p.language, p.in_reply_to_id, p.in_reply_to_account_id,
p.mentioned_ids, p.mentioned_names, p.tags, p.app_name, p.app_website,
p.created_at, p.edited_at, p.replies_count, p.boosts_count,
p.favourites_count, p.version, p.media, w.id, w.username, w.display_name, w.note, w.fields, w.locked,
w.bot, w.discoverable, w.created_at, w.last_post_at, w.posts_count,
w.followers_count, w.following_count, w.version, w.extras
FROM favourites f
CROSS JOIN LATERAL (SELECT p.* FROM posts p WHERE p.id = f.post_id OFFSET 0) p
CROSS JOIN LATERAL (SELECT w.* FROM accounts w WHERE w.id = p.account_id OFFSET 0) w
CROSS JOIN LATERAL (SELECT a.* FROM accounts a WHERE a.id = f.account_id OFFSET 0) a
WHERE (f.account_id, f.post_id) > ($1, $2) AND p.deleted_at IS NULL
ORDER BY f.account_id, f.post_id
LIMIT $3;

-- RetoldStore.pairs(_:after:at:in:), blocks
SELECT a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, t.target_id, t.id, greatest(a.graph_version, t.id), false, NULL::timestamptz
FROM blocks t
CROSS JOIN LATERAL (SELECT a.* FROM accounts a WHERE a.id = t.account_id OFFSET 0) a
WHERE (t.account_id, t.target_id) > ($1, $2) 
ORDER BY t.account_id, t.target_id
LIMIT $3;

-- RetoldStore.pairs(_:after:at:in:), follows
SELECT a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, t.followee_id, t.id, greatest(a.graph_version, t.id), false, NULL::timestamptz
FROM follows t
CROSS JOIN LATERAL (SELECT a.* FROM accounts a WHERE a.id = t.follower_id OFFSET 0) a
WHERE (t.follower_id, t.followee_id) > ($1, $2) 
ORDER BY t.follower_id, t.followee_id
LIMIT $3;

-- RetoldStore.pairs(_:after:at:in:), mutes
SELECT a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, t.target_id, t.id, greatest(a.graph_version, t.id), t.notifications, t.expires_at
FROM mutes t
CROSS JOIN LATERAL (SELECT a.* FROM accounts a WHERE a.id = t.account_id OFFSET 0) a
WHERE (t.account_id, t.target_id) > ($1, $2) AND coalesce(t.expires_at > $3, true)
ORDER BY t.account_id, t.target_id
LIMIT $4;

-- RetoldStore.pairs(_:after:at:in:), requests
SELECT a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras, t.followee_id, t.id, greatest(a.graph_version, t.id), false, NULL::timestamptz
FROM follow_requests t
CROSS JOIN LATERAL (SELECT a.* FROM accounts a WHERE a.id = t.follower_id OFFSET 0) a
WHERE (t.follower_id, t.followee_id) > ($1, $2) 
ORDER BY t.follower_id, t.followee_id
LIMIT $3;

-- RetoldStore.posts(after:in:)
SELECT p.id, p.account_id, p.text, p.spoiler_text, p.sensitive,
p.visibility, p.language, p.in_reply_to_id, p.in_reply_to_account_id,
p.mentioned_ids, p.mentioned_names, p.tags, p.app_name, p.app_website,
p.created_at, p.edited_at, p.replies_count, p.boosts_count,
p.favourites_count, p.version, p.media, w.id, w.username, w.display_name, w.note, w.fields, w.locked,
w.bot, w.discoverable, w.created_at, w.last_post_at, w.posts_count,
w.followers_count, w.following_count, w.version, w.extras
FROM posts p
CROSS JOIN LATERAL (SELECT w.* FROM accounts w WHERE w.id = p.account_id OFFSET 0) w
WHERE p.id > $1 AND p.boost_of_id IS NULL AND p.deleted_at IS NULL
ORDER BY p.id
LIMIT $2;

-- RetoldStore.projects(after:in:)
SELECT p.id, p.leader_id, p.state, p.title, p.summary, p.body,
p.mentioned_ids, p.mentioned_names, p.category, p.tags, p.roles, p.place,
p.frequency, to_char(p.starts_on, 'YYYY-MM-DD'), p.deadline, p.contact_url,
p.language, p.media, p.created_at, p.published_at, p.edited_at,
p.version, l.id, l.username, l.display_name, l.note, l.fields, l.locked,
l.bot, l.discoverable, l.created_at, l.last_post_at, l.posts_count,
l.followers_count, l.following_count, l.version, l.extras
FROM projects p
CROSS JOIN LATERAL (SELECT l.* FROM accounts l WHERE l.id = p.leader_id OFFSET 0) l
WHERE p.id > $1 AND p.deleted_at IS NULL
ORDER BY p.id
LIMIT $2;

-- RetoldStore.records(after:in:)
SELECT r.id, r.account_id, r.client_id, r.version, r.state, r.rating, r.one_line, r.review, r.quotes, r.started_on,
r.ended_on, r.visibility, r.favourite_id, r.updated_at, p.page, p.percent, b.id, b.version, b.title, b.authors, b.translators, b.publisher, b.published_on, b.isbn, b.description, b.pages,
b.language, b.cover_url, b.link, a.id, a.username, a.display_name, a.note, a.fields, a.locked,
a.bot, a.discoverable, a.created_at, a.last_post_at, a.posts_count,
a.followers_count, a.following_count, a.version, a.extras
FROM (
    SELECT r.* FROM reading_records r
    WHERE r.id > $1 AND r.visibility <> 'private'
    ORDER BY r.id
    LIMIT $2
) r
CROSS JOIN LATERAL (SELECT b.* FROM shelf_books b WHERE b.id = r.book_id OFFSET 0) b
LEFT JOIN LATERAL (
    SELECT p.page, p.percent FROM reading_progress p WHERE p.record_id = r.id ORDER BY p.day DESC LIMIT 1
) p ON true
CROSS JOIN LATERAL (SELECT a.* FROM accounts a WHERE a.id = r.account_id OFFSET 0) a
ORDER BY r.id;

-- RoleStore.keep(_:in:)
INSERT INTO roles AS r (account_id, role, version)
VALUES ($1, $2, $3)
ON CONFLICT (account_id) DO UPDATE SET role = excluded.role, version = excluded.version
WHERE r.version < excluded.version;

-- RoleStore.role(of:in:)
SELECT role FROM roles WHERE account_id = $1;

-- ShelfBookStore.book(_:of:in:)
SELECT b.id, b.version, b.title, b.authors, b.translators, b.publisher, b.published_on, b.isbn, b.description, b.pages,
b.language, b.cover_url, b.link, (SELECT count(*) FROM reading_records r WHERE r.book_id = b.id) FROM shelf_books b WHERE b.id = $1 AND b.account_id = $2;

-- ShelfBookStore.books(_:of:in:)
SELECT b.id, b.version, b.title, b.authors, b.translators, b.publisher, b.published_on, b.isbn, b.description, b.pages,
b.language, b.cover_url, b.link
FROM unnest($1) wanted (id)
CROSS JOIN LATERAL (
    SELECT b.* FROM shelf_books b WHERE b.id = wanted.id AND b.account_id = $2 OFFSET 0
) b;

-- ShelfBookStore.books(of:of:in:)
SELECT wanted.place, b.id, b.version, b.title, b.authors, b.translators, b.publisher, b.published_on, b.isbn, b.description, b.pages,
b.language, b.cover_url, b.link
FROM unnest($1) WITH ORDINALITY wanted (key, place)
CROSS JOIN LATERAL (
    SELECT b.* FROM shelf_books b WHERE b.account_id = $2 AND b.key = sha256(wanted.key) OFFSET 0
) b;

-- ShelfBookStore.deleteUnread(_:in:)
DELETE FROM shelf_books b
WHERE b.id = $1 AND NOT EXISTS (SELECT FROM reading_records r WHERE r.book_id = b.id);

-- ShelfBookStore.insert(_:of:in:)
INSERT INTO shelf_books (
    id, account_id, version, key, title, authors, translators, publisher, published_on, isbn, description,
    pages, language, cover_url, link, folded
)
VALUES (
    $1, $2, $3, sha256($4), $5, $6,
    $7, $8, $9, $10, $11,
    $12, $13, $14, $15, $16
);

-- ShelfBookStore.page(_:of:words:in:), all, forwards
WITH page AS MATERIALIZED (
    SELECT c.* FROM shelf_books c WHERE c.account_id = $1  AND c.id < $2 AND c.id > $3 ORDER BY c.id ASC LIMIT $4
)
SELECT b.id, b.version, b.title, b.authors, b.translators, b.publisher, b.published_on, b.isbn, b.description, b.pages,
b.language, b.cover_url, b.link, (SELECT count(*) FROM reading_records r WHERE r.book_id = b.id) FROM page b ORDER BY b.id DESC;

-- ShelfBookStore.page(_:of:words:in:), all, newest
WITH page AS MATERIALIZED (
    SELECT c.* FROM shelf_books c WHERE c.account_id = $1  AND c.id < $2 AND c.id > $3 ORDER BY c.id DESC LIMIT $4
)
SELECT b.id, b.version, b.title, b.authors, b.translators, b.publisher, b.published_on, b.isbn, b.description, b.pages,
b.language, b.cover_url, b.link, (SELECT count(*) FROM reading_records r WHERE r.book_id = b.id) FROM page b ORDER BY b.id DESC;

-- ShelfBookStore.page(_:of:words:in:), found, forwards
WITH page AS MATERIALIZED (
    SELECT c.* FROM shelf_books c WHERE c.account_id = $1 AND c.folded LIKE ALL ($2) AND c.id < $3 AND c.id > $4 ORDER BY c.id ASC LIMIT $5
)
SELECT b.id, b.version, b.title, b.authors, b.translators, b.publisher, b.published_on, b.isbn, b.description, b.pages,
b.language, b.cover_url, b.link, (SELECT count(*) FROM reading_records r WHERE r.book_id = b.id) FROM page b ORDER BY b.id DESC;

-- ShelfBookStore.page(_:of:words:in:), found, newest
WITH page AS MATERIALIZED (
    SELECT c.* FROM shelf_books c WHERE c.account_id = $1 AND c.folded LIKE ALL ($2) AND c.id < $3 AND c.id > $4 ORDER BY c.id DESC LIMIT $5
)
SELECT b.id, b.version, b.title, b.authors, b.translators, b.publisher, b.published_on, b.isbn, b.description, b.pages,
b.language, b.cover_url, b.link, (SELECT count(*) FROM reading_records r WHERE r.book_id = b.id) FROM page b ORDER BY b.id DESC;

-- ShelfBookStore.update(_:in:)
UPDATE shelf_books
SET version = $1, key = sha256($2), title = $3, authors = $4,
    translators = $5, publisher = $6, published_on = $7,
    isbn = $8, description = $9, pages = $10,
    language = $11, cover_url = $12, link = $13, folded = $14
WHERE id = $15;

-- ShelfStore.advance(_:to:in:)
UPDATE shelves SET version = $1 WHERE account_id = $2;

-- ShelfStore.bury(_:_:client:of:version:at:in:)
INSERT INTO shelf_tombstones (account_id, version, kind, item_id, client_id, deleted_at)
VALUES ($1, $2, $3, $4, $5, $6);

-- ShelfStore.changes(of:after:start:limit:in:), from a number
SELECT s.version, s.forgotten, c.version, c.kind, c.id, c.client_id, c.is_gone
FROM shelves s
LEFT JOIN LATERAL (
    SELECT *
    FROM (
        (
            SELECT version, 'book' AS kind, id, NULL::uuid AS client_id, false AS is_gone
            FROM shelf_books WHERE account_id = $1 AND version > $2 ORDER BY version LIMIT $3
        )
        UNION ALL
        (SELECT version, 'record', id, NULL, false FROM reading_records WHERE account_id = $4 AND version > $5 ORDER BY version LIMIT $6)
        UNION ALL
        (
            SELECT version, 'goal', year::bigint * 100 + month, NULL, false
            FROM reading_goals WHERE account_id = $7 AND version > $8 ORDER BY version LIMIT $9
        )
        UNION ALL
        (
            SELECT version, kind, item_id, client_id, true
            FROM shelf_tombstones WHERE account_id = $10 AND version > $11 AND version > coalesce($12, s.version) ORDER BY version LIMIT $13
        )
    ) every
    ORDER BY version LIMIT $14
) c ON true
WHERE s.account_id = $15
ORDER BY c.version;

-- ShelfStore.changes(of:after:start:limit:in:), from nothing
SELECT s.version, s.forgotten, c.version, c.kind, c.id, c.client_id, c.is_gone
FROM shelves s
LEFT JOIN LATERAL (
    SELECT *
    FROM (
        (
            SELECT version, 'book' AS kind, id, NULL::uuid AS client_id, false AS is_gone
            FROM shelf_books WHERE account_id = $1 AND version > $2 ORDER BY version LIMIT $3
        )
        UNION ALL
        (SELECT version, 'record', id, NULL, false FROM reading_records WHERE account_id = $4 AND version > $5 ORDER BY version LIMIT $6)
        UNION ALL
        (
            SELECT version, 'goal', year::bigint * 100 + month, NULL, false
            FROM reading_goals WHERE account_id = $7 AND version > $8 ORDER BY version LIMIT $9
        )
        UNION ALL
        (
            SELECT version, kind, item_id, client_id, true
            FROM shelf_tombstones WHERE account_id = $10 AND version > $11 AND version > coalesce($12, s.version) ORDER BY version LIMIT $13
        )
    ) every
    ORDER BY version LIMIT $14
) c ON true
WHERE s.account_id = $15
ORDER BY c.version;

-- ShelfStore.forget(before:in:)
WITH old AS MATERIALIZED (
    SELECT account_id, version FROM shelf_tombstones WHERE deleted_at < $1
    ORDER BY deleted_at
    LIMIT 1000
),
-- In the order in which everybody would hold them.
held AS MATERIALIZED (
    SELECT s.account_id
    FROM shelves s
    WHERE s.account_id IN (SELECT account_id FROM old)
    ORDER BY s.account_id
    FOR UPDATE
),
newest AS (
    UPDATE shelves s
    SET forgotten = greatest(s.forgotten, o.version)
    FROM (SELECT account_id, max(version) AS version FROM old GROUP BY account_id) o
    JOIN held h ON h.account_id = o.account_id
    WHERE s.account_id = o.account_id
)
DELETE FROM shelf_tombstones t USING old o WHERE t.account_id = o.account_id AND t.version = o.version;

-- ShelfStore.hold(_:in:)
INSERT INTO shelves (account_id) VALUES ($1)
ON CONFLICT (account_id) DO UPDATE SET account_id = excluded.account_id
RETURNING version;

-- ShelfStore.isGone(_:of:in:)
SELECT 1 FROM shelf_tombstones WHERE account_id = $1 AND client_id = $2 LIMIT 1;

-- ShelfStore.trim(_:keeping:in:)
WITH last AS (
    SELECT version FROM shelf_tombstones WHERE account_id = $1
    ORDER BY version DESC
    LIMIT 1 OFFSET $2
),
gone AS (
    DELETE FROM shelf_tombstones t USING last WHERE t.account_id = $3 AND t.version <= last.version
)
UPDATE shelves s SET forgotten = greatest(s.forgotten, last.version) FROM last WHERE s.account_id = $4;

-- ShelfWriteStore.aged
DELETE FROM shelf_writes
WHERE (account_id, key) IN (SELECT account_id, key FROM shelf_writes WHERE taken_at < $1 ORDER BY taken_at LIMIT 1000);

-- ShelfWriteStore.remember(_:of:at:in:)
INSERT INTO shelf_writes (account_id, key, taken_at)
SELECT $1, key, $2 FROM unnest($3) key
ON CONFLICT (account_id, key) DO NOTHING;

-- ShelfWriteStore.taken(_:of:in:)
SELECT key FROM shelf_writes WHERE account_id = $1 AND key = ANY ($2);

-- SpreadStore.spread(_:_:room:limit:largeAccount:in:), all
WITH post AS MATERIALIZED (
    SELECT entry.after, p.id, p.account_id, p.visibility, p.language, p.boost_of_id, p.in_reply_to_account_id,
        p.mentioned_ids, a.followers_count, a.followers_count > $1 AS is_popular,
        p.version = entry.version AND p.card IS NULL AND p.link_hash IS NULL
            AND a.extras -> 'restrictions' IS NULL AS is_as_told
    FROM unnest(
        $2, $3, $4, $5
    ) entry (id, author_id, version, after)
    CROSS JOIN LATERAL (
        SELECT p.* FROM posts p
        WHERE p.id = entry.id AND p.account_id = entry.author_id AND p.deleted_at IS NULL
        OFFSET 0
    ) p
    CROSS JOIN LATERAL (
        SELECT a.followers_count, a.extras FROM accounts a WHERE a.id = p.account_id OFFSET 0
    ) a
),

popular AS (
    INSERT INTO popular_accounts (account_id)
    SELECT DISTINCT p.account_id FROM post p
    WHERE p.is_popular AND p.visibility <> 'direct'
    ORDER BY p.account_id
    ON CONFLICT (account_id) DO NOTHING
),
averse AS MATERIALIZED (
    SELECT p.id AS post_id, author.is_own, other.id
    FROM post p
    CROSS JOIN LATERAL (
    SELECT p.account_id, true
    UNION ALL
    SELECT b.account_id, false FROM posts b WHERE b.id = p.boost_of_id
) author (id, is_own)
    CROSS JOIN LATERAL (
        SELECT b.account_id AS id FROM blocks b WHERE b.target_id = author.id
        UNION
        SELECT b.target_id FROM blocks b WHERE b.account_id = author.id
        UNION
        SELECT m.account_id FROM mutes m
        WHERE m.target_id = author.id AND (m.expires_at IS NULL OR m.expires_at > statement_timestamp())
    ) other
),
looked AS MATERIALIZED (
    SELECT p.id AS post_id, p.account_id AS author_id, p.is_popular, f.id, f.follower_id AS account_id,
        f.notify AND p.boost_of_id IS NULL AND p.visibility <> 'direct'
    AND (p.in_reply_to_account_id IS NULL OR p.in_reply_to_account_id = p.account_id) AS listens,
        (p.boost_of_id IS NULL OR f.show_boosts) AND
(p.language = ANY (f.languages) OR coalesce(f.languages, '{}') = '{}' OR p.language IS NULL)
AND (
    p.in_reply_to_account_id IS NULL
    OR p.in_reply_to_account_id IN (p.account_id, f.follower_id)
    OR EXISTS (
        SELECT FROM follows r
        WHERE r.follower_id = f.follower_id AND r.followee_id = p.in_reply_to_account_id
    )
)
            AND (p.id, f.follower_id) NOT IN (SELECT post_id, id FROM averse WHERE is_own) AS reads
    FROM post p
    CROSS JOIN LATERAL (
        SELECT f.id, f.follower_id, f.show_boosts, f.languages, f.notify
        FROM follows f
        WHERE f.followee_id = p.account_id AND f.id > p.after
        ORDER BY f.id
        LIMIT $6
    ) f
    WHERE p.visibility <> 'direct'
    UNION ALL
SELECT DISTINCT p.id, p.account_id, false, 0, named.id, false, (p.id, named.id) NOT IN (SELECT post_id, id FROM averse WHERE is_own)
FROM post p
CROSS JOIN LATERAL unnest(p.mentioned_ids) named (id)
CROSS JOIN LATERAL (
    SELECT FROM follows f WHERE f.follower_id = named.id AND f.followee_id = p.account_id OFFSET 0
) f
WHERE p.visibility = 'direct' AND p.after = 0
),
added AS (
    INSERT INTO timeline (account_id, post_id, author_id)
    SELECT r.account_id, r.post_id, r.author_id FROM looked r WHERE r.reads AND NOT r.is_popular
    ON CONFLICT (account_id, post_id) DO NOTHING
)
SELECT p.id, p.is_as_told, coalesce(r.readers, '{}'), coalesce(r.listening, '{}'), coalesce(averse.accounts, '{}'),
coalesce(r.last, 0), coalesce(r.looked, 0)
FROM post p
LEFT JOIN (
    SELECT r.post_id, max(r.id) AS last, count(*) FILTER (WHERE r.id > 0) AS looked,
        array_agg(r.account_id) FILTER (WHERE r.reads AND (p.boost_of_id IS NULL OR NOT EXISTS (
    SELECT
    FROM (
        -- The last of the 40.
        SELECT coalesce(
            (
                SELECT t.post_id
                FROM timeline t
                WHERE t.account_id = r.account_id AND t.post_id < p.id
                ORDER BY t.post_id DESC
                OFFSET 39
                LIMIT 1
            ),
            0
        ) AS id
        OFFSET 0
    ) last
    CROSS JOIN LATERAL (
        -- Of the boosts of what very many boost, few are in the timeline: of the others nothing else is asked.
        SELECT o.id, o.account_id,
            EXISTS (SELECT FROM timeline t WHERE t.account_id = r.account_id AND t.post_id = o.id OFFSET 0) AS is_entry,
            o.is_for_all AND o.account_id IN (SELECT l.account_id FROM popular_accounts l) AS is_read
        FROM (
            SELECT o.id, o.account_id, o.visibility <> 'direct'
                AND (o.in_reply_to_account_id IS NULL OR o.in_reply_to_account_id = o.account_id) AS is_for_all
            FROM posts o
            WHERE o.id = p.boost_of_id AND o.id >= last.id AND o.deleted_at IS NULL
            UNION ALL
            (
                SELECT o.id, o.account_id, true
                FROM posts o
                WHERE o.boost_of_id = p.boost_of_id AND o.id < p.id AND o.id >= last.id AND o.deleted_at IS NULL
                ORDER BY o.id DESC
                LIMIT 100
            )
        ) o
        OFFSET 0
    ) earlier
    -- A join may read all whom the viewer follows.
    LEFT JOIN LATERAL (
        SELECT f.follower_id, f.languages, f.show_boosts
        FROM follows f
        WHERE f.follower_id = r.account_id AND f.followee_id = earlier.account_id
        OFFSET 0
    ) f ON true
    WHERE (earlier.is_entry OR earlier.is_read)
        AND (earlier.is_entry OR f.follower_id IS NOT NULL AND coalesce(f.languages, '{}') = '{}')
        AND (earlier.id = p.boost_of_id OR f.show_boosts IS NOT FALSE)
        AND (NOT earlier.account_id IN (SELECT id FROM hidden_from(r.account_id)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = earlier.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM r.account_id
    OFFSET 0
))
))) AS readers,
        array_agg(r.account_id) FILTER (WHERE r.reads AND r.listens) AS listening
    FROM looked r
    JOIN post p ON p.id = r.post_id
    GROUP BY r.post_id
) r ON r.post_id = p.id
LEFT JOIN (
    SELECT post_id, array_agg(DISTINCT id ORDER BY id) AS accounts FROM averse GROUP BY post_id
) averse ON averse.post_id = p.id;

-- SpreadStore.spread(_:_:room:limit:largeAccount:in:), boosts
WITH post AS MATERIALIZED (
    SELECT entry.after, p.id, p.account_id, p.visibility, p.language, p.boost_of_id, p.in_reply_to_account_id,
        p.mentioned_ids, a.followers_count, a.followers_count > $1 AS is_popular,
        p.version = entry.version AND p.card IS NULL AND p.link_hash IS NULL
            AND a.extras -> 'restrictions' IS NULL AS is_as_told
    FROM unnest(
        $2, $3, $4, $5
    ) entry (id, author_id, version, after)
    CROSS JOIN LATERAL (
        SELECT p.* FROM posts p
        WHERE p.id = entry.id AND p.account_id = entry.author_id AND p.deleted_at IS NULL
        OFFSET 0
    ) p
    CROSS JOIN LATERAL (
        SELECT a.followers_count, a.extras FROM accounts a WHERE a.id = p.account_id OFFSET 0
    ) a
),

popular AS (
    INSERT INTO popular_accounts (account_id)
    SELECT DISTINCT p.account_id FROM post p
    WHERE p.is_popular AND p.visibility <> 'direct'
    ORDER BY p.account_id
    ON CONFLICT (account_id) DO NOTHING
),
averse AS MATERIALIZED (
    SELECT p.id AS post_id, author.is_own, other.id
    FROM post p
    CROSS JOIN LATERAL (
    SELECT p.account_id, true
    UNION ALL
    SELECT b.account_id, false FROM posts b WHERE b.id = p.boost_of_id
) author (id, is_own)
    CROSS JOIN LATERAL (
        SELECT b.account_id AS id FROM blocks b WHERE b.target_id = author.id
        UNION
        SELECT b.target_id FROM blocks b WHERE b.account_id = author.id
        UNION
        SELECT m.account_id FROM mutes m
        WHERE m.target_id = author.id AND (m.expires_at IS NULL OR m.expires_at > statement_timestamp())
    ) other
),
looked AS MATERIALIZED (
    SELECT p.id AS post_id, p.account_id AS author_id, p.is_popular, f.id, f.follower_id AS account_id,
        f.notify AND p.boost_of_id IS NULL AND p.visibility <> 'direct'
    AND (p.in_reply_to_account_id IS NULL OR p.in_reply_to_account_id = p.account_id) AS listens,
        (p.boost_of_id IS NULL OR f.show_boosts) AND
(p.language = ANY (f.languages) OR coalesce(f.languages, '{}') = '{}' OR p.language IS NULL)

            AND (p.id, f.follower_id) NOT IN (SELECT post_id, id FROM averse WHERE is_own) AS reads
    FROM post p
    CROSS JOIN LATERAL (
        SELECT f.id, f.follower_id, f.show_boosts, f.languages, f.notify
        FROM follows f
        WHERE f.followee_id = p.account_id AND f.id > p.after
        ORDER BY f.id
        LIMIT $6
    ) f
    WHERE p.visibility <> 'direct'
    
),
added AS (
    INSERT INTO timeline (account_id, post_id, author_id)
    SELECT r.account_id, r.post_id, r.author_id FROM looked r WHERE r.reads AND NOT r.is_popular
    ON CONFLICT (account_id, post_id) DO NOTHING
)
SELECT p.id, p.is_as_told, coalesce(r.readers, '{}'), coalesce(r.listening, '{}'), coalesce(averse.accounts, '{}'),
coalesce(r.last, 0), coalesce(r.looked, 0)
FROM post p
LEFT JOIN (
    SELECT r.post_id, max(r.id) AS last, count(*) FILTER (WHERE r.id > 0) AS looked,
        array_agg(r.account_id) FILTER (WHERE r.reads AND (p.boost_of_id IS NULL OR NOT EXISTS (
    SELECT
    FROM (
        -- The last of the 40.
        SELECT coalesce(
            (
                SELECT t.post_id
                FROM timeline t
                WHERE t.account_id = r.account_id AND t.post_id < p.id
                ORDER BY t.post_id DESC
                OFFSET 39
                LIMIT 1
            ),
            0
        ) AS id
        OFFSET 0
    ) last
    CROSS JOIN LATERAL (
        -- Of the boosts of what very many boost, few are in the timeline: of the others nothing else is asked.
        SELECT o.id, o.account_id,
            EXISTS (SELECT FROM timeline t WHERE t.account_id = r.account_id AND t.post_id = o.id OFFSET 0) AS is_entry,
            o.is_for_all AND o.account_id IN (SELECT l.account_id FROM popular_accounts l) AS is_read
        FROM (
            SELECT o.id, o.account_id, o.visibility <> 'direct'
                AND (o.in_reply_to_account_id IS NULL OR o.in_reply_to_account_id = o.account_id) AS is_for_all
            FROM posts o
            WHERE o.id = p.boost_of_id AND o.id >= last.id AND o.deleted_at IS NULL
            UNION ALL
            (
                SELECT o.id, o.account_id, true
                FROM posts o
                WHERE o.boost_of_id = p.boost_of_id AND o.id < p.id AND o.id >= last.id AND o.deleted_at IS NULL
                ORDER BY o.id DESC
                LIMIT 100
            )
        ) o
        OFFSET 0
    ) earlier
    -- A join may read all whom the viewer follows.
    LEFT JOIN LATERAL (
        SELECT f.follower_id, f.languages, f.show_boosts
        FROM follows f
        WHERE f.follower_id = r.account_id AND f.followee_id = earlier.account_id
        OFFSET 0
    ) f ON true
    WHERE (earlier.is_entry OR earlier.is_read)
        AND (earlier.is_entry OR f.follower_id IS NOT NULL AND coalesce(f.languages, '{}') = '{}')
        AND (earlier.id = p.boost_of_id OR f.show_boosts IS NOT FALSE)
        AND (NOT earlier.account_id IN (SELECT id FROM hidden_from(r.account_id)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = earlier.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM r.account_id
    OFFSET 0
))
))) AS readers,
        array_agg(r.account_id) FILTER (WHERE r.reads AND r.listens) AS listening
    FROM looked r
    JOIN post p ON p.id = r.post_id
    GROUP BY r.post_id
) r ON r.post_id = p.id
LEFT JOIN (
    SELECT post_id, array_agg(DISTINCT id ORDER BY id) AS accounts FROM averse GROUP BY post_id
) averse ON averse.post_id = p.id;

-- SpreadStore.spread(_:_:room:limit:largeAccount:in:), direct
WITH post AS MATERIALIZED (
    SELECT entry.after, p.id, p.account_id, p.visibility, p.language, p.boost_of_id, p.in_reply_to_account_id,
        p.mentioned_ids, a.followers_count, a.followers_count > $1 AS is_popular,
        p.version = entry.version AND p.card IS NULL AND p.link_hash IS NULL
            AND a.extras -> 'restrictions' IS NULL AS is_as_told
    FROM unnest(
        $2, $3, $4, $5
    ) entry (id, author_id, version, after)
    CROSS JOIN LATERAL (
        SELECT p.* FROM posts p
        WHERE p.id = entry.id AND p.account_id = entry.author_id AND p.deleted_at IS NULL
        OFFSET 0
    ) p
    CROSS JOIN LATERAL (
        SELECT a.followers_count, a.extras FROM accounts a WHERE a.id = p.account_id OFFSET 0
    ) a
),

popular AS (
    INSERT INTO popular_accounts (account_id)
    SELECT DISTINCT p.account_id FROM post p
    WHERE p.is_popular AND p.visibility <> 'direct'
    ORDER BY p.account_id
    ON CONFLICT (account_id) DO NOTHING
),
averse AS MATERIALIZED (
    SELECT p.id AS post_id, author.is_own, other.id
    FROM post p
    CROSS JOIN LATERAL (VALUES (p.account_id, true)) author (id, is_own)
    CROSS JOIN LATERAL (
        SELECT b.account_id AS id FROM blocks b WHERE b.target_id = author.id
        UNION
        SELECT b.target_id FROM blocks b WHERE b.account_id = author.id
        UNION
        SELECT m.account_id FROM mutes m
        WHERE m.target_id = author.id AND (m.expires_at IS NULL OR m.expires_at > statement_timestamp())
    ) other
),
looked AS MATERIALIZED (
    SELECT p.id AS post_id, p.account_id AS author_id, p.is_popular, f.id, f.follower_id AS account_id,
        f.notify AND p.boost_of_id IS NULL AND p.visibility <> 'direct'
    AND (p.in_reply_to_account_id IS NULL OR p.in_reply_to_account_id = p.account_id) AS listens,
        
(p.language = ANY (f.languages) OR coalesce(f.languages, '{}') = '{}' OR p.language IS NULL)

            AND (p.id, f.follower_id) NOT IN (SELECT post_id, id FROM averse WHERE is_own) AS reads
    FROM post p
    CROSS JOIN LATERAL (
        SELECT f.id, f.follower_id, f.show_boosts, f.languages, f.notify
        FROM follows f
        WHERE f.followee_id = p.account_id AND f.id > p.after
        ORDER BY f.id
        LIMIT $6
    ) f
    WHERE p.visibility <> 'direct'
    UNION ALL
SELECT DISTINCT p.id, p.account_id, false, 0, named.id, false, (p.id, named.id) NOT IN (SELECT post_id, id FROM averse WHERE is_own)
FROM post p
CROSS JOIN LATERAL unnest(p.mentioned_ids) named (id)
CROSS JOIN LATERAL (
    SELECT FROM follows f WHERE f.follower_id = named.id AND f.followee_id = p.account_id OFFSET 0
) f
WHERE p.visibility = 'direct' AND p.after = 0
),
added AS (
    INSERT INTO timeline (account_id, post_id, author_id)
    SELECT r.account_id, r.post_id, r.author_id FROM looked r WHERE r.reads AND NOT r.is_popular
    ON CONFLICT (account_id, post_id) DO NOTHING
)
SELECT p.id, p.is_as_told, coalesce(r.readers, '{}'), coalesce(r.listening, '{}'), coalesce(averse.accounts, '{}'),
coalesce(r.last, 0), coalesce(r.looked, 0)
FROM post p
LEFT JOIN (
    SELECT r.post_id, max(r.id) AS last, count(*) FILTER (WHERE r.id > 0) AS looked,
        array_agg(r.account_id) FILTER (WHERE r.reads ) AS readers,
        array_agg(r.account_id) FILTER (WHERE r.reads AND r.listens) AS listening
    FROM looked r
    
    GROUP BY r.post_id
) r ON r.post_id = p.id
LEFT JOIN (
    SELECT post_id, array_agg(DISTINCT id ORDER BY id) AS accounts FROM averse GROUP BY post_id
) averse ON averse.post_id = p.id;

-- SpreadStore.spread(_:_:room:limit:largeAccount:in:), plain
WITH post AS MATERIALIZED (
    SELECT entry.after, p.id, p.account_id, p.visibility, p.language, p.boost_of_id, p.in_reply_to_account_id,
        p.mentioned_ids, a.followers_count, a.followers_count > $1 AS is_popular,
        p.version = entry.version AND p.card IS NULL AND p.link_hash IS NULL
            AND a.extras -> 'restrictions' IS NULL AS is_as_told
    FROM unnest(
        $2, $3, $4, $5
    ) entry (id, author_id, version, after)
    CROSS JOIN LATERAL (
        SELECT p.* FROM posts p
        WHERE p.id = entry.id AND p.account_id = entry.author_id AND p.deleted_at IS NULL
        OFFSET 0
    ) p
    CROSS JOIN LATERAL (
        SELECT a.followers_count, a.extras FROM accounts a WHERE a.id = p.account_id OFFSET 0
    ) a
),

popular AS (
    INSERT INTO popular_accounts (account_id)
    SELECT DISTINCT p.account_id FROM post p
    WHERE p.is_popular AND p.visibility <> 'direct'
    ORDER BY p.account_id
    ON CONFLICT (account_id) DO NOTHING
),
averse AS MATERIALIZED (
    SELECT p.id AS post_id, author.is_own, other.id
    FROM post p
    CROSS JOIN LATERAL (VALUES (p.account_id, true)) author (id, is_own)
    CROSS JOIN LATERAL (
        SELECT b.account_id AS id FROM blocks b WHERE b.target_id = author.id
        UNION
        SELECT b.target_id FROM blocks b WHERE b.account_id = author.id
        UNION
        SELECT m.account_id FROM mutes m
        WHERE m.target_id = author.id AND (m.expires_at IS NULL OR m.expires_at > statement_timestamp())
    ) other
),
looked AS MATERIALIZED (
    SELECT p.id AS post_id, p.account_id AS author_id, p.is_popular, f.id, f.follower_id AS account_id,
        f.notify AND p.boost_of_id IS NULL AND p.visibility <> 'direct'
    AND (p.in_reply_to_account_id IS NULL OR p.in_reply_to_account_id = p.account_id) AS listens,
        
(p.language = ANY (f.languages) OR coalesce(f.languages, '{}') = '{}' OR p.language IS NULL)

            AND (p.id, f.follower_id) NOT IN (SELECT post_id, id FROM averse WHERE is_own) AS reads
    FROM post p
    CROSS JOIN LATERAL (
        SELECT f.id, f.follower_id, f.show_boosts, f.languages, f.notify
        FROM follows f
        WHERE f.followee_id = p.account_id AND f.id > p.after
        ORDER BY f.id
        LIMIT $6
    ) f
    WHERE p.visibility <> 'direct'
    
),
added AS (
    INSERT INTO timeline (account_id, post_id, author_id)
    SELECT r.account_id, r.post_id, r.author_id FROM looked r WHERE r.reads AND NOT r.is_popular
    ON CONFLICT (account_id, post_id) DO NOTHING
)
SELECT p.id, p.is_as_told, coalesce(r.readers, '{}'), coalesce(r.listening, '{}'), coalesce(averse.accounts, '{}'),
coalesce(r.last, 0), coalesce(r.looked, 0)
FROM post p
LEFT JOIN (
    SELECT r.post_id, max(r.id) AS last, count(*) FILTER (WHERE r.id > 0) AS looked,
        array_agg(r.account_id) FILTER (WHERE r.reads ) AS readers,
        array_agg(r.account_id) FILTER (WHERE r.reads AND r.listens) AS listening
    FROM looked r
    
    GROUP BY r.post_id
) r ON r.post_id = p.id
LEFT JOIN (
    SELECT post_id, array_agg(DISTINCT id ORDER BY id) AS accounts FROM averse GROUP BY post_id
) averse ON averse.post_id = p.id;

-- SpreadStore.spread(_:_:room:limit:largeAccount:in:), replies
WITH post AS MATERIALIZED (
    SELECT entry.after, p.id, p.account_id, p.visibility, p.language, p.boost_of_id, p.in_reply_to_account_id,
        p.mentioned_ids, a.followers_count, a.followers_count > $1 AS is_popular,
        p.version = entry.version AND p.card IS NULL AND p.link_hash IS NULL
            AND a.extras -> 'restrictions' IS NULL AS is_as_told
    FROM unnest(
        $2, $3, $4, $5
    ) entry (id, author_id, version, after)
    CROSS JOIN LATERAL (
        SELECT p.* FROM posts p
        WHERE p.id = entry.id AND p.account_id = entry.author_id AND p.deleted_at IS NULL
        OFFSET 0
    ) p
    CROSS JOIN LATERAL (
        SELECT a.followers_count, a.extras FROM accounts a WHERE a.id = p.account_id OFFSET 0
    ) a
),

popular AS (
    INSERT INTO popular_accounts (account_id)
    SELECT DISTINCT p.account_id FROM post p
    WHERE p.is_popular AND p.visibility <> 'direct'
    ORDER BY p.account_id
    ON CONFLICT (account_id) DO NOTHING
),
averse AS MATERIALIZED (
    SELECT p.id AS post_id, author.is_own, other.id
    FROM post p
    CROSS JOIN LATERAL (VALUES (p.account_id, true)) author (id, is_own)
    CROSS JOIN LATERAL (
        SELECT b.account_id AS id FROM blocks b WHERE b.target_id = author.id
        UNION
        SELECT b.target_id FROM blocks b WHERE b.account_id = author.id
        UNION
        SELECT m.account_id FROM mutes m
        WHERE m.target_id = author.id AND (m.expires_at IS NULL OR m.expires_at > statement_timestamp())
    ) other
),
looked AS MATERIALIZED (
    SELECT p.id AS post_id, p.account_id AS author_id, p.is_popular, f.id, f.follower_id AS account_id,
        f.notify AND p.boost_of_id IS NULL AND p.visibility <> 'direct'
    AND (p.in_reply_to_account_id IS NULL OR p.in_reply_to_account_id = p.account_id) AS listens,
        
(p.language = ANY (f.languages) OR coalesce(f.languages, '{}') = '{}' OR p.language IS NULL)
AND (
    p.in_reply_to_account_id IS NULL
    OR p.in_reply_to_account_id IN (p.account_id, f.follower_id)
    OR EXISTS (
        SELECT FROM follows r
        WHERE r.follower_id = f.follower_id AND r.followee_id = p.in_reply_to_account_id
    )
)
            AND (p.id, f.follower_id) NOT IN (SELECT post_id, id FROM averse WHERE is_own) AS reads
    FROM post p
    CROSS JOIN LATERAL (
        SELECT f.id, f.follower_id, f.show_boosts, f.languages, f.notify
        FROM follows f
        WHERE f.followee_id = p.account_id AND f.id > p.after
        ORDER BY f.id
        LIMIT $6
    ) f
    WHERE p.visibility <> 'direct'
    
),
added AS (
    INSERT INTO timeline (account_id, post_id, author_id)
    SELECT r.account_id, r.post_id, r.author_id FROM looked r WHERE r.reads AND NOT r.is_popular
    ON CONFLICT (account_id, post_id) DO NOTHING
)
SELECT p.id, p.is_as_told, coalesce(r.readers, '{}'), coalesce(r.listening, '{}'), coalesce(averse.accounts, '{}'),
coalesce(r.last, 0), coalesce(r.looked, 0)
FROM post p
LEFT JOIN (
    SELECT r.post_id, max(r.id) AS last, count(*) FILTER (WHERE r.id > 0) AS looked,
        array_agg(r.account_id) FILTER (WHERE r.reads ) AS readers,
        array_agg(r.account_id) FILTER (WHERE r.reads AND r.listens) AS listening
    FROM looked r
    
    GROUP BY r.post_id
) r ON r.post_id = p.id
LEFT JOIN (
    SELECT post_id, array_agg(DISTINCT id ORDER BY id) AS accounts FROM averse GROUP BY post_id
) averse ON averse.post_id = p.id;

-- SpreadStore.spread(_:_:room:limit:largeAccount:in:), within
WITH told AS MATERIALIZED (
    SELECT entry.after, p.id, p.account_id, p.visibility, p.language, p.boost_of_id, p.in_reply_to_account_id,
        p.mentioned_ids, a.followers_count, a.followers_count > $1 AS is_popular,
        p.version = entry.version AND p.card IS NULL AND p.link_hash IS NULL
            AND a.extras -> 'restrictions' IS NULL AS is_as_told
    FROM unnest(
        $2, $3, $4, $5
    ) entry (id, author_id, version, after)
    CROSS JOIN LATERAL (
        SELECT p.* FROM posts p
        WHERE p.id = entry.id AND p.account_id = entry.author_id AND p.deleted_at IS NULL
        OFFSET 0
    ) p
    CROSS JOIN LATERAL (
        SELECT a.followers_count, a.extras FROM accounts a WHERE a.id = p.account_id OFFSET 0
    ) a
),
post AS MATERIALIZED (
    SELECT * FROM (
        SELECT t.*, sum(t.followers_count) FILTER (WHERE t.followers_count <= $6) OVER (ORDER BY t.id) AS together
        FROM told t
        WHERE t.visibility <> 'direct'
    ) t
    WHERE t.followers_count <= $7 AND t.together <= $8
),
popular AS (
    INSERT INTO popular_accounts (account_id)
    SELECT DISTINCT p.account_id FROM post p
    WHERE p.is_popular AND p.visibility <> 'direct'
    ORDER BY p.account_id
    ON CONFLICT (account_id) DO NOTHING
),
averse AS MATERIALIZED (
    SELECT p.id AS post_id, author.is_own, other.id
    FROM post p
    CROSS JOIN LATERAL (VALUES (p.account_id, true)) author (id, is_own)
    CROSS JOIN LATERAL (
        SELECT b.account_id AS id FROM blocks b WHERE b.target_id = author.id
        UNION
        SELECT b.target_id FROM blocks b WHERE b.account_id = author.id
        UNION
        SELECT m.account_id FROM mutes m
        WHERE m.target_id = author.id AND (m.expires_at IS NULL OR m.expires_at > statement_timestamp())
    ) other
),
looked AS MATERIALIZED (
    SELECT p.id AS post_id, p.account_id AS author_id, p.is_popular, f.id, f.follower_id AS account_id,
        f.notify AND p.boost_of_id IS NULL AND p.visibility <> 'direct'
    AND (p.in_reply_to_account_id IS NULL OR p.in_reply_to_account_id = p.account_id) AS listens,
        
(p.language = ANY (f.languages) OR coalesce(f.languages, '{}') = '{}' OR p.language IS NULL)
AND (
    p.in_reply_to_account_id IS NULL
    OR p.in_reply_to_account_id IN (p.account_id, f.follower_id)
    OR EXISTS (
        SELECT FROM follows r
        WHERE r.follower_id = f.follower_id AND r.followee_id = p.in_reply_to_account_id
    )
)
            AND (p.id, f.follower_id) NOT IN (SELECT post_id, id FROM averse WHERE is_own) AS reads
    FROM post p
    CROSS JOIN LATERAL (
        SELECT f.id, f.follower_id, f.show_boosts, f.languages, f.notify
        FROM follows f
        WHERE f.followee_id = p.account_id AND f.id > p.after
        ORDER BY f.id
        LIMIT $9
    ) f
    WHERE p.visibility <> 'direct'
    
),
added AS (
    INSERT INTO timeline (account_id, post_id, author_id)
    SELECT r.account_id, r.post_id, r.author_id FROM looked r WHERE r.reads AND NOT r.is_popular
    ON CONFLICT (account_id, post_id) DO NOTHING
)
SELECT p.id, p.is_as_told, coalesce(r.readers, '{}'), coalesce(r.listening, '{}'), coalesce(averse.accounts, '{}'),
coalesce(r.last, 0), coalesce(r.looked, 0)
FROM post p
LEFT JOIN (
    SELECT r.post_id, max(r.id) AS last, count(*) FILTER (WHERE r.id > 0) AS looked,
        array_agg(r.account_id) FILTER (WHERE r.reads ) AS readers,
        array_agg(r.account_id) FILTER (WHERE r.reads AND r.listens) AS listening
    FROM looked r
    
    GROUP BY r.post_id
) r ON r.post_id = p.id
LEFT JOIN (
    SELECT post_id, array_agg(DISTINCT id ORDER BY id) AS accounts FROM averse GROUP BY post_id
) averse ON averse.post_id = p.id;

-- TagStore.choose(_:viewer:page:in:), one of several tags, forwards
(
    SELECT near.post_id, true
    FROM (
        SELECT l.post_id
        FROM (SELECT DISTINCT near.post_id
FROM (SELECT tag FROM unnest($1) wanted (tag)) wanted
CROSS JOIN LATERAL (SELECT t.post_id FROM post_tags t
WHERE t.tag = wanted.tag AND t.post_id < $2 AND t.post_id > $3
ORDER BY t.post_id ASC LIMIT 500) near
ORDER BY near.post_id ASC
LIMIT 500) l
        CROSS JOIN LATERAL (
            SELECT p.account_id, p.visibility, p.deleted_at
            FROM posts p
            WHERE p.id = l.post_id 
            LIMIT 1
        ) p
        WHERE (SELECT count(*) FROM post_tags t WHERE t.post_id = l.post_id AND t.tag = ANY ($4)) > 0
            AND (SELECT count(*) FROM post_tags t WHERE t.post_id = l.post_id AND t.tag = ANY ($5)) = cardinality($6)
            AND (SELECT count(*) FROM post_tags t WHERE t.post_id = l.post_id AND t.tag = ANY ($7)) = 0
            AND p.deleted_at IS NULL AND p.visibility = 'public'
            AND (NOT p.account_id IN (SELECT id FROM hidden_from($8)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.account_id AND restricted.account_id IS DISTINCT FROM $9
        AND (
            restricted.is_hidden
            OR restricted.is_limited AND NOT EXISTS (
                SELECT FROM follows listed
                WHERE listed.follower_id = $10 AND listed.followee_id = p.account_id
            )
        )
    OFFSET 0
))
        ORDER BY l.post_id ASC
        LIMIT $11
    ) near
    ORDER BY near.post_id DESC
)
UNION ALL
SELECT max(l.post_id), false FROM (SELECT DISTINCT near.post_id
FROM (SELECT tag FROM unnest($12) wanted (tag)) wanted
CROSS JOIN LATERAL (SELECT t.post_id FROM post_tags t
WHERE t.tag = wanted.tag AND t.post_id < $13 AND t.post_id > $14
ORDER BY t.post_id ASC LIMIT 500) near
ORDER BY near.post_id ASC
LIMIT 500) l HAVING count(*) = 500;

-- TagStore.choose(_:viewer:page:in:), one of several tags, newest
(
    SELECT near.post_id, true
    FROM (
        SELECT l.post_id
        FROM (SELECT DISTINCT near.post_id
FROM (SELECT tag FROM unnest($1) wanted (tag)) wanted
CROSS JOIN LATERAL (SELECT t.post_id FROM post_tags t
WHERE t.tag = wanted.tag AND t.post_id < $2 AND t.post_id > $3
ORDER BY t.post_id DESC LIMIT 500) near
ORDER BY near.post_id DESC
LIMIT 500) l
        CROSS JOIN LATERAL (
            SELECT p.account_id, p.visibility, p.deleted_at
            FROM posts p
            WHERE p.id = l.post_id 
            LIMIT 1
        ) p
        WHERE (SELECT count(*) FROM post_tags t WHERE t.post_id = l.post_id AND t.tag = ANY ($4)) > 0
            AND (SELECT count(*) FROM post_tags t WHERE t.post_id = l.post_id AND t.tag = ANY ($5)) = cardinality($6)
            AND (SELECT count(*) FROM post_tags t WHERE t.post_id = l.post_id AND t.tag = ANY ($7)) = 0
            AND p.deleted_at IS NULL AND p.visibility = 'public'
            AND (NOT p.account_id IN (SELECT id FROM hidden_from($8)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.account_id AND restricted.account_id IS DISTINCT FROM $9
        AND (
            restricted.is_hidden
            OR restricted.is_limited AND NOT EXISTS (
                SELECT FROM follows listed
                WHERE listed.follower_id = $10 AND listed.followee_id = p.account_id
            )
        )
    OFFSET 0
))
        ORDER BY l.post_id DESC
        LIMIT $11
    ) near
    ORDER BY near.post_id DESC
)
UNION ALL
SELECT min(l.post_id), false FROM (SELECT DISTINCT near.post_id
FROM (SELECT tag FROM unnest($12) wanted (tag)) wanted
CROSS JOIN LATERAL (SELECT t.post_id FROM post_tags t
WHERE t.tag = wanted.tag AND t.post_id < $13 AND t.post_id > $14
ORDER BY t.post_id DESC LIMIT 500) near
ORDER BY near.post_id DESC
LIMIT 500) l HAVING count(*) = 500;

-- TagStore.choose(_:viewer:page:in:), one tag, forwards
(
    SELECT near.post_id, true
    FROM (
        SELECT l.post_id
        FROM (SELECT DISTINCT near.post_id
FROM (SELECT wanted.tag
FROM unnest($1) wanted (tag)
ORDER BY (SELECT t.post_id FROM post_tags t
WHERE t.tag = wanted.tag AND t.post_id < $2 AND t.post_id > $3
ORDER BY t.post_id ASC OFFSET 500 - 1 LIMIT 1) DESC NULLS FIRST
LIMIT 1) wanted
CROSS JOIN LATERAL (SELECT t.post_id FROM post_tags t
WHERE t.tag = wanted.tag AND t.post_id < $4 AND t.post_id > $5
ORDER BY t.post_id ASC LIMIT 500) near
ORDER BY near.post_id ASC
LIMIT 500) l
        CROSS JOIN LATERAL (
            SELECT p.account_id, p.visibility, p.deleted_at
            FROM posts p
            WHERE p.id = l.post_id 
            LIMIT 1
        ) p
        WHERE (SELECT count(*) FROM post_tags t WHERE t.post_id = l.post_id AND t.tag = ANY ($6)) > 0
            AND (SELECT count(*) FROM post_tags t WHERE t.post_id = l.post_id AND t.tag = ANY ($7)) = cardinality($8)
            AND (SELECT count(*) FROM post_tags t WHERE t.post_id = l.post_id AND t.tag = ANY ($9)) = 0
            AND p.deleted_at IS NULL AND p.visibility = 'public'
            AND (NOT p.account_id IN (SELECT id FROM hidden_from($10)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.account_id AND restricted.account_id IS DISTINCT FROM $11
        AND (
            restricted.is_hidden
            OR restricted.is_limited AND NOT EXISTS (
                SELECT FROM follows listed
                WHERE listed.follower_id = $12 AND listed.followee_id = p.account_id
            )
        )
    OFFSET 0
))
        ORDER BY l.post_id ASC
        LIMIT $13
    ) near
    ORDER BY near.post_id DESC
)
UNION ALL
SELECT max(l.post_id), false FROM (SELECT DISTINCT near.post_id
FROM (SELECT wanted.tag
FROM unnest($14) wanted (tag)
ORDER BY (SELECT t.post_id FROM post_tags t
WHERE t.tag = wanted.tag AND t.post_id < $15 AND t.post_id > $16
ORDER BY t.post_id ASC OFFSET 500 - 1 LIMIT 1) DESC NULLS FIRST
LIMIT 1) wanted
CROSS JOIN LATERAL (SELECT t.post_id FROM post_tags t
WHERE t.tag = wanted.tag AND t.post_id < $17 AND t.post_id > $18
ORDER BY t.post_id ASC LIMIT 500) near
ORDER BY near.post_id ASC
LIMIT 500) l HAVING count(*) = 500;

-- TagStore.choose(_:viewer:page:in:), one tag, newest
(
    SELECT near.post_id, true
    FROM (
        SELECT l.post_id
        FROM (SELECT DISTINCT near.post_id
FROM (SELECT wanted.tag
FROM unnest($1) wanted (tag)
ORDER BY (SELECT t.post_id FROM post_tags t
WHERE t.tag = wanted.tag AND t.post_id < $2 AND t.post_id > $3
ORDER BY t.post_id DESC OFFSET 500 - 1 LIMIT 1) ASC NULLS FIRST
LIMIT 1) wanted
CROSS JOIN LATERAL (SELECT t.post_id FROM post_tags t
WHERE t.tag = wanted.tag AND t.post_id < $4 AND t.post_id > $5
ORDER BY t.post_id DESC LIMIT 500) near
ORDER BY near.post_id DESC
LIMIT 500) l
        CROSS JOIN LATERAL (
            SELECT p.account_id, p.visibility, p.deleted_at
            FROM posts p
            WHERE p.id = l.post_id 
            LIMIT 1
        ) p
        WHERE (SELECT count(*) FROM post_tags t WHERE t.post_id = l.post_id AND t.tag = ANY ($6)) > 0
            AND (SELECT count(*) FROM post_tags t WHERE t.post_id = l.post_id AND t.tag = ANY ($7)) = cardinality($8)
            AND (SELECT count(*) FROM post_tags t WHERE t.post_id = l.post_id AND t.tag = ANY ($9)) = 0
            AND p.deleted_at IS NULL AND p.visibility = 'public'
            AND (NOT p.account_id IN (SELECT id FROM hidden_from($10)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.account_id AND restricted.account_id IS DISTINCT FROM $11
        AND (
            restricted.is_hidden
            OR restricted.is_limited AND NOT EXISTS (
                SELECT FROM follows listed
                WHERE listed.follower_id = $12 AND listed.followee_id = p.account_id
            )
        )
    OFFSET 0
))
        ORDER BY l.post_id DESC
        LIMIT $13
    ) near
    ORDER BY near.post_id DESC
)
UNION ALL
SELECT min(l.post_id), false FROM (SELECT DISTINCT near.post_id
FROM (SELECT wanted.tag
FROM unnest($14) wanted (tag)
ORDER BY (SELECT t.post_id FROM post_tags t
WHERE t.tag = wanted.tag AND t.post_id < $15 AND t.post_id > $16
ORDER BY t.post_id DESC OFFSET 500 - 1 LIMIT 1) ASC NULLS FIRST
LIMIT 1) wanted
CROSS JOIN LATERAL (SELECT t.post_id FROM post_tags t
WHERE t.tag = wanted.tag AND t.post_id < $17 AND t.post_id > $18
ORDER BY t.post_id DESC LIMIT 500) near
ORDER BY near.post_id DESC
LIMIT 500) l HAVING count(*) = 500;

-- TagStore.choose(_:viewer:page:in:), with files
(
    SELECT near.post_id, true
    FROM (
        SELECT l.post_id
        FROM (SELECT DISTINCT near.post_id
FROM (SELECT wanted.tag
FROM unnest($1) wanted (tag)
ORDER BY (SELECT t.post_id FROM post_tags t
WHERE t.tag = wanted.tag AND t.post_id < $2 AND t.post_id > $3
ORDER BY t.post_id DESC OFFSET 500 - 1 LIMIT 1) ASC NULLS FIRST
LIMIT 1) wanted
CROSS JOIN LATERAL (SELECT t.post_id FROM post_tags t
WHERE t.tag = wanted.tag AND t.post_id < $4 AND t.post_id > $5
ORDER BY t.post_id DESC LIMIT 500) near
ORDER BY near.post_id DESC
LIMIT 500) l
        CROSS JOIN LATERAL (
            SELECT p.account_id, p.visibility, p.deleted_at
            FROM posts p
            WHERE p.id = l.post_id AND p.media IS NOT NULL
            LIMIT 1
        ) p
        WHERE (SELECT count(*) FROM post_tags t WHERE t.post_id = l.post_id AND t.tag = ANY ($6)) > 0
            AND (SELECT count(*) FROM post_tags t WHERE t.post_id = l.post_id AND t.tag = ANY ($7)) = cardinality($8)
            AND (SELECT count(*) FROM post_tags t WHERE t.post_id = l.post_id AND t.tag = ANY ($9)) = 0
            AND p.deleted_at IS NULL AND p.visibility = 'public'
            AND (NOT p.account_id IN (SELECT id FROM hidden_from($10)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.account_id AND restricted.account_id IS DISTINCT FROM $11
        AND (
            restricted.is_hidden
            OR restricted.is_limited AND NOT EXISTS (
                SELECT FROM follows listed
                WHERE listed.follower_id = $12 AND listed.followee_id = p.account_id
            )
        )
    OFFSET 0
))
        ORDER BY l.post_id DESC
        LIMIT $13
    ) near
    ORDER BY near.post_id DESC
)
UNION ALL
SELECT min(l.post_id), false FROM (SELECT DISTINCT near.post_id
FROM (SELECT wanted.tag
FROM unnest($14) wanted (tag)
ORDER BY (SELECT t.post_id FROM post_tags t
WHERE t.tag = wanted.tag AND t.post_id < $15 AND t.post_id > $16
ORDER BY t.post_id DESC OFFSET 500 - 1 LIMIT 1) ASC NULLS FIRST
LIMIT 1) wanted
CROSS JOIN LATERAL (SELECT t.post_id FROM post_tags t
WHERE t.tag = wanted.tag AND t.post_id < $17 AND t.post_id > $18
ORDER BY t.post_id DESC LIMIT 500) near
ORDER BY near.post_id DESC
LIMIT 500) l HAVING count(*) = 500;

-- ThreadStore.mute(conversationOf:by:in:)
INSERT INTO conversation_mutes (account_id, conversation_id)
SELECT $1, conversation_id FROM posts WHERE id = $2
ON CONFLICT (account_id, conversation_id) DO NOTHING;

-- ThreadStore.thread(_:viewer:bounds:in:)
WITH RECURSIVE target AS (
    SELECT p.id, p.in_reply_to_id
    FROM posts e
    CROSS JOIN LATERAL (
        SELECT p.id, p.in_reply_to_id, p.account_id, p.visibility, p.mentioned_ids
        FROM posts p
        WHERE p.id = coalesce(e.boost_of_id, e.id) AND p.deleted_at IS NULL
        OFFSET 0
    ) p
    WHERE e.id = $1 AND e.deleted_at IS NULL
        AND is_visible(p.account_id, p.visibility, p.mentioned_ids, $2, (p.account_id IN (SELECT id FROM blocked_with($3)) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $4
    OFFSET 0
)), EXISTS (SELECT FROM follows f WHERE f.follower_id = $5 AND f.followee_id = p.account_id))
),
up (id, place) AS (
    SELECT t.in_reply_to_id, 1::bigint FROM target t WHERE t.in_reply_to_id IS NOT NULL
    UNION ALL
    SELECT p.in_reply_to_id, up.place + 1
    FROM up
    CROSS JOIN LATERAL (SELECT p.in_reply_to_id FROM posts p WHERE p.id = up.id OFFSET 0) p
    WHERE p.in_reply_to_id IS NOT NULL AND up.place < $6
),
down (id, depth) AS (
    SELECT t.id, 0::bigint FROM target t
    UNION ALL
    SELECT p.id, down.depth + 1
    FROM down
    CROSS JOIN LATERAL (
        SELECT r.id FROM posts r
        WHERE r.in_reply_to_id = down.id
        ORDER BY r.id
        LIMIT $7
    ) p
    WHERE down.depth < $8
),
page AS MATERIALIZED (
    SELECT up.id, -up.place AS place FROM up
    UNION ALL
    (SELECT down.id, down.depth FROM down LIMIT $9)
),
visible AS MATERIALIZED (
    SELECT page.place, p.id
    FROM page
    CROSS JOIN LATERAL (
        SELECT p.id, p.account_id, p.visibility, p.mentioned_ids
        FROM posts p
        WHERE p.id = page.id AND p.deleted_at IS NULL
        OFFSET 0
    ) p
    WHERE page.place = 0 OR (
        (NOT p.account_id IN (SELECT id FROM hidden_from($10)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $11
    OFFSET 0
))
        AND is_visible(p.account_id, p.visibility, p.mentioned_ids, $12, false, EXISTS (SELECT FROM follows f WHERE f.follower_id = $13 AND f.followee_id = p.account_id))
    )
),
shown AS MATERIALIZED (
    SELECT place, id FROM visible WHERE place <= 0
    UNION ALL
    (SELECT place, id FROM visible WHERE place > 0 ORDER BY place, id LIMIT $14)
)
SELECT shown.place, v.favourited, v.boosted, v.bookmarked, v.muted, n.entry_id, n.entry_writer, n.post_writer, n.author_writer, n.booster_writer, n.card_writer
FROM shown
CROSS JOIN LATERAL (
    SELECT e.id AS entry_id, e.writer AS entry_writer, coalesce(o.writer, e.writer) AS post_writer, a.writer AS author_writer,
b.writer AS booster_writer, c.writer AS card_writer, coalesce(o.id, e.id) AS id,
coalesce(o.conversation_id, e.conversation_id) AS conversation_id,
coalesce(o.favourites_count, e.favourites_count) AS favourites_count,
coalesce(o.boosts_count, e.boosts_count) AS boosts_count
    FROM (
        SELECT e.id, e.xmin AS writer, e.account_id, e.visibility, e.mentioned_ids, e.boost_of_id, e.conversation_id, e.link_hash,
e.favourites_count, e.boosts_count
        FROM posts e
        WHERE e.id = shown.id AND e.deleted_at IS NULL
    ) e
    LEFT JOIN LATERAL (
    SELECT p.id, p.xmin AS writer, p.account_id, p.conversation_id, p.link_hash, p.favourites_count, p.boosts_count
    FROM posts p
    WHERE p.id = e.boost_of_id AND p.deleted_at IS NULL
    OFFSET 0
) o ON true
CROSS JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NULL THEN e.account_id ELSE o.account_id END
    OFFSET 0
) a
LEFT JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NOT NULL THEN e.account_id END
    OFFSET 0
) b ON true
LEFT JOIN LATERAL (
    SELECT k.xmin AS writer
    FROM cards k
    WHERE k.hash = CASE WHEN e.boost_of_id IS NULL THEN e.link_hash ELSE o.link_hash END
    OFFSET 0
) c ON true
    OFFSET 0
) n
CROSS JOIN LATERAL viewer_marks($15, n.id, n.conversation_id, n.favourites_count, n.boosts_count) v;

-- ThreadStore.unmute(conversationOf:by:in:)
DELETE FROM conversation_mutes
WHERE account_id = $1 AND conversation_id = (SELECT conversation_id FROM posts WHERE id = $2);

-- TimelineStore.anybodyIsPopular(in:)
SELECT FROM popular_accounts LIMIT 1;

-- TimelineStore.everyones(viewer:onlyMedia:page:in:), forwards
WITH page AS MATERIALIZED (
    SELECT near.id
FROM (
    SELECT p.id
    FROM posts p
    WHERE p.visibility = 'public' AND p.boost_of_id IS NULL AND p.deleted_at IS NULL
        AND (p.in_reply_to_id IS NULL OR p.in_reply_to_account_id = p.account_id)
        AND p.id < $1 AND p.id > $2 
        AND (NOT p.account_id IN (SELECT id FROM hidden_from($3)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.account_id AND restricted.account_id IS DISTINCT FROM $4
        AND (
            restricted.is_hidden
            OR restricted.is_limited AND NOT EXISTS (
                SELECT FROM follows listed
                WHERE listed.follower_id = $5 AND listed.followee_id = p.account_id
            )
        )
    OFFSET 0
))
    ORDER BY p.id ASC
    LIMIT 40
) near
    ORDER BY id ASC LIMIT $6
)
SELECT v.favourited, v.boosted, v.bookmarked, v.muted, n.entry_id, n.entry_writer, n.post_writer, n.author_writer, n.booster_writer, n.card_writer
FROM page
CROSS JOIN LATERAL (
    SELECT e.id AS entry_id, e.writer AS entry_writer, coalesce(o.writer, e.writer) AS post_writer, a.writer AS author_writer,
b.writer AS booster_writer, c.writer AS card_writer, coalesce(o.id, e.id) AS id,
coalesce(o.conversation_id, e.conversation_id) AS conversation_id,
coalesce(o.favourites_count, e.favourites_count) AS favourites_count,
coalesce(o.boosts_count, e.boosts_count) AS boosts_count
    FROM (
        SELECT e.id, e.xmin AS writer, e.account_id, e.visibility, e.mentioned_ids, e.boost_of_id, e.conversation_id, e.link_hash,
e.favourites_count, e.boosts_count
        FROM posts e
        WHERE e.id = page.id AND e.deleted_at IS NULL
    ) e
    LEFT JOIN LATERAL (
    SELECT p.id, p.xmin AS writer, p.account_id, p.conversation_id, p.link_hash, p.favourites_count, p.boosts_count
    FROM posts p
    WHERE p.id = e.boost_of_id AND p.deleted_at IS NULL
    OFFSET 0
) o ON true
CROSS JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NULL THEN e.account_id ELSE o.account_id END
    OFFSET 0
) a
LEFT JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NOT NULL THEN e.account_id END
    OFFSET 0
) b ON true
LEFT JOIN LATERAL (
    SELECT k.xmin AS writer
    FROM cards k
    WHERE k.hash = CASE WHEN e.boost_of_id IS NULL THEN e.link_hash ELSE o.link_hash END
    OFFSET 0
) c ON true
    OFFSET 0
) n
CROSS JOIN LATERAL viewer_marks($7, n.id, n.conversation_id, n.favourites_count, n.boosts_count) v
ORDER BY n.entry_id DESC;

-- TimelineStore.everyones(viewer:onlyMedia:page:in:), newest
WITH page AS MATERIALIZED (
    SELECT near.id
FROM (
    SELECT p.id
    FROM posts p
    WHERE p.visibility = 'public' AND p.boost_of_id IS NULL AND p.deleted_at IS NULL
        AND (p.in_reply_to_id IS NULL OR p.in_reply_to_account_id = p.account_id)
        AND p.id < $1 AND p.id > $2 
        AND (NOT p.account_id IN (SELECT id FROM hidden_from($3)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.account_id AND restricted.account_id IS DISTINCT FROM $4
        AND (
            restricted.is_hidden
            OR restricted.is_limited AND NOT EXISTS (
                SELECT FROM follows listed
                WHERE listed.follower_id = $5 AND listed.followee_id = p.account_id
            )
        )
    OFFSET 0
))
    ORDER BY p.id DESC
    LIMIT 40
) near
    ORDER BY id DESC LIMIT $6
)
SELECT v.favourited, v.boosted, v.bookmarked, v.muted, n.entry_id, n.entry_writer, n.post_writer, n.author_writer, n.booster_writer, n.card_writer
FROM page
CROSS JOIN LATERAL (
    SELECT e.id AS entry_id, e.writer AS entry_writer, coalesce(o.writer, e.writer) AS post_writer, a.writer AS author_writer,
b.writer AS booster_writer, c.writer AS card_writer, coalesce(o.id, e.id) AS id,
coalesce(o.conversation_id, e.conversation_id) AS conversation_id,
coalesce(o.favourites_count, e.favourites_count) AS favourites_count,
coalesce(o.boosts_count, e.boosts_count) AS boosts_count
    FROM (
        SELECT e.id, e.xmin AS writer, e.account_id, e.visibility, e.mentioned_ids, e.boost_of_id, e.conversation_id, e.link_hash,
e.favourites_count, e.boosts_count
        FROM posts e
        WHERE e.id = page.id AND e.deleted_at IS NULL
    ) e
    LEFT JOIN LATERAL (
    SELECT p.id, p.xmin AS writer, p.account_id, p.conversation_id, p.link_hash, p.favourites_count, p.boosts_count
    FROM posts p
    WHERE p.id = e.boost_of_id AND p.deleted_at IS NULL
    OFFSET 0
) o ON true
CROSS JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NULL THEN e.account_id ELSE o.account_id END
    OFFSET 0
) a
LEFT JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NOT NULL THEN e.account_id END
    OFFSET 0
) b ON true
LEFT JOIN LATERAL (
    SELECT k.xmin AS writer
    FROM cards k
    WHERE k.hash = CASE WHEN e.boost_of_id IS NULL THEN e.link_hash ELSE o.link_hash END
    OFFSET 0
) c ON true
    OFFSET 0
) n
CROSS JOIN LATERAL viewer_marks($7, n.id, n.conversation_id, n.favourites_count, n.boosts_count) v
ORDER BY n.entry_id DESC;

-- TimelineStore.everyones(viewer:onlyMedia:page:in:), with files
WITH page AS MATERIALIZED (
    SELECT near.id
FROM (
    SELECT p.id
    FROM posts p
    WHERE p.visibility = 'public' AND p.boost_of_id IS NULL AND p.deleted_at IS NULL
        AND (p.in_reply_to_id IS NULL OR p.in_reply_to_account_id = p.account_id)
        AND p.id < $1 AND p.id > $2 AND p.media IS NOT NULL
        AND (NOT p.account_id IN (SELECT id FROM hidden_from($3)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.account_id AND restricted.account_id IS DISTINCT FROM $4
        AND (
            restricted.is_hidden
            OR restricted.is_limited AND NOT EXISTS (
                SELECT FROM follows listed
                WHERE listed.follower_id = $5 AND listed.followee_id = p.account_id
            )
        )
    OFFSET 0
))
    ORDER BY p.id DESC
    LIMIT 40
) near
    ORDER BY id DESC LIMIT $6
)
SELECT v.favourited, v.boosted, v.bookmarked, v.muted, n.entry_id, n.entry_writer, n.post_writer, n.author_writer, n.booster_writer, n.card_writer
FROM page
CROSS JOIN LATERAL (
    SELECT e.id AS entry_id, e.writer AS entry_writer, coalesce(o.writer, e.writer) AS post_writer, a.writer AS author_writer,
b.writer AS booster_writer, c.writer AS card_writer, coalesce(o.id, e.id) AS id,
coalesce(o.conversation_id, e.conversation_id) AS conversation_id,
coalesce(o.favourites_count, e.favourites_count) AS favourites_count,
coalesce(o.boosts_count, e.boosts_count) AS boosts_count
    FROM (
        SELECT e.id, e.xmin AS writer, e.account_id, e.visibility, e.mentioned_ids, e.boost_of_id, e.conversation_id, e.link_hash,
e.favourites_count, e.boosts_count
        FROM posts e
        WHERE e.id = page.id AND e.deleted_at IS NULL
    ) e
    LEFT JOIN LATERAL (
    SELECT p.id, p.xmin AS writer, p.account_id, p.conversation_id, p.link_hash, p.favourites_count, p.boosts_count
    FROM posts p
    WHERE p.id = e.boost_of_id AND p.deleted_at IS NULL
    OFFSET 0
) o ON true
CROSS JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NULL THEN e.account_id ELSE o.account_id END
    OFFSET 0
) a
LEFT JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NOT NULL THEN e.account_id END
    OFFSET 0
) b ON true
LEFT JOIN LATERAL (
    SELECT k.xmin AS writer
    FROM cards k
    WHERE k.hash = CASE WHEN e.boost_of_id IS NULL THEN e.link_hash ELSE o.link_hash END
    OFFSET 0
) c ON true
    OFFSET 0
) n
CROSS JOIN LATERAL viewer_marks($7, n.id, n.conversation_id, n.favourites_count, n.boosts_count) v
ORDER BY n.entry_id DESC;

-- TimelineStore.home(of:anybodyIsPopular:page:in:), forwards
WITH page AS MATERIALIZED (
    (SELECT place AS id FROM (SELECT *
FROM (SELECT t.post_id AS place
FROM timeline t
CROSS JOIN LATERAL (
    SELECT e.id AS entry_id, e.writer AS entry_writer, coalesce(o.writer, e.writer) AS post_writer, a.writer AS author_writer,
b.writer AS booster_writer, c.writer AS card_writer, coalesce(o.id, e.id) AS id,
coalesce(o.conversation_id, e.conversation_id) AS conversation_id,
coalesce(o.favourites_count, e.favourites_count) AS favourites_count,
coalesce(o.boosts_count, e.boosts_count) AS boosts_count, e.account_id, e.visibility, e.mentioned_ids, e.boost_of_id, o.account_id AS boosted_account_id
    FROM (
        SELECT e.id, e.xmin AS writer, e.account_id, e.visibility, e.mentioned_ids, e.boost_of_id, e.conversation_id, e.link_hash,
e.favourites_count, e.boosts_count
        FROM posts e
        WHERE e.id = t.post_id AND e.deleted_at IS NULL
    ) e
    LEFT JOIN LATERAL (
    SELECT p.id, p.xmin AS writer, p.account_id, p.conversation_id, p.link_hash, p.favourites_count, p.boosts_count
    FROM posts p
    WHERE p.id = e.boost_of_id AND p.deleted_at IS NULL
    OFFSET 0
) o ON true
CROSS JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NULL THEN e.account_id ELSE o.account_id END
    OFFSET 0
) a
LEFT JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NOT NULL THEN e.account_id END
    OFFSET 0
) b ON true
LEFT JOIN LATERAL (
    SELECT k.xmin AS writer
    FROM cards k
    WHERE k.hash = CASE WHEN e.boost_of_id IS NULL THEN e.link_hash ELSE o.link_hash END
    OFFSET 0
) c ON true
    OFFSET 0
) n

WHERE t.account_id = $1 AND t.post_id < $2 AND t.post_id > $3
    AND (NOT t.author_id IN (SELECT id FROM hidden_from($4)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = t.author_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $5
    OFFSET 0
))
    AND is_visible(n.account_id, n.visibility, n.mentioned_ids, $6, false, EXISTS (SELECT FROM follows f WHERE f.follower_id = $7 AND f.followee_id = t.author_id OFFSET 0))
    AND (n.visibility <> 'direct' OR EXISTS (SELECT FROM follows f WHERE f.follower_id = $8 AND f.followee_id = t.author_id OFFSET 0) OR n.account_id = $9)
    AND (
        n.boost_of_id IS NULL
        OR (SELECT f.show_boosts FROM follows f WHERE f.follower_id = $10 AND f.followee_id = t.author_id OFFSET 0) IS NOT FALSE AND (NOT n.boosted_account_id IN (SELECT id FROM hidden_from($11)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = n.boosted_account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $12
    OFFSET 0
))
            AND NOT EXISTS (
    SELECT
    FROM (
        -- The last of the 40.
        SELECT coalesce(
            (
                SELECT t.post_id
                FROM timeline t
                WHERE t.account_id = $13 AND t.post_id < n.entry_id
                ORDER BY t.post_id DESC
                OFFSET 39
                LIMIT 1
            ),
            0
        ) AS id
        OFFSET 0
    ) last
    CROSS JOIN LATERAL (
        -- Of the boosts of what very many boost, few are in the timeline: of the others nothing else is asked.
        SELECT o.id, o.account_id,
            EXISTS (SELECT FROM timeline t WHERE t.account_id = $14 AND t.post_id = o.id OFFSET 0) AS is_entry,
            o.is_for_all AND o.account_id IN (SELECT l.account_id FROM popular_accounts l) AS is_read
        FROM (
            SELECT o.id, o.account_id, o.visibility <> 'direct'
                AND (o.in_reply_to_account_id IS NULL OR o.in_reply_to_account_id = o.account_id) AS is_for_all
            FROM posts o
            WHERE o.id = n.boost_of_id AND o.id >= last.id AND o.deleted_at IS NULL
            UNION ALL
            (
                SELECT o.id, o.account_id, true
                FROM posts o
                WHERE o.boost_of_id = n.boost_of_id AND o.id < n.entry_id AND o.id >= last.id AND o.deleted_at IS NULL
                ORDER BY o.id DESC
                LIMIT 100
            )
        ) o
        OFFSET 0
    ) earlier
    -- A join may read all whom the viewer follows.
    LEFT JOIN LATERAL (
        SELECT f.follower_id, f.languages, f.show_boosts
        FROM follows f
        WHERE f.follower_id = $15 AND f.followee_id = earlier.account_id
        OFFSET 0
    ) f ON true
    WHERE (earlier.is_entry OR earlier.is_read)
        AND (earlier.is_entry OR f.follower_id IS NOT NULL AND coalesce(f.languages, '{}') = '{}')
        AND (earlier.id = n.boost_of_id OR f.show_boosts IS NOT FALSE)
        AND (NOT earlier.account_id IN (SELECT id FROM hidden_from($16)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = earlier.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $17
    OFFSET 0
))
)
    ) ORDER BY place ASC LIMIT 40) near
ORDER BY place ASC LIMIT $18) near) UNION (SELECT near.id
FROM popular_accounts l
CROSS JOIN LATERAL (
    SELECT f.languages, f.show_boosts
    FROM follows f
    WHERE f.follower_id = $19 AND f.followee_id = l.account_id
    LIMIT 1
) f
CROSS JOIN LATERAL (
    SELECT e.id
    FROM posts e
    LEFT JOIN LATERAL (SELECT p.account_id FROM posts p WHERE p.id = e.boost_of_id OFFSET 0) p ON true
    WHERE e.account_id = l.account_id AND e.deleted_at IS NULL AND e.id < $20 AND e.id > $21
        AND e.visibility <> 'direct'
        AND (e.language = ANY (f.languages) OR coalesce(f.languages, '{}') = '{}' OR e.language IS NULL)
        AND (
            e.boost_of_id IS NULL
            OR f.show_boosts AND (NOT p.account_id IN (SELECT id FROM hidden_from($22)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $23
    OFFSET 0
))
                AND NOT EXISTS (
    SELECT
    FROM (
        -- The last of the 40.
        SELECT coalesce(
            (
                SELECT t.post_id
                FROM timeline t
                WHERE t.account_id = $24 AND t.post_id < e.id
                ORDER BY t.post_id DESC
                OFFSET 39
                LIMIT 1
            ),
            0
        ) AS id
        OFFSET 0
    ) last
    CROSS JOIN LATERAL (
        -- Of the boosts of what very many boost, few are in the timeline: of the others nothing else is asked.
        SELECT o.id, o.account_id,
            EXISTS (SELECT FROM timeline t WHERE t.account_id = $25 AND t.post_id = o.id OFFSET 0) AS is_entry,
            o.is_for_all AND o.account_id IN (SELECT l.account_id FROM popular_accounts l) AS is_read
        FROM (
            SELECT o.id, o.account_id, o.visibility <> 'direct'
                AND (o.in_reply_to_account_id IS NULL OR o.in_reply_to_account_id = o.account_id) AS is_for_all
            FROM posts o
            WHERE o.id = e.boost_of_id AND o.id >= last.id AND o.deleted_at IS NULL
            UNION ALL
            (
                SELECT o.id, o.account_id, true
                FROM posts o
                WHERE o.boost_of_id = e.boost_of_id AND o.id < e.id AND o.id >= last.id AND o.deleted_at IS NULL
                ORDER BY o.id DESC
                LIMIT 100
            )
        ) o
        OFFSET 0
    ) earlier
    -- A join may read all whom the viewer follows.
    LEFT JOIN LATERAL (
        SELECT f.follower_id, f.languages, f.show_boosts
        FROM follows f
        WHERE f.follower_id = $26 AND f.followee_id = earlier.account_id
        OFFSET 0
    ) f ON true
    WHERE (earlier.is_entry OR earlier.is_read)
        AND (earlier.is_entry OR f.follower_id IS NOT NULL AND coalesce(f.languages, '{}') = '{}')
        AND (earlier.id = e.boost_of_id OR f.show_boosts IS NOT FALSE)
        AND (NOT earlier.account_id IN (SELECT id FROM hidden_from($27)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = earlier.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $28
    OFFSET 0
))
)
        )
        AND (
            e.in_reply_to_account_id IS NULL
            OR e.in_reply_to_account_id IN (e.account_id, $29)
            OR EXISTS (
                SELECT FROM follows r
                WHERE r.follower_id = $30 AND r.followee_id = e.in_reply_to_account_id
            )
        )
    ORDER BY e.id ASC
    LIMIT 40
) near
WHERE (NOT l.account_id IN (SELECT id FROM hidden_from($31)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = l.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $32
    OFFSET 0
)))
    ORDER BY id ASC LIMIT $33
)
SELECT v.favourited, v.boosted, v.bookmarked, v.muted, n.entry_id, n.entry_writer, n.post_writer, n.author_writer, n.booster_writer, n.card_writer
FROM page
CROSS JOIN LATERAL (
    SELECT e.id AS entry_id, e.writer AS entry_writer, coalesce(o.writer, e.writer) AS post_writer, a.writer AS author_writer,
b.writer AS booster_writer, c.writer AS card_writer, coalesce(o.id, e.id) AS id,
coalesce(o.conversation_id, e.conversation_id) AS conversation_id,
coalesce(o.favourites_count, e.favourites_count) AS favourites_count,
coalesce(o.boosts_count, e.boosts_count) AS boosts_count
    FROM (
        SELECT e.id, e.xmin AS writer, e.account_id, e.visibility, e.mentioned_ids, e.boost_of_id, e.conversation_id, e.link_hash,
e.favourites_count, e.boosts_count
        FROM posts e
        WHERE e.id = page.id AND e.deleted_at IS NULL
    ) e
    LEFT JOIN LATERAL (
    SELECT p.id, p.xmin AS writer, p.account_id, p.conversation_id, p.link_hash, p.favourites_count, p.boosts_count
    FROM posts p
    WHERE p.id = e.boost_of_id AND p.deleted_at IS NULL
    OFFSET 0
) o ON true
CROSS JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NULL THEN e.account_id ELSE o.account_id END
    OFFSET 0
) a
LEFT JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NOT NULL THEN e.account_id END
    OFFSET 0
) b ON true
LEFT JOIN LATERAL (
    SELECT k.xmin AS writer
    FROM cards k
    WHERE k.hash = CASE WHEN e.boost_of_id IS NULL THEN e.link_hash ELSE o.link_hash END
    OFFSET 0
) c ON true
    OFFSET 0
) n
CROSS JOIN LATERAL viewer_marks($34, n.id, n.conversation_id, n.favourites_count, n.boosts_count) v
ORDER BY n.entry_id DESC;

-- TimelineStore.home(of:anybodyIsPopular:page:in:), newest
WITH page AS MATERIALIZED (
    (SELECT place AS id FROM (SELECT *
FROM (SELECT t.post_id AS place
FROM timeline t
CROSS JOIN LATERAL (
    SELECT e.id AS entry_id, e.writer AS entry_writer, coalesce(o.writer, e.writer) AS post_writer, a.writer AS author_writer,
b.writer AS booster_writer, c.writer AS card_writer, coalesce(o.id, e.id) AS id,
coalesce(o.conversation_id, e.conversation_id) AS conversation_id,
coalesce(o.favourites_count, e.favourites_count) AS favourites_count,
coalesce(o.boosts_count, e.boosts_count) AS boosts_count, e.account_id, e.visibility, e.mentioned_ids, e.boost_of_id, o.account_id AS boosted_account_id
    FROM (
        SELECT e.id, e.xmin AS writer, e.account_id, e.visibility, e.mentioned_ids, e.boost_of_id, e.conversation_id, e.link_hash,
e.favourites_count, e.boosts_count
        FROM posts e
        WHERE e.id = t.post_id AND e.deleted_at IS NULL
    ) e
    LEFT JOIN LATERAL (
    SELECT p.id, p.xmin AS writer, p.account_id, p.conversation_id, p.link_hash, p.favourites_count, p.boosts_count
    FROM posts p
    WHERE p.id = e.boost_of_id AND p.deleted_at IS NULL
    OFFSET 0
) o ON true
CROSS JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NULL THEN e.account_id ELSE o.account_id END
    OFFSET 0
) a
LEFT JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NOT NULL THEN e.account_id END
    OFFSET 0
) b ON true
LEFT JOIN LATERAL (
    SELECT k.xmin AS writer
    FROM cards k
    WHERE k.hash = CASE WHEN e.boost_of_id IS NULL THEN e.link_hash ELSE o.link_hash END
    OFFSET 0
) c ON true
    OFFSET 0
) n

WHERE t.account_id = $1 AND t.post_id < $2 AND t.post_id > $3
    AND (NOT t.author_id IN (SELECT id FROM hidden_from($4)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = t.author_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $5
    OFFSET 0
))
    AND is_visible(n.account_id, n.visibility, n.mentioned_ids, $6, false, EXISTS (SELECT FROM follows f WHERE f.follower_id = $7 AND f.followee_id = t.author_id OFFSET 0))
    AND (n.visibility <> 'direct' OR EXISTS (SELECT FROM follows f WHERE f.follower_id = $8 AND f.followee_id = t.author_id OFFSET 0) OR n.account_id = $9)
    AND (
        n.boost_of_id IS NULL
        OR (SELECT f.show_boosts FROM follows f WHERE f.follower_id = $10 AND f.followee_id = t.author_id OFFSET 0) IS NOT FALSE AND (NOT n.boosted_account_id IN (SELECT id FROM hidden_from($11)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = n.boosted_account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $12
    OFFSET 0
))
            AND NOT EXISTS (
    SELECT
    FROM (
        -- The last of the 40.
        SELECT coalesce(
            (
                SELECT t.post_id
                FROM timeline t
                WHERE t.account_id = $13 AND t.post_id < n.entry_id
                ORDER BY t.post_id DESC
                OFFSET 39
                LIMIT 1
            ),
            0
        ) AS id
        OFFSET 0
    ) last
    CROSS JOIN LATERAL (
        -- Of the boosts of what very many boost, few are in the timeline: of the others nothing else is asked.
        SELECT o.id, o.account_id,
            EXISTS (SELECT FROM timeline t WHERE t.account_id = $14 AND t.post_id = o.id OFFSET 0) AS is_entry,
            o.is_for_all AND o.account_id IN (SELECT l.account_id FROM popular_accounts l) AS is_read
        FROM (
            SELECT o.id, o.account_id, o.visibility <> 'direct'
                AND (o.in_reply_to_account_id IS NULL OR o.in_reply_to_account_id = o.account_id) AS is_for_all
            FROM posts o
            WHERE o.id = n.boost_of_id AND o.id >= last.id AND o.deleted_at IS NULL
            UNION ALL
            (
                SELECT o.id, o.account_id, true
                FROM posts o
                WHERE o.boost_of_id = n.boost_of_id AND o.id < n.entry_id AND o.id >= last.id AND o.deleted_at IS NULL
                ORDER BY o.id DESC
                LIMIT 100
            )
        ) o
        OFFSET 0
    ) earlier
    -- A join may read all whom the viewer follows.
    LEFT JOIN LATERAL (
        SELECT f.follower_id, f.languages, f.show_boosts
        FROM follows f
        WHERE f.follower_id = $15 AND f.followee_id = earlier.account_id
        OFFSET 0
    ) f ON true
    WHERE (earlier.is_entry OR earlier.is_read)
        AND (earlier.is_entry OR f.follower_id IS NOT NULL AND coalesce(f.languages, '{}') = '{}')
        AND (earlier.id = n.boost_of_id OR f.show_boosts IS NOT FALSE)
        AND (NOT earlier.account_id IN (SELECT id FROM hidden_from($16)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = earlier.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $17
    OFFSET 0
))
)
    ) ORDER BY place DESC LIMIT 40) near
ORDER BY place DESC LIMIT $18) near) UNION (SELECT near.id
FROM popular_accounts l
CROSS JOIN LATERAL (
    SELECT f.languages, f.show_boosts
    FROM follows f
    WHERE f.follower_id = $19 AND f.followee_id = l.account_id
    LIMIT 1
) f
CROSS JOIN LATERAL (
    SELECT e.id
    FROM posts e
    LEFT JOIN LATERAL (SELECT p.account_id FROM posts p WHERE p.id = e.boost_of_id OFFSET 0) p ON true
    WHERE e.account_id = l.account_id AND e.deleted_at IS NULL AND e.id < $20 AND e.id > $21
        AND e.visibility <> 'direct'
        AND (e.language = ANY (f.languages) OR coalesce(f.languages, '{}') = '{}' OR e.language IS NULL)
        AND (
            e.boost_of_id IS NULL
            OR f.show_boosts AND (NOT p.account_id IN (SELECT id FROM hidden_from($22)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = p.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $23
    OFFSET 0
))
                AND NOT EXISTS (
    SELECT
    FROM (
        -- The last of the 40.
        SELECT coalesce(
            (
                SELECT t.post_id
                FROM timeline t
                WHERE t.account_id = $24 AND t.post_id < e.id
                ORDER BY t.post_id DESC
                OFFSET 39
                LIMIT 1
            ),
            0
        ) AS id
        OFFSET 0
    ) last
    CROSS JOIN LATERAL (
        -- Of the boosts of what very many boost, few are in the timeline: of the others nothing else is asked.
        SELECT o.id, o.account_id,
            EXISTS (SELECT FROM timeline t WHERE t.account_id = $25 AND t.post_id = o.id OFFSET 0) AS is_entry,
            o.is_for_all AND o.account_id IN (SELECT l.account_id FROM popular_accounts l) AS is_read
        FROM (
            SELECT o.id, o.account_id, o.visibility <> 'direct'
                AND (o.in_reply_to_account_id IS NULL OR o.in_reply_to_account_id = o.account_id) AS is_for_all
            FROM posts o
            WHERE o.id = e.boost_of_id AND o.id >= last.id AND o.deleted_at IS NULL
            UNION ALL
            (
                SELECT o.id, o.account_id, true
                FROM posts o
                WHERE o.boost_of_id = e.boost_of_id AND o.id < e.id AND o.id >= last.id AND o.deleted_at IS NULL
                ORDER BY o.id DESC
                LIMIT 100
            )
        ) o
        OFFSET 0
    ) earlier
    -- A join may read all whom the viewer follows.
    LEFT JOIN LATERAL (
        SELECT f.follower_id, f.languages, f.show_boosts
        FROM follows f
        WHERE f.follower_id = $26 AND f.followee_id = earlier.account_id
        OFFSET 0
    ) f ON true
    WHERE (earlier.is_entry OR earlier.is_read)
        AND (earlier.is_entry OR f.follower_id IS NOT NULL AND coalesce(f.languages, '{}') = '{}')
        AND (earlier.id = e.boost_of_id OR f.show_boosts IS NOT FALSE)
        AND (NOT earlier.account_id IN (SELECT id FROM hidden_from($27)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = earlier.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $28
    OFFSET 0
))
)
        )
        AND (
            e.in_reply_to_account_id IS NULL
            OR e.in_reply_to_account_id IN (e.account_id, $29)
            OR EXISTS (
                SELECT FROM follows r
                WHERE r.follower_id = $30 AND r.followee_id = e.in_reply_to_account_id
            )
        )
    ORDER BY e.id DESC
    LIMIT 40
) near
WHERE (NOT l.account_id IN (SELECT id FROM hidden_from($31)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = l.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $32
    OFFSET 0
)))
    ORDER BY id DESC LIMIT $33
)
SELECT v.favourited, v.boosted, v.bookmarked, v.muted, n.entry_id, n.entry_writer, n.post_writer, n.author_writer, n.booster_writer, n.card_writer
FROM page
CROSS JOIN LATERAL (
    SELECT e.id AS entry_id, e.writer AS entry_writer, coalesce(o.writer, e.writer) AS post_writer, a.writer AS author_writer,
b.writer AS booster_writer, c.writer AS card_writer, coalesce(o.id, e.id) AS id,
coalesce(o.conversation_id, e.conversation_id) AS conversation_id,
coalesce(o.favourites_count, e.favourites_count) AS favourites_count,
coalesce(o.boosts_count, e.boosts_count) AS boosts_count
    FROM (
        SELECT e.id, e.xmin AS writer, e.account_id, e.visibility, e.mentioned_ids, e.boost_of_id, e.conversation_id, e.link_hash,
e.favourites_count, e.boosts_count
        FROM posts e
        WHERE e.id = page.id AND e.deleted_at IS NULL
    ) e
    LEFT JOIN LATERAL (
    SELECT p.id, p.xmin AS writer, p.account_id, p.conversation_id, p.link_hash, p.favourites_count, p.boosts_count
    FROM posts p
    WHERE p.id = e.boost_of_id AND p.deleted_at IS NULL
    OFFSET 0
) o ON true
CROSS JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NULL THEN e.account_id ELSE o.account_id END
    OFFSET 0
) a
LEFT JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NOT NULL THEN e.account_id END
    OFFSET 0
) b ON true
LEFT JOIN LATERAL (
    SELECT k.xmin AS writer
    FROM cards k
    WHERE k.hash = CASE WHEN e.boost_of_id IS NULL THEN e.link_hash ELSE o.link_hash END
    OFFSET 0
) c ON true
    OFFSET 0
) n
CROSS JOIN LATERAL viewer_marks($34, n.id, n.conversation_id, n.favourites_count, n.boosts_count) v
ORDER BY n.entry_id DESC;

-- TimelineStore.home(of:anybodyIsPopular:page:in:), nobody popular, forwards
SELECT *
FROM (SELECT *
FROM (SELECT v.favourited, v.boosted, v.bookmarked, v.muted, n.entry_id, n.entry_writer, n.post_writer, n.author_writer, n.booster_writer, n.card_writer, t.post_id AS place
FROM timeline t
CROSS JOIN LATERAL (
    SELECT e.id AS entry_id, e.writer AS entry_writer, coalesce(o.writer, e.writer) AS post_writer, a.writer AS author_writer,
b.writer AS booster_writer, c.writer AS card_writer, coalesce(o.id, e.id) AS id,
coalesce(o.conversation_id, e.conversation_id) AS conversation_id,
coalesce(o.favourites_count, e.favourites_count) AS favourites_count,
coalesce(o.boosts_count, e.boosts_count) AS boosts_count, e.account_id, e.visibility, e.mentioned_ids, e.boost_of_id, o.account_id AS boosted_account_id
    FROM (
        SELECT e.id, e.xmin AS writer, e.account_id, e.visibility, e.mentioned_ids, e.boost_of_id, e.conversation_id, e.link_hash,
e.favourites_count, e.boosts_count
        FROM posts e
        WHERE e.id = t.post_id AND e.deleted_at IS NULL
    ) e
    LEFT JOIN LATERAL (
    SELECT p.id, p.xmin AS writer, p.account_id, p.conversation_id, p.link_hash, p.favourites_count, p.boosts_count
    FROM posts p
    WHERE p.id = e.boost_of_id AND p.deleted_at IS NULL
    OFFSET 0
) o ON true
CROSS JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NULL THEN e.account_id ELSE o.account_id END
    OFFSET 0
) a
LEFT JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NOT NULL THEN e.account_id END
    OFFSET 0
) b ON true
LEFT JOIN LATERAL (
    SELECT k.xmin AS writer
    FROM cards k
    WHERE k.hash = CASE WHEN e.boost_of_id IS NULL THEN e.link_hash ELSE o.link_hash END
    OFFSET 0
) c ON true
    OFFSET 0
) n
CROSS JOIN LATERAL viewer_marks($1, n.id, n.conversation_id, n.favourites_count, n.boosts_count) v
WHERE t.account_id = $2 AND t.post_id < $3 AND t.post_id > $4
    AND (NOT t.author_id IN (SELECT id FROM hidden_from($5)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = t.author_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $6
    OFFSET 0
))
    AND is_visible(n.account_id, n.visibility, n.mentioned_ids, $7, false, EXISTS (SELECT FROM follows f WHERE f.follower_id = $8 AND f.followee_id = t.author_id OFFSET 0))
    AND (n.visibility <> 'direct' OR EXISTS (SELECT FROM follows f WHERE f.follower_id = $9 AND f.followee_id = t.author_id OFFSET 0) OR n.account_id = $10)
    AND (
        n.boost_of_id IS NULL
        OR (SELECT f.show_boosts FROM follows f WHERE f.follower_id = $11 AND f.followee_id = t.author_id OFFSET 0) IS NOT FALSE AND (NOT n.boosted_account_id IN (SELECT id FROM hidden_from($12)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = n.boosted_account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $13
    OFFSET 0
))
            AND NOT EXISTS (
    SELECT
    FROM (
        -- The last of the 40.
        SELECT coalesce(
            (
                SELECT t.post_id
                FROM timeline t
                WHERE t.account_id = $14 AND t.post_id < n.entry_id
                ORDER BY t.post_id DESC
                OFFSET 39
                LIMIT 1
            ),
            0
        ) AS id
        OFFSET 0
    ) last
    CROSS JOIN LATERAL (
        -- Of the boosts of what very many boost, few are in the timeline: of the others nothing else is asked.
        SELECT o.id, o.account_id,
            EXISTS (SELECT FROM timeline t WHERE t.account_id = $15 AND t.post_id = o.id OFFSET 0) AS is_entry,
            o.is_for_all AND o.account_id IN (SELECT l.account_id FROM popular_accounts l) AS is_read
        FROM (
            SELECT o.id, o.account_id, o.visibility <> 'direct'
                AND (o.in_reply_to_account_id IS NULL OR o.in_reply_to_account_id = o.account_id) AS is_for_all
            FROM posts o
            WHERE o.id = n.boost_of_id AND o.id >= last.id AND o.deleted_at IS NULL
            UNION ALL
            (
                SELECT o.id, o.account_id, true
                FROM posts o
                WHERE o.boost_of_id = n.boost_of_id AND o.id < n.entry_id AND o.id >= last.id AND o.deleted_at IS NULL
                ORDER BY o.id DESC
                LIMIT 100
            )
        ) o
        OFFSET 0
    ) earlier
    -- A join may read all whom the viewer follows.
    LEFT JOIN LATERAL (
        SELECT f.follower_id, f.languages, f.show_boosts
        FROM follows f
        WHERE f.follower_id = $16 AND f.followee_id = earlier.account_id
        OFFSET 0
    ) f ON true
    WHERE (earlier.is_entry OR earlier.is_read)
        AND (earlier.is_entry OR f.follower_id IS NOT NULL AND coalesce(f.languages, '{}') = '{}')
        AND (earlier.id = n.boost_of_id OR f.show_boosts IS NOT FALSE)
        AND (NOT earlier.account_id IN (SELECT id FROM hidden_from($17)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = earlier.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $18
    OFFSET 0
))
)
    ) ORDER BY place ASC LIMIT 40) near
ORDER BY place ASC LIMIT $19) page
ORDER BY place DESC;

-- TimelineStore.home(of:anybodyIsPopular:page:in:), nobody popular, newest
SELECT *
FROM (SELECT *
FROM (SELECT v.favourited, v.boosted, v.bookmarked, v.muted, n.entry_id, n.entry_writer, n.post_writer, n.author_writer, n.booster_writer, n.card_writer, t.post_id AS place
FROM timeline t
CROSS JOIN LATERAL (
    SELECT e.id AS entry_id, e.writer AS entry_writer, coalesce(o.writer, e.writer) AS post_writer, a.writer AS author_writer,
b.writer AS booster_writer, c.writer AS card_writer, coalesce(o.id, e.id) AS id,
coalesce(o.conversation_id, e.conversation_id) AS conversation_id,
coalesce(o.favourites_count, e.favourites_count) AS favourites_count,
coalesce(o.boosts_count, e.boosts_count) AS boosts_count, e.account_id, e.visibility, e.mentioned_ids, e.boost_of_id, o.account_id AS boosted_account_id
    FROM (
        SELECT e.id, e.xmin AS writer, e.account_id, e.visibility, e.mentioned_ids, e.boost_of_id, e.conversation_id, e.link_hash,
e.favourites_count, e.boosts_count
        FROM posts e
        WHERE e.id = t.post_id AND e.deleted_at IS NULL
    ) e
    LEFT JOIN LATERAL (
    SELECT p.id, p.xmin AS writer, p.account_id, p.conversation_id, p.link_hash, p.favourites_count, p.boosts_count
    FROM posts p
    WHERE p.id = e.boost_of_id AND p.deleted_at IS NULL
    OFFSET 0
) o ON true
CROSS JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NULL THEN e.account_id ELSE o.account_id END
    OFFSET 0
) a
LEFT JOIN LATERAL (
    SELECT w.xmin AS writer
    FROM accounts w
    WHERE w.id = CASE WHEN e.boost_of_id IS NOT NULL THEN e.account_id END
    OFFSET 0
) b ON true
LEFT JOIN LATERAL (
    SELECT k.xmin AS writer
    FROM cards k
    WHERE k.hash = CASE WHEN e.boost_of_id IS NULL THEN e.link_hash ELSE o.link_hash END
    OFFSET 0
) c ON true
    OFFSET 0
) n
CROSS JOIN LATERAL viewer_marks($1, n.id, n.conversation_id, n.favourites_count, n.boosts_count) v
WHERE t.account_id = $2 AND t.post_id < $3 AND t.post_id > $4
    AND (NOT t.author_id IN (SELECT id FROM hidden_from($5)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = t.author_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $6
    OFFSET 0
))
    AND is_visible(n.account_id, n.visibility, n.mentioned_ids, $7, false, EXISTS (SELECT FROM follows f WHERE f.follower_id = $8 AND f.followee_id = t.author_id OFFSET 0))
    AND (n.visibility <> 'direct' OR EXISTS (SELECT FROM follows f WHERE f.follower_id = $9 AND f.followee_id = t.author_id OFFSET 0) OR n.account_id = $10)
    AND (
        n.boost_of_id IS NULL
        OR (SELECT f.show_boosts FROM follows f WHERE f.follower_id = $11 AND f.followee_id = t.author_id OFFSET 0) IS NOT FALSE AND (NOT n.boosted_account_id IN (SELECT id FROM hidden_from($12)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = n.boosted_account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $13
    OFFSET 0
))
            AND NOT EXISTS (
    SELECT
    FROM (
        -- The last of the 40.
        SELECT coalesce(
            (
                SELECT t.post_id
                FROM timeline t
                WHERE t.account_id = $14 AND t.post_id < n.entry_id
                ORDER BY t.post_id DESC
                OFFSET 39
                LIMIT 1
            ),
            0
        ) AS id
        OFFSET 0
    ) last
    CROSS JOIN LATERAL (
        -- Of the boosts of what very many boost, few are in the timeline: of the others nothing else is asked.
        SELECT o.id, o.account_id,
            EXISTS (SELECT FROM timeline t WHERE t.account_id = $15 AND t.post_id = o.id OFFSET 0) AS is_entry,
            o.is_for_all AND o.account_id IN (SELECT l.account_id FROM popular_accounts l) AS is_read
        FROM (
            SELECT o.id, o.account_id, o.visibility <> 'direct'
                AND (o.in_reply_to_account_id IS NULL OR o.in_reply_to_account_id = o.account_id) AS is_for_all
            FROM posts o
            WHERE o.id = n.boost_of_id AND o.id >= last.id AND o.deleted_at IS NULL
            UNION ALL
            (
                SELECT o.id, o.account_id, true
                FROM posts o
                WHERE o.boost_of_id = n.boost_of_id AND o.id < n.entry_id AND o.id >= last.id AND o.deleted_at IS NULL
                ORDER BY o.id DESC
                LIMIT 100
            )
        ) o
        OFFSET 0
    ) earlier
    -- A join may read all whom the viewer follows.
    LEFT JOIN LATERAL (
        SELECT f.follower_id, f.languages, f.show_boosts
        FROM follows f
        WHERE f.follower_id = $16 AND f.followee_id = earlier.account_id
        OFFSET 0
    ) f ON true
    WHERE (earlier.is_entry OR earlier.is_read)
        AND (earlier.is_entry OR f.follower_id IS NOT NULL AND coalesce(f.languages, '{}') = '{}')
        AND (earlier.id = n.boost_of_id OR f.show_boosts IS NOT FALSE)
        AND (NOT earlier.account_id IN (SELECT id FROM hidden_from($17)) AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = earlier.account_id AND restricted.is_hidden AND restricted.account_id IS DISTINCT FROM $18
    OFFSET 0
))
)
    ) ORDER BY place DESC LIMIT 40) near
ORDER BY place DESC LIMIT $19) page
ORDER BY place DESC;

-- TimelineStore.popularAccounts(followedBy:in:)
SELECT l.account_id
FROM popular_accounts l
WHERE EXISTS (
    SELECT FROM follows f WHERE f.follower_id = $1 AND f.followee_id = l.account_id OFFSET 0
);
