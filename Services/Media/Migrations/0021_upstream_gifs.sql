-- What catalogues of others answered, and what people keep of them.

SET LOCAL lock_timeout = '5s';

-- Answers, as long as they serve. Nothing says who looked for something, nor for what.
CREATE TABLE gif_answers (
    -- SHA-256 of who is asked for what.
    hash bytea PRIMARY KEY,
    -- Ids as clients have them, and the items of the same order as they came.
    ids text[] COLLATE "C" NOT NULL DEFAULT '{}',
    items text[] NOT NULL DEFAULT '{}',
    -- How many there are in all, of which these are a part.
    total bigint NOT NULL DEFAULT 0,
    -- When it was answered, or first asked for.
    touched_at timestamptz NOT NULL,
    -- Null until it was answered.
    fresh_until timestamptz,
    -- Until when nobody else asks.
    leased_until timestamptz
);
CREATE INDEX gif_answers_ids ON gif_answers USING gin (ids) WITH (fastupdate = off);
CREATE INDEX gif_answers_touched ON gif_answers (touched_at);

-- Of others, what is somebody's favourite or in a collection, where its number stands in place of an entry's id.
CREATE TABLE upstream_gifs (
    id bigint PRIMARY KEY,
    gif text COLLATE "C" NOT NULL UNIQUE,
    item text NOT NULL,
    -- When it was last kept by somebody, or looked at by the sweep.
    touched_at timestamptz NOT NULL
);
CREATE INDEX upstream_gifs_touched ON upstream_gifs (touched_at);
