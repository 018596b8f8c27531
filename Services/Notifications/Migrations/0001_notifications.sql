-- Notifications, what they are about, and who does not want to hear of whom.

SET LOCAL lock_timeout = '5s';

-- How accounts look, from whatever event told it last.
CREATE TABLE accounts (
    id bigint PRIMARY KEY,
    version bigint NOT NULL,
    snapshot jsonb NOT NULL
) WITH (fillfactor = 80);

-- Posts that a notification may show. A deleted post keeps its row without its content, so that what arrives late is
-- known to be late.
CREATE TABLE posts (
    id bigint PRIMARY KEY,
    version bigint NOT NULL,
    author_id bigint,
    snapshot jsonb,
    CHECK ((author_id IS NULL) = (snapshot IS NULL))
) WITH (fillfactor = 80);

-- The newest word on each favourite, boost, follow and request to follow. One that was taken back keeps its row, so
-- that the older word cannot bring it back.
CREATE TABLE acts (
    kind text NOT NULL CHECK (kind IN ('favourite', 'reblog', 'follow', 'follow_request')),
    subject_id bigint NOT NULL,
    actor_id bigint NOT NULL,
    version bigint NOT NULL,
    active boolean NOT NULL,
    PRIMARY KEY (kind, subject_id, actor_id)
);

-- Every block and mute, and every end of one: `hides` tells which. A notification is judged by what was in force at
-- the moment of its cause, whatever arrives when.
CREATE TABLE silences (
    account_id bigint NOT NULL,
    target_id bigint NOT NULL,
    kind text NOT NULL CHECK (kind IN ('block', 'mute')),
    version bigint NOT NULL,
    hides boolean NOT NULL,
    since timestamptz NOT NULL,
    until timestamptz,
    PRIMARY KEY (account_id, target_id, kind, version)
);
CREATE INDEX silences_target ON silences (target_id);

-- `subject_id` is the post, or the followed account. `version` is that of the act; 0 for a mention, which lasts as
-- long as the newest form of the post names the account. A dismissed one keeps its row: it is not raised again.
CREATE TABLE notifications (
    id bigint PRIMARY KEY,
    account_id bigint NOT NULL,
    type text NOT NULL CHECK (type IN ('mention', 'favourite', 'reblog', 'follow', 'follow_request')),
    actor_id bigint NOT NULL,
    subject_id bigint NOT NULL,
    version bigint NOT NULL,
    created_at timestamptz NOT NULL,
    dismissed boolean NOT NULL DEFAULT false,
    CONSTRAINT notifications_cause UNIQUE (type, subject_id, actor_id, account_id),
    CHECK (account_id <> actor_id)
);
CREATE INDEX notifications_list ON notifications (account_id, id DESC) WHERE NOT dismissed;
CREATE INDEX notifications_pair ON notifications (account_id, actor_id);

-- How far an account has read.
CREATE TABLE markers (
    account_id bigint NOT NULL,
    timeline text NOT NULL CHECK (timeline IN ('home', 'notifications')),
    last_read_id bigint NOT NULL,
    version bigint NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, timeline)
);

-- Whether a block or mute after `moment` swept away what `actor` had caused for `recipient` until then.
CREATE FUNCTION was_swept(recipient bigint, actor bigint, moment timestamptz) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT FROM silences s
        WHERE s.account_id = recipient AND s.target_id = actor AND s.hides AND s.since > moment
    ) OR EXISTS (
        SELECT FROM silences s
        WHERE s.account_id = actor AND s.target_id = recipient AND s.kind = 'block' AND s.hides AND s.since > moment
    )
$$;

-- Whether `recipient` is not to hear of what `actor` did at `moment`: swept away since, or done while a block either
-- way or a mute was in force.
CREATE FUNCTION is_silenced(recipient bigint, actor bigint, moment timestamptz) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
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
    )
$$;

-- Whether anything could silence somebody for `recipient`: asked once, it spares most lists the question for each row.
CREATE FUNCTION may_be_silenced(recipient bigint) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM silences WHERE account_id = recipient)
        OR EXISTS (SELECT FROM silences WHERE target_id = recipient)
$$;
