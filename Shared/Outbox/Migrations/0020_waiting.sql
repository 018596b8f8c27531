-- Events that wait for another release, events that the broker never takes, and what sweeps look for.
SET LOCAL lock_timeout = '5s';

-- A row is an event of a type that the release which took it did not know: the first that knows it applies it.
CREATE TABLE waiting_events (
    queue text NOT NULL,
    event_id text NOT NULL,
    type text NOT NULL,
    envelope bytea NOT NULL,
    arrived_at timestamptz NOT NULL DEFAULT now(),
    -- Failed tries since its type is known, and why.
    attempts integer NOT NULL DEFAULT 0,
    reason text,
    PRIMARY KEY (queue, event_id)
);

CREATE INDEX waiting_events_by_type ON waiting_events (queue, type, arrived_at);

-- A row is an event that the broker refused for good; it was taken out of the outbox so that others go on.
CREATE TABLE unpublished (
    id bigint PRIMARY KEY,
    event_id uuid NOT NULL,
    type text NOT NULL,
    subject text NOT NULL,
    audience text NOT NULL,
    envelope bytea NOT NULL,
    recorded_at timestamptz NOT NULL,
    reason text NOT NULL,
    refused_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX dead_letters_died_at ON dead_letters (died_at);
CREATE INDEX delivery_attempts_last_at ON delivery_attempts (last_at);
