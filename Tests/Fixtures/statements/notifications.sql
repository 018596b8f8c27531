-- AccountStore.keep(_:repairing:in:)
INSERT INTO accounts (id, version, snapshot)
SELECT id, version, CAST(snapshot AS jsonb)
FROM unnest($1, $2, $3) AS shown (id, version, snapshot)
WHERE NOT EXISTS (
    SELECT FROM accounts a
    WHERE a.id = shown.id AND a.version >= shown.version
        AND (a.version > shown.version OR a.id <> ALL ($4))
)
ORDER BY id
ON CONFLICT (id) DO UPDATE SET version = excluded.version, snapshot = excluded.snapshot
WHERE excluded.version > accounts.version
    OR (excluded.version = accounts.version AND excluded.id = ANY ($5));

-- AccountStore.snapshots(of:in:)
SELECT accounts.id, accounts.xmin, snapshot FROM accounts WHERE id = ANY ($1);

-- ActStore.forget(_:in:)
DELETE FROM acts WHERE kind IN ('favourite', 'reblog') AND subject_id = $1;

-- ActStore.keep(_:repairing:in:)
INSERT INTO acts (kind, subject_id, actor_id, version, active, at)
SELECT w.kind, w.subject_id, w.actor_id, w.version, w.active, w.at
FROM unnest(
    $1, $2, $3, $4,
    $5, $6
) AS w (kind, subject_id, actor_id, version, active, at)
WHERE w.kind NOT IN ('favourite', 'reblog')
    OR NOT EXISTS (SELECT FROM posts p WHERE p.id = w.subject_id AND p.snapshot IS NULL)
ORDER BY w.kind, w.subject_id, w.actor_id
ON CONFLICT (kind, subject_id, actor_id) DO UPDATE
SET version = excluded.version, active = excluded.active, at = excluded.at
WHERE excluded.version > acts.version;

-- ActStore.keep(_:repairing:in:), repairing
INSERT INTO acts (kind, subject_id, actor_id, version, active, at)
SELECT w.kind, w.subject_id, w.actor_id, w.version, w.active, w.at
FROM unnest(
    $1, $2, $3, $4,
    $5, $6
) AS w (kind, subject_id, actor_id, version, active, at)
WHERE w.kind NOT IN ('favourite', 'reblog')
    OR NOT EXISTS (SELECT FROM posts p WHERE p.id = w.subject_id AND p.snapshot IS NULL)
ORDER BY w.kind, w.subject_id, w.actor_id
ON CONFLICT (kind, subject_id, actor_id) DO UPDATE
SET version = excluded.version, active = excluded.active, at = excluded.at
WHERE excluded.version >= acts.version;

-- AgedStore.aged, acts
DELETE FROM acts
WHERE (kind, subject_id, actor_id) IN (SELECT kind, subject_id, actor_id FROM acts WHERE NOT (kind = 'follow' AND active) AND at < $1 ORDER BY at LIMIT 2000 FOR UPDATE SKIP LOCKED);

-- AgedStore.aged, applications
DELETE FROM applications
WHERE (id) IN (SELECT id FROM applications WHERE touched_at < $1 ORDER BY touched_at LIMIT 2000 FOR UPDATE SKIP LOCKED);

-- AgedStore.aged, decisions
DELETE FROM decisions
WHERE (id) IN (SELECT id FROM decisions WHERE touched_at < $1 ORDER BY touched_at LIMIT 2000 FOR UPDATE SKIP LOCKED);

-- AgedStore.aged, departures
DELETE FROM departures
WHERE (place_id, account_id) IN (SELECT place_id, account_id FROM departures WHERE at < $1 ORDER BY at LIMIT 2000 FOR UPDATE SKIP LOCKED);

-- AgedStore.aged, gone_places
DELETE FROM gone_places
WHERE (id) IN (SELECT id FROM gone_places WHERE at < $1 ORDER BY at LIMIT 2000 FOR UPDATE SKIP LOCKED);

-- AgedStore.aged, messages
DELETE FROM messages
WHERE (id) IN (SELECT id FROM messages WHERE touched_at < $1 ORDER BY touched_at LIMIT 2000 FOR UPDATE SKIP LOCKED);

-- AgedStore.aged, posts
DELETE FROM posts
WHERE (id) IN (SELECT id FROM posts WHERE touched_at < $1 ORDER BY touched_at LIMIT 2000 FOR UPDATE SKIP LOCKED);

-- AgedStore.aged, project_mentions
DELETE FROM project_mentions
WHERE (project_id, account_id) IN (SELECT project_id, account_id FROM project_mentions WHERE at < $1 ORDER BY at LIMIT 2000 FOR UPDATE SKIP LOCKED);

-- AgedStore.aged, projects
DELETE FROM projects
WHERE (id) IN (SELECT id FROM projects WHERE touched_at < $1 ORDER BY touched_at LIMIT 2000 FOR UPDATE SKIP LOCKED);

-- AgedStore.aged, reads
DELETE FROM reads
WHERE (channel_id, account_id) IN (SELECT channel_id, account_id FROM reads WHERE touched_at < $1 ORDER BY touched_at LIMIT 2000 FOR UPDATE SKIP LOCKED);

-- AgedStore.aged, reports
DELETE FROM reports
WHERE (id) IN (SELECT id FROM reports WHERE touched_at < $1 ORDER BY touched_at LIMIT 2000 FOR UPDATE SKIP LOCKED);

-- AgedStore.aged, silences
DELETE FROM silences
WHERE (account_id, target_id, kind, version) IN (SELECT account_id, target_id, kind, version FROM silences WHERE spent_from < $1 ORDER BY spent_from LIMIT 2000 FOR UPDATE SKIP LOCKED);

-- AgedStore.notifications
DELETE FROM notifications
WHERE (id) IN (SELECT id FROM notifications WHERE id < $1 ORDER BY id LIMIT 2000 FOR UPDATE SKIP LOCKED);

-- BadgeStore.number(of:at:in:)
SELECT count(*) FILTER (WHERE channel_id IS NULL) + count(DISTINCT channel_id)
FROM notifications
WHERE account_id = $1 AND NOT dismissed AND NOT withdrawn
    AND NOT ((SELECT may_be_silenced($2)) AND is_silenced(account_id, actor_id, created_at))
    AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = notifications.actor_id AND restricted.is_hidden
    OFFSET 0
)
    AND (
        channel_id IS NOT NULL
        OR id > coalesce(
            (SELECT last_read_id FROM markers WHERE account_id = $3 AND timeline = 'notifications'),
            -1
        )
    )
    AND (quiet_until IS NULL OR quiet_until <= $4);

-- CardStore.cards(of:in:)
SELECT l.link, c.card
FROM unnest($1) AS l (link)
JOIN cards c ON c.hash = sha256(convert_to(l.link, 'UTF8'))
WHERE c.card IS NOT NULL;

