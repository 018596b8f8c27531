-- Functions that look something up are planned once a session: in the language sql each statement that calls one plans it anew,
-- which takes longer than all the rest of the statement. What they say is what they said.
SET LOCAL lock_timeout = '5s';

CREATE OR REPLACE FUNCTION was_swept(recipient bigint, actor bigint, moment timestamptz) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN EXISTS (
        SELECT FROM silences s
        WHERE s.account_id = recipient AND s.target_id = actor AND s.hides AND s.since > moment
    ) OR EXISTS (
        SELECT FROM silences s
        WHERE s.account_id = actor AND s.target_id = recipient AND s.kind = 'block' AND s.hides AND s.since > moment
    );
END
$$;

CREATE OR REPLACE FUNCTION is_silenced(recipient bigint, actor bigint, moment timestamptz) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN EXISTS (
        SELECT FROM silences s
        WHERE s.account_id = recipient AND s.target_id = actor AND s.hides
            AND (s.since > moment OR ((s.until IS NULL OR s.until > moment) AND NOT EXISTS (
                SELECT FROM silences l
                WHERE l.account_id = s.account_id AND l.target_id = s.target_id AND l.kind = s.kind
                    AND l.version > s.version AND l.since <= moment
            )))
    ) OR EXISTS (
        SELECT FROM silences s
        WHERE s.account_id = actor AND s.target_id = recipient AND s.kind = 'block' AND s.hides
            AND (s.since > moment OR NOT EXISTS (
                SELECT FROM silences l
                WHERE l.account_id = s.account_id AND l.target_id = s.target_id AND l.kind = s.kind
                    AND l.version > s.version AND l.since <= moment
            ))
    );
END
$$;

CREATE OR REPLACE FUNCTION may_be_silenced(recipient bigint) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN EXISTS (SELECT FROM silences WHERE account_id = recipient)
        OR EXISTS (SELECT FROM silences WHERE target_id = recipient);
END
$$;
