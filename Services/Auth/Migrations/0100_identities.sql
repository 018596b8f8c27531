-- Signing in with others: who they say that somebody is, and what is on the way.

SET LOCAL lock_timeout = '5s';

-- Whom an issuer signs in needs neither.
ALTER TABLE accounts
    ALTER COLUMN email DROP NOT NULL,
    ALTER COLUMN password_hash DROP NOT NULL;

CREATE TABLE identities (
    id bigint PRIMARY KEY,
    account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
    -- `iss`, whatever the operator calls it.
    issuer text NOT NULL,
    subject text NOT NULL,
    -- As the issuer verified it; it opens nothing.
    email text,
    -- Whether mail to it arrives, as Apple says of addresses that it passes on.
    mail_arrives boolean NOT NULL DEFAULT true,
    mail_told_at timestamptz,
    -- The refresh token that is given back in the end, and the app that it was given to.
    client_id text,
    sealed_token bytea,
    linked_at timestamptz NOT NULL,
    last_used_at timestamptz NOT NULL,
    CONSTRAINT identities_key UNIQUE (issuer, subject)
);

CREATE INDEX identities_account ON identities (account_id, id);

-- Who was signed in by an issuer and has no account yet. What an issuer tells only once is kept from the first moment on.
CREATE TABLE newcomers (
    id bigint PRIMARY KEY,
    issuer text NOT NULL,
    subject text NOT NULL,
    email text,
    name text,
    client_id text,
    sealed_token bytea,
    expires_at timestamptz NOT NULL,
    CONSTRAINT newcomers_key UNIQUE (issuer, subject)
);

CREATE INDEX newcomers_expiry ON newcomers (expires_at);

-- Browsers that were sent to an issuer.
CREATE TABLE issuer_visits (
    -- SHA-256 of `state`.
    hash bytea PRIMARY KEY,
    issuer text NOT NULL,
    -- SHA-256 of the browser's mark.
    browser_hash bytea NOT NULL,
    return_to text,
    name text,
    expires_at timestamptz NOT NULL
);

CREATE INDEX issuer_visits_expiry ON issuer_visits (expires_at);

-- Tokens of issuers that were taken, until they expire by themselves.
CREATE TABLE taken_tokens (
    hash bytea PRIMARY KEY,
    expires_at timestamptz NOT NULL
);

CREATE INDEX taken_tokens_expiry ON taken_tokens (expires_at);

-- Refresh tokens that are to be given back.
CREATE TABLE issuer_revocations (
    id bigint PRIMARY KEY,
    account_id bigint NOT NULL,
    issuer text NOT NULL,
    subject text NOT NULL,
    client_id text NOT NULL,
    sealed_token bytea NOT NULL,
    asked_at timestamptz NOT NULL,
    due_at timestamptz NOT NULL,
    tries bigint NOT NULL DEFAULT 0
);

CREATE INDEX issuer_revocations_due ON issuer_revocations (due_at);
