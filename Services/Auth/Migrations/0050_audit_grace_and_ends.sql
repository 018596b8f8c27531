-- What was done to accounts; one more chance for an answer that got lost; an end for every row.

SET LOCAL lock_timeout = '5s';

CREATE TABLE audit (
    id bigint PRIMARY KEY,
    -- Of the first and of the last of `count` acts.
    at timestamptz NOT NULL,
    last_at timestamptz NOT NULL,
    act text NOT NULL,
    -- `account …`, `app …`, `operator` or `nobody`.
    actor text NOT NULL,
    -- Not references: what is noted here outlives what it is about.
    account_id bigint,
    session_id bigint,
    app_id bigint,
    address text NOT NULL,
    detail text NOT NULL,
    count bigint NOT NULL DEFAULT 1,
    -- What is counted in one row instead of filling the table, such as wrong passwords.
    bucket bytea CONSTRAINT audit_bucket_key UNIQUE
) WITH (fillfactor = 90);

CREATE INDEX audit_at ON audit (at);
CREATE INDEX audit_account ON audit (account_id, id DESC) WHERE account_id IS NOT NULL;

CREATE FUNCTION refuse_to_change_audit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        IF OLD.last_at < statement_timestamp() - interval '30 days' THEN
            RETURN OLD;
        END IF;
    ELSIF TG_OP = 'UPDATE' THEN
        IF (OLD.id, OLD.at, OLD.act, OLD.actor, OLD.account_id, OLD.session_id, OLD.app_id, OLD.address, OLD.detail,
            OLD.bucket)
        IS NOT DISTINCT FROM
        (NEW.id, NEW.at, NEW.act, NEW.actor, NEW.account_id, NEW.session_id, NEW.app_id, NEW.address, NEW.detail,
            NEW.bucket)
            AND NEW.count >= OLD.count
        THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'what is noted in audit stays as it is';
END
$$;

CREATE TRIGGER audit_stays BEFORE UPDATE OR DELETE ON audit
    FOR EACH ROW EXECUTE FUNCTION refuse_to_change_audit();
CREATE TRIGGER audit_is_not_emptied BEFORE TRUNCATE ON audit
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change_audit();

-- The newest predecessor of a refresh token, for a client that never got the answer to its refresh. It counts only
-- while `successor_hash` is the current one: the release before this one does not keep these columns.
ALTER TABLE refresh_tokens
    ADD COLUMN previous_hash bytea,
    ADD COLUMN successor_hash bytea,
    -- The access token that was given together with the successor.
    ADD COLUMN successor_access bytea,
    ADD COLUMN grace_until timestamptz;

-- When a token that came out of a refresh was first seen: from then on its client has the answer.
ALTER TABLE access_tokens ADD COLUMN seen_at timestamptz;

-- NULL: nobody has used it. Those of today count as used just now.
ALTER TABLE apps ADD COLUMN last_used_at timestamptz DEFAULT now();
ALTER TABLE apps ALTER COLUMN last_used_at DROP DEFAULT;

CREATE INDEX apps_unused ON apps (created_at) WHERE last_used_at IS NULL AND NOT first_party;
CREATE INDEX apps_used ON apps (last_used_at) WHERE last_used_at IS NOT NULL AND NOT first_party;
CREATE INDEX authorization_codes_app ON authorization_codes (app_id);
CREATE INDEX sessions_unused ON sessions (last_used_at) WHERE account_id IS NOT NULL AND expires_at IS NULL;
