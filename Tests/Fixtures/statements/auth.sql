-- AccountStore.addressee(of:in:)
SELECT id, username, language, password_hash IS NOT NULL, confirmation_asked_at IS NOT NULL
FROM accounts
WHERE email = $1;

-- AccountStore.changePassword(_:from:to:now:in:)
UPDATE accounts
SET password_hash = $1, password_changed_at = $2
WHERE id = $3 AND password_hash IS NOT DISTINCT FROM $4;

-- AccountStore.confirm(_:_:in:)
UPDATE accounts
SET confirmation_asked_at = NULL
WHERE id = $1 AND email = $2;

-- AccountStore.correct(_:to:in:)
UPDATE accounts
SET email = $1
WHERE id = $2 AND confirmation_asked_at IS NOT NULL;

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
SET role = $1, role_version = role_version + 1
WHERE id = $2 AND role <> $3
RETURNING role_version;

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
    (id, username, email, password_hash, language, reason, created_at, password_changed_at,
    confirmation_asked_at)
VALUES
    ($1, $2, $3, $4, $5,
    $6, $7, $8, $9);

-- AccountStore.isUnconfirmed(_:in:)
SELECT 1 FROM accounts WHERE id = $1 AND confirmation_asked_at IS NOT NULL;

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

-- AccountStore.roles(after:in:)
SELECT id, role, role_version
FROM accounts
WHERE id > $1 AND (role <> 'user' OR role_version > 0)
ORDER BY id
LIMIT $2;

-- AccountStore.share(_:in:)
SELECT FROM accounts WHERE id = $1 FOR SHARE;

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

-- AttemptStore.aged
DELETE FROM sign_in_attempts
WHERE (key) IN (SELECT key FROM sign_in_attempts WHERE since < $1 ORDER BY since LIMIT 1000);

-- AttemptStore.count(_:now:cutoff:in:)
INSERT INTO sign_in_attempts AS a (key, tries, since)
SELECT key, 1, $1
FROM unnest($2) AS key
ON CONFLICT (key) DO UPDATE
SET tries = CASE WHEN a.since <= $3 THEN 1 ELSE a.tries + 1 END,
    since = CASE WHEN a.since <= $4 THEN excluded.since ELSE a.since END
RETURNING key, tries, since;

-- AttemptStore.forget(_:in:)
DELETE FROM sign_in_attempts WHERE key = $1;

-- AttemptStore.giveBack(_:in:)
UPDATE sign_in_attempts
SET tries = greatest(tries - 1, 0)
WHERE key = ANY($1);

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

-- BlockedDomainStore.find(_:in:), by id
SELECT id, domain, blocks_mail, blocks_links, changed_at, version
FROM blocked_domains
WHERE id = $1;

-- BlockedDomainStore.find(_:in:), by name
SELECT id, domain, blocks_mail, blocks_links, changed_at, version
FROM blocked_domains
WHERE domain = $1;

-- BlockedDomainStore.isFull(_:in:)
SELECT count(*)
FROM (SELECT FROM blocked_domains WHERE blocks_mail OR blocks_links ORDER BY id LIMIT $1) d;

-- BlockedDomainStore.list(after:limit:in:)
SELECT id, domain, blocks_mail, blocks_links, changed_at, version
FROM blocked_domains
WHERE id > $1 AND (blocks_mail OR blocks_links)
ORDER BY id
LIMIT $2;

-- BlockedDomainStore.list(for:after:limit:in:), links
SELECT id, domain, blocks_mail, blocks_links, changed_at, version
FROM blocked_domains
WHERE id > $1 AND blocks_links
ORDER BY id
LIMIT $2;

-- BlockedDomainStore.list(for:after:limit:in:), mail
SELECT id, domain, blocks_mail, blocks_links, changed_at, version
FROM blocked_domains
WHERE id > $1 AND blocks_mail
ORDER BY id
LIMIT $2;

-- BlockedTermStore.find(_:in:), by id
SELECT id, text, action, sees_through_digits, changed_at, version
FROM blocked_terms
WHERE id = $1 AND action IS NOT NULL;

