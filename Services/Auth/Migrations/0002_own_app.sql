-- The app behind the sign-in pages and `POST /api/v1/sessions`.

SET LOCAL lock_timeout = '5s';

INSERT INTO apps (id, client_id, secret_hash, name, website, scopes, redirect_uris, first_party, created_at)
VALUES (1, 'madang', NULL, 'Madang', NULL, 'profile read write follow push', '{}', true, now());
