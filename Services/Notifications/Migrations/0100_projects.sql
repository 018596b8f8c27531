-- Notifications of projects, and of applications to them.
SET LOCAL lock_timeout = '5s';

-- Projects that an entry may show. A deleted one keeps its row without its content, so that what arrives late is known to
-- be late.
CREATE TABLE projects (
    id bigint PRIMARY KEY,
    version bigint NOT NULL,
    -- A ProjectBrief.
    snapshot jsonb,
    touched_at timestamptz NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX projects_touched ON projects (touched_at);

-- The newest word on each application: an ApplicationSnapshot. What became of one takes the place of what was told before.
CREATE TABLE applications (
    id bigint PRIMARY KEY,
    version bigint NOT NULL,
    snapshot jsonb NOT NULL,
    touched_at timestamptz NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX applications_touched ON applications (touched_at);

-- Leaders hear of what becomes of their project by itself: then nobody but they did it.
ALTER TABLE notifications
    ADD COLUMN project_id bigint,
    DROP CONSTRAINT notifications_type_check,
    ADD CONSTRAINT notifications_type_check CHECK (
        type IN (
            'mention', 'status', 'favourite', 'reblog', 'update', 'follow', 'follow_request', 'chat_mention',
            'direct_message', 'project_application', 'project_accepted', 'project_declined', 'project_withdrawn',
            'project_deadline', 'project_update'
        )
    ),
    DROP CONSTRAINT notifications_check,
    ADD CONSTRAINT notifications_check CHECK (
        account_id <> actor_id OR type IN ('project_deadline', 'project_update')
    ),
    ADD CONSTRAINT notifications_project CHECK (
        (type IN (
            'project_application', 'project_accepted', 'project_declined', 'project_withdrawn', 'project_deadline',
            'project_update'
        )) = (project_id IS NOT NULL)
    );
CREATE INDEX notifications_project ON notifications (project_id) WHERE project_id IS NOT NULL;