-- BlockedTermStore.find(_:in:), by text
SELECT id, text, action, sees_through_digits, changed_at, version
FROM blocked_terms
WHERE text = $1 AND action IS NOT NULL;

-- BlockedTermStore.hold(in:)
SELECT pg_advisory_xact_lock(hashtextextended('blocked_terms', 0));

-- BlockedTermStore.isFull(_:in:)
SELECT count(*)
FROM (SELECT FROM blocked_terms WHERE action IS NOT NULL ORDER BY id LIMIT $1) t;

-- BlockedTermStore.list(after:limit:in:)
SELECT id, text, action, sees_through_digits, changed_at, version
FROM blocked_terms
WHERE id > $1 AND action IS NOT NULL
ORDER BY id
LIMIT $2;

-- CodeStore.aged
DELETE FROM authorization_codes
WHERE (hash) IN (SELECT hash FROM authorization_codes WHERE expires_at < $1 ORDER BY expires_at LIMIT 1000);

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

-- CodeStore.use(_:for:now:in:)
UPDATE authorization_codes
SET used_at = $1, session_id = $2
WHERE hash = $3;

-- ConsentStore.due(from:on:in:)
SELECT k.kind, f.version, n.consent_until
FROM (VALUES ('rules'), ('privacy'), ('terms')) k (kind)
CROSS JOIN LATERAL (
    SELECT d.version
    FROM documents d
    WHERE d.kind = k.kind AND d.effective_on <= $1
    ORDER BY d.effective_on DESC
    LIMIT 1
) f
CROSS JOIN LATERAL (
    SELECT d.version, d.consent_until
    FROM documents d
    WHERE d.kind = k.kind AND d.effective_on <= $2 AND d.consent_until IS NOT NULL
    ORDER BY d.effective_on DESC
    LIMIT 1
) n
WHERE NOT EXISTS (
    SELECT FROM consents c
    WHERE c.account_id = $3 AND c.kind = k.kind AND c.version >= n.version
)
ORDER BY k.kind;

-- ConsentStore.give(by:way:on:at:in:)
INSERT INTO consents (account_id, kind, version, given_at, way)
SELECT $1, k.kind, coalesce(f.version, 0), $2, $3
FROM (VALUES ('rules'), ('privacy'), ('terms')) k (kind)
LEFT JOIN LATERAL (
    SELECT d.version
    FROM documents d
    WHERE d.kind = k.kind AND d.effective_on <= $4
    ORDER BY d.effective_on DESC
    LIMIT 1
) f ON true
WHERE f.version IS NOT NULL OR k.kind <> 'terms'
ON CONFLICT (account_id, kind, version) DO NOTHING;

-- ConsentStore.list(of:in:)
SELECT kind, version, given_at, way
FROM consents
WHERE account_id = $1
ORDER BY kind, version
LIMIT 1000;

-- DepartureStore.aged
DELETE FROM departures
WHERE (account_id) IN (SELECT account_id FROM departures WHERE erased_at < $1 ORDER BY erased_at LIMIT 1000);

-- DepartureStore.ask(_:deletion:now:in:)
INSERT INTO departures AS d (account_id, asked_at, deletion_at, due_at)
VALUES ($1, $2, $3, $4)
ON CONFLICT (account_id) DO UPDATE
SET deletion_at = least(d.deletion_at, excluded.deletion_at), due_at = least(d.due_at, excluded.due_at)
RETURNING d.deletion_at;

-- DepartureStore.backlog(now:in:)
SELECT count(*), coalesce(extract(epoch FROM $1 - min(deletion_at)), 0)::bigint
FROM departures
WHERE erased_at IS NULL AND deletion_at <= $2;

-- DepartureStore.begin(_:now:in:)
UPDATE departures SET begun_at = $1, due_at = $2, attempts = 0 WHERE account_id = $3;

-- DepartureStore.close(_:onceAnswered:now:in:)
UPDATE departures
SET erased_at = $1
WHERE account_id = $2 AND deleted_at IS NOT NULL AND erased_at IS NULL
    AND (
        SELECT count(*) FROM departure_answers a
        WHERE a.account_id = $3 AND a.service = ANY ($4)
    ) = $5;

