-- Projects that look for people, who is in them, and who asked to be.
SET LOCAL lock_timeout = '5s';

CREATE TABLE projects (
    id bigint PRIMARY KEY,
    leader_id bigint NOT NULL REFERENCES accounts,
    state text NOT NULL CHECK (state IN ('draft', 'recruiting', 'closed', 'finished')),
    title text NOT NULL,
    summary text NOT NULL,
    body text NOT NULL,
    -- Side by side: the accounts that the body names.
    mentioned_ids bigint[] NOT NULL DEFAULT '{}',
    mentioned_names text[] NOT NULL DEFAULT '{}',
    category text,
    -- As the leader gave them; `tags` are these and those of the body.
    labels text[] NOT NULL DEFAULT '{}',
    tags text[] NOT NULL DEFAULT '{}',
    -- [{"id", "name", "wanted"}…], in the leader's order.
    roles jsonb NOT NULL DEFAULT '[]',
    place text,
    frequency text,
    starts_on date,
    deadline timestamptz,
    -- The deadline of which people were reminded, or for whose reminder it was too late when it was set.
    reminded_for timestamptz,
    contact_url text,
    language text,
    media jsonb NOT NULL DEFAULT '[]',
    -- Of the first link of the body.
    link_hash bytea,
    created_at timestamptz NOT NULL,
    published_at timestamptz,
    edited_at timestamptz,
    -- A deleted project stays as a tombstone: whatever comes late about it finds that it is gone.
    deleted_at timestamptz,
    erased_at timestamptz,
    -- Counted anew with every change of an application: those that were not withdrawn, and those nobody has decided.
    applications_count bigint NOT NULL DEFAULT 0,
    open_count bigint NOT NULL DEFAULT 0,
    -- Where its people talk, as chat told it at `room_version`.
    playground_id bigint,
    channel_id bigint,
    room_version bigint NOT NULL DEFAULT 0,
    version bigint NOT NULL DEFAULT 1
) WITH (fillfactor = 85);
CREATE INDEX projects_leader ON projects (leader_id, id DESC) WHERE deleted_at IS NULL;
-- What is due: deadlines that pass, reminders of them, applications to what is over.
CREATE INDEX projects_deadline ON projects (deadline, id) WHERE state = 'recruiting' AND deleted_at IS NULL;
CREATE INDEX projects_reminder ON projects (deadline, id)
    WHERE state = 'recruiting' AND deleted_at IS NULL AND reminded_for IS DISTINCT FROM deadline;
CREATE INDEX projects_unanswered ON projects (id) WHERE state = 'finished' AND deleted_at IS NULL AND open_count > 0;
CREATE INDEX projects_unerased ON projects (deleted_at) WHERE deleted_at IS NOT NULL AND erased_at IS NULL;
CREATE INDEX projects_link ON projects (link_hash) WHERE link_hash IS NOT NULL;

-- By what a project is found on the board: a row for the board as a whole (''), and one for its category, its place and
-- each of its tags and roles. Every list of the board walks one facet in one of three orders.
CREATE TABLE project_facets (
    project_id bigint NOT NULL REFERENCES projects,
    facet text NOT NULL,
    state text NOT NULL,
    -- 'infinity' for none.
    deadline timestamptz NOT NULL,
    applications_count bigint NOT NULL,
    PRIMARY KEY (project_id, facet)
);
CREATE INDEX project_facets_newest ON project_facets (state, facet, project_id DESC);
CREATE INDEX project_facets_deadline ON project_facets (state, facet, deadline, project_id);
CREATE INDEX project_facets_applied ON project_facets (state, facet, applications_count DESC, project_id DESC);

-- The leader is a member, too. `since` is the project's version when they came in: it tells a membership from an earlier
-- one of the same person.
CREATE TABLE project_members (
    project_id bigint NOT NULL REFERENCES projects,
    account_id bigint NOT NULL REFERENCES accounts,
    role_id bigint,
    since bigint NOT NULL,
    joined_at timestamptz NOT NULL,
    PRIMARY KEY (project_id, account_id)
);
CREATE INDEX project_members_account ON project_members (account_id, project_id DESC);

CREATE TABLE applications (
    id bigint PRIMARY KEY,
    project_id bigint NOT NULL REFERENCES projects,
    account_id bigint NOT NULL REFERENCES accounts,
    role_id bigint NOT NULL,
    role_name text NOT NULL,
    message text NOT NULL,
    state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'accepted', 'declined', 'withdrawn')),
    note text NOT NULL DEFAULT '',
    created_at timestamptz NOT NULL,
    decided_at timestamptz,
    version bigint NOT NULL DEFAULT 1,
    CHECK ((state = 'open') = (decided_at IS NULL))
) WITH (fillfactor = 85);
CREATE UNIQUE INDEX applications_open ON applications (project_id, account_id) WHERE state = 'open';
CREATE INDEX applications_project ON applications (project_id, id DESC);
CREATE INDEX applications_state ON applications (project_id, state, id DESC);
CREATE INDEX applications_account ON applications (account_id, id DESC);
CREATE INDEX applications_pair ON applications (project_id, account_id, id DESC);

-- What a project was before an edit, since others saw it: a ProjectSnapshot.
CREATE TABLE project_edits (
    project_id bigint NOT NULL REFERENCES projects,
    created_at timestamptz NOT NULL,
    form jsonb NOT NULL,
    PRIMARY KEY (project_id, created_at)
);

CREATE TABLE project_bookmarks (
    account_id bigint NOT NULL REFERENCES accounts,
    project_id bigint NOT NULL REFERENCES projects,
    id bigint NOT NULL,
    PRIMARY KEY (account_id, project_id)
);
CREATE INDEX project_bookmarks_list ON project_bookmarks (account_id, id DESC);
CREATE INDEX project_bookmarks_project ON project_bookmarks (project_id, id DESC);

-- Apart from the project, whose row is locked by whoever changes it.
CREATE TABLE project_views (
    project_id bigint PRIMARY KEY REFERENCES projects,
    views bigint NOT NULL
) WITH (fillfactor = 70);

COMMENT ON COLUMN media.post_id IS 'The only post, or the only project, that may show it: their ids are of one sequence.';
COMMENT ON COLUMN idempotency_keys.post_id IS 'The post, or the project, that the request made.';
