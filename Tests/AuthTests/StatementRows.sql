-- The rows that auth's statements run on.
INSERT INTO accounts (id, username, email, password_hash, language, reason, created_at, password_changed_at)
SELECT i, 'person' || i, 'person' || i || '@example.com', 'hash' || i, 'ko', NULL, '2025-01-01', '2025-01-01'
FROM generate_series(1, 20000) i;

-- Half of them serve nobody.
INSERT INTO apps (id, client_id, secret_hash, name, website, scopes, redirect_uris, created_at, last_used_at)
SELECT i, 'app' || i, '\x00', 'App ' || i, NULL, 'read', '{https://app.example/callback}', '2025-01-01',
    CASE WHEN i % 2 = 0 THEN '2025-01-02'::timestamptz END
FROM generate_series(10, 20000) i;

INSERT INTO sessions (id, account_id, app_id, scopes, created_at, last_used_at, expires_at)
SELECT i, CASE WHEN i % 10 > 0 THEN i % 20000 END, 10 + i % 10000, CASE WHEN i = 8 THEN 'read admin:read' ELSE 'read' END, '2025-01-01', '2025-01-02',
    CASE WHEN i % 2 = 0 THEN '2100-01-01'::timestamptz END
FROM generate_series(1, 40000) i;

INSERT INTO access_tokens (hash, session_id, created_at, expires_at)
SELECT decode(lpad(to_hex(i), 64, '0'), 'hex'), i, '2025-01-01',
    CASE WHEN i % 2 = 0 THEN '2100-01-01'::timestamptz - i * interval '1 minute' END
FROM generate_series(1, 40000) i;

INSERT INTO refresh_tokens (family_hash, current_hash, session_id, expires_at)
SELECT decode(lpad(to_hex(i), 64, '0'), 'hex'), decode(lpad(to_hex(i), 64, '0'), 'hex'), i, '2100-01-01'
FROM generate_series(1, 20000) i;

INSERT INTO cookies (hash, session_id)
SELECT decode(lpad(to_hex(i), 64, '0'), 'hex'), i
FROM generate_series(1, 20000) i;

INSERT INTO authorization_codes (hash, app_id, account_id, redirect_uri, scopes, expires_at)
SELECT decode(lpad(to_hex(i), 64, '0'), 'hex'), 10 + i % 10000, i, 'https://app.example/callback', 'read', '2025-01-01'
FROM generate_series(1, 20000) i;

INSERT INTO sign_in_attempts (key, tries, since)
SELECT 'account:' || i, 1, '2025-01-01'::timestamptz + i * interval '1 minute'
FROM generate_series(1, 20000) i;

INSERT INTO audit (id, at, last_at, act, actor, account_id, address, detail, bucket)
SELECT i, '2025-01-01'::timestamptz + i * interval '1 minute', '2025-02-01', 'signed_in', 'nobody', i % 1000, '192.0.2.1', '',
    decode(lpad(to_hex(i), 64, '0'), 'hex')
FROM generate_series(1, 20000) i;

INSERT INTO known_devices (account_id, device_hash, seen_at)
SELECT i, decode(lpad(to_hex(i), 64, '0'), 'hex'), '2025-01-01'::timestamptz + i * interval '1 minute'
FROM generate_series(1, 20000) i;

INSERT INTO identities (id, account_id, issuer, subject, client_id, sealed_token, linked_at, last_used_at)
SELECT i, i, 'https://issuer.example', 'subject' || i, 'app', '\x01', '2025-01-01', '2025-01-02'
FROM generate_series(1, 20000) i;

INSERT INTO newcomers (id, issuer, subject, email, name, expires_at)
SELECT i, 'https://issuer.example', 'subject' || i, NULL, 'Name ' || i, '2100-01-01'::timestamptz + i * interval '1 minute'
FROM generate_series(1, 20000) i;

INSERT INTO issuer_visits (hash, issuer, browser_hash, name, expires_at)
SELECT decode(lpad(to_hex(i), 64, '0'), 'hex'), 'https://issuer.example', decode(lpad(to_hex(i), 64, '0'), 'hex'),
    CASE WHEN i % 10 = 0 THEN 'Mina' END, '2100-01-01'::timestamptz + i * interval '1 minute'
FROM generate_series(1, 20000) i;

INSERT INTO taken_tokens (hash, expires_at)
SELECT decode(lpad(to_hex(i), 64, '0'), 'hex'), '2100-01-01'::timestamptz + i * interval '1 minute'
FROM generate_series(1, 20000) i;

INSERT INTO issuer_revocations (id, account_id, issuer, subject, client_id, sealed_token, asked_at, due_at)
SELECT i, i, 'https://issuer.example', 'subject' || i, 'app', '\x01', '2025-01-01', '2025-01-01'::timestamptz + i * interval '1 minute'
FROM generate_series(1, 20000) i;

-- Every third is suspended.
INSERT INTO restricted_accounts (account_id, restrictions, version)
SELECT i, CASE WHEN i % 3 = 0 THEN ARRAY['suspended'] ELSE ARRAY['frozen'] END, 1 FROM generate_series(100001, 110000) i;

