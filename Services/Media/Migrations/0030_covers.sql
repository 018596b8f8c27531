-- Covers of books: pictures of others that somebody looked at.

SET LOCAL lock_timeout = '5s';

CREATE TABLE covers (
    -- SHA-256 of the URL.
    hash bytea PRIMARY KEY,
    host text NOT NULL,
    -- The name of the stored file; null where there is none.
    file text,
    -- Under which the file stands in renditions.
    image_id bigint,
    -- When somebody looked at it last, to a day.
    touched_at timestamptz NOT NULL,
    -- Until when nobody asks for it again; null until somebody has.
    fresh_until timestamptz,
    -- Until when its fetching counts for its host, and nobody else begins.
    leased_until timestamptz,
    CHECK ((file IS NULL) = (image_id IS NULL))
) WITH (fillfactor = 80);
CREATE INDEX covers_touched ON covers (touched_at);
CREATE INDEX covers_leased ON covers (host) WHERE leased_until IS NOT NULL;
