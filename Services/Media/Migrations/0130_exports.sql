-- Archives of what is somebody's.
SET LOCAL lock_timeout = '5s';

CREATE TABLE exports (
    id bigint PRIMARY KEY,
    account_id bigint NOT NULL,
    -- Parts come; the archive is written; it is there; it could not be made; its owner took it away; its time is over.
    state text NOT NULL DEFAULT 'gathering'
        CHECK (state IN ('gathering', 'writing', 'ready', 'failed', 'deleted', 'expired')),
    asked_at timestamptz NOT NULL,
    ready_at timestamptz,
    expires_at timestamptz,
    -- Of the stored file.
    file text,
    bytes bigint,
    failure text,
    attempts integer NOT NULL DEFAULT 0,
    leased_until timestamptz
);
CREATE UNIQUE INDEX exports_under_way ON exports (account_id) WHERE state IN ('gathering', 'writing');
CREATE INDEX exports_account ON exports (account_id, id DESC);
CREATE INDEX exports_writing ON exports (id) WHERE state = 'writing';
CREATE INDEX exports_gathering ON exports (asked_at) WHERE state = 'gathering';
CREATE INDEX exports_ready ON exports (expires_at) WHERE state = 'ready';
CREATE INDEX exports_ended ON exports (asked_at) WHERE state IN ('failed', 'deleted', 'expired');

-- What services handed over, until the archive is written.
CREATE TABLE export_parts (
    export_id bigint NOT NULL REFERENCES exports ON DELETE CASCADE,
    service text NOT NULL,
    number bigint NOT NULL,
    file text NOT NULL,
    -- What the file is, as JSON, in its first part.
    about text NOT NULL DEFAULT '',
    content bytea NOT NULL,
    is_last boolean NOT NULL,
    PRIMARY KEY (export_id, service, number)
);

CREATE INDEX uploads_of_owner ON uploads (owner_id, id) WHERE state = 'ready';
