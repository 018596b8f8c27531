-- Refresh tokens for an app that was made before this server and keeps the one that it was given at its sign-in.

SET LOCAL lock_timeout = '5s';

-- Whether every use gives the next token. One that stays ends at a fixed time and is of that one app only.
ALTER TABLE refresh_tokens ADD COLUMN rotates boolean NOT NULL DEFAULT true;

-- The app behind the routes under /v1 of the gateway: no secret, no redirect, and nothing of OAuth's flows.
INSERT INTO apps (id, client_id, secret_hash, name, website, scopes, redirect_uris, first_party, created_at)
VALUES
    (2, 'buddy-buddy', NULL, 'Buddy Buddy', NULL, 'profile read:accounts write:accounts read:chat write:chat push', '{}',
    true, now());
