-- Events to be told, events that were handled, and events that could not be.
SET LOCAL lock_timeout = '5s';

-- A row is an event that is still to be published; the relay deletes it when the broker has it.
CREATE TABLE outbox (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    event_id uuid NOT NULL,
    type text NOT NULL,
    subject text NOT NULL,
    audience text NOT NULL CHECK (audience IN ('events', 'live')),
    envelope bytea NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now(),
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL DEFAULT now()
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- The few that failed: later events of the same subject wait behind them.
CREATE INDEX outbox_failed ON outbox (subject, id) WHERE attempts > 0;

-- A row is an event that a consumer has handled; forgotten after 30 days.
CREATE TABLE inbox (
    consumer text NOT NULL,
    event_id uuid NOT NULL,
    claimed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (consumer, event_id)
);

CREATE INDEX inbox_claimed_at ON inbox USING brin (claimed_at);

-- How often an event failed in a consumer.
CREATE TABLE delivery_attempts (
    queue text NOT NULL,
    event_id text NOT NULL,
    attempts integer NOT NULL,
    reason text NOT NULL,
    last_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (queue, event_id)
);

-- Why a message went to the dead letters; the message itself is in the broker.
CREATE TABLE dead_letters (
    queue text NOT NULL,
    event_id text NOT NULL,
    type text NOT NULL,
    reason text NOT NULL,
    died_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (queue, event_id)
);
