-- AccountStore.changePassword(_:from:to:now:in:)
UPDATE accounts
SET password_hash = $1, password_changed_at = $2
WHERE id = $3 AND password_hash IS NOT DISTINCT FROM $4;

-- AccountStore.credentials(_:in:)
SELECT id, username, email, password_hash
FROM accounts
WHERE id = $1;

-- AccountStore.credentials(username:email:in:)
SELECT id, username, email, password_hash
FROM accounts
WHERE username = $1 OR email = $2;

-- AccountStore.give(_:to:in:)
UPDATE accounts
SET role = $1
WHERE id = $2 AND role <> $3;

-- AccountStore.identity(_:in:)
SELECT a.id, a.username, a.email, a.created_at
FROM accounts a
WHERE a.id = $1;

-- AccountStore.identity(of:now:in:)
SELECT a.id, a.username, CASE WHEN p.first_party THEN a.email END, a.created_at
FROM sessions s
JOIN accounts a ON a.id = s.account_id
JOIN apps p ON p.id = s.app_id
WHERE s.id = $1 AND (s.expires_at IS NULL OR s.expires_at > $2);

-- AccountStore.insert(_:_:passwordHash:now:in:)
INSERT INTO accounts
    (id, username, email, password_hash, language, reason, created_at, password_changed_at)
VALUES
    ($1, $2, $3, $4, $5,
    $6, $7, $8);

-- AccountStore.lock(_:in:)
SELECT password_hash IS NOT NULL
FROM accounts
WHERE id = $1
FOR NO KEY UPDATE;

-- AccountStore.registered(after:in:)
SELECT id, username, language, created_at
FROM accounts
WHERE id > $1
ORDER BY id
LIMIT $2;

-- AccountStore.rehash(_:from:to:in:)
UPDATE accounts
SET password_hash = $1
WHERE id = $2 AND password_hash = $3;

-- AccountStore.role(of:in:)
SELECT role
FROM accounts
WHERE id = $1;

-- AccountStore.taken(username:email:in:)
SELECT EXISTS (SELECT FROM accounts WHERE username = $1),
    EXISTS (SELECT FROM accounts WHERE email = $2);

-- AppStore.app(_:in:)
SELECT id, client_id, secret_hash, name, website, scopes, redirect_uris, first_party
FROM apps
WHERE id = $1;

-- AppStore.app(clientID:in:)
SELECT id, client_id, secret_hash, name, website, scopes, redirect_uris, first_party
FROM apps
WHERE client_id = $1;

-- AppStore.insert(_:now:in:)
INSERT INTO apps
    (id, client_id, secret_hash, name, website, scopes, redirect_uris, first_party, created_at)
VALUES
    ($1, $2, $3, $4, $5,
    $6, $7, $8, $9);

-- AppStore.purge(neverUsedBefore:unusedBefore:in:)
DELETE FROM apps
WHERE id IN (
    (
        SELECT a.id FROM apps a
        WHERE a.last_used_at IS NULL AND NOT a.first_party AND a.created_at < $1
            AND NOT EXISTS (SELECT FROM sessions s WHERE s.app_id = a.id)
            AND NOT EXISTS (SELECT FROM authorization_codes c WHERE c.app_id = a.id)
        LIMIT 1000
    )
    UNION ALL
    (
        SELECT a.id FROM apps a
        WHERE a.last_used_at < $2 AND NOT a.first_party
            AND NOT EXISTS (SELECT FROM sessions s WHERE s.app_id = a.id)
            AND NOT EXISTS (SELECT FROM authorization_codes c WHERE c.app_id = a.id)
        LIMIT 1000
    )
)
AND NOT first_party
AND (last_used_at < $3 OR (last_used_at IS NULL AND created_at < $4));

-- AppStore.touch(_:now:in:)
UPDATE apps
SET last_used_at = $1
WHERE id = $2 AND (last_used_at IS NULL OR last_used_at < $3);

-- AttemptStore.count(_:now:cutoff:in:)
INSERT INTO sign_in_attempts AS a (key, tries, since)
SELECT key, 1, $1
FROM unnest($2) AS key
ON CONFLICT (key) DO UPDATE
SET tries = CASE WHEN a.since <= $3 THEN 1 ELSE a.tries + 1 END,
    since = CASE WHEN a.since <= $4 THEN excluded.since ELSE a.since END
RETURNING key, tries, since;

-- AttemptStore.giveBack(_:in:)
UPDATE sign_in_attempts
SET tries = greatest(tries - 1, 0)
WHERE key = ANY($1);

-- AttemptStore.purge(before:in:)
DELETE FROM sign_in_attempts
WHERE (key) IN (SELECT key FROM sign_in_attempts WHERE since < $1 ORDER BY since LIMIT 1000);