-- DepartureStore.finish(_:now:in:)
UPDATE departures SET deleted_at = $1, due_at = NULL, attempts = 0, reason = NULL
WHERE account_id = $2;

-- DepartureStore.hasBegun(_:in:)
SELECT FROM departures WHERE account_id = $1 AND begun_at IS NOT NULL;

-- DepartureStore.next(at:in:)
SELECT account_id, deletion_at, begun_at, attempts
FROM departures
WHERE due_at <= $1
ORDER BY due_at
LIMIT 1
FOR UPDATE SKIP LOCKED;

-- DepartureStore.note(answerOf:for:in:)
INSERT INTO departure_answers (account_id, service)
SELECT account_id, $1 FROM departures WHERE account_id = $2
ON CONFLICT DO NOTHING;

-- DepartureStore.putOff(_:reason:now:in:)
UPDATE departures
SET attempts = attempts + 1, reason = $1,
    due_at = $2 + least(power(2, least(attempts, 20)), 3600) * interval '1 second'
WHERE account_id = $3;

-- DepartureStore.stop(_:in:)
DELETE FROM departures WHERE account_id = $1 AND begun_at IS NULL;

-- DepartureStore.wait(_:until:in:)
UPDATE departures SET due_at = $1, attempts = 0, reason = NULL WHERE account_id = $2;

-- DeviceStore.aged
DELETE FROM known_devices
WHERE (account_id, device_hash) IN (SELECT account_id, device_hash FROM known_devices WHERE seen_at < $1 ORDER BY seen_at LIMIT 1000);

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

-- DeviceStore.remember(_:of:now:in:)
INSERT INTO known_devices (account_id, device_hash, seen_at)
VALUES ($1, $2, $3)
ON CONFLICT (account_id, device_hash) DO UPDATE SET seen_at = excluded.seen_at;

-- DocumentStore.hold(in:)
SELECT pg_advisory_xact_lock(hashtextextended('documents', 0));

-- DocumentStore.inForce(_:on:in:)
SELECT d.id, d.kind, d.version, d.published_at, d.effective_on, d.consent_until, (
    SELECT n.effective_on
    FROM documents n
    WHERE n.kind = d.kind AND n.effective_on > d.effective_on
    ORDER BY n.effective_on
    LIMIT 1
)
FROM documents d
WHERE d.kind = $1 AND d.effective_on <= $2
ORDER BY d.effective_on DESC
LIMIT 1;

-- DocumentStore.insert(_:_:at:in:)
INSERT INTO documents AS d (id, kind, version, published_at, effective_on, consent_until)
SELECT $1, $2, coalesce((
    SELECT e.version FROM documents e WHERE e.kind = $3 ORDER BY e.version DESC LIMIT 1
), 0) + 1, $4, $5, $6
RETURNING d.id, d.kind, d.version, d.published_at, d.effective_on, d.consent_until;

-- DocumentStore.insert(_:_:of:in:)
INSERT INTO document_texts (document_id, language, text)
VALUES ($1, $2, $3);

-- DocumentStore.lastDay(_:in:)
SELECT effective_on
FROM documents
WHERE kind = $1
ORDER BY effective_on DESC
LIMIT 1;

-- DocumentStore.list(_:before:limit:in:)
SELECT d.id, d.kind, d.version, d.published_at, d.effective_on, d.consent_until
FROM documents d
WHERE d.kind = $1 AND d.version < $2
ORDER BY d.version DESC
LIMIT $3;

-- DocumentStore.texts(of:in:)
SELECT language, text
FROM document_texts
WHERE document_id = $1
ORDER BY language;

-- ExportedStore.account(_:in:)
SELECT json_build_object(
    'id', a.id::text, 'username', a.username, 'email', a.email, 'language', a.language, 'role', a.role,
    'reason', a.reason, 'created_at', a.created_at,
    'password_changed_at', CASE WHEN a.password_hash IS NOT NULL THEN a.password_changed_at END
)::text
FROM accounts a WHERE a.id = $1;

