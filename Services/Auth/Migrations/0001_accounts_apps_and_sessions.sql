-- People who can sign in, the apps they use, and what proves that they did.

SET LOCAL lock_timeout = '5s';

CREATE TABLE accounts (
    id bigint PRIMARY KEY,
    username text NOT NULL CONSTRAINT accounts_username_key UNIQUE,
    -- Canonical: in lower case.
    email text NOT NULL CONSTRAINT accounts_email_key UNIQUE,
    password_hash text NOT NULL,
    language text NOT NULL,
    reason text,
    created_at timestamptz NOT NULL,
    password_changed_at timestamptz NOT NULL
);

CREATE TABLE apps (
    id bigint PRIMARY KEY,
    client_id text NOT NULL CONSTRAINT apps_client_id_key UNIQUE,
    -- SHA-256; NULL for an app that cannot keep a secret.
    secret_hash bytea,
    name text NOT NULL,
    website text,
    scopes text NOT NULL,
    redirect_uris text[] NOT NULL,
    -- Our own apps get short access tokens with refresh tokens.
    first_party boolean NOT NULL DEFAULT false,
    created_at timestamptz NOT NULL
);

-- One grant of access: to an app alone, to an app for a person, or to a browser that signed in.
CREATE TABLE sessions (
    id bigint PRIMARY KEY,
    account_id bigint REFERENCES accounts ON DELETE CASCADE,
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    scopes text NOT NULL,
    device text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL,
    last_used_at timestamptz NOT NULL,
    -- NULL: until it is revoked.
    expires_at timestamptz
) WITH (fillfactor = 85);

CREATE INDEX sessions_account ON sessions (account_id, id DESC) WHERE account_id IS NOT NULL;
CREATE INDEX sessions_app ON sessions (app_id);
CREATE INDEX sessions_expiry ON sessions (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX sessions_of_apps_alone ON sessions (last_used_at) WHERE account_id IS NULL;

CREATE TABLE access_tokens (
    hash bytea PRIMARY KEY,
    session_id bigint NOT NULL REFERENCES sessions ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    expires_at timestamptz
);

CREATE INDEX access_tokens_session ON access_tokens (session_id);
CREATE INDEX access_tokens_expiry ON access_tokens (expires_at) WHERE expires_at IS NOT NULL;

-- A refresh token has a part that stays and a part that changes with every use: a known first part with another
-- second part is a token that was used before.
CREATE TABLE refresh_tokens (
    family_hash bytea PRIMARY KEY,
    current_hash bytea NOT NULL,
    session_id bigint NOT NULL REFERENCES sessions ON DELETE CASCADE,
    expires_at timestamptz NOT NULL
);

CREATE INDEX refresh_tokens_session ON refresh_tokens (session_id);

CREATE TABLE cookies (
    hash bytea PRIMARY KEY,
    session_id bigint NOT NULL REFERENCES sessions ON DELETE CASCADE
);

CREATE INDEX cookies_session ON cookies (session_id);

CREATE TABLE authorization_codes (
    hash bytea PRIMARY KEY,
    app_id bigint NOT NULL REFERENCES apps ON DELETE CASCADE,
    account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
    redirect_uri text NOT NULL,
    scopes text NOT NULL,
    -- The PKCE challenge (S256).
    challenge text,
    expires_at timestamptz NOT NULL,
    used_at timestamptz,
    -- What the first use gave; it may be gone since.
    session_id bigint
);

CREATE INDEX authorization_codes_account ON authorization_codes (account_id);
CREATE INDEX authorization_codes_expiry ON authorization_codes (expires_at);

CREATE TABLE sign_in_attempts (
    -- `account:…`, `login:…`, `device:…` or `address:…`.
    key text PRIMARY KEY,
    tries bigint NOT NULL,
    since timestamptz NOT NULL
) WITH (fillfactor = 70);

CREATE INDEX sign_in_attempts_since ON sign_in_attempts (since);
