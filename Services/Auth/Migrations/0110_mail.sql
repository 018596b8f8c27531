-- Letters, what they prove, and whose address is still to be proven.

SET LOCAL lock_timeout = '5s';

-- Since when somebody's address waits to be confirmed; NULL where it is, or need not be. The release before asks nobody.
ALTER TABLE accounts ADD COLUMN confirmation_asked_at timestamptz;

CREATE TABLE letters (
    -- Its Message-ID as well.
    id uuid PRIMARY KEY,
    -- Not a reference: a letter outlives the account whose end it tells. NULL: asked for by an address, whether or not somebody has it.
    account_id bigint,
    username text,
    -- NULL once it has ended, as everything in it.
    address text,
    -- SHA-256 of the address.
    recipient bytea NOT NULL,
    language text NOT NULL,
    kind text NOT NULL,
    letter jsonb,
    created_at timestamptz NOT NULL,
    -- After which nobody needs it any more.
    expires_at timestamptz NOT NULL,
    -- NULL once it has ended.
    due_at timestamptz,
    tries bigint NOT NULL DEFAULT 0,
    ended_at timestamptz,
    -- `sent`, `refused`, `expired`, `superseded` or `unknown`.
    outcome text,
    -- What the server said last.
    reason text
) WITH (fillfactor = 85);

CREATE INDEX letters_due ON letters (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX letters_recipient ON letters (recipient, kind, created_at);
CREATE INDEX letters_ended ON letters (ended_at) WHERE ended_at IS NOT NULL;

-- What links in letters prove: the newest of an account and a purpose.
CREATE TABLE mail_links (
    account_id bigint NOT NULL REFERENCES accounts ON DELETE CASCADE,
    -- `confirmation` or `password_reset`.
    purpose text NOT NULL,
    -- SHA-256 of what stands in the link.
    hash bytea NOT NULL CONSTRAINT mail_links_hash_key UNIQUE,
    letter_id uuid NOT NULL,
    asked_at timestamptz NOT NULL,
    -- The address that it proves, and no other.
    address text NOT NULL,
    expires_at timestamptz NOT NULL,
    -- Kept until it expires, so that no letter that comes later makes an older link good.
    used_at timestamptz,
    PRIMARY KEY (account_id, purpose)
);

CREATE INDEX mail_links_expiry ON mail_links (expires_at);
