-- Projects whose people talk in a playground: what posts said last of each, and who is in the playground because of it.
SET LOCAL lock_timeout = '5s';

CREATE TABLE project_rooms (
    project_id bigint PRIMARY KEY,
    -- Of the newest list of members that was followed; 0 for none.
    version bigint NOT NULL DEFAULT 0,
    leader_id bigint NOT NULL,
    -- NULL until there are two people, and when its owner deleted it.
    playground_id bigint,
    -- Of what was told of it last.
    told bigint NOT NULL DEFAULT 0,
    -- When the project was deleted: its playground is one like any other since.
    ended_at timestamptz
);
CREATE UNIQUE INDEX project_rooms_playground ON project_rooms (playground_id) WHERE playground_id IS NOT NULL;
CREATE INDEX project_rooms_ended ON project_rooms (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE project_room_members (
    project_id bigint NOT NULL REFERENCES project_rooms ON DELETE CASCADE,
    account_id bigint NOT NULL,
    -- Which membership of the project it is.
    since bigint NOT NULL,
    -- Whether they went out, or may not come in: they are not let in again for the same membership.
    gone boolean NOT NULL DEFAULT false,
    PRIMARY KEY (project_id, account_id)
);