UPDATE accounts SET confirmation_asked_at = '2025-01-02' WHERE id = 7;

-- Most have ended, as in a table that is used.
INSERT INTO letters
    (id, account_id, username, address, recipient, language, kind, letter, created_at, expires_at, due_at, ended_at, outcome)
SELECT CAST('00000000-0000-7000-8000-' || lpad(to_hex(i), 12, '0') AS uuid), i, 'person' || i, 'person' || i || '@example.com',
    sha256(convert_to('person' || i || '@example.com', 'UTF8')), 'ko', 'deleted', '{"deleted": {}}', '2025-01-01', '2100-01-01',
    CASE WHEN i < 100 THEN '2025-01-01'::timestamptz + i * interval '1 minute' END,
    CASE WHEN i >= 100 THEN '2025-01-01'::timestamptz + i * interval '1 minute' END, CASE WHEN i >= 100 THEN 'sent' END
FROM generate_series(1, 20000) i;

INSERT INTO mail_links (account_id, purpose, hash, letter_id, asked_at, address, expires_at)
SELECT i, 'confirmation', decode(lpad(to_hex(i), 64, '0'), 'hex'),
    CAST('00000000-0000-7000-8000-' || lpad(to_hex(i), 12, '0') AS uuid), '2025-01-01', 'person' || i || '@example.com',
    '2100-01-01'::timestamptz + i * interval '1 minute'
FROM generate_series(1, 20000) i;

-- A few moderate.
UPDATE accounts SET role = 'moderator', role_version = 1 WHERE id BETWEEN 19001 AND 19100;

-- Somebody who is deleted: account 7000007; of 7000008 nothing but the account is left.
INSERT INTO departures (account_id, asked_at, deletion_at, due_at, begun_at, deleted_at, erased_at)
SELECT i, '2025-01-01', '2025-01-15', CASE WHEN i % 100 = 7 THEN timestamptz '2025-01-15' END,
    CASE WHEN i % 100 <> 7 THEN timestamptz '2025-01-15' END, CASE WHEN i % 100 <> 7 THEN timestamptz '2025-01-15' END,
    CASE WHEN i % 100 <> 7 THEN timestamptz '2025-01-16' END
FROM generate_series(1, 20000) i;
INSERT INTO departures (account_id, asked_at, deletion_at, begun_at, deleted_at, due_at)
VALUES
    (7000007, '2025-01-01', '2025-01-15', '2025-01-15', NULL, '2025-01-15'),
    (7000008, '2025-01-01', '2025-01-15', '2025-01-15', '2025-01-15', NULL);
INSERT INTO departure_answers (account_id, service) SELECT i, 'chat' FROM generate_series(1, 20000) i UNION ALL SELECT 7000008, 'chat';
INSERT INTO accounts (id, username, email, password_hash, language, created_at, password_changed_at)
VALUES (7000007, 'leaver', 'leaver@example.com', 'hash', 'ko', '2025-01-01', '2025-01-01');
INSERT INTO sign_in_attempts (key, tries, since) VALUES ('account:7000007', 1, '2025-01-01');
INSERT INTO audit (id, at, last_at, act, actor, account_id, address, detail)
VALUES (7000009, '2025-01-01', '2025-01-01', 'signed_in', 'account 7000007', 7000007, '192.0.2.7', '');

INSERT INTO blocked_terms (id, text, action, sees_through_digits, version, changed_at)
SELECT i, 'word' || i, CASE WHEN i % 2 = 1 THEN 'refuse' END, false, i, '2025-01-01'::timestamptz + i * interval '1 minute'
FROM generate_series(1, 20000) i;

INSERT INTO blocked_domains (id, domain, blocks_mail, blocks_links, version, changed_at)
SELECT i, 'd' || i || '.example', i % 2 = 1, i % 2 = 1, i, '2025-01-01'::timestamptz + i * interval '1 minute'
FROM generate_series(1, 20000) i;

INSERT INTO documents (id, kind, version, published_at, effective_on, consent_until)
SELECT i, 'rules', i, '2025-01-01', '1970-01-01'::date + i, CASE WHEN i % 2 = 1 THEN '2100-01-01'::timestamptz END
FROM generate_series(1, 20000) i;

INSERT INTO document_texts (document_id, language, text)
SELECT i, 'en', 'text ' || i
FROM generate_series(1, 20000) i;

INSERT INTO consents (account_id, kind, version, given_at, way)
SELECT i, 'rules', 0, '2025-01-01', 'app'
FROM generate_series(1, 20000) i;
INSERT INTO restricted_accounts (account_id, restrictions, version) VALUES (7000007, '{leaving}', 1);
INSERT INTO letters (id, account_id, username, address, recipient, language, kind, letter, created_at, expires_at, due_at)
VALUES ('00000000-0000-7000-8000-000007000007', 7000007, 'leaver', 'leaver@example.com',
    sha256(convert_to('leaver@example.com', 'UTF8')), 'ko', 'leaving', '{"leaving": {"deletion": "2025-01-15T00:00:00Z"}}', '2025-01-01', '2100-01-01',
    '2025-01-01');