-- CardStore.forget(before:at:unless:in:)
WITH old AS MATERIALIZED (
    SELECT c.hash, EXISTS (SELECT FROM posts p WHERE p.link_hash = c.hash) AS is_shown
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

-- ChannelStore.clear(_:of:in:), channels
DELETE FROM channels WHERE id = ANY ($1);

-- ChannelStore.clear(_:of:in:), departures
DELETE FROM departures WHERE place_id = ANY ($1);

-- ChannelStore.clear(_:of:in:), messages
DELETE FROM messages WHERE channel_id = ANY ($1);

-- ChannelStore.clear(_:of:in:), notifications
DELETE FROM notifications WHERE channel_id = ANY ($1);

-- ChannelStore.clear(_:of:in:), reads
DELETE FROM reads WHERE channel_id = ANY ($1);

-- ChannelStore.keep(_:in:)
INSERT INTO channels (id, version, type, playground_id, name)
SELECT $1, $2, $3, $4, $5
WHERE NOT EXISTS (SELECT FROM gone_places WHERE id = $6)
    AND NOT EXISTS (SELECT FROM channels WHERE id = $7 AND version >= $8)
ON CONFLICT (id) DO UPDATE
SET version = excluded.version, type = excluded.type, playground_id = excluded.playground_id,
    name = excluded.name
WHERE excluded.version > channels.version;

-- ChannelStore.keep(_:in:), readings
INSERT INTO reads (channel_id, account_id, seq, touched_at)
SELECT r.channel_id, r.account_id, r.seq, r.moment
FROM unnest(
    $1, $2, $3, $4
) AS r (channel_id, account_id, seq, moment)
WHERE NOT EXISTS (SELECT FROM gone_places g WHERE g.id = r.channel_id OFFSET 0)
ORDER BY r.channel_id, r.account_id
ON CONFLICT (channel_id, account_id) DO UPDATE
SET seq = excluded.seq, touched_at = greatest(reads.touched_at, excluded.touched_at)
WHERE excluded.seq > reads.seq;

-- ChannelStore.keepDeparture(from:of:at:in:)
INSERT INTO departures (place_id, account_id, at)
SELECT $1, $2, $3
WHERE NOT EXISTS (SELECT FROM gone_places WHERE id = $4)
ON CONFLICT (place_id, account_id) DO UPDATE SET at = excluded.at
WHERE excluded.at > departures.at;

-- ChannelStore.keepEnd(of:at:in:)
INSERT INTO gone_places (id, at) SELECT unnest($1), $2
ON CONFLICT (id) DO UPDATE SET at = greatest(gone_places.at, excluded.at);

-- ChannelStore.repair(_:in:)
INSERT INTO channels (id, version, type, playground_id, name)
SELECT $1, $2, $3, $4, $5
WHERE NOT EXISTS (SELECT FROM gone_places WHERE id = $6)
ON CONFLICT (id) DO UPDATE
SET version = excluded.version, type = excluded.type, playground_id = excluded.playground_id,
    name = excluded.name
WHERE excluded.version >= channels.version;

-- DeliveryStore.aged
DELETE FROM deliveries
WHERE (id) IN (SELECT id FROM deliveries WHERE made_at < $1 ORDER BY made_at LIMIT 1000);

-- DeliveryStore.begin(_:_:lease:in:)
WITH held AS (
    UPDATE devices SET leased_until = $1
    WHERE id = $2 AND flight = $3
    RETURNING id
)
UPDATE deliveries v SET attempts = v.attempts + 1
FROM held
WHERE v.id = $4 AND v.device_id = held.id AND v.due_at IS NOT NULL;

-- DeliveryStore.claim(_:most:at:lease:in:)
WITH due AS (
    SELECT id, device_id FROM deliveries
    WHERE platform = $1 AND due_at <= $2
    ORDER BY due_at
    LIMIT 100
    FOR UPDATE SKIP LOCKED
), late AS (
    UPDATE deliveries v
    SET due_at = greatest(d.rests_until, least(d.leased_until, CAST($3 AS timestamptz) + interval '5 seconds'))
    FROM due, devices d
    WHERE v.id = due.id AND d.id = due.device_id AND greatest(d.leased_until, d.rests_until) > $4
), orphans AS (
    DELETE FROM deliveries v USING due
    WHERE v.id = due.id AND NOT EXISTS (SELECT FROM devices d WHERE d.id = due.device_id)
), free AS (
    SELECT d.id FROM devices d
    WHERE d.id IN (SELECT device_id FROM due) AND greatest(d.leased_until, d.rests_until) <= $5
    ORDER BY d.id
    LIMIT $6
    FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE devices d SET flight = d.flight + 1, leased_until = $7
FROM free
WHERE d.id = free.id
RETURNING d.id, d.flight;

-- DeliveryStore.end(_:_:_:at:in:)
UPDATE deliveries v
SET state = $1, due_at = NULL, ended_at = $2, reason = $3, name = $4
FROM devices d
WHERE v.id = $5 AND v.due_at IS NOT NULL AND d.id = v.device_id AND d.flight = $6;

-- DeliveryStore.forgetBadge(of:in:)
UPDATE devices SET badge = NULL WHERE session_id = $1 AND badge IS NOT NULL;

-- DeliveryStore.hasten(_:at:in:)
UPDATE deliveries SET due_at = $1
WHERE id = (
    SELECT v.id FROM deliveries v
    WHERE v.device_id = $2 AND v.due_at IS NOT NULL AND v.not_before <= $3
    ORDER BY v.id
    LIMIT 1
);

-- DeliveryStore.keep(badge:_:in:)
UPDATE devices SET badge = $1, attempts = 0
WHERE id = $2 AND flight = $3;

-- DeliveryStore.land(_:at:in:)
UPDATE devices SET leased_until = $1
WHERE id = $2 AND flight = $3 AND leased_until > $4;

-- DeliveryStore.make(of:on:at:forThosePresent:notBefore:in:)
INSERT INTO deliveries (
    device_id, platform, notification_id, kind, collapse_key, state, made_at, not_before, due_at, expires_at
)
SELECT d.id, d.platform, n.id, n.type,
    CASE WHEN n.channel_id IS NOT NULL THEN 'channel-' || n.channel_id END,
    'waiting', $1, q.start, q.start, q.start + interval '1 day'
FROM notifications n
JOIN devices d ON d.account_id = n.account_id
LEFT JOIN push_preferences a
    ON a.account_id = n.account_id AND a.scope = 'account' AND a.scope_id = 0
LEFT JOIN push_preferences p
    ON p.account_id = n.account_id AND p.scope = 'app' AND p.scope_id = d.app_id
LEFT JOIN push_preferences o
    ON o.account_id = n.account_id AND o.scope = 'device' AND o.scope_id = d.id
CROSS JOIN LATERAL (
    SELECT CASE WHEN n.account_id = ANY ($2) THEN $3 ELSE $4 END AS moment
) m
CROSS JOIN LATERAL (
    SELECT coalesce(
        quiet_end(m.moment, a.quiet_from, a.quiet_to, coalesce(a.time_zone, d.time_zone)),
        m.moment
    ) AS start
) q
WHERE n.id = ANY ($5) AND d.platform = ANY ($6)
    AND NOT n.dismissed AND NOT n.withdrawn
    -- Nobody is woken by what happened long ago.
    AND n.created_at > CAST($7 AS timestamptz) - interval '1 day'
    AND NOT is_silenced(n.account_id, n.actor_id, n.created_at)
    AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = n.actor_id AND restricted.is_hidden
    OFFSET 0
)
    AND coalesce(o.kinds ->> n.type, p.kinds ->> n.type, a.kinds ->> n.type, 'true') = 'true'
    AND (d.alerts IS NULL OR n.type = ANY (d.alerts))
    AND CASE d.policy
        WHEN 'all' THEN true
        WHEN 'none' THEN false
        WHEN 'followed' THEN EXISTS (
    SELECT FROM acts act
    WHERE act.kind = 'follow' AND act.subject_id = n.actor_id
    AND act.actor_id >= n.account_id AND act.actor_id <= n.account_id AND act.active
    OFFSET 0
)
        ELSE EXISTS (
    SELECT FROM acts act
    WHERE act.kind = 'follow' AND act.subject_id = n.account_id
    AND act.actor_id >= n.actor_id AND act.actor_id <= n.actor_id AND act.active
    OFFSET 0
)
    END
ON CONFLICT (notification_id, device_id) DO NOTHING;

-- DeliveryStore.makeBadges(of:after:on:at:in:), a channel
INSERT INTO deliveries (
    device_id, platform, kind, collapse_key, state, made_at, not_before, due_at, expires_at
)
SELECT d.id, d.platform, 'badge', 'badge', 'waiting', $1, $2, $3,
    CAST($4 AS timestamptz) + interval '1 day'
FROM devices d
WHERE d.account_id = $5 AND d.platform = ANY ($6)
    AND EXISTS (
    SELECT FROM notifications n
    WHERE n.channel_id = $7 AND n.account_id = $8 AND n.seq <= $9
);

-- DeliveryStore.makeBadges(of:after:on:at:in:), notifications
INSERT INTO deliveries (
    device_id, platform, kind, collapse_key, state, made_at, not_before, due_at, expires_at
)
SELECT d.id, d.platform, 'badge', 'badge', 'waiting', $1, $2, $3,
    CAST($4 AS timestamptz) + interval '1 day'
FROM devices d
WHERE d.account_id = $5 AND d.platform = ANY ($6)
    AND d.session_id IS DISTINCT FROM $7;

-- DeliveryStore.next(of:at:in:)
SELECT v.id, CAST(v.push_id AS text), v.notification_id, v.collapse_key, v.made_at, v.expires_at,
    EXISTS (
        SELECT FROM deliveries l
        WHERE l.device_id = v.device_id AND l.id > v.id AND l.due_at IS NOT NULL
            AND l.collapse_key = v.collapse_key
    ) FROM deliveries v
WHERE v.device_id = $1 AND v.due_at IS NOT NULL AND v.not_before <= $2
ORDER BY v.id
LIMIT 1;

-- DeliveryStore.note(_:of:until:in:)
UPDATE deliveries SET reason = $1, due_at = $2 WHERE id = $3 AND due_at IS NOT NULL;

-- DeliveryStore.page(_:of:in:)
SELECT id, CAST(push_id AS text), notification_id, kind, state, made_at, ended_at, attempts, reason FROM (
    SELECT id, push_id, notification_id, kind, state, made_at, ended_at, attempts, reason FROM deliveries
    WHERE device_id = $1 AND id < $2 AND id > $3 ORDER BY id DESC LIMIT $4
) v
ORDER BY id DESC;

-- DeliveryStore.recipient(_:in:)
SELECT d.id, d.account_id, d.session_id, d.app_id, d.platform, d.address, d.topic, d.is_sandbox, d.public_key, d.secret,
    d.is_standard, d.language, d.time_zone, d.is_mutable, d.alerts, d.policy, d.created_at, d.registered_at, coalesce(o.preview, p.preview, a.preview, 'full'), d.badge, d.attempts
FROM devices d
LEFT JOIN push_preferences a
    ON a.account_id = d.account_id AND a.scope = 'account' AND a.scope_id = 0
LEFT JOIN push_preferences p
    ON p.account_id = d.account_id AND p.scope = 'app' AND p.scope_id = d.app_id
LEFT JOIN push_preferences o
    ON o.account_id = d.account_id AND o.scope = 'device' AND o.scope_id = d.id
WHERE d.id = $1 AND d.flight = $2;

-- DeliveryStore.rest(_:until:at:in:)
UPDATE devices SET rests_until = $1, leased_until = $2, attempts = attempts + 1
WHERE id = $3 AND flight = $4;

-- DeliveryStore.waiting(on:in:)
SELECT count(*) FROM (
    SELECT FROM deliveries WHERE platform = $1 AND due_at IS NOT NULL
    LIMIT 100000
) w;

-- DeviceStore.agedEnds
DELETE FROM ended_sessions
WHERE (id) IN (SELECT id FROM ended_sessions WHERE at < $1 ORDER BY at LIMIT 1000);

-- DeviceStore.change(_:of:in:)
UPDATE devices d
SET alerts = coalesce($1, alerts), policy = coalesce($2, policy)
WHERE session_id = $3 AND platform = 'web'
RETURNING d.id, d.account_id, d.session_id, d.app_id, d.platform, d.address, d.topic, d.is_sandbox, d.public_key, d.secret,
    d.is_standard, d.language, d.time_zone, d.is_mutable, d.alerts, d.policy, d.created_at, d.registered_at;

-- DeviceStore.device(_:within:in:)
SELECT d.id, d.account_id, d.session_id, d.app_id, d.platform, d.address, d.topic, d.is_sandbox, d.public_key, d.secret,
    d.is_standard, d.language, d.time_zone, d.is_mutable, d.alerts, d.policy, d.created_at, d.registered_at FROM devices d WHERE d.id = $1 AND d.account_id = $2;

-- DeviceStore.device(_:within:in:), of an app
SELECT d.id, d.account_id, d.session_id, d.app_id, d.platform, d.address, d.topic, d.is_sandbox, d.public_key, d.secret,
    d.is_standard, d.language, d.time_zone, d.is_mutable, d.alerts, d.policy, d.created_at, d.registered_at FROM devices d WHERE d.id = $1 AND d.account_id = $2 AND d.app_id = $3;

-- DeviceStore.device(of:_:in:)
SELECT d.id, d.account_id, d.session_id, d.app_id, d.platform, d.address, d.topic, d.is_sandbox, d.public_key, d.secret,
    d.is_standard, d.language, d.time_zone, d.is_mutable, d.alerts, d.policy, d.created_at, d.registered_at FROM devices d WHERE d.session_id = $1 AND d.platform = $2;

-- DeviceStore.devices(within:in:)
SELECT d.id, d.account_id, d.session_id, d.app_id, d.platform, d.address, d.topic, d.is_sandbox, d.public_key, d.secret,
    d.is_standard, d.language, d.time_zone, d.is_mutable, d.alerts, d.policy, d.created_at, d.registered_at FROM devices d
WHERE d.account_id = $1
ORDER BY d.id;

-- DeviceStore.devices(within:in:), of an app
SELECT d.id, d.account_id, d.session_id, d.app_id, d.platform, d.address, d.topic, d.is_sandbox, d.public_key, d.secret,
    d.is_standard, d.language, d.time_zone, d.is_mutable, d.alerts, d.policy, d.created_at, d.registered_at FROM devices d
WHERE d.account_id = $1 AND d.app_id = $2
ORDER BY d.id;

-- DeviceStore.displace(_:keeping:in:)
WITH gone AS (
    DELETE FROM devices WHERE platform = $1 AND address_hash = sha256(convert_to($2, 'UTF8'))
    AND session_id <> $3
    RETURNING id, account_id
), undelivered AS (
    DELETE FROM deliveries v USING gone WHERE v.device_id = gone.id
), unwanted AS (
    DELETE FROM push_preferences p USING gone
    WHERE p.account_id = gone.account_id AND p.scope = 'device' AND p.scope_id = gone.id
)
SELECT id FROM gone;

-- DeviceStore.hold(_:in:)
SELECT pg_advisory_xact_lock(hashtextextended($1 || ' ' || $2, 0));

-- DeviceStore.keepEnd(of:at:in:)
INSERT INTO ended_sessions (id, at) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET at = excluded.at;

-- DeviceStore.register(_:as:of:_:_:at:in:)
INSERT INTO devices AS d (
    id, account_id, session_id, app_id, platform, address, address_hash, topic, is_sandbox, public_key, secret,
    is_standard, language, time_zone, is_mutable, alerts, policy, created_at, registered_at, leased_until,
    rests_until
)
SELECT $1, $2, $3, $4, $5, $6,
    sha256(convert_to($7, 'UTF8')), $8, $9, $10,
    $11, $12, $13, $14,
    $15, $16, $17, $18, $19, $20, $21
WHERE NOT EXISTS (SELECT FROM ended_sessions WHERE id = $22)
ON CONFLICT (session_id, platform) DO UPDATE
SET account_id = excluded.account_id, app_id = excluded.app_id, address = excluded.address,
    address_hash = excluded.address_hash, topic = excluded.topic, is_sandbox = excluded.is_sandbox,
    public_key = excluded.public_key, secret = excluded.secret, is_standard = excluded.is_standard,
    language = excluded.language, time_zone = excluded.time_zone, is_mutable = excluded.is_mutable,
    alerts = excluded.alerts, policy = excluded.policy, registered_at = excluded.registered_at,
    rests_until = excluded.rests_until, attempts = 0
RETURNING d.id, d.account_id, d.session_id, d.app_id, d.platform, d.address, d.topic, d.is_sandbox, d.public_key, d.secret,
    d.is_standard, d.language, d.time_zone, d.is_mutable, d.alerts, d.policy, d.created_at, d.registered_at;

-- DeviceStore.remove(_:in:), gone
WITH gone AS (
    DELETE FROM devices WHERE id = $1 AND flight = $2 AND registered_at = $3
    AND ($4 IS NULL OR registered_at <= $5)
    RETURNING id, account_id
), undelivered AS (
    DELETE FROM deliveries v USING gone WHERE v.device_id = gone.id
), unwanted AS (
    DELETE FROM push_preferences p USING gone
    WHERE p.account_id = gone.account_id AND p.scope = 'device' AND p.scope_id = gone.id
)
SELECT id FROM gone;

-- DeviceStore.remove(_:in:), one
WITH gone AS (
    DELETE FROM devices WHERE id = $1 AND devices.account_id = $2
    RETURNING id, account_id
), undelivered AS (
    DELETE FROM deliveries v USING gone WHERE v.device_id = gone.id
), unwanted AS (
    DELETE FROM push_preferences p USING gone
    WHERE p.account_id = gone.account_id AND p.scope = 'device' AND p.scope_id = gone.id
)
SELECT id FROM gone;

-- DeviceStore.remove(_:in:), one of an app
WITH gone AS (
    DELETE FROM devices WHERE id = $1 AND devices.account_id = $2 AND devices.app_id = $3
    RETURNING id, account_id
), undelivered AS (
    DELETE FROM deliveries v USING gone WHERE v.device_id = gone.id
), unwanted AS (
    DELETE FROM push_preferences p USING gone
    WHERE p.account_id = gone.account_id AND p.scope = 'device' AND p.scope_id = gone.id
)
SELECT id FROM gone;

-- DeviceStore.remove(_:in:), session
WITH gone AS (
    DELETE FROM devices WHERE session_id = $1
    RETURNING id, account_id
), undelivered AS (
    DELETE FROM deliveries v USING gone WHERE v.device_id = gone.id
), unwanted AS (
    DELETE FROM push_preferences p USING gone
    WHERE p.account_id = gone.account_id AND p.scope = 'device' AND p.scope_id = gone.id
)
SELECT id FROM gone;

-- DeviceStore.remove(_:in:), subscription
WITH gone AS (
    DELETE FROM devices WHERE session_id = $1 AND platform = 'web'
    RETURNING id, account_id
), undelivered AS (
    DELETE FROM deliveries v USING gone WHERE v.device_id = gone.id
), unwanted AS (
    DELETE FROM push_preferences p USING gone
    WHERE p.account_id = gone.account_id AND p.scope = 'device' AND p.scope_id = gone.id
)
SELECT id FROM gone;

-- DeviceStore.trim(_:keeping:in:)
WITH gone AS (
    DELETE FROM devices WHERE id IN (
    SELECT o.id FROM devices o WHERE o.account_id = $1
    ORDER BY o.registered_at DESC
    OFFSET $2
)
    RETURNING id, account_id
), undelivered AS (
    DELETE FROM deliveries v USING gone WHERE v.device_id = gone.id
), unwanted AS (
    DELETE FROM push_preferences p USING gone
    WHERE p.account_id = gone.account_id AND p.scope = 'device' AND p.scope_id = gone.id
)
SELECT id FROM gone;

-- EntryStore.followMentions(of:in:)
UPDATE notifications n SET withdrawn = NOT n.withdrawn
FROM messages m
WHERE n.type = 'chat_mention' AND n.subject_id = $1 AND m.id = n.subject_id
    AND n.withdrawn = (m.names_all OR n.account_id = ANY (m.named));

-- EntryStore.raise(_:_:in:for:as:connected:in:)
INSERT INTO notifications (
    id, account_id, type, actor_id, subject_id, version, created_at, channel_id, seq, withdrawn,
    quiet_until
)
SELECT r.id, r.account_id, $1, $2, m.id, 0, $3,
    m.channel_id, m.seq,
    $4 AND NOT (m.names_all OR r.account_id = ANY (m.named)),
    CASE
        WHEN r.account_id = ANY ($5) AND NOT EXISTS (
            SELECT FROM notifications o
            WHERE o.channel_id = m.channel_id AND o.account_id = r.account_id
                AND o.type = $6 AND NOT o.dismissed
        )
        THEN $7
    END
FROM messages m, unnest($8, $9) AS r (id, account_id)
WHERE m.id = $10 AND m.text IS NOT NULL
    AND NOT EXISTS (
        SELECT FROM reads d
        WHERE d.channel_id = m.channel_id AND d.account_id = r.account_id AND d.seq >= m.seq
    )
    AND NOT EXISTS (
        SELECT FROM departures d
        WHERE d.place_id = ANY ($11) AND d.account_id = r.account_id AND d.at >= $12
    )
    AND NOT was_swept(r.account_id, $13, $14)
    AND NOT EXISTS (
        SELECT FROM floors f WHERE f.account_id = r.account_id AND f.moment >= $15
    )
ON CONFLICT (type, subject_id, actor_id, account_id) DO NOTHING;

-- EntryStore.raise(_:on:again:in:), a decision
WITH r AS MATERIALIZED (
    SELECT id, account_id, type, actor_id, subject_id, subject_version, version, created_at,
        nullif(project_id, 0) AS project_id
    FROM unnest(
        $1, $2, $3, $4,
        $5, $6, $7,
        $8, $9
    ) AS c (
        id, account_id, type, actor_id, subject_id, subject_version, version, created_at, project_id
    )
), quarrels AS MATERIALIZED (
    SELECT r.account_id, r.actor_id
    FROM r JOIN silences s ON s.account_id = r.account_id AND s.target_id = r.actor_id
    UNION ALL
    SELECT r.account_id, r.actor_id
    FROM r JOIN silences s ON s.account_id = r.actor_id AND s.target_id = r.account_id
)
INSERT INTO notifications (id, account_id, type, actor_id, subject_id, version, created_at, project_id)
SELECT r.id, r.account_id, r.type, r.actor_id, r.subject_id, r.version, r.created_at, r.project_id
FROM r
WHERE EXISTS (SELECT FROM decisions d WHERE d.id = r.subject_id AND d.version = r.subject_version)
    AND NOT (
        EXISTS (SELECT FROM quarrels q WHERE q.account_id = r.account_id AND q.actor_id = r.actor_id)
        AND was_swept(r.account_id, r.actor_id, r.created_at)
    )
    AND NOT EXISTS (
        SELECT FROM floors f WHERE f.account_id = r.account_id AND f.moment >= r.created_at
    )
ORDER BY r.type, r.subject_id, r.actor_id, r.account_id
ON CONFLICT (type, subject_id, actor_id, account_id) DO UPDATE
SET id = excluded.id, version = excluded.version, created_at = excluded.created_at, dismissed = false
WHERE excluded.version > notifications.version
RETURNING id, account_id,
(
    EXISTS (
        SELECT FROM quarrels q
        WHERE q.account_id = notifications.account_id AND q.actor_id = notifications.actor_id
    )
    AND is_silenced(account_id, actor_id, created_at)
) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = notifications.actor_id AND restricted.is_hidden
    OFFSET 0
),
EXISTS (SELECT FROM devices d WHERE d.account_id = notifications.account_id),
EXISTS (
    SELECT FROM acts act
    WHERE act.kind = 'favourite' AND act.subject_id = notifications.subject_id
    AND act.actor_id >= notifications.account_id AND act.actor_id <= notifications.account_id AND act.active
    OFFSET 0
),
EXISTS (
    SELECT FROM acts act
    WHERE act.kind = 'reblog' AND act.subject_id = notifications.subject_id
    AND act.actor_id >= notifications.account_id AND act.actor_id <= notifications.account_id AND act.active
    OFFSET 0
);

