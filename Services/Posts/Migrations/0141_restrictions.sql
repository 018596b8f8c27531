-- What keeps accounts from something, and until when.
SET LOCAL lock_timeout = '5s';

CREATE TABLE restrictions (
    account_id bigint NOT NULL,
    kind text NOT NULL,
    since timestamptz NOT NULL,
    -- Null for good.
    until timestamptz,
    -- The decision of a moderator that it follows from, each of which ends by itself; 0 where an operator or the person brought
    -- it about.
    decision_id bigint NOT NULL DEFAULT 0,
    by_whom text NOT NULL,
    PRIMARY KEY (account_id, kind, decision_id)
);
CREATE INDEX restrictions_ending ON restrictions (until) WHERE until IS NOT NULL;

-- What was told last of an account that was ever restricted. Others keep the same table as a projection.
CREATE TABLE restricted_accounts (
    account_id bigint PRIMARY KEY,
    restrictions text[] NOT NULL,
    version bigint NOT NULL,
    -- Of the newest word on whether its owner is about to leave.
    leaving_version bigint NOT NULL DEFAULT 0,
    is_hidden boolean NOT NULL GENERATED ALWAYS AS (restrictions && ARRAY['suspended', 'leaving']) STORED,
    is_limited boolean NOT NULL GENERATED ALWAYS AS (restrictions && ARRAY['limited']) STORED
);

-- As it was, but that whom nobody may see is asked about for somebody who is not signed in too: to them, and to everybody
-- else, it is a block. The release before knows no such accounts and has no blocks with nobody.
CREATE OR REPLACE FUNCTION is_visible(
    author bigint,
    visibility text,
    mentioned bigint[],
    viewer bigint,
    blocked boolean,
    follows boolean
) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT CASE
        WHEN author = viewer THEN true
        WHEN blocked THEN false
        WHEN viewer IS NULL THEN visibility IN ('public', 'unlisted')
        WHEN visibility IN ('public', 'unlisted') THEN true
        WHEN viewer = ANY (mentioned) THEN true
        WHEN visibility = 'private' THEN follows
        ELSE false
    END
$$;
