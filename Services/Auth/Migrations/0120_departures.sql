-- Accounts that are asked to be deleted, and those that were.
SET LOCAL lock_timeout = '5s';

CREATE TABLE departures (
    account_id bigint PRIMARY KEY,
    asked_at timestamptz NOT NULL,
    -- When the grace ends.
    deletion_at timestamptz NOT NULL,
    -- When nobody could come back any more, and when the account was deleted.
    begun_at timestamptz,
    deleted_at timestamptz,
    -- When every service had answered.
    erased_at timestamptz,
    -- When it is looked at next; NULL while others are waited for.
    due_at timestamptz,
    attempts integer NOT NULL DEFAULT 0,
    reason text
);

CREATE INDEX departures_due ON departures (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX departures_unanswered ON departures (deletion_at) WHERE erased_at IS NULL;
CREATE INDEX departures_over ON departures (erased_at) WHERE erased_at IS NOT NULL;

-- What an account gave is looked for before the account goes.
CREATE INDEX issuer_revocations_account ON issuer_revocations (account_id);

-- Which services have erased what they had.
CREATE TABLE departure_answers (
    account_id bigint NOT NULL REFERENCES departures ON DELETE CASCADE,
    service text NOT NULL,
    answered_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (account_id, service)
);

-- Names of accounts that were deleted, which nobody else is given: SHA-256.
CREATE TABLE former_usernames (hash bytea PRIMARY KEY);

-- For every way to sign up, and for the release before too.
CREATE FUNCTION refuse_former_username() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM former_usernames f WHERE f.hash = sha256(convert_to(NEW.username, 'UTF8'))) THEN
        RAISE EXCEPTION 'somebody had this name before'
            USING ERRCODE = 'unique_violation', CONSTRAINT = 'accounts_username_key';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER former_usernames_stay_theirs BEFORE INSERT OR UPDATE OF username ON accounts
    FOR EACH ROW EXECUTE FUNCTION refuse_former_username();

-- As it was, but what is noted of somebody who is being deleted may lose where they were and what they said.
CREATE OR REPLACE FUNCTION refuse_to_change_audit() RETURNS trigger LANGUAGE plpgsql AS $$
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
        IF NEW.address = '' AND NEW.detail = '' AND NEW.bucket IS NULL
            AND (OLD.id, OLD.at, OLD.last_at, OLD.act, OLD.actor, OLD.account_id, OLD.session_id, OLD.app_id, OLD.count)
            IS NOT DISTINCT FROM
            (NEW.id, NEW.at, NEW.last_at, NEW.act, NEW.actor, NEW.account_id, NEW.session_id, NEW.app_id, NEW.count)
            AND EXISTS (SELECT FROM departures d WHERE d.account_id = OLD.account_id AND d.begun_at IS NOT NULL)
        THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'what is noted in audit stays as it is';
END
$$;