-- AuditStore.count(_:bucket:in:)
INSERT INTO audit AS a (id, at, act, actor, account_id, session_id, app_id, address, detail, last_at, bucket)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
ON CONFLICT (bucket) DO UPDATE
SET count = a.count + 1, last_at = greatest(a.last_at, excluded.last_at);

-- AuditStore.insert(_:in:)
INSERT INTO audit (id, at, act, actor, account_id, session_id, app_id, address, detail, last_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- AuditStore.page(of:after:limit:in:), of all
SELECT id, at, act, actor, account_id, session_id, app_id, address, detail, last_at, count
FROM audit
WHERE id > $1 
ORDER BY id
LIMIT $2;

-- AuditStore.page(of:after:limit:in:), of an account
SELECT id, at, act, actor, account_id, session_id, app_id, address, detail, last_at, count
FROM audit
WHERE id > $1 AND account_id = $2
ORDER BY id
LIMIT $3;

-- AuditStore.purge(before:in:)
DELETE FROM audit
WHERE (id) IN (SELECT id FROM audit WHERE at < $1 AND last_at < $2 ORDER BY at LIMIT 1000);

-- CodeStore.deleteUnused(of:in:)
DELETE FROM authorization_codes
WHERE account_id = $1 AND used_at IS NULL;

-- CodeStore.insert(_:app:account:redirectURI:scopes:challenge:expires:in:)
INSERT INTO authorization_codes (hash, app_id, account_id, redirect_uri, scopes, challenge, expires_at)
VALUES
    ($1, $2, $3, $4, $5, $6, $7);

-- CodeStore.lock(_:in:)
SELECT app_id, account_id, redirect_uri, scopes, challenge, expires_at, used_at IS NOT NULL, session_id
FROM authorization_codes
WHERE hash = $1
FOR UPDATE;

-- CodeStore.purge(before:in:)
DELETE FROM authorization_codes
WHERE (hash) IN (SELECT hash FROM authorization_codes WHERE expires_at < $1 ORDER BY expires_at LIMIT 1000);

-- CodeStore.use(_:for:now:in:)
UPDATE authorization_codes
SET used_at = $1, session_id = $2
WHERE hash = $3;

-- DeviceStore.forget(of:keeping:in:)
DELETE FROM known_devices
WHERE account_id = $1 AND device_hash NOT IN (
    SELECT device_hash FROM known_devices
    WHERE account_id = $2
    ORDER BY seen_at DESC, device_hash
    LIMIT $3
);

-- DeviceStore.isKnown(_:of:in:)
SELECT 1 FROM known_devices WHERE account_id = $1 AND device_hash = $2;

-- DeviceStore.purge(before:in:)
DELETE FROM known_devices
WHERE (account_id, device_hash) IN (SELECT account_id, device_hash FROM known_devices WHERE seen_at < $1 ORDER BY seen_at LIMIT 1000);

-- DeviceStore.remember(_:of:now:in:)
INSERT INTO known_devices (account_id, device_hash, seen_at)
VALUES ($1, $2, $3)
ON CONFLICT (account_id, device_hash) DO UPDATE SET seen_at = excluded.seen_at;

-- IdentityStore.delete(_:in:)
DELETE FROM identities WHERE id = $1;

-- IdentityStore.dropToken(_:in:)
UPDATE identities SET client_id = NULL, sealed_token = NULL WHERE id = $1;

-- IdentityStore.find(issuer:subject:in:)
SELECT id, account_id, issuer, subject, email, mail_arrives, client_id, sealed_token, linked_at, last_used_at
FROM identities
WHERE issuer = $1 AND subject = $2;

-- IdentityStore.insert(_:now:in:)
INSERT INTO identities
    (id, account_id, issuer, subject, email, client_id, sealed_token, linked_at, last_used_at)
VALUES
    ($1, $2, $3, $4, $5,
    $6, $7, $8, $9);

-- IdentityStore.keep(_:issuer:subject:in:)
UPDATE identities
SET client_id = $1, sealed_token = $2
WHERE issuer = $3 AND subject = $4;

-- IdentityStore.list(of:in:)
SELECT id, account_id, issuer, subject, email, mail_arrives, client_id, sealed_token, linked_at, last_used_at
FROM identities
WHERE account_id = $1
ORDER BY id;

-- IdentityStore.note(mailArrives:to:at:in:)
UPDATE identities
SET mail_arrives = $1, mail_told_at = $2
WHERE id = $3 AND (mail_told_at IS NULL OR mail_told_at < $4);

-- IdentityStore.use(issuer:subject:email:token:now:in:)
UPDATE identities
SET last_used_at = greatest(last_used_at, $1), email = coalesce($2, email),
    client_id = coalesce($3, client_id), sealed_token = coalesce($4, sealed_token)
WHERE issuer = $5 AND subject = $6
RETURNING id, account_id, issuer, subject, email, mail_arrives, client_id, sealed_token, linked_at, last_used_at;

-- NewcomerStore.forget(issuer:subject:in:)
DELETE FROM newcomers WHERE issuer = $1 AND subject = $2;

-- NewcomerStore.keep(_:issuer:subject:email:name:sealed:until:in:)
INSERT INTO newcomers AS n (id, issuer, subject, email, name, client_id, sealed_token, expires_at)
VALUES
    ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (issuer, subject) DO UPDATE
SET email = coalesce(excluded.email, n.email), name = coalesce(excluded.name, n.name),
    client_id = coalesce(excluded.client_id, n.client_id),
    sealed_token = coalesce(excluded.sealed_token, n.sealed_token),
    expires_at = greatest(n.expires_at, excluded.expires_at)
RETURNING id, issuer, subject, email, name, client_id, sealed_token;

-- NewcomerStore.keep(_:issuer:subject:in:)
UPDATE newcomers
SET client_id = $1, sealed_token = $2
WHERE issuer = $3 AND subject = $4;

-- NewcomerStore.newcomer(_:in:)
SELECT id, issuer, subject, email, name, client_id, sealed_token
FROM newcomers
WHERE id = $1;

-- NewcomerStore.purge(before:in:)
DELETE FROM newcomers
WHERE (id) IN (SELECT id FROM newcomers WHERE expires_at < $1 ORDER BY expires_at LIMIT 1000);

-- NewcomerStore.take(_:in:)
DELETE FROM newcomers
WHERE id = $1
RETURNING id, issuer, subject, email, name, client_id, sealed_token;

-- RefreshTokenStore.insert(family:current:session:expires:rotates:in:)
INSERT INTO refresh_tokens (family_hash, current_hash, session_id, expires_at, rotates)
VALUES ($1, $2, $3, $4, $5);

-- RefreshTokenStore.lock(_:in:)
SELECT s.id, s.account_id, s.app_id, s.scopes, r.current_hash, r.expires_at, r.rotates,
    CASE WHEN r.successor_hash = r.current_hash THEN r.previous_hash END, r.successor_access, r.grace_until
FROM refresh_tokens r
JOIN sessions s ON s.id = r.session_id
WHERE r.family_hash = $1
FOR UPDATE OF s, r;

-- RefreshTokenStore.rotate(_:to:predecessor:expires:in:)
UPDATE refresh_tokens
SET current_hash = $1, expires_at = $2, successor_hash = $3,
    previous_hash = $4, successor_access = $5,
    grace_until = $6
WHERE family_hash = $7;

-- RevocationStore.ask(_:of:now:in:)
INSERT INTO issuer_revocations (id, account_id, issuer, subject, client_id, sealed_token, asked_at, due_at)
VALUES
    ($1, $2, $3, $4, $5, $6, $7, $8);

-- RevocationStore.claim(at:in:)
UPDATE issuer_revocations
SET tries = tries + 1,
    due_at = $1 + least(interval '1 minute' * power(2, least(tries, 20)), interval '1 day')
WHERE id = (
    SELECT id FROM issuer_revocations
    WHERE due_at <= $2
    ORDER BY due_at
    LIMIT 1
    FOR UPDATE SKIP LOCKED
)
RETURNING id, account_id, issuer, subject, client_id, sealed_token, asked_at;

-- RevocationStore.end(_:in:)
DELETE FROM issuer_revocations WHERE id = $1;

-- SessionStore.end(_:in:), all
DELETE FROM sessions
WHERE account_id = $1 AND id IS DISTINCT FROM $2
RETURNING id, account_id;

-- SessionStore.end(_:in:), of a cookie
DELETE FROM sessions
WHERE id IN (SELECT session_id FROM cookies WHERE hash = $1)
RETURNING id, account_id;

-- SessionStore.end(_:in:), of a token
DELETE FROM sessions
WHERE app_id = $1
    AND id IN (
        SELECT session_id FROM access_tokens WHERE hash = $2
        UNION ALL
        SELECT session_id FROM refresh_tokens WHERE family_hash = $3
    )
RETURNING id, account_id;

-- SessionStore.end(_:in:), one
DELETE FROM sessions
WHERE id = $1
RETURNING id, account_id;

-- SessionStore.end(_:in:), one of an account
DELETE FROM sessions
WHERE id = $1 AND account_id = $2
RETURNING id, account_id;

-- SessionStore.end(_:in:), that administer
DELETE FROM sessions
WHERE account_id = $1 AND ' ' || scopes LIKE '% admin%'
RETURNING id, account_id;

-- SessionStore.extend(_:until:now:in:)
UPDATE sessions
SET expires_at = $1, last_used_at = $2
WHERE id = $3;

-- SessionStore.holder(ofToken:now:in:)
SELECT s.id, a.id, a.username, a.role, s.scopes, s.last_used_at, p.id, p.name, p.website,
    least(t.expires_at, s.expires_at),
    CASE WHEN t.expires_at IS NOT NULL AND t.seen_at IS NULL THEN t.created_at END
FROM access_tokens t
JOIN sessions s ON s.id = t.session_id
JOIN apps p ON p.id = s.app_id
LEFT JOIN accounts a ON a.id = s.account_id
WHERE t.hash = $1
    AND (t.expires_at IS NULL OR t.expires_at > $2)
    AND (s.expires_at IS NULL OR s.expires_at > $3);

-- SessionStore.insert(_:now:in:)
INSERT INTO sessions
    (id, account_id, app_id, scopes, device, created_at, last_used_at, expires_at)
VALUES
    ($1, $2, $3, $4,
    $5, $6, $7, $8);

-- SessionStore.insertAccessToken(_:of:now:expires:isSeen:in:)
INSERT INTO access_tokens (hash, session_id, created_at, expires_at, seen_at)
VALUES ($1, $2, $3, $4, $5);

-- SessionStore.insertCookie(_:of:in:)
INSERT INTO cookies (hash, session_id)
VALUES ($1, $2);

-- SessionStore.list(of:now:in:)
SELECT s.id, p.name, p.website, s.device, s.scopes, s.created_at, s.last_used_at
FROM sessions s
JOIN apps p ON p.id = s.app_id
WHERE s.account_id = $1 AND (s.expires_at IS NULL OR s.expires_at > $2)
ORDER BY s.id DESC
LIMIT 500;

-- SessionStore.purge(now:unusedAppsBefore:unusedBefore:in:)
DELETE FROM sessions
WHERE id IN (
    (SELECT id FROM sessions WHERE expires_at < $1 LIMIT 1000)
    UNION ALL
    (SELECT id FROM sessions WHERE account_id IS NULL AND last_used_at < $2 LIMIT 1000)
    UNION ALL
    (
        SELECT id FROM sessions
        WHERE account_id IS NOT NULL AND expires_at IS NULL AND last_used_at < $3
        LIMIT 1000
    )
)
RETURNING id, account_id;

-- SessionStore.purgeTokens(before:in:)
DELETE FROM access_tokens
WHERE (hash) IN (SELECT hash FROM access_tokens WHERE expires_at < $1 ORDER BY expires_at LIMIT 1000);

-- SessionStore.see(token:now:in:)
UPDATE access_tokens
SET seen_at = coalesce(seen_at, $1)
WHERE hash = $2;

-- SessionStore.signedIn(cookie:now:in:)
SELECT s.id, a.id, a.username, s.last_used_at
FROM cookies c
JOIN sessions s ON s.id = c.session_id
JOIN accounts a ON a.id = s.account_id
WHERE c.hash = $1 AND s.expires_at > $2;

-- SessionStore.touch(_:now:in:)
UPDATE sessions
SET last_used_at = $1
WHERE id = $2 AND last_used_at < $3;

-- SessionStore.withdrawUnseen(token:in:)
DELETE FROM access_tokens
WHERE hash = $1 AND seen_at IS NULL;

-- TakenTokenStore.purge(before:in:)
DELETE FROM taken_tokens
WHERE (hash) IN (SELECT hash FROM taken_tokens WHERE expires_at < $1 ORDER BY expires_at LIMIT 1000);

-- TakenTokenStore.take(_:until:in:)
INSERT INTO taken_tokens (hash, expires_at)
VALUES ($1, $2)
ON CONFLICT (hash) DO NOTHING;

-- VisitStore.insert(_:_:in:)
INSERT INTO issuer_visits (hash, issuer, browser_hash, return_to, name, expires_at, account_id)
VALUES
    ($1, $2, $3, $4, $5, $6,
    $7);

-- VisitStore.keep(name:of:issuer:now:in:)
UPDATE issuer_visits
SET name = coalesce(name, $1)
WHERE hash = $2 AND issuer = $3 AND expires_at > $4;

-- VisitStore.purge(before:in:)
DELETE FROM issuer_visits
WHERE (hash) IN (SELECT hash FROM issuer_visits WHERE expires_at < $1 ORDER BY expires_at LIMIT 1000);

-- VisitStore.take(_:issuer:browser:now:in:)
DELETE FROM issuer_visits
WHERE hash = $1 AND issuer = $2 AND browser_hash = $3 AND expires_at > $4
RETURNING issuer, browser_hash, return_to, name, expires_at, account_id;