-- EntryStore.raise(_:on:again:in:), a project
WITH r AS MATERIALIZED (
    SELECT id, account_id, type, actor_id, subject_id, subject_version, version, created_at,
        nullif(project_id, 0) AS project_id
    FROM unnest(
        $1, $2, $3, $4,
        $5, $6, $7,
        $8, $9
    ) AS c (
        id, account_id, type, actor_id, subject_id, subject_version, version, created_at, project_id
    )
), quarrels AS MATERIALIZED (
    SELECT r.account_id, r.actor_id
    FROM r JOIN silences s ON s.account_id = r.account_id AND s.target_id = r.actor_id
    UNION ALL
    SELECT r.account_id, r.actor_id
    FROM r JOIN silences s ON s.account_id = r.actor_id AND s.target_id = r.account_id
)
INSERT INTO notifications (id, account_id, type, actor_id, subject_id, version, created_at, project_id)
SELECT r.id, r.account_id, r.type, r.actor_id, r.subject_id, r.version, r.created_at, r.project_id
FROM r
WHERE EXISTS (SELECT FROM projects j WHERE j.id = r.subject_id AND j.snapshot IS NOT NULL)
    AND NOT (
        EXISTS (SELECT FROM quarrels q WHERE q.account_id = r.account_id AND q.actor_id = r.actor_id)
        AND was_swept(r.account_id, r.actor_id, r.created_at)
    )
    AND NOT EXISTS (
        SELECT FROM floors f WHERE f.account_id = r.account_id AND f.moment >= r.created_at
    )
ORDER BY r.type, r.subject_id, r.actor_id, r.account_id
ON CONFLICT (type, subject_id, actor_id, account_id) DO UPDATE
SET id = excluded.id, version = excluded.version, created_at = excluded.created_at, dismissed = false
WHERE excluded.version > notifications.version
RETURNING id, account_id,
(
    EXISTS (
        SELECT FROM quarrels q
        WHERE q.account_id = notifications.account_id AND q.actor_id = notifications.actor_id
    )
    AND is_silenced(account_id, actor_id, created_at)
) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = notifications.actor_id AND restricted.is_hidden
    OFFSET 0
),
EXISTS (SELECT FROM devices d WHERE d.account_id = notifications.account_id),
EXISTS (
    SELECT FROM acts act
    WHERE act.kind = 'favourite' AND act.subject_id = notifications.subject_id
    AND act.actor_id >= notifications.account_id AND act.actor_id <= notifications.account_id AND act.active
    OFFSET 0
),
EXISTS (
    SELECT FROM acts act
    WHERE act.kind = 'reblog' AND act.subject_id = notifications.subject_id
    AND act.actor_id >= notifications.account_id AND act.actor_id <= notifications.account_id AND act.active
    OFFSET 0
);

-- EntryStore.raise(_:on:again:in:), a project that names somebody
WITH r AS MATERIALIZED (
    SELECT id, account_id, type, actor_id, subject_id, subject_version, version, created_at,
        nullif(project_id, 0) AS project_id
    FROM unnest(
        $1, $2, $3, $4,
        $5, $6, $7,
        $8, $9
    ) AS c (
        id, account_id, type, actor_id, subject_id, subject_version, version, created_at, project_id
    )
), quarrels AS MATERIALIZED (
    SELECT r.account_id, r.actor_id
    FROM r JOIN silences s ON s.account_id = r.account_id AND s.target_id = r.actor_id
    UNION ALL
    SELECT r.account_id, r.actor_id
    FROM r JOIN silences s ON s.account_id = r.actor_id AND s.target_id = r.account_id
)
INSERT INTO notifications (id, account_id, type, actor_id, subject_id, version, created_at, project_id)
SELECT r.id, r.account_id, r.type, r.actor_id, r.subject_id, r.version, r.created_at, r.project_id
FROM r
WHERE EXISTS (SELECT FROM project_mentions m
JOIN projects j ON j.id = m.project_id AND j.snapshot IS NOT NULL
WHERE m.project_id = r.subject_id AND m.account_id = r.account_id AND m.version = r.subject_version
    AND m.named)
    AND NOT (
        EXISTS (SELECT FROM quarrels q WHERE q.account_id = r.account_id AND q.actor_id = r.actor_id)
        AND was_swept(r.account_id, r.actor_id, r.created_at)
    )
    AND NOT EXISTS (
        SELECT FROM floors f WHERE f.account_id = r.account_id AND f.moment >= r.created_at
    )