-- ExportedStore.audit(_:in:)
SELECT ARRAY[n.id], json_build_object(
    'act', n.act, 'at', n.at, 'last_at', n.last_at, 'count', n.count, 'session_id', n.session_id::text,
    'by_you', n.actor = $1,
    'address', CASE WHEN n.actor IN ($2, 'nobody') THEN n.address END,
    'detail', n.detail
)::text
FROM audit n
WHERE n.account_id = $3 AND n.id > $4
ORDER BY n.id LIMIT $5;

-- ExportedStore.consents(_:in:)
SELECT ARRAY[c.place, c.version], json_build_object(
    'kind', c.kind, 'version', c.version, 'given_at', c.given_at, 'way', c.way
)::text
FROM (
    SELECT k.place, c.* FROM consents c
    JOIN (VALUES ('rules', 1), ('privacy', 2), ('terms', 3)) k (kind, place) ON k.kind = c.kind
    WHERE c.account_id = $1
) c
WHERE (c.place, c.version) > ($2, $3)
ORDER BY c.place, c.version LIMIT $4;

-- ExportedStore.identities
SELECT ARRAY[i.id], json_build_object(
    'issuer', i.issuer, 'subject', i.subject, 'email', i.email, 'linked_at', i.linked_at,
    'last_used_at', i.last_used_at
)::text
FROM identities i
WHERE i.account_id = $1 AND i.id > $2
ORDER BY i.id LIMIT $3;

-- ExportedStore.sessions
SELECT ARRAY[s.id], json_build_object(
    'id', s.id::text, 'app', p.name, 'scopes', s.scopes, 'device', s.device, 'created_at', s.created_at,
    'last_used_at', s.last_used_at, 'expires_at', s.expires_at
)::text
FROM sessions s
CROSS JOIN LATERAL (SELECT p.name FROM apps p WHERE p.id = s.app_id OFFSET 0) p
WHERE s.account_id = $1 AND s.id > $2
ORDER BY s.id LIMIT $3;

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

-- IdentityStore.keep(_:of:issuer:subject:in:), identity
UPDATE identities
SET client_id = $1, sealed_token = $2
WHERE issuer = $3 AND subject = $4;

-- IdentityStore.keep(_:of:issuer:subject:in:), newcomer
UPDATE newcomers
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

-- LetterStore.aged
DELETE FROM letters
WHERE (id) IN (SELECT id FROM letters WHERE ended_at < $1 ORDER BY ended_at LIMIT 1000);

-- LetterStore.bringDeleted(to:at:in:)
UPDATE letters
SET due_at = $1
WHERE account_id = $2 AND kind = $3 AND due_at > $4 AND tries = 0
    AND EXISTS (SELECT FROM departures d WHERE d.account_id = $5 AND d.erased_at IS NOT NULL);

-- LetterStore.claim(most:at:lease:in:)
UPDATE letters
SET tries = tries + 1, due_at = $1
WHERE id = ANY(ARRAY(
    SELECT id FROM letters
    WHERE due_at <= $2
    ORDER BY due_at
    LIMIT $3
    FOR UPDATE SKIP LOCKED
))
RETURNING CAST(id AS text), account_id, username, address, language, letter, created_at, expires_at, tries, reason;

-- LetterStore.end(_:_:because:at:in:)
UPDATE letters
SET ended_at = $1, due_at = NULL, outcome = $2, reason = $3,
    address = NULL, username = NULL, letter = NULL
WHERE id = CAST($4 AS uuid) AND due_at IS NOT NULL;

-- LetterStore.insert(_:_:to:_:at:in:)
INSERT INTO letters (id, account_id, username, address, recipient, language, kind, letter, created_at, expires_at, due_at)
SELECT CAST($1 AS uuid), NULL, NULL, $2, $3, $4, $5,
    $6, $7, $8, $9
WHERE (SELECT count(*) FROM letters l WHERE l.recipient = $10 AND l.kind = $11 AND l.created_at > $12) < $13;

