-- Pages that posts and messages link to, and who links to them.

SET LOCAL lock_timeout = '5s';

-- A page is its own job: it is fetched when it is due, and by one at a time.
CREATE TABLE links (
    -- SHA-256 of the URL.
    hash bytea PRIMARY KEY,
    id bigint NOT NULL UNIQUE,
    url text NOT NULL,
    host text NOT NULL,
    state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'ready', 'nothing')),
    version bigint NOT NULL DEFAULT 0,
    -- What LinkPreviewReady told.
    card jsonb,
    -- Under which its files stand in renditions.
    image_id bigint,
    -- When it was last mentioned anew, or looked at by the sweep.
    touched_at timestamptz NOT NULL,
    fetched_at timestamptz,
    -- Until when nobody fetches it again, however often it is mentioned.
    fresh_until timestamptz,
    -- When it may be fetched; null while it need not be.
    due_at timestamptz,
    attempts integer NOT NULL DEFAULT 0,
    -- Until when its fetching counts for its host.
    leased_until timestamptz,
    CHECK ((state = 'ready') = (card IS NOT NULL))
) WITH (fillfactor = 80);
CREATE INDEX links_due ON links (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX links_leased ON links (host) WHERE leased_until IS NOT NULL;
CREATE INDEX links_touched ON links (touched_at);

-- Which page a post or a message shows, by its newest version.
CREATE TABLE mentions (
    kind text NOT NULL,
    subject_id bigint NOT NULL,
    version bigint NOT NULL,
    -- Null where it shows none any more: kept for a while, so that what is late is known to be late.
    hash bytea,
    touched_at timestamptz NOT NULL,
    PRIMARY KEY (kind, subject_id)
);
CREATE INDEX mentions_hash ON mentions (hash) WHERE hash IS NOT NULL;
CREATE INDEX mentions_ended ON mentions (touched_at) WHERE hash IS NULL;