ORDER BY r.type, r.subject_id, r.actor_id, r.account_id
ON CONFLICT (type, subject_id, actor_id, account_id) DO UPDATE
SET id = excluded.id, version = excluded.version, created_at = excluded.created_at, dismissed = false
WHERE excluded.version > notifications.version
RETURNING id, account_id,
(
    EXISTS (
        SELECT FROM quarrels q
        WHERE q.account_id = notifications.account_id AND q.actor_id = notifications.actor_id
    )
    AND is_silenced(account_id, actor_id, created_at)
) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = notifications.actor_id AND restricted.is_hidden
    OFFSET 0
),
EXISTS (SELECT FROM devices d WHERE d.account_id = notifications.account_id),
EXISTS (
    SELECT FROM acts act
    WHERE act.kind = 'favourite' AND act.subject_id = notifications.subject_id
    AND act.actor_id >= notifications.account_id AND act.actor_id <= notifications.account_id AND act.active
    OFFSET 0
),
EXISTS (
    SELECT FROM acts act
    WHERE act.kind = 'reblog' AND act.subject_id = notifications.subject_id
    AND act.actor_id >= notifications.account_id AND act.actor_id <= notifications.account_id AND act.active
    OFFSET 0
);

-- EntryStore.raise(_:on:again:in:), a report
WITH r AS MATERIALIZED (
    SELECT id, account_id, type, actor_id, subject_id, subject_version, version, created_at,
        nullif(project_id, 0) AS project_id
    FROM unnest(
        $1, $2, $3, $4,
        $5, $6, $7,
        $8, $9
    ) AS c (
        id, account_id, type, actor_id, subject_id, subject_version, version, created_at, project_id
    )
), quarrels AS MATERIALIZED (
    SELECT r.account_id, r.actor_id
    FROM r JOIN silences s ON s.account_id = r.account_id AND s.target_id = r.actor_id
    UNION ALL
    SELECT r.account_id, r.actor_id
    FROM r JOIN silences s ON s.account_id = r.actor_id AND s.target_id = r.account_id
)
INSERT INTO notifications (id, account_id, type, actor_id, subject_id, version, created_at, project_id)
SELECT r.id, r.account_id, r.type, r.actor_id, r.subject_id, r.version, r.created_at, r.project_id
FROM r
WHERE EXISTS (SELECT FROM reports f WHERE f.id = r.subject_id)
    AND NOT (
        EXISTS (SELECT FROM quarrels q WHERE q.account_id = r.account_id AND q.actor_id = r.actor_id)
        AND was_swept(r.account_id, r.actor_id, r.created_at)
    )
    AND NOT EXISTS (
        SELECT FROM floors f WHERE f.account_id = r.account_id AND f.moment >= r.created_at
    )
ORDER BY r.type, r.subject_id, r.actor_id, r.account_id
ON CONFLICT (type, subject_id, actor_id, account_id) DO NOTHING
RETURNING id, account_id,
(
    EXISTS (
        SELECT FROM quarrels q
        WHERE q.account_id = notifications.account_id AND q.actor_id = notifications.actor_id
    )
    AND is_silenced(account_id, actor_id, created_at)
) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = notifications.actor_id AND restricted.is_hidden
    OFFSET 0
),
EXISTS (SELECT FROM devices d WHERE d.account_id = notifications.account_id),
EXISTS (
    SELECT FROM acts act
    WHERE act.kind = 'favourite' AND act.subject_id = notifications.subject_id
    AND act.actor_id >= notifications.account_id AND act.actor_id <= notifications.account_id AND act.active
    OFFSET 0
),
EXISTS (
    SELECT FROM acts act
    WHERE act.kind = 'reblog' AND act.subject_id = notifications.subject_id
    AND act.actor_id >= notifications.account_id AND act.actor_id <= notifications.account_id AND act.active
    OFFSET 0
);

-- EntryStore.raise(_:on:again:in:), act
WITH r AS MATERIALIZED (
    SELECT id, account_id, type, actor_id, subject_id, subject_version, version, created_at,
        nullif(project_id, 0) AS project_id
    FROM unnest(
        $1, $2, $3, $4,
        $5, $6, $7,
        $8, $9
    ) AS c (
        id, account_id, type, actor_id, subject_id, subject_version, version, created_at, project_id
    )
), quarrels AS MATERIALIZED (
    SELECT r.account_id, r.actor_id
    FROM r JOIN silences s ON s.account_id = r.account_id AND s.target_id = r.actor_id
    UNION ALL
    SELECT r.account_id, r.actor_id
    FROM r JOIN silences s ON s.account_id = r.actor_id AND s.target_id = r.account_id
)
INSERT INTO notifications (id, account_id, type, actor_id, subject_id, version, created_at, project_id)
SELECT r.id, r.account_id, r.type, r.actor_id, r.subject_id, r.version, r.created_at, r.project_id
FROM r
WHERE EXISTS (SELECT FROM acts d
WHERE d.kind = r.type AND d.subject_id = r.subject_id
    AND d.actor_id >= r.actor_id AND d.actor_id <= r.actor_id
    AND d.version = r.subject_version AND d.active)
    AND NOT (
        EXISTS (SELECT FROM quarrels q WHERE q.account_id = r.account_id AND q.actor_id = r.actor_id)
        AND was_swept(r.account_id, r.actor_id, r.created_at)
    )
    AND NOT EXISTS (
        SELECT FROM floors f WHERE f.account_id = r.account_id AND f.moment >= r.created_at
    )
ORDER BY r.type, r.subject_id, r.actor_id, r.account_id
ON CONFLICT (type, subject_id, actor_id, account_id) DO UPDATE
SET id = excluded.id, version = excluded.version, created_at = excluded.created_at, dismissed = false
WHERE excluded.version > notifications.version
RETURNING id, account_id,
(
    EXISTS (
        SELECT FROM quarrels q
        WHERE q.account_id = notifications.account_id AND q.actor_id = notifications.actor_id
    )
    AND is_silenced(account_id, actor_id, created_at)
) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = notifications.actor_id AND restricted.is_hidden
    OFFSET 0
),
EXISTS (SELECT FROM devices d WHERE d.account_id = notifications.account_id),
EXISTS (
    SELECT FROM acts act
    WHERE act.kind = 'favourite' AND act.subject_id = notifications.subject_id
    AND act.actor_id >= notifications.account_id AND act.actor_id <= notifications.account_id AND act.active
    OFFSET 0
),
EXISTS (
    SELECT FROM acts act
    WHERE act.kind = 'reblog' AND act.subject_id = notifications.subject_id
    AND act.actor_id >= notifications.account_id AND act.actor_id <= notifications.account_id AND act.active
    OFFSET 0
);

-- EntryStore.raise(_:on:again:in:), act, again
WITH r AS MATERIALIZED (
    SELECT id, account_id, type, actor_id, subject_id, subject_version, version, created_at,
        nullif(project_id, 0) AS project_id
    FROM unnest(
        $1, $2, $3, $4,
        $5, $6, $7,
        $8, $9
    ) AS c (
        id, account_id, type, actor_id, subject_id, subject_version, version, created_at, project_id
    )
), quarrels AS MATERIALIZED (
    SELECT r.account_id, r.actor_id
    FROM r JOIN silences s ON s.account_id = r.account_id AND s.target_id = r.actor_id
    UNION ALL
    SELECT r.account_id, r.actor_id
    FROM r JOIN silences s ON s.account_id = r.actor_id AND s.target_id = r.account_id
)
INSERT INTO notifications (id, account_id, type, actor_id, subject_id, version, created_at, project_id)
SELECT r.id, r.account_id, r.type, r.actor_id, r.subject_id, r.version, r.created_at, r.project_id
FROM r
WHERE EXISTS (SELECT FROM acts d
WHERE d.kind = r.type AND d.subject_id = r.subject_id
    AND d.actor_id >= r.actor_id AND d.actor_id <= r.actor_id
    AND d.version = r.subject_version AND d.active)
    AND NOT (
        EXISTS (SELECT FROM quarrels q WHERE q.account_id = r.account_id AND q.actor_id = r.actor_id)
        AND was_swept(r.account_id, r.actor_id, r.created_at)
    )
    AND NOT EXISTS (
        SELECT FROM floors f WHERE f.account_id = r.account_id AND f.moment >= r.created_at
    )
ORDER BY r.type, r.subject_id, r.actor_id, r.account_id
ON CONFLICT (type, subject_id, actor_id, account_id) DO UPDATE
SET id = CASE WHEN (notifications.created_at BETWEEN excluded.created_at - interval '1 minute'
    AND excluded.created_at + interval '1 minute') THEN notifications.id ELSE excluded.id END,
    dismissed = (notifications.created_at BETWEEN excluded.created_at - interval '1 minute'
    AND excluded.created_at + interval '1 minute') AND notifications.dismissed,
    created_at = CASE WHEN (notifications.created_at BETWEEN excluded.created_at - interval '1 minute'
    AND excluded.created_at + interval '1 minute') THEN notifications.created_at ELSE excluded.created_at END,
    version = excluded.version
WHERE excluded.version >= notifications.version
RETURNING id, account_id,
(
    EXISTS (
        SELECT FROM quarrels q
        WHERE q.account_id = notifications.account_id AND q.actor_id = notifications.actor_id
    )
    AND is_silenced(account_id, actor_id, created_at)
) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = notifications.actor_id AND restricted.is_hidden
    OFFSET 0
),
EXISTS (SELECT FROM devices d WHERE d.account_id = notifications.account_id),
EXISTS (
    SELECT FROM acts act
    WHERE act.kind = 'favourite' AND act.subject_id = notifications.subject_id
    AND act.actor_id >= notifications.account_id AND act.actor_id <= notifications.account_id AND act.active
    OFFSET 0
),
EXISTS (
    SELECT FROM acts act
    WHERE act.kind = 'reblog' AND act.subject_id = notifications.subject_id
    AND act.actor_id >= notifications.account_id AND act.actor_id <= notifications.account_id AND act.active
    OFFSET 0
);

-- EntryStore.raise(_:on:again:in:), an application
WITH r AS MATERIALIZED (
    SELECT id, account_id, type, actor_id, subject_id, subject_version, version, created_at,
        nullif(project_id, 0) AS project_id
    FROM unnest(
        $1, $2, $3, $4,
        $5, $6, $7,
        $8, $9
    ) AS c (
        id, account_id, type, actor_id, subject_id, subject_version, version, created_at, project_id
    )
), quarrels AS MATERIALIZED (
    SELECT r.account_id, r.actor_id
    FROM r JOIN silences s ON s.account_id = r.account_id AND s.target_id = r.actor_id
    UNION ALL
    SELECT r.account_id, r.actor_id
    FROM r JOIN silences s ON s.account_id = r.actor_id AND s.target_id = r.account_id
)
INSERT INTO notifications (id, account_id, type, actor_id, subject_id, version, created_at, project_id)
SELECT r.id, r.account_id, r.type, r.actor_id, r.subject_id, r.version, r.created_at, r.project_id
FROM r
WHERE EXISTS (SELECT FROM applications q
JOIN projects j ON j.id = r.project_id AND j.snapshot IS NOT NULL
WHERE q.id = r.subject_id AND q.version = r.subject_version)
    AND NOT (
        EXISTS (SELECT FROM quarrels q WHERE q.account_id = r.account_id AND q.actor_id = r.actor_id)
        AND was_swept(r.account_id, r.actor_id, r.created_at)
    )
    AND NOT EXISTS (
        SELECT FROM floors f WHERE f.account_id = r.account_id AND f.moment >= r.created_at
    )
