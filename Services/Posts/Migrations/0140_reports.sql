-- Reports, what moderators decide, and what people say to that.
SET LOCAL lock_timeout = '5s';

-- What others may do here: of those who hold a role, or held one.
CREATE TABLE roles (
    account_id bigint PRIMARY KEY,
    role text NOT NULL CHECK (role IN ('user', 'moderator', 'admin')),
    version bigint NOT NULL
);

CREATE TABLE reports (
    id bigint PRIMARY KEY,
    -- NULL where this place itself reports.
    reporter_id bigint,
    -- Who is reported. NULL until it is known whose the things are, and of what is nobody's.
    target_id bigint,
    category text NOT NULL CHECK (category IN ('spam', 'legal', 'violation', 'other')),
    comment text NOT NULL,
    rule_ids text[] NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    -- The moderator who sees to it.
    assigned_id bigint,
    -- Who closed it, and when.
    closed_id bigint,
    closed_at timestamptz
) WITH (fillfactor = 80);
CREATE INDEX reports_open ON reports (id) WHERE closed_at IS NULL;
CREATE INDEX reports_closed ON reports (closed_at) WHERE closed_at IS NOT NULL;
CREATE INDEX reports_reporter ON reports (reporter_id, id);
CREATE INDEX reports_target ON reports (target_id, id) WHERE target_id IS NOT NULL;

-- What was reported, as it was then.
CREATE TABLE report_things (
    report_id bigint NOT NULL,
    kind text NOT NULL,
    thing_id text NOT NULL,
    -- Whose it is. NULL for nobody's, and until that is known.
    account_id bigint,
    -- NULL until whoever keeps the thing has said what it is.
    snapshot jsonb,
    PRIMARY KEY (report_id, kind, thing_id)
);
CREATE INDEX report_things_thing ON report_things (kind, thing_id);

-- What moderators wrote to each other.
CREATE TABLE report_notes (
    id bigint PRIMARY KEY,
    report_id bigint NOT NULL,
    account_id bigint NOT NULL,
    text text NOT NULL,
    created_at timestamptz NOT NULL
);
CREATE INDEX report_notes_report ON report_notes (report_id, id);

CREATE TABLE decisions (
    id bigint PRIMARY KEY,
    -- Who decided. NULL for what no person did.
    moderator_id bigint,
    -- Whom it concerns.
    account_id bigint NOT NULL,
    report_id bigint,
    action text NOT NULL CHECK (action IN ('warn', 'sensitive', 'limit', 'remove', 'freeze', 'suspend')),
    -- The thing; NULL for the account itself.
    thing_kind text,
    thing_id text,
    reason text NOT NULL,
    -- Until when it holds; NULL for good.
    until timestamptz,
    appeal_until timestamptz NOT NULL,
    decided_at timestamptz NOT NULL,
    -- Since when it holds no more.
    lifted_at timestamptz,
    version bigint NOT NULL DEFAULT 1,
    CHECK ((thing_kind IS NULL) = (thing_id IS NULL))
) WITH (fillfactor = 80);
CREATE INDEX decisions_account ON decisions (account_id, id);
CREATE INDEX decisions_report ON decisions (report_id, id) WHERE report_id IS NOT NULL;
-- What holds of accounts themselves.
CREATE INDEX decisions_in_force ON decisions (action, account_id)
    WHERE thing_id IS NULL AND lifted_at IS NULL AND action <> 'warn';
-- What only its deciding made.
CREATE INDEX decisions_forgettable ON decisions (decided_at);

-- What a decision took away, for as long as there may be an appeal to it.
CREATE TABLE evidence (
    decision_id bigint PRIMARY KEY,
    kind text NOT NULL,
    thing_id text NOT NULL,
    snapshot jsonb NOT NULL,
    -- When it goes.
    kept_until timestamptz NOT NULL
);
CREATE INDEX evidence_thing ON evidence (kind, thing_id);
CREATE INDEX evidence_kept ON evidence (kept_until);

CREATE TABLE appeals (
    -- Of the decision: there is one appeal to each.
    decision_id bigint PRIMARY KEY,
    account_id bigint NOT NULL,
    text text NOT NULL,
    state text NOT NULL CHECK (state IN ('open', 'accepted', 'rejected')),
    created_at timestamptz NOT NULL,
    -- Who decided about it, and when.
    moderator_id bigint,
    decided_at timestamptz
) WITH (fillfactor = 80);
CREATE INDEX appeals_open ON appeals (decision_id) WHERE state = 'open';

-- What moderators did.
CREATE TABLE moderation_log (
    id bigint PRIMARY KEY,
    -- NULL for what no person did.
    moderator_id bigint,
    deed text NOT NULL,
    report_id bigint,
    decision_id bigint,
    -- Whom it concerns.
    account_id bigint,
    at timestamptz NOT NULL
);
CREATE INDEX moderation_log_at ON moderation_log (at);
CREATE INDEX moderation_log_account ON moderation_log (account_id, id) WHERE account_id IS NOT NULL;
