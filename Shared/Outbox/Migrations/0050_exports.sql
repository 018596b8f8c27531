-- Archives for which this service hands over its part, and how far that is.
SET LOCAL lock_timeout = '5s';

-- A row goes when everything is handed over, and after two days in any case.
CREATE TABLE export_tasks (
    export_id bigint PRIMARY KEY,
    account_id bigint NOT NULL,
    asked_at timestamptz NOT NULL DEFAULT now(),
    -- The file whose turn it is, empty before the first; after which key; and how many rows of it are told, -1
    -- before its beginning.
    file text NOT NULL DEFAULT '',
    position bigint[] NOT NULL DEFAULT '{}',
    rows bigint NOT NULL DEFAULT -1,
    -- Of the next piece.
    number bigint NOT NULL DEFAULT 0,
    -- Failed tries of the next step.
    attempts integer NOT NULL DEFAULT 0,
    due_at timestamptz NOT NULL DEFAULT now(),
    reason text
);
CREATE INDEX export_tasks_due ON export_tasks (due_at);
CREATE INDEX export_tasks_account ON export_tasks (account_id);
CREATE INDEX export_tasks_age ON export_tasks (asked_at);