ORDER BY r.type, r.subject_id, r.actor_id, r.account_id
ON CONFLICT (type, subject_id, actor_id, account_id) DO UPDATE
SET id = excluded.id, version = excluded.version, created_at = excluded.created_at, dismissed = false
WHERE excluded.version > notifications.version
RETURNING id, account_id,
(
    EXISTS (
        SELECT FROM quarrels q
        WHERE q.account_id = notifications.account_id AND q.actor_id = notifications.actor_id
    )
    AND is_silenced(account_id, actor_id, created_at)
) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = notifications.actor_id AND restricted.is_hidden
    OFFSET 0
),
EXISTS (SELECT FROM devices d WHERE d.account_id = notifications.account_id),
EXISTS (
    SELECT FROM acts act
    WHERE act.kind = 'favourite' AND act.subject_id = notifications.subject_id
    AND act.actor_id >= notifications.account_id AND act.actor_id <= notifications.account_id AND act.active
    OFFSET 0
),
EXISTS (
    SELECT FROM acts act
    WHERE act.kind = 'reblog' AND act.subject_id = notifications.subject_id
    AND act.actor_id >= notifications.account_id AND act.actor_id <= notifications.account_id AND act.active
    OFFSET 0
);

-- EntryStore.raise(_:on:again:in:), edit
WITH r AS MATERIALIZED (
    SELECT id, account_id, type, actor_id, subject_id, subject_version, version, created_at,
        nullif(project_id, 0) AS project_id
    FROM unnest(
        $1, $2, $3, $4,
        $5, $6, $7,
        $8, $9
    ) AS c (
        id, account_id, type, actor_id, subject_id, subject_version, version, created_at, project_id
    )
), quarrels AS MATERIALIZED (
    SELECT r.account_id, r.actor_id
    FROM r JOIN silences s ON s.account_id = r.account_id AND s.target_id = r.actor_id
    UNION ALL
    SELECT r.account_id, r.actor_id
    FROM r JOIN silences s ON s.account_id = r.actor_id AND s.target_id = r.account_id
)
INSERT INTO notifications (id, account_id, type, actor_id, subject_id, version, created_at, project_id)
SELECT r.id, r.account_id, r.type, r.actor_id, r.subject_id, r.version, r.created_at, r.project_id
FROM r
WHERE EXISTS (SELECT FROM posts p WHERE p.id = r.subject_id AND p.snapshot IS NOT NULL)
    AND NOT (
        EXISTS (SELECT FROM quarrels q WHERE q.account_id = r.account_id AND q.actor_id = r.actor_id)
        AND was_swept(r.account_id, r.actor_id, r.created_at)
    )
    AND NOT EXISTS (
        SELECT FROM floors f WHERE f.account_id = r.account_id AND f.moment >= r.created_at
    )
ORDER BY r.type, r.subject_id, r.actor_id, r.account_id
ON CONFLICT (type, subject_id, actor_id, account_id) DO UPDATE
SET id = excluded.id, version = excluded.version, created_at = excluded.created_at, dismissed = false
WHERE excluded.version > notifications.version
RETURNING id, account_id,
(
    EXISTS (
        SELECT FROM quarrels q
        WHERE q.account_id = notifications.account_id AND q.actor_id = notifications.actor_id
    )
    AND is_silenced(account_id, actor_id, created_at)
) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = notifications.actor_id AND restricted.is_hidden
    OFFSET 0
),
EXISTS (SELECT FROM devices d WHERE d.account_id = notifications.account_id),
EXISTS (
    SELECT FROM acts act
    WHERE act.kind = 'favourite' AND act.subject_id = notifications.subject_id
    AND act.actor_id >= notifications.account_id AND act.actor_id <= notifications.account_id AND act.active
    OFFSET 0
),
EXISTS (
    SELECT FROM acts act
    WHERE act.kind = 'reblog' AND act.subject_id = notifications.subject_id
    AND act.actor_id >= notifications.account_id AND act.actor_id <= notifications.account_id AND act.active
    OFFSET 0
);

-- EntryStore.raise(_:on:again:in:), mentions
WITH r AS MATERIALIZED (
    SELECT id, account_id, type, actor_id, subject_id, subject_version, version, created_at,
        nullif(project_id, 0) AS project_id
    FROM unnest(
        $1, $2, $3, $4,
        $5, $6, $7,
        $8, $9
    ) AS c (
        id, account_id, type, actor_id, subject_id, subject_version, version, created_at, project_id
    )
), quarrels AS MATERIALIZED (
    SELECT r.account_id, r.actor_id
    FROM r JOIN silences s ON s.account_id = r.account_id AND s.target_id = r.actor_id
    UNION ALL
    SELECT r.account_id, r.actor_id
    FROM r JOIN silences s ON s.account_id = r.actor_id AND s.target_id = r.account_id
)
INSERT INTO notifications (id, account_id, type, actor_id, subject_id, version, created_at, project_id)
SELECT r.id, r.account_id, r.type, r.actor_id, r.subject_id, r.version, r.created_at, r.project_id
FROM r
WHERE EXISTS (SELECT FROM posts p
WHERE p.id = r.subject_id AND p.version = r.subject_version AND p.snapshot IS NOT NULL)
    AND NOT (
        EXISTS (SELECT FROM quarrels q WHERE q.account_id = r.account_id AND q.actor_id = r.actor_id)
        AND was_swept(r.account_id, r.actor_id, r.created_at)
    )
    AND NOT EXISTS (
        SELECT FROM floors f WHERE f.account_id = r.account_id AND f.moment >= r.created_at
    )
ORDER BY r.type, r.subject_id, r.actor_id, r.account_id
ON CONFLICT (type, subject_id, actor_id, account_id) DO NOTHING
RETURNING id, account_id,
(
    EXISTS (
        SELECT FROM quarrels q
        WHERE q.account_id = notifications.account_id AND q.actor_id = notifications.actor_id
    )
    AND is_silenced(account_id, actor_id, created_at)
) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = notifications.actor_id AND restricted.is_hidden
    OFFSET 0
),
EXISTS (SELECT FROM devices d WHERE d.account_id = notifications.account_id),
EXISTS (
    SELECT FROM acts act
    WHERE act.kind = 'favourite' AND act.subject_id = notifications.subject_id
    AND act.actor_id >= notifications.account_id AND act.actor_id <= notifications.account_id AND act.active
    OFFSET 0
),
EXISTS (
    SELECT FROM acts act
    WHERE act.kind = 'reblog' AND act.subject_id = notifications.subject_id
    AND act.actor_id >= notifications.account_id AND act.actor_id <= notifications.account_id AND act.active
    OFFSET 0
);

-- EntryStore.raise(_:on:again:in:), mentions, again
WITH r AS MATERIALIZED (
    SELECT id, account_id, type, actor_id, subject_id, subject_version, version, created_at,
        nullif(project_id, 0) AS project_id
    FROM unnest(
        $1, $2, $3, $4,
        $5, $6, $7,
        $8, $9
    ) AS c (
        id, account_id, type, actor_id, subject_id, subject_version, version, created_at, project_id
    )
), quarrels AS MATERIALIZED (
    SELECT r.account_id, r.actor_id
    FROM r JOIN silences s ON s.account_id = r.account_id AND s.target_id = r.actor_id
    UNION ALL
    SELECT r.account_id, r.actor_id
    FROM r JOIN silences s ON s.account_id = r.actor_id AND s.target_id = r.account_id
)
INSERT INTO notifications (id, account_id, type, actor_id, subject_id, version, created_at, project_id)
SELECT r.id, r.account_id, r.type, r.actor_id, r.subject_id, r.version, r.created_at, r.project_id
FROM r
WHERE EXISTS (SELECT FROM posts p
WHERE p.id = r.subject_id AND p.version = r.subject_version AND p.snapshot IS NOT NULL)
    AND NOT (
        EXISTS (SELECT FROM quarrels q WHERE q.account_id = r.account_id AND q.actor_id = r.actor_id)
        AND was_swept(r.account_id, r.actor_id, r.created_at)
    )
    AND NOT EXISTS (
        SELECT FROM floors f WHERE f.account_id = r.account_id AND f.moment >= r.created_at
    )
ORDER BY r.type, r.subject_id, r.actor_id, r.account_id
ON CONFLICT (type, subject_id, actor_id, account_id) DO UPDATE SET created_at = excluded.created_at
RETURNING id, account_id,
(
    EXISTS (
        SELECT FROM quarrels q
        WHERE q.account_id = notifications.account_id AND q.actor_id = notifications.actor_id
    )
    AND is_silenced(account_id, actor_id, created_at)
) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = notifications.actor_id AND restricted.is_hidden
    OFFSET 0
),
EXISTS (SELECT FROM devices d WHERE d.account_id = notifications.account_id),
EXISTS (
    SELECT FROM acts act
    WHERE act.kind = 'favourite' AND act.subject_id = notifications.subject_id
    AND act.actor_id >= notifications.account_id AND act.actor_id <= notifications.account_id AND act.active
    OFFSET 0
),
EXISTS (
    SELECT FROM acts act
    WHERE act.kind = 'reblog' AND act.subject_id = notifications.subject_id
    AND act.actor_id >= notifications.account_id AND act.actor_id <= notifications.account_id AND act.active
    OFFSET 0
);

-- EntryStore.raise(_:on:again:in:), new post
WITH r AS MATERIALIZED (
    SELECT id, account_id, type, actor_id, subject_id, subject_version, version, created_at,
        nullif(project_id, 0) AS project_id
    FROM unnest(
        $1, $2, $3, $4,
        $5, $6, $7,
        $8, $9
    ) AS c (
        id, account_id, type, actor_id, subject_id, subject_version, version, created_at, project_id
    )
), quarrels AS MATERIALIZED (
    SELECT r.account_id, r.actor_id
    FROM r JOIN silences s ON s.account_id = r.account_id AND s.target_id = r.actor_id
    UNION ALL
    SELECT r.account_id, r.actor_id
    FROM r JOIN silences s ON s.account_id = r.actor_id AND s.target_id = r.account_id
)
INSERT INTO notifications (id, account_id, type, actor_id, subject_id, version, created_at, project_id)
SELECT r.id, r.account_id, r.type, r.actor_id, r.subject_id, r.version, r.created_at, r.project_id
FROM r
WHERE EXISTS (SELECT FROM posts p WHERE p.id = r.subject_id AND p.snapshot IS NOT NULL)
    AND NOT (
        EXISTS (SELECT FROM quarrels q WHERE q.account_id = r.account_id AND q.actor_id = r.actor_id)
        AND was_swept(r.account_id, r.actor_id, r.created_at)
    )
    AND NOT EXISTS (
        SELECT FROM floors f WHERE f.account_id = r.account_id AND f.moment >= r.created_at
    )
ORDER BY r.type, r.subject_id, r.actor_id, r.account_id
ON CONFLICT (type, subject_id, actor_id, account_id) DO NOTHING
RETURNING id, account_id,
(
    EXISTS (
        SELECT FROM quarrels q
        WHERE q.account_id = notifications.account_id AND q.actor_id = notifications.actor_id
    )
    AND is_silenced(account_id, actor_id, created_at)
) OR EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = notifications.actor_id AND restricted.is_hidden
    OFFSET 0
),
EXISTS (SELECT FROM devices d WHERE d.account_id = notifications.account_id),
EXISTS (
    SELECT FROM acts act
    WHERE act.kind = 'favourite' AND act.subject_id = notifications.subject_id
    AND act.actor_id >= notifications.account_id AND act.actor_id <= notifications.account_id AND act.active
    OFFSET 0
),
EXISTS (
    SELECT FROM acts act
    WHERE act.kind = 'reblog' AND act.subject_id = notifications.subject_id
    AND act.actor_id >= notifications.account_id AND act.actor_id <= notifications.account_id AND act.active
    OFFSET 0
);