-- LetterStore.insert(_:_:to:at:waiting:in:)
INSERT INTO letters (id, account_id, username, address, recipient, language, kind, letter, created_at, expires_at, due_at)
SELECT CAST($1 AS uuid), a.id, a.username, a.email, sha256(convert_to(a.email, 'UTF8')), a.language, $2,
    $3, $4, $5, $6
FROM accounts a
WHERE a.id = $7 AND a.email IS NOT NULL
    AND (SELECT count(*) FROM letters l WHERE l.recipient = sha256(convert_to(a.email, 'UTF8')) AND l.kind = $8 AND l.created_at > $9) < $10;

-- LetterStore.putOff(_:until:because:in:)
UPDATE letters
SET due_at = $1, reason = $2
WHERE id = CAST($3 AS uuid) AND due_at IS NOT NULL;

-- LetterStore.unsent
DELETE FROM letters
WHERE (id) IN (SELECT id FROM letters WHERE due_at < $1 ORDER BY due_at LIMIT 1000);

-- LetterStore.waiting(in:)
SELECT count(*), min(created_at)
FROM (
    SELECT created_at FROM letters
    WHERE due_at IS NOT NULL AND (tries > 0 OR kind <> $1)
    ORDER BY due_at
    LIMIT 10000
) waiting;

-- LinkStore.aged
DELETE FROM mail_links
WHERE (account_id, purpose) IN (SELECT account_id, purpose FROM mail_links WHERE expires_at < $1 ORDER BY expires_at LIMIT 1000);

-- LinkStore.keep(_:in:)
INSERT INTO mail_links AS l (account_id, purpose, hash, letter_id, asked_at, address, expires_at)
VALUES
    ($1, $2, $3, CAST($4 AS uuid), $5,
    $6, $7)
ON CONFLICT (account_id, purpose) DO UPDATE
SET hash = excluded.hash, letter_id = excluded.letter_id, asked_at = excluded.asked_at,
    address = excluded.address, expires_at = excluded.expires_at,
    used_at = CASE WHEN l.letter_id = excluded.letter_id THEN l.used_at END
WHERE l.asked_at < excluded.asked_at OR l.letter_id = excluded.letter_id;

-- LinkStore.link(_:for:now:in:)
SELECT account_id, address
FROM mail_links
WHERE hash = $1 AND purpose = $2 AND used_at IS NULL AND expires_at > $3;

-- LinkStore.use(_:for:now:in:)
UPDATE mail_links
SET used_at = $1
WHERE hash = $2 AND purpose = $3 AND used_at IS NULL AND expires_at > $4
RETURNING account_id, address;

-- NewcomerStore.aged
DELETE FROM newcomers
WHERE (id) IN (SELECT id FROM newcomers WHERE expires_at < $1 ORDER BY expires_at LIMIT 1000);

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

-- NewcomerStore.newcomer(_:in:)
SELECT id, issuer, subject, email, name, client_id, sealed_token
FROM newcomers
WHERE id = $1;

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

-- RemainsStore.deleteAccount(_:in:)
DELETE FROM accounts WHERE id = $1;

-- RemainsStore.deleteAttempts(of:in:)
DELETE FROM sign_in_attempts WHERE key = $1;

-- RemainsStore.deleteRestrictions(of:in:)
DELETE FROM restricted_accounts WHERE account_id = $1;

-- RemainsStore.dropPassword(of:in:)
UPDATE accounts SET password_hash = NULL WHERE id = $1;

-- RemainsStore.emptyNotes(of:in:)
UPDATE audit
SET address = '', detail = '', bucket = NULL
WHERE id IN (
    SELECT id FROM audit
    WHERE account_id = $1 AND (address <> '' OR detail <> '' OR bucket IS NOT NULL)
    LIMIT 500
);

-- RemainsStore.endLetters(to:at:in:)
UPDATE letters
SET ended_at = $1, due_at = NULL, outcome = $2, reason = NULL,
    address = NULL, username = NULL, letter = NULL
