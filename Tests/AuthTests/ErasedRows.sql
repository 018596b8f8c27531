-- Somebody of whom every table has something, and another. What is theirs has an id that begins with theirs.
CREATE FUNCTION pg_temp.leaver() RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT 880000000000000077';
INSERT INTO accounts (id, username, email, password_hash, language, reason, created_at, password_changed_at)
VALUES
    (pg_temp.leaver(), 'marked77', 'marked77@example.com', 'hash', 'ko', 'marked77', '2025-01-01', '2025-01-01'),
    (11, 'ann', 'ann@example.com', 'hash', 'ko', NULL, '2025-01-01', '2025-01-01');
INSERT INTO sessions (id, account_id, app_id, scopes, device, created_at, last_used_at)
VALUES (8800000000000000771, pg_temp.leaver(), 1, 'read', 'marked77', '2025-01-01', '2025-01-01'), (21, 11, 1, 'read', '', '2025-01-01', '2025-01-01');
INSERT INTO access_tokens (hash, session_id, created_at) VALUES ('\x01', 8800000000000000771, '2025-01-01'), ('\x02', 21, '2025-01-01');
INSERT INTO refresh_tokens (family_hash, current_hash, session_id, expires_at) VALUES ('\x01', '\x01', 8800000000000000771, '2030-01-01');
INSERT INTO cookies (hash, session_id) VALUES ('\x01', 8800000000000000771);
INSERT INTO authorization_codes (hash, app_id, account_id, redirect_uri, scopes, expires_at)
VALUES ('\x01', 1, pg_temp.leaver(), 'https://marked77.example', 'read', '2025-01-01');
INSERT INTO sign_in_attempts (key, tries, since) VALUES ('account:880000000000000077', 1, '2025-01-01');
INSERT INTO audit (id, at, last_at, act, actor, account_id, address, detail, bucket)
VALUES (1, '2025-01-01', '2025-01-01', 'signed_in', 'account 880000000000000077', pg_temp.leaver(), '192.0.2.77', 'marked77', '\x01');
INSERT INTO known_devices (account_id, device_hash, seen_at) VALUES (pg_temp.leaver(), '\x01', '2025-01-01');
INSERT INTO identities (id, account_id, issuer, subject, email, linked_at, last_used_at)
VALUES (31, pg_temp.leaver(), 'https://issuer.example', 'marked77', 'marked77@example.com', '2025-01-01', '2025-01-01');
INSERT INTO departures (account_id, asked_at, deletion_at, due_at) VALUES (pg_temp.leaver(), '2025-01-01', '2025-01-15', '2025-01-15');
INSERT INTO restricted_accounts (account_id, restrictions, version) VALUES (pg_temp.leaver(), '{leaving}', 1), (11, '{limited}', 1);
INSERT INTO letters (id, account_id, username, address, recipient, language, kind, letter, created_at, expires_at, due_at)
SELECT CAST('00000000-0000-7000-8000-00000000000' || n AS uuid), i, u, e, sha256(convert_to(e, 'UTF8')), 'ko', 'leaving', '{}', '2025-01-01',
    '2100-01-01', '2025-01-01'
FROM (
    VALUES
        (1, pg_temp.leaver(), 'marked77', 'marked77@example.com'), (2, NULL, NULL, 'marked77@example.com'), (3, 11, 'ann', 'ann@example.com')
) l (n, i, u, e);
INSERT INTO mail_links (account_id, purpose, hash, letter_id, asked_at, address, expires_at)
VALUES
    (pg_temp.leaver(), 'confirmation', '\x01', '00000000-0000-7000-8000-000000000001', '2025-01-01', 'marked77@example.com', '2100-01-01');
INSERT INTO consents (account_id, kind, version, given_at, way) VALUES (pg_temp.leaver(), 'terms', 1, '2025-01-01', 'page');