-- EntryStore.trim(_:of:for:in:)
DELETE FROM notifications n
USING unnest($1) AS r (account_id)
WHERE n.channel_id = $2 AND n.account_id = r.account_id AND n.type = $3
    AND n.seq <= (
        SELECT k.seq FROM notifications k
        WHERE k.channel_id = $4 AND k.account_id = r.account_id AND k.type = $5
        ORDER BY k.seq DESC
        OFFSET $6 LIMIT 1
    );

-- EntryStore.withdraw(_:in:), left a channel
DELETE FROM notifications  WHERE channel_id = $1 AND account_id = $2 AND created_at <= $3;

-- EntryStore.withdraw(_:in:), left a playground
DELETE FROM notifications  WHERE channel_id IN (SELECT id FROM channels WHERE playground_id = $1)
    AND account_id = $2 AND created_at <= $3;

-- EntryStore.withdraw(_:in:), mentioned
DELETE FROM notifications  WHERE type = 'project_mention' AND subject_id = $1 AND account_id = ANY ($2) AND version < $3;

-- EntryStore.withdraw(_:in:), message deleted
DELETE FROM notifications  WHERE type IN ('chat_mention', 'direct_message', 'channel_message') AND subject_id = $1;

-- EntryStore.withdraw(_:in:), post deleted
DELETE FROM notifications  WHERE type IN ('mention', 'status', 'favourite', 'reblog', 'update') AND subject_id = $1;

-- EntryStore.withdraw(_:in:), project deleted
DELETE FROM notifications  WHERE project_id = $1;

-- EntryStore.withdraw(_:in:), read
DELETE FROM notifications USING unnest($1, $2, $3)
    AS w (channel, account, last) WHERE channel_id = w.channel AND account_id = w.account AND seq <= w.last;

-- EntryStore.withdraw(_:in:), silenced
DELETE FROM notifications  WHERE account_id = $1 AND actor_id = $2 AND created_at < $3;

-- EntryStore.withdraw(_:in:), superseded
DELETE FROM notifications  WHERE type IN ('project_application', 'project_accepted', 'project_declined', 'project_withdrawn')
    AND subject_id = $1 AND version < $2;

-- EntryStore.withdraw(_:in:), taken back
DELETE FROM notifications USING unnest(
    $1, $2, $3, $4
) AS w (kind, subject, actor, newest) WHERE type = w.kind AND subject_id = w.subject AND actor_id = w.actor AND version < w.newest;

-- EntryStore.withdraw(_:in:), unnamed
DELETE FROM notifications USING unnest($1, $2, $3)
    AS w (subject, actor, newest) WHERE type = 'mention' AND subject_id = w.subject AND actor_id = w.actor
    AND EXISTS (SELECT FROM posts p WHERE p.id = w.subject AND p.version = w.newest)
    AND NOT EXISTS (
        SELECT FROM unnest(
            $4,
            $5
        ) AS k (subject, recipient)
        WHERE k.subject = notifications.subject_id AND k.recipient = notifications.account_id
    );