WHERE due_at IS NOT NULL AND id IN (
    SELECT id FROM letters WHERE account_id = $3 AND due_at IS NOT NULL
    UNION ALL
    SELECT l.id
    FROM accounts a
    JOIN letters l ON l.recipient = sha256(convert_to(a.email, 'UTF8'))
    WHERE a.id = $4
);

-- RemainsStore.reserveName(of:in:)
INSERT INTO former_usernames (hash)
SELECT sha256(convert_to(username, 'UTF8')) FROM accounts WHERE id = $1
ON CONFLICT DO NOTHING;

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

-- RevocationStore.isPending(_:in:)
SELECT FROM issuer_revocations WHERE account_id = $1 LIMIT 1;

-- SessionStore.agedTokens
DELETE FROM access_tokens
WHERE (hash) IN (SELECT hash FROM access_tokens WHERE expires_at < $1 ORDER BY expires_at LIMIT 1000);

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
SELECT s.id, a.id, a.username, a.role, coalesce('frozen' = ANY (k.restrictions), false), s.scopes, s.last_used_at, p.id, p.name, p.website,
    p.first_party,
    least(t.expires_at, s.expires_at),
    CASE WHEN t.expires_at IS NOT NULL AND t.seen_at IS NULL THEN t.created_at END,
    a.confirmation_asked_at IS NOT NULL
FROM access_tokens t
JOIN sessions s ON s.id = t.session_id
JOIN apps p ON p.id = s.app_id
LEFT JOIN accounts a ON a.id = s.account_id
LEFT JOIN restricted_accounts k ON k.account_id = s.account_id
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

-- SessionStore.nextEnd(ofUnusedApps:ofUnused:in:)
SELECT
    (SELECT min(expires_at) FROM sessions),
    (SELECT min(last_used_at) FROM sessions WHERE account_id IS NULL),
    (SELECT min(last_used_at) FROM sessions WHERE account_id IS NOT NULL AND expires_at IS NULL);

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

-- TakenTokenStore.aged
DELETE FROM taken_tokens
WHERE (hash) IN (SELECT hash FROM taken_tokens WHERE expires_at < $1 ORDER BY expires_at LIMIT 1000);

-- TakenTokenStore.take(_:until:in:)
INSERT INTO taken_tokens (hash, expires_at)
VALUES ($1, $2)
ON CONFLICT (hash) DO NOTHING;

-- VisitStore.aged
DELETE FROM issuer_visits
WHERE (hash) IN (SELECT hash FROM issuer_visits WHERE name IS NULL AND expires_at < $1 ORDER BY expires_at LIMIT 1000);

-- VisitStore.agedNames
DELETE FROM issuer_visits
WHERE (hash) IN (SELECT hash FROM issuer_visits WHERE name IS NOT NULL AND expires_at < $1 ORDER BY expires_at LIMIT 1000);

-- VisitStore.forget(issuer:browser:now:in:)
DELETE FROM issuer_visits
WHERE browser_hash = $1 AND issuer = $2 AND expires_at <= $3;

-- VisitStore.insert(_:_:in:)
INSERT INTO issuer_visits (hash, issuer, browser_hash, return_to, name, expires_at, account_id)
VALUES
    ($1, $2, $3, $4, $5, $6,
    $7);

-- VisitStore.keep(name:of:issuer:now:in:)
UPDATE issuer_visits
SET name = coalesce(name, $1)
WHERE hash = $2 AND issuer = $3 AND expires_at > $4;

-- VisitStore.take(_:issuer:browser:now:in:)
UPDATE issuer_visits v
SET expires_at = $1, name = coalesce(v.name, (
    SELECT o.name FROM issuer_visits o
    WHERE o.browser_hash = $2 AND o.issuer = $3 AND o.name IS NOT NULL
        AND o.expires_at <= $4 AND o.expires_at > $5
    ORDER BY o.expires_at DESC
    LIMIT 1
))
WHERE v.hash = $6 AND v.issuer = $7 AND v.browser_hash = $8 AND v.expires_at > $9
RETURNING issuer, browser_hash, return_to, name, expires_at, account_id;
