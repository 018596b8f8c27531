-- Notifications of reports and of decisions.
SET LOCAL lock_timeout = '5s';

-- Who may moderate, and who once could.
CREATE TABLE moderators (
    account_id bigint PRIMARY KEY,
    moderates boolean NOT NULL,
    version bigint NOT NULL
);
CREATE INDEX moderators_now ON moderators (account_id) WHERE moderates;

-- Reports that an entry may show: with whom they are about.
CREATE TABLE reports (
    id bigint PRIMARY KEY,
    snapshot jsonb NOT NULL,
    touched_at timestamptz NOT NULL
);
CREATE INDEX reports_touched ON reports (touched_at);

-- The newest word on each decision.
CREATE TABLE decisions (
    id bigint PRIMARY KEY,
    version bigint NOT NULL,
    snapshot jsonb NOT NULL,
    touched_at timestamptz NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX decisions_touched ON decisions (touched_at);

-- Who is decided about is shown their own account: nobody else did it.
ALTER TABLE notifications
    DROP CONSTRAINT notifications_type_check,
    ADD CONSTRAINT notifications_type_check CHECK (
        type IN (
            'mention', 'status', 'favourite', 'reblog', 'update', 'follow', 'follow_request', 'chat_mention',
            'direct_message', 'project_application', 'project_accepted', 'project_declined', 'project_withdrawn',
            'project_deadline', 'project_update', 'project_mention', 'admin.report', 'moderation_warning'
        )
    ),
    DROP CONSTRAINT notifications_check,
    ADD CONSTRAINT notifications_check CHECK (
        account_id <> actor_id OR type IN ('project_deadline', 'project_update', 'moderation_warning')
    );