-- ErasedAccountStore.belongings, accounts
DELETE FROM accounts
WHERE (id) IN (SELECT id FROM accounts WHERE id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, acts
DELETE FROM acts
WHERE (kind, subject_id, actor_id) IN (SELECT kind, subject_id, actor_id FROM acts WHERE actor_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, applications
DELETE FROM applications
WHERE (id) IN (SELECT id FROM applications WHERE snapshot ->> 'account_id' = CAST($1 AS bigint)::text LIMIT 500);

-- ErasedAccountStore.belongings, decisions
DELETE FROM decisions
WHERE (id) IN (SELECT id FROM decisions WHERE snapshot ->> 'account_id' = CAST($1 AS bigint)::text LIMIT 500);

-- ErasedAccountStore.belongings, deliveries
DELETE FROM deliveries
WHERE (id) IN (SELECT id FROM deliveries WHERE device_id IN (SELECT id FROM devices WHERE account_id = $1) LIMIT 500);

-- ErasedAccountStore.belongings, departures
DELETE FROM departures
WHERE (place_id, account_id) IN (SELECT place_id, account_id FROM departures WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, devices
DELETE FROM devices
WHERE (id) IN (SELECT id FROM devices WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, floors
DELETE FROM floors
WHERE (account_id) IN (SELECT account_id FROM floors WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, follow requests
DELETE FROM acts
WHERE (kind, subject_id, actor_id) IN (SELECT kind, subject_id, actor_id FROM acts WHERE kind = 'follow_request' AND subject_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, follows
DELETE FROM acts
WHERE (kind, subject_id, actor_id) IN (SELECT kind, subject_id, actor_id FROM acts WHERE kind = 'follow' AND subject_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, markers
DELETE FROM markers
WHERE (account_id, timeline) IN (SELECT account_id, timeline FROM markers WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, moderators
DELETE FROM moderators
WHERE (account_id) IN (SELECT account_id FROM moderators WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, project_mentions
DELETE FROM project_mentions
WHERE (project_id, account_id) IN (SELECT project_id, account_id FROM project_mentions WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, push_preferences
DELETE FROM push_preferences
WHERE (account_id, scope, scope_id) IN (SELECT account_id, scope, scope_id FROM push_preferences WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, reads
DELETE FROM reads
WHERE (channel_id, account_id) IN (SELECT channel_id, account_id FROM reads WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, reports
DELETE FROM reports
WHERE (id) IN (SELECT id FROM reports WHERE CAST($1 AS bigint)::text IN (snapshot #>> '{reporter,id}', snapshot #>> '{target,id}') LIMIT 500);

-- ErasedAccountStore.belongings, restricted_accounts
DELETE FROM restricted_accounts
WHERE (account_id) IN (SELECT account_id FROM restricted_accounts WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, silences
DELETE FROM silences
WHERE (account_id, target_id, kind, version) IN (SELECT account_id, target_id, kind, version FROM silences WHERE account_id = $1 LIMIT 500);

-- ErasedAccountStore.belongings, silences by others
DELETE FROM silences
WHERE (account_id, target_id, kind, version) IN (SELECT account_id, target_id, kind, version FROM silences WHERE target_id = $1 LIMIT 500);

-- ErasedAccountStore.deleteEntries(with:as:in:), actor
WITH gone AS (
    DELETE FROM notifications
    WHERE id IN (SELECT id FROM notifications WHERE actor_id = $1 LIMIT 500)
    RETURNING id
),
undelivered AS (
    DELETE FROM deliveries WHERE notification_id IN (SELECT id FROM gone)
)
SELECT id FROM gone;

-- ErasedAccountStore.deleteEntries(with:as:in:), recipient
WITH gone AS (
    DELETE FROM notifications
    WHERE id IN (SELECT id FROM notifications WHERE account_id = $1 LIMIT 500)
    RETURNING id
),
undelivered AS (
    DELETE FROM deliveries WHERE notification_id IN (SELECT id FROM gone)
)
SELECT id FROM gone;

-- ErasedAccountStore.naming, messages that name it
UPDATE messages SET named = array_remove(named, CAST($1 AS bigint))
WHERE (id) IN (SELECT id FROM messages WHERE named @> ARRAY[CAST($2 AS bigint)] AND named <> '{}' LIMIT 500);

-- ErasedAccountStore.naming, posts that name it
UPDATE posts SET snapshot = jsonb_set(
    snapshot,
    '{mentions}',
    (
        SELECT coalesce(jsonb_agg(m.value ORDER BY m.place), '[]')
        FROM jsonb_array_elements(snapshot -> 'mentions') WITH ORDINALITY m (value, place)
        WHERE m.value ->> 'id' <> CAST($1 AS bigint)::text
    )
)
WHERE (id) IN (SELECT id FROM posts WHERE snapshot -> 'mentions' @> jsonb_build_array(jsonb_build_object('id', CAST($2 AS bigint)::text))
    AND snapshot IS NOT NULL LIMIT 500);

-- ErasedAccountStore.works, posts
UPDATE posts SET author_id = NULL, snapshot = NULL, link_hash = NULL
WHERE (id) IN (SELECT id FROM posts WHERE author_id = $1 LIMIT 500);

-- ErasedAccountStore.works, projects
UPDATE projects SET snapshot = NULL
WHERE (id) IN (SELECT id FROM projects WHERE snapshot ->> 'leader_id' = CAST($1 AS bigint)::text LIMIT 500);

-- ExportedStore.devices(of:in:)
SELECT coalesce(json_agg(
    json_build_object(
        'id', d.id::text, 'session_id', d.session_id::text, 'platform', d.platform, 'language', d.language,
        'time_zone', d.time_zone, 'alerts', d.alerts, 'policy', d.policy, 'created_at', d.created_at,
        'registered_at', d.registered_at
    )
    ORDER BY d.registered_at, d.id
), '[]')::text
FROM devices d WHERE d.account_id = $1;

-- ExportedStore.markers(of:in:)
SELECT coalesce(json_agg(
    json_build_object(
        'timeline', m.timeline, 'last_read_id', m.last_read_id::text, 'updated_at', m.updated_at
    )
    ORDER BY m.timeline
), '[]')::text
FROM markers m WHERE m.account_id = $1;

-- ExportedStore.notifications
SELECT ARRAY[n.id], json_build_object(
    'id', n.id::text, 'type', n.type, 'created_at', n.created_at, 'account_id', n.actor_id::text,
    'account', a.snapshot ->> 'username', 'about_id', n.subject_id::text
)::text
FROM notifications n
LEFT JOIN LATERAL (SELECT a.snapshot FROM accounts a WHERE a.id = n.actor_id OFFSET 0) a ON true
WHERE n.account_id = $1 AND NOT n.dismissed AND n.id > $2
ORDER BY n.id LIMIT $3;

-- ExportedStore.preferences(of:in:)
SELECT coalesce(json_agg(
    json_build_object(
        'scope', p.scope, 'scope_id', p.scope_id::text, 'kinds', p.kinds, 'preview', p.preview,
        'quiet_from', p.quiet_from, 'quiet_to', p.quiet_to, 'time_zone', p.time_zone
    )
    ORDER BY p.scope, p.scope_id
), '[]')::text
FROM push_preferences p WHERE p.account_id = $1;

-- FloorStore.forgetEntries(of:at:in:)
DELETE FROM notifications
WHERE id IN (
    SELECT n.id
    FROM floors f
    JOIN notifications n ON n.account_id = f.account_id AND NOT n.dismissed AND n.id <= f.entry_id
    WHERE f.account_id = ANY ($1) AND f.raised_at < $2
        AND n.created_at <= f.moment
    LIMIT 5000
    FOR UPDATE OF n SKIP LOCKED
);

-- FloorStore.people(after:most:in:)
WITH RECURSIVE people AS (
    (
        SELECT account_id, 1 AS place
        FROM notifications
        WHERE NOT dismissed AND account_id > $1
        ORDER BY account_id
        LIMIT 1
    )
    UNION ALL
    SELECT
        (
            SELECT n.account_id
            FROM notifications n
            WHERE NOT n.dismissed AND n.account_id > p.account_id
            ORDER BY n.account_id
            LIMIT 1
        ),
        p.place + 1
    FROM people p
    WHERE p.account_id IS NOT NULL AND p.place < $2
)
SELECT account_id FROM people WHERE account_id IS NOT NULL ORDER BY account_id;

-- FloorStore.raise(of:keeping:at:in:)
INSERT INTO floors (account_id, entry_id, moment, raised_at)
SELECT p.account_id, e.id, m.moment, $1
FROM unnest($2) AS p (account_id)
CROSS JOIN LATERAL (
    SELECT n.id
    FROM notifications n
    WHERE n.account_id = p.account_id AND NOT n.dismissed
    ORDER BY n.id DESC
    OFFSET $3
    LIMIT 1
) e
CROSS JOIN LATERAL (
    SELECT max(o.created_at) AS moment
    FROM (
        SELECT n.created_at
        FROM notifications n
        WHERE n.account_id = p.account_id AND NOT n.dismissed AND n.id <= e.id
        ORDER BY n.id DESC
        LIMIT 5000
    ) o
) m
ON CONFLICT (account_id) DO UPDATE
SET entry_id = excluded.entry_id, moment = greatest(floors.moment, excluded.moment),
    raised_at = excluded.raised_at
WHERE excluded.entry_id > floors.entry_id;

-- LockStore.take(sharing:claiming:in:)
SELECT CASE WHEN is_claimed THEN pg_advisory_xact_lock(number) ELSE pg_advisory_xact_lock_shared(number) END
FROM unnest($1, $2) AS l (number, is_claimed);

-- MarkerStore.markers(of:_:in:)
SELECT timeline, last_read_id, version, updated_at FROM markers
WHERE account_id = $1 AND timeline = ANY ($2)
ORDER BY timeline;

-- MarkerStore.save(_:_:of:expected:now:in:)
INSERT INTO markers (account_id, timeline, last_read_id, version, updated_at)
VALUES ($1, $2, $3, 1, $4)
ON CONFLICT (account_id, timeline) DO UPDATE
SET last_read_id = excluded.last_read_id, version = markers.version + 1, updated_at = excluded.updated_at
WHERE $5 IS NULL OR markers.version = $6
RETURNING timeline, last_read_id, version, updated_at;

-- MessageStore.bury(_:at:in:)
INSERT INTO messages (id, change, channel_id, seq, named, names_all, touched_at)
SELECT $1, $2, $3, $4, '{}', false,
    $5
WHERE NOT EXISTS (SELECT FROM gone_places WHERE id = $6)
ON CONFLICT (id) DO UPDATE
SET change = greatest(messages.change, excluded.change), text = NULL, named = '{}', names_all = false,
    touched_at = greatest(messages.touched_at, excluded.touched_at);

-- MessageStore.keep(_:repairing:at:in:)
INSERT INTO messages (id, change, channel_id, seq, text, named, names_all, touched_at)
SELECT $1, $2, $3, $4,
    $5, $6,
    $7, $8
WHERE NOT EXISTS (SELECT FROM gone_places WHERE id = $9)
ON CONFLICT (id) DO UPDATE
SET channel_id = excluded.channel_id, seq = excluded.seq, change = excluded.change, text = excluded.text, named = excluded.named,
    names_all = excluded.names_all, touched_at = excluded.touched_at
WHERE messages.text IS NOT NULL
    AND (
        excluded.change > messages.change
        -- What an entry shows is not forgotten before the entry.
        OR (
            excluded.change = messages.change
            AND messages.touched_at < excluded.touched_at - interval '1 day'
        )
    );

-- MessageStore.keep(_:repairing:at:in:), repairing
INSERT INTO messages (id, change, channel_id, seq, text, named, names_all, touched_at)
SELECT $1, $2, $3, $4,
    $5, $6,
    $7, $8
WHERE NOT EXISTS (SELECT FROM gone_places WHERE id = $9)
ON CONFLICT (id) DO UPDATE
SET channel_id = excluded.channel_id, seq = excluded.seq, change = excluded.change, text = excluded.text, named = excluded.named,
    names_all = excluded.names_all, touched_at = excluded.touched_at
WHERE excluded.change >= messages.change;

-- ModerationStore.keep(_:at:in:), decision
INSERT INTO decisions AS d (id, version, snapshot, touched_at)
VALUES (
    $1, $2, $3, $4
)
ON CONFLICT (id) DO UPDATE
SET version = excluded.version, snapshot = excluded.snapshot, touched_at = excluded.touched_at
WHERE d.version < excluded.version;

-- ModerationStore.keep(_:at:in:), report
INSERT INTO reports (id, snapshot, touched_at)
VALUES ($1, $2, $3)
ON CONFLICT (id) DO NOTHING;

-- ModerationStore.keep(_:in:)
INSERT INTO moderators AS m (account_id, moderates, version)
VALUES ($1, $2, $3)
ON CONFLICT (account_id) DO UPDATE SET moderates = excluded.moderates, version = excluded.version
WHERE m.version < excluded.version;

-- ModerationStore.moderators(most:in:)
SELECT account_id FROM moderators WHERE moderates ORDER BY account_id LIMIT $1;

-- NotificationStore.dismiss(_:of:in:)
WITH dismissed AS (
    UPDATE notifications SET dismissed = true
    WHERE id = $1 AND account_id = $2 AND NOT dismissed AND NOT withdrawn
    AND NOT ((SELECT may_be_silenced($3)) AND is_silenced(account_id, actor_id, created_at))
    AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = notifications.actor_id AND restricted.is_hidden
    OFFSET 0
)
    AND (type NOT IN ('direct_message', 'channel_message') OR NOT is_renewed(account_id, channel_id, seq))
    RETURNING account_id, type, channel_id, seq
),
earlier AS (
    UPDATE notifications n SET dismissed = true
    FROM dismissed d
    WHERE d.type IN ('direct_message', 'channel_message') AND n.type = d.type AND n.channel_id = d.channel_id
        AND n.account_id = d.account_id AND n.seq < d.seq
)
SELECT 1 FROM dismissed;

-- NotificationStore.dismissAll(of:_:in:)
UPDATE notifications SET dismissed = true
WHERE account_id = $1 AND NOT dismissed AND type = ANY ($2);

-- NotificationStore.notification(_:of:in:)
SELECT array_remove(
    ARRAY[
        n.actor_id, n.subject_id, n.channel_id, n.project_id, p.author_id,
        CASE WHEN p.link_hash IS NOT NULL THEN link_subject(p.link_hash) END
    ],
    NULL
),
a.id IS NOT NULL, n.id, n.type, n.created_at, a.id, a.xmin, p.id, p.xmin, w.id, w.xmin,
EXISTS (
    SELECT FROM acts act
    WHERE act.kind = 'favourite' AND act.subject_id = p.id
    AND act.actor_id >= n.account_id AND act.actor_id <= n.account_id AND act.active
    OFFSET 0
),
EXISTS (
    SELECT FROM acts act
    WHERE act.kind = 'reblog' AND act.subject_id = p.id
    AND act.actor_id >= n.account_id AND act.actor_id <= n.account_id AND act.active
    OFFSET 0
),
n.id <= (SELECT last_read_id FROM markers WHERE account_id = $1 AND timeline = 'notifications'),
k.card, m.id, m.channel_id, c.type, c.name, c.playground_id, m.seq, m.text, j.snapshot, q.snapshot, r.snapshot, d.snapshot
FROM (
    SELECT id, account_id, type, actor_id, subject_id, created_at, channel_id, project_id
    FROM notifications
    WHERE id = $2 AND account_id = $3 AND NOT dismissed AND NOT withdrawn
    AND NOT ((SELECT may_be_silenced($4)) AND is_silenced(account_id, actor_id, created_at))
    AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = notifications.actor_id AND restricted.is_hidden
    OFFSET 0
)
    AND (type NOT IN ('direct_message', 'channel_message') OR NOT is_renewed(account_id, channel_id, seq))
) AS n
LEFT JOIN accounts a ON a.id = n.actor_id
LEFT JOIN posts p
    ON p.id = CASE WHEN n.type IN ('mention', 'status', 'favourite', 'reblog', 'update') THEN n.subject_id END
    AND p.snapshot IS NOT NULL
LEFT JOIN accounts w ON w.id = p.author_id
LEFT JOIN cards k ON k.hash = p.link_hash
LEFT JOIN messages m ON m.id = CASE WHEN n.channel_id IS NOT NULL THEN n.subject_id END
LEFT JOIN channels c ON c.id = m.channel_id
LEFT JOIN projects j ON j.id = n.project_id
LEFT JOIN applications q ON q.id = CASE WHEN n.project_id IS NOT NULL THEN n.subject_id END
LEFT JOIN reports r ON r.id = CASE WHEN n.type = 'admin.report' THEN n.subject_id END
LEFT JOIN decisions d ON d.id = CASE WHEN n.type = 'moderation_warning' THEN n.subject_id END
ORDER BY n.id DESC;

-- NotificationStore.page(_:of:_:in:)
SELECT array_remove(
    ARRAY[
        n.actor_id, n.subject_id, n.channel_id, n.project_id, p.author_id,
        CASE WHEN p.link_hash IS NOT NULL THEN link_subject(p.link_hash) END
    ],
    NULL
),
a.id IS NOT NULL, n.id, n.type, n.created_at, a.id, a.xmin, p.id, p.xmin, w.id, w.xmin,
EXISTS (
    SELECT FROM acts act
    WHERE act.kind = 'favourite' AND act.subject_id = p.id
    AND act.actor_id >= n.account_id AND act.actor_id <= n.account_id AND act.active
    OFFSET 0
),
EXISTS (
    SELECT FROM acts act
    WHERE act.kind = 'reblog' AND act.subject_id = p.id
    AND act.actor_id >= n.account_id AND act.actor_id <= n.account_id AND act.active
    OFFSET 0
),
n.id <= (SELECT last_read_id FROM markers WHERE account_id = $1 AND timeline = 'notifications'),
k.card, m.id, m.channel_id, c.type, c.name, c.playground_id, m.seq, m.text, j.snapshot, q.snapshot, r.snapshot, d.snapshot
FROM (
    SELECT id, account_id, type, actor_id, subject_id, created_at, channel_id, project_id
    FROM notifications
    WHERE account_id = $2 AND NOT dismissed AND NOT withdrawn
    AND NOT ((SELECT may_be_silenced($3)) AND is_silenced(account_id, actor_id, created_at))
    AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = notifications.actor_id AND restricted.is_hidden
    OFFSET 0
)
    AND (type NOT IN ('direct_message', 'channel_message') OR NOT is_renewed(account_id, channel_id, seq)) AND type = ANY ($4)
    AND ($5 IS NULL OR actor_id = $6) AND id < $7 AND id > $8 ORDER BY id DESC LIMIT $9
) AS n
LEFT JOIN accounts a ON a.id = n.actor_id
LEFT JOIN posts p
    ON p.id = CASE WHEN n.type IN ('mention', 'status', 'favourite', 'reblog', 'update') THEN n.subject_id END
    AND p.snapshot IS NOT NULL
LEFT JOIN accounts w ON w.id = p.author_id
LEFT JOIN cards k ON k.hash = p.link_hash
LEFT JOIN messages m ON m.id = CASE WHEN n.channel_id IS NOT NULL THEN n.subject_id END
LEFT JOIN channels c ON c.id = m.channel_id
LEFT JOIN projects j ON j.id = n.project_id
LEFT JOIN applications q ON q.id = CASE WHEN n.project_id IS NOT NULL THEN n.subject_id END
LEFT JOIN reports r ON r.id = CASE WHEN n.type = 'admin.report' THEN n.subject_id END
LEFT JOIN decisions d ON d.id = CASE WHEN n.type = 'moderation_warning' THEN n.subject_id END
ORDER BY n.id DESC;

-- NotificationStore.page(_:of:_:in:), forward
SELECT array_remove(
    ARRAY[
        n.actor_id, n.subject_id, n.channel_id, n.project_id, p.author_id,
        CASE WHEN p.link_hash IS NOT NULL THEN link_subject(p.link_hash) END
    ],
    NULL
),
a.id IS NOT NULL, n.id, n.type, n.created_at, a.id, a.xmin, p.id, p.xmin, w.id, w.xmin,
EXISTS (
    SELECT FROM acts act
    WHERE act.kind = 'favourite' AND act.subject_id = p.id
    AND act.actor_id >= n.account_id AND act.actor_id <= n.account_id AND act.active
    OFFSET 0
),
EXISTS (
    SELECT FROM acts act
    WHERE act.kind = 'reblog' AND act.subject_id = p.id
    AND act.actor_id >= n.account_id AND act.actor_id <= n.account_id AND act.active
    OFFSET 0
),
n.id <= (SELECT last_read_id FROM markers WHERE account_id = $1 AND timeline = 'notifications'),
k.card, m.id, m.channel_id, c.type, c.name, c.playground_id, m.seq, m.text, j.snapshot, q.snapshot, r.snapshot, d.snapshot
FROM (
    SELECT id, account_id, type, actor_id, subject_id, created_at, channel_id, project_id
    FROM notifications
    WHERE account_id = $2 AND NOT dismissed AND NOT withdrawn
    AND NOT ((SELECT may_be_silenced($3)) AND is_silenced(account_id, actor_id, created_at))
    AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = notifications.actor_id AND restricted.is_hidden
    OFFSET 0
)
    AND (type NOT IN ('direct_message', 'channel_message') OR NOT is_renewed(account_id, channel_id, seq)) AND type = ANY ($4)
    AND ($5 IS NULL OR actor_id = $6) AND id < $7 AND id > $8 ORDER BY id ASC LIMIT $9
) AS n
LEFT JOIN accounts a ON a.id = n.actor_id
LEFT JOIN posts p
    ON p.id = CASE WHEN n.type IN ('mention', 'status', 'favourite', 'reblog', 'update') THEN n.subject_id END
    AND p.snapshot IS NOT NULL
LEFT JOIN accounts w ON w.id = p.author_id
LEFT JOIN cards k ON k.hash = p.link_hash
LEFT JOIN messages m ON m.id = CASE WHEN n.channel_id IS NOT NULL THEN n.subject_id END
LEFT JOIN channels c ON c.id = m.channel_id
LEFT JOIN projects j ON j.id = n.project_id
LEFT JOIN applications q ON q.id = CASE WHEN n.project_id IS NOT NULL THEN n.subject_id END
LEFT JOIN reports r ON r.id = CASE WHEN n.type = 'admin.report' THEN n.subject_id END
LEFT JOIN decisions d ON d.id = CASE WHEN n.type = 'moderation_warning' THEN n.subject_id END
ORDER BY n.id DESC;

-- NotificationStore.unread(of:_:limit:at:in:)
SELECT count(*)
FROM (
    SELECT
    FROM notifications
    WHERE account_id = $1 AND NOT dismissed AND NOT withdrawn
    AND NOT ((SELECT may_be_silenced($2)) AND is_silenced(account_id, actor_id, created_at))
    AND NOT EXISTS (
    SELECT FROM restricted_accounts restricted
    WHERE restricted.account_id = notifications.actor_id AND restricted.is_hidden
    OFFSET 0
)
    AND (type NOT IN ('direct_message', 'channel_message') OR NOT is_renewed(account_id, channel_id, seq)) AND type = ANY ($3)
    AND ($4 IS NULL OR actor_id = $5)
        AND id > coalesce(
            (SELECT last_read_id FROM markers WHERE account_id = $6 AND timeline = 'notifications'),
            -1
        )
        AND (quiet_until IS NULL OR quiet_until <= $7)
    LIMIT $8
) AS unread;

-- PostStore.bury(_:version:at:in:)
INSERT INTO posts (id, version, touched_at) VALUES ($1, $2, $3)
ON CONFLICT (id) DO UPDATE
SET version = greatest(posts.version, excluded.version), author_id = NULL, snapshot = NULL, link_hash = NULL,
    touched_at = greatest(posts.touched_at, excluded.touched_at);

-- PostStore.keep(_:repairing:at:in:)
INSERT INTO posts (id, version, author_id, snapshot, link_hash, touched_at)
SELECT s.id, s.version, s.author_id, CAST(s.snapshot AS jsonb),
    sha256(convert_to(nullif(s.link, ''), 'UTF8')), $1
FROM unnest(
    $2, $3, $4, $5,
    $6, $7
) AS s (id, version, author_id, snapshot, link, is_needed)
WHERE s.is_needed OR EXISTS (SELECT FROM posts p WHERE p.id = s.id)
ORDER BY s.id
ON CONFLICT (id) DO UPDATE
SET version = greatest(posts.version, excluded.version), author_id = excluded.author_id,
    snapshot = CASE WHEN excluded.version > posts.version THEN excluded.snapshot ELSE posts.snapshot END,
    link_hash = CASE WHEN excluded.version > posts.version THEN excluded.link_hash ELSE posts.link_hash END,
    touched_at = excluded.touched_at
WHERE posts.snapshot IS NOT NULL AND (excluded.version > posts.version OR posts.touched_at < excluded.touched_at - interval '1 day');

-- PostStore.keep(_:repairing:at:in:), repairing
INSERT INTO posts (id, version, author_id, snapshot, link_hash, touched_at)
SELECT s.id, s.version, s.author_id, CAST(s.snapshot AS jsonb),
    sha256(convert_to(nullif(s.link, ''), 'UTF8')), $1
FROM unnest(
    $2, $3, $4, $5,
    $6, $7
) AS s (id, version, author_id, snapshot, link, is_needed)
WHERE s.is_needed OR EXISTS (SELECT FROM posts p WHERE p.id = s.id)
ORDER BY s.id
ON CONFLICT (id) DO UPDATE
SET version = greatest(posts.version, excluded.version), author_id = excluded.author_id,
    snapshot = CASE WHEN excluded.version >= posts.version THEN excluded.snapshot ELSE posts.snapshot END,
    link_hash = CASE WHEN excluded.version >= posts.version THEN excluded.link_hash ELSE posts.link_hash END,
    touched_at = excluded.touched_at
WHERE excluded.version >= posts.version OR (posts.snapshot IS NOT NULL AND posts.touched_at < excluded.touched_at - interval '1 day');

-- PostStore.snapshots(of:in:)
SELECT posts.id, posts.xmin, snapshot FROM posts WHERE id = ANY ($1) AND snapshot IS NOT NULL;

-- PreferenceStore.clear(_:in:)
DELETE FROM push_preferences WHERE account_id = $1 AND true;

-- PreferenceStore.clear(_:in:), of an app
DELETE FROM push_preferences WHERE account_id = $1 AND CASE scope
    WHEN 'app' THEN scope_id = $2
    WHEN 'device' THEN EXISTS (SELECT FROM devices d WHERE d.id = scope_id AND d.account_id = $3 AND d.app_id = $4)
    ELSE false
END;

-- PreferenceStore.keep(_:within:in:)
INSERT INTO push_preferences (account_id, scope, scope_id, kinds, preview, quiet_from, quiet_to, time_zone)
SELECT $1, w.scope, w.scope_id, CAST(w.kinds AS jsonb), nullif(w.preview, ''),
    nullif(w.quiet_from, -1), nullif(w.quiet_to, -1), nullif(w.time_zone, '')
FROM unnest(
    $2, $3, $4,
    $5, $6,
    $7, $8
) AS w (scope, scope_id, kinds, preview, quiet_from, quiet_to, time_zone)
WHERE w.scope <> 'device'
    OR EXISTS (SELECT FROM devices d WHERE d.id = w.scope_id AND d.account_id = $9);

-- PreferenceStore.keep(_:within:in:), of an app
INSERT INTO push_preferences (account_id, scope, scope_id, kinds, preview, quiet_from, quiet_to, time_zone)
SELECT $1, w.scope, w.scope_id, CAST(w.kinds AS jsonb), nullif(w.preview, ''),
    nullif(w.quiet_from, -1), nullif(w.quiet_to, -1), nullif(w.time_zone, '')
FROM unnest(
    $2, $3, $4,
    $5, $6,
    $7, $8
) AS w (scope, scope_id, kinds, preview, quiet_from, quiet_to, time_zone)
WHERE w.scope <> 'device'
    OR EXISTS (SELECT FROM devices d WHERE d.id = w.scope_id AND d.account_id = $9 AND d.app_id = $10);

-- PreferenceStore.knows(zone:in:)
SELECT count(*) FROM pg_timezone_names WHERE name = $1;

-- PreferenceStore.wishes(within:in:)
SELECT scope, scope_id, kinds, preview, quiet_from, quiet_to, time_zone FROM push_preferences
WHERE account_id = $1 AND (scope = 'account' OR true)
ORDER BY scope, scope_id;

-- PreferenceStore.wishes(within:in:), of an app
SELECT scope, scope_id, kinds, preview, quiet_from, quiet_to, time_zone FROM push_preferences
WHERE account_id = $1 AND (scope = 'account' OR CASE scope
    WHEN 'app' THEN scope_id = $2
    WHEN 'device' THEN EXISTS (SELECT FROM devices d WHERE d.id = scope_id AND d.account_id = $3 AND d.app_id = $4)
    ELSE false
END)
ORDER BY scope, scope_id;

-- ProjectMentionStore.keep(_:areNamed:by:at:in:)
INSERT INTO project_mentions AS m (project_id, account_id, version, named, at)
SELECT $1, p.account_id, $2, $3, $4
FROM unnest($5) AS p (account_id)
ON CONFLICT (project_id, account_id) DO UPDATE
SET version = excluded.version, named = excluded.named, at = excluded.at
WHERE m.version < excluded.version;

-- ProjectStore.bury(_:version:at:in:)
INSERT INTO projects (id, version, touched_at) VALUES ($1, $2, $3)
ON CONFLICT (id) DO UPDATE
SET version = greatest(projects.version, excluded.version), snapshot = NULL,
    touched_at = greatest(projects.touched_at, excluded.touched_at);

-- ProjectStore.keep(_:at:in:), application
INSERT INTO applications (id, version, snapshot, touched_at)
VALUES ($1, $2, $3, $4)
ON CONFLICT (id) DO UPDATE
SET version = excluded.version, snapshot = excluded.snapshot, touched_at = excluded.touched_at
WHERE excluded.version > applications.version;

-- ProjectStore.keep(_:at:in:), project
INSERT INTO projects (id, version, snapshot, touched_at)
VALUES ($1, $2, $3, $4)
ON CONFLICT (id) DO UPDATE
SET version = greatest(projects.version, excluded.version),
    snapshot = CASE
        WHEN excluded.version > projects.version THEN excluded.snapshot
        ELSE projects.snapshot
    END,
    touched_at = excluded.touched_at
WHERE projects.snapshot IS NOT NULL
    AND (
        excluded.version > projects.version
        OR projects.touched_at < excluded.touched_at - interval '1 day'
    );

-- SilenceStore.keep(_:in:)
INSERT INTO silences (account_id, target_id, kind, version, hides, since, until, spent_from)
SELECT $1, $2, $3, $4,
    $5, $6, $7,
    (
        SELECT greatest(min(n.since), $8)
        FROM silences n
        WHERE n.account_id = $9 AND n.target_id = $10
            AND n.kind = $11 AND n.version > $12
        HAVING count(*) > 0
    )
ON CONFLICT DO NOTHING;

-- SilenceStore.keepAgain(_:in:)
WITH newest AS (
    SELECT version, hides FROM silences
    WHERE account_id = $1 AND target_id = $2
        AND kind = $3
    ORDER BY version DESC
    LIMIT 1
), same AS (
    UPDATE silences s SET version = $4, until = $5, spent_from = NULL
    FROM newest n
    WHERE s.account_id = $6 AND s.target_id = $7
        AND s.kind = $8 AND s.version = n.version AND n.hides = $9
        AND n.version <= $10
)
INSERT INTO silences (account_id, target_id, kind, version, hides, since, until)
SELECT $11, $12, $13, $14,
    $15, $16, $17
WHERE NOT EXISTS (
    SELECT FROM newest n WHERE n.version > $18 OR n.hides = $19
)
ON CONFLICT (account_id, target_id, kind, version) DO UPDATE
SET hides = excluded.hides, since = excluded.since, until = excluded.until, spent_from = NULL;

-- SilenceStore.supersede(_:in:)
UPDATE silences SET spent_from = greatest(since, $1)
WHERE account_id = $2 AND target_id = $3
    AND kind = $4 AND version < $5
    AND (spent_from IS NULL OR spent_from > greatest(since, $6));
