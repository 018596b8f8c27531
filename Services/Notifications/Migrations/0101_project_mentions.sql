-- Notifications of being named in a project.
SET LOCAL lock_timeout = '5s';

-- The newest word on whether a project names somebody: kept for a while, so that what is late is known to be late.
CREATE TABLE project_mentions (
    project_id bigint NOT NULL,
    account_id bigint NOT NULL,
    version bigint NOT NULL,
    named boolean NOT NULL,
    -- When it was said.
    at timestamptz NOT NULL,
    PRIMARY KEY (project_id, account_id)
) WITH (fillfactor = 80);
CREATE INDEX project_mentions_at ON project_mentions (at);

ALTER TABLE notifications
    DROP CONSTRAINT notifications_type_check,
    ADD CONSTRAINT notifications_type_check CHECK (
        type IN (
            'mention', 'status', 'favourite', 'reblog', 'update', 'follow', 'follow_request', 'chat_mention',
            'direct_message', 'project_application', 'project_accepted', 'project_declined', 'project_withdrawn',
            'project_deadline', 'project_update', 'project_mention'
        )
    ),
    DROP CONSTRAINT notifications_project,
    ADD CONSTRAINT notifications_project CHECK (
        (type IN (
            'project_application', 'project_accepted', 'project_declined', 'project_withdrawn', 'project_deadline',
            'project_update', 'project_mention'
        )) = (project_id IS NOT NULL)
    );
