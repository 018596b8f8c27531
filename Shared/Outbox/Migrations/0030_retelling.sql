-- Projections that are rebuilt while they serve: who asks for what to be told again, and who tells it.
SET LOCAL lock_timeout = '5s';

-- What is told again goes to one queue; `type` is the queue's name and the type of the event.
ALTER TABLE outbox
    DROP CONSTRAINT outbox_audience_check,
    ADD CONSTRAINT outbox_audience_check CHECK (audience IN ('events', 'live', 'retold'));

-- A row is a queue whose projections can be rebuilt, with its newest rebuild.
CREATE TABLE rebuilds (
    queue text PRIMARY KEY,
    rebuild_id uuid,
    state text NOT NULL DEFAULT 'idle'
        CHECK (state IN ('idle', 'asked', 'retelling', 'withdrawing', 'finished', 'abandoning', 'abandoned')),
    -- Of the event that tells how it stands.
    version bigint NOT NULL DEFAULT 0,
    -- How many of the queue's tables are free of what nobody told of.
    withdrawn integer NOT NULL DEFAULT 0,
    -- Rows that nobody told of, and that went.
    removed bigint NOT NULL DEFAULT 0,
    started_at timestamptz,
    ended_at timestamptz
);

-- Who is asked, how much they told (NULL until they have told everything), how much of it was applied, and of how much
-- of that they were told.
CREATE TABLE rebuild_owners (
    queue text NOT NULL,
    owner text NOT NULL,
    told bigint,
    applied bigint NOT NULL DEFAULT 0,
    announced bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (queue, owner)
) WITH (fillfactor = 50);

-- Rows of projections of which somebody told during a rebuild, by what they are and by their keys.
CREATE TABLE rebuild_seen (
    rebuild_id uuid NOT NULL,
    kind text NOT NULL,
    a bigint NOT NULL,
    b bigint NOT NULL,
    c bigint NOT NULL,
    PRIMARY KEY (rebuild_id, kind, a, b, c)
);

-- A row is a queue to which this service tells what it owns again, with its newest rebuild, and how far that has come:
-- which kind of thing is being told, after which key.
CREATE TABLE retellings (
    queue text PRIMARY KEY,
    rebuild_id uuid NOT NULL,
    types text[] NOT NULL,
    kind text NOT NULL DEFAULT '',
    position bigint[] NOT NULL DEFAULT '{}',
    told bigint NOT NULL DEFAULT 0,
    applied bigint NOT NULL DEFAULT 0,
    is_over boolean NOT NULL DEFAULT false,
    -- Failed tries of the next step.
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL DEFAULT now(),
    reason text
);
