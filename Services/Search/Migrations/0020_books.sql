-- What catalogues of books outside answered, and what apps tell of how they are used.

SET LOCAL lock_timeout = '5s';

-- Books as a source tells of them: the catalogue for when nobody answers.
CREATE TABLE books (
    source text COLLATE "C" NOT NULL,
    -- As the source calls it.
    id text COLLATE "C" NOT NULL,
    -- Thirteen digits.
    isbn text COLLATE "C",
    -- What was told, as JSON of our own.
    item text NOT NULL,
    -- The numbers of the words of its title, its people and its publisher.
    terms integer[] NOT NULL,
    told_at timestamptz NOT NULL,
    PRIMARY KEY (source, id)
) WITH (fillfactor = 80);
CREATE INDEX books_isbn ON books (isbn) WHERE isbn IS NOT NULL;
CREATE INDEX books_terms ON books USING gin (terms) WITH (fastupdate = off);
CREATE INDEX books_told ON books (told_at);

-- Answers, as long as they serve. Nothing says who looked for something, nor for what.
CREATE TABLE book_answers (
    -- SHA-256 of who is asked for what.
    hash bytea PRIMARY KEY,
    source text COLLATE "C" NOT NULL,
    -- Of books of the source, in its order.
    ids text[] COLLATE "C" NOT NULL DEFAULT '{}',
    -- How many there are in all, of which these are a part.
    total bigint NOT NULL DEFAULT 0,
    -- When it was answered, or first asked for.
    touched_at timestamptz NOT NULL,
    -- Null until it was answered.
    fresh_until timestamptz,
    -- Until when nobody else asks.
    leased_until timestamptz
);
CREATE INDEX book_answers_touched ON book_answers (touched_at);

-- How often a source was asked on a day of UTC.
CREATE TABLE book_asks (
    source text COLLATE "C" NOT NULL,
    day date NOT NULL,
    asked bigint NOT NULL,
    PRIMARY KEY (source, day)
) WITH (fillfactor = 50);

-- Events of apps by days of UTC, names and what the app is. Nothing says whose.
CREATE TABLE usage (
    day date NOT NULL,
    name text COLLATE "C" NOT NULL,
    platform text COLLATE "C" NOT NULL,
    version text COLLATE "C" NOT NULL,
    events bigint NOT NULL,
    PRIMARY KEY (day, name, platform, version)
) WITH (fillfactor = 50);

-- Names (1) and versions (2) that are counted by themselves, and the last day on which they were told; what is beyond their number
-- is counted as `other`.
CREATE TABLE usage_words (
    kind smallint NOT NULL,
    word text COLLATE "C" NOT NULL,
    told_on date NOT NULL,
    PRIMARY KEY (kind, word)
);
