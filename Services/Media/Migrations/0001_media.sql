-- Uploads, the files made of them, and who shows them.

SET LOCAL lock_timeout = '5s';

-- An upload is its own job. What came is kept beside, under its id, until it is ready or failed.
CREATE TABLE uploads (
    id bigint PRIMARY KEY,
    owner_id bigint NOT NULL,
    state text NOT NULL CHECK (state IN ('receiving', 'processing', 'ready', 'failed')),
    version bigint NOT NULL DEFAULT 1,
    purpose text NOT NULL,
    description text,
    focus_x double precision,
    focus_y double precision,
    -- Bytes that will come, and that came.
    length bigint NOT NULL,
    received bigint NOT NULL,
    created_at timestamptz NOT NULL,
    -- Until when what is still coming may go on coming.
    expires_at timestamptz,
    attempts integer NOT NULL DEFAULT 0,
    leased_until timestamptz,
    failure text,
    -- What MediaProcessed told.
    media jsonb,
    -- Bytes that count for the owner.
    kept_bytes bigint NOT NULL,
    -- Since when nobody shows it; null while somebody does.
    unused_since timestamptz,
    CHECK ((focus_x IS NULL) = (focus_y IS NULL)),
    CHECK ((state = 'ready') = (media IS NOT NULL)),
    CHECK ((state = 'failed') = (failure IS NOT NULL))
) WITH (fillfactor = 80);
CREATE INDEX uploads_owner ON uploads (owner_id, state, kept_bytes);
CREATE INDEX uploads_waiting ON uploads (id) WHERE state = 'processing';
CREATE INDEX uploads_expiring ON uploads (expires_at) WHERE state = 'receiving';
CREATE INDEX uploads_unused ON uploads (unused_since) WHERE unused_since IS NOT NULL;

-- Stored files by their names, which are made of what is in them.
CREATE TABLE files (
    name text COLLATE "C" PRIMARY KEY,
    bytes bigint NOT NULL,
    -- Since when perhaps nothing is made of it: it is looked at before it goes.
    loose_since timestamptz
);
CREATE INDEX files_loose ON files (loose_since) WHERE loose_since IS NOT NULL;

-- Which files an upload consists of.
CREATE TABLE renditions (
    upload_id bigint NOT NULL,
    file text COLLATE "C" NOT NULL,
    PRIMARY KEY (upload_id, file)
);
CREATE INDEX renditions_file ON renditions (file);

-- Which uploads something shows, by its newest version.
CREATE TABLE uses (
    kind text NOT NULL,
    subject_id bigint NOT NULL,
    upload_id bigint NOT NULL,
    PRIMARY KEY (kind, subject_id, upload_id)
);
CREATE INDEX uses_upload ON uses (upload_id);

-- The newest version of what shows or showed uploads, so that what is late is known to be late.
CREATE TABLE subjects (
    kind text NOT NULL,
    id bigint NOT NULL,
    version bigint NOT NULL,
    touched_at timestamptz NOT NULL,
    PRIMARY KEY (kind, id)
);
CREATE INDEX subjects_touched ON subjects (touched_at);
