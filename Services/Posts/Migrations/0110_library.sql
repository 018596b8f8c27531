-- Shelves: books that somebody has, their readings of each, and how many they mean to read.
SET LOCAL lock_timeout = '5s';

-- Every change of a shelf takes the next number of its row, which it holds until it is committed: whoever has seen a number has
-- seen all that are lower.
CREATE TABLE shelves (
    account_id bigint PRIMARY KEY REFERENCES accounts,
    version bigint NOT NULL DEFAULT 0,
    -- Of the newest deletion that is remembered no more.
    forgotten bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 80);

CREATE TABLE shelf_books (
    id bigint PRIMARY KEY,
    account_id bigint NOT NULL REFERENCES accounts,
    version bigint NOT NULL,
    -- SHA-256 of the ISBN, else of the folded title and authors: a book is on a shelf once.
    key bytea NOT NULL,
    title text NOT NULL,
    authors text[] NOT NULL,
    translators text[] NOT NULL DEFAULT '{}',
    publisher text,
    -- YYYY, YYYY-MM or YYYY-MM-DD.
    published_on text,
    isbn text,
    description text,
    pages integer CHECK (pages > 0),
    language text,
    cover_url text,
    link text,
    -- What is looked for in a shelf, folded.
    folded text NOT NULL,
    UNIQUE (account_id, key)
);
CREATE INDEX shelf_books_list ON shelf_books (account_id, id DESC);
CREATE INDEX shelf_books_changes ON shelf_books (account_id, version);

CREATE TABLE reading_records (
    id bigint PRIMARY KEY,
    account_id bigint NOT NULL REFERENCES accounts,
    book_id bigint NOT NULL REFERENCES shelf_books,
    -- As the app called it that made it, perhaps without a network.
    client_id uuid,
    version bigint NOT NULL,
    state text NOT NULL CHECK (state IN ('planned', 'reading', 'finished', 'abandoned')),
    -- Half stars.
    rating smallint CHECK (rating BETWEEN 1 AND 10),
    one_line text,
    review text,
    quotes jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(quotes) = 'array'),
    started_on date,
    ended_on date,
    ended_year integer GENERATED ALWAYS AS (extract(year FROM ended_on)::integer) STORED,
    ended_month integer GENERATED ALWAYS AS (extract(month FROM ended_on)::integer) STORED,
    -- Orders favourites; null for what is none.
    favourite_id bigint,
    visibility text NOT NULL CHECK (visibility IN ('private', 'followers', 'public')),
    updated_at timestamptz NOT NULL,
    CHECK (started_on <= ended_on),
    UNIQUE (account_id, client_id)
);
CREATE INDEX reading_records_list ON reading_records (account_id, id DESC);
CREATE INDEX reading_records_states ON reading_records (account_id, state, id DESC);
CREATE INDEX reading_records_book ON reading_records (book_id, id DESC);
CREATE INDEX reading_records_changes ON reading_records (account_id, version);
CREATE INDEX reading_records_favourites ON reading_records (account_id, favourite_id DESC) WHERE favourite_id IS NOT NULL;
CREATE INDEX reading_records_shown ON reading_records (account_id, id DESC) WHERE visibility <> 'private';
CREATE INDEX reading_records_finished ON reading_records (account_id, ended_on) INCLUDE (ended_year, ended_month, book_id)
    WHERE state = 'finished' AND ended_on IS NOT NULL;

-- How far somebody was on a day, the newest word of that day.
CREATE TABLE reading_progress (
    record_id bigint NOT NULL REFERENCES reading_records ON DELETE CASCADE,
    day date NOT NULL,
    account_id bigint NOT NULL,
    page integer CHECK (page >= 0),
    percent smallint CHECK (percent BETWEEN 0 AND 100),
    PRIMARY KEY (record_id, day),
    CHECK (page IS NOT NULL OR percent IS NOT NULL)
);
CREATE INDEX reading_progress_days ON reading_progress (account_id, day);

-- Texts that lost to a later write that did not know of them.
CREATE TABLE earlier_texts (
    id bigint PRIMARY KEY,
    record_id bigint NOT NULL REFERENCES reading_records ON DELETE CASCADE,
    field text NOT NULL CHECK (field IN ('one_line', 'review', 'quotes')),
    text text NOT NULL
);
CREATE INDEX earlier_texts_record ON earlier_texts (record_id, id DESC);

CREATE TABLE reading_goals (
    account_id bigint NOT NULL REFERENCES accounts,
    year integer NOT NULL CHECK (year BETWEEN 1 AND 9999),
    -- 0 for the year as a whole.
    month integer NOT NULL CHECK (month BETWEEN 0 AND 12),
    version bigint NOT NULL,
    books integer NOT NULL CHECK (books > 0),
    reached_at timestamptz,
    PRIMARY KEY (account_id, year, month)
);
CREATE INDEX reading_goals_changes ON reading_goals (account_id, version);

-- What was taken off a shelf, for the devices that do not know it yet.
CREATE TABLE shelf_tombstones (
    account_id bigint NOT NULL,
    version bigint NOT NULL,
    kind text NOT NULL CHECK (kind IN ('book', 'record', 'goal')),
    item_id bigint NOT NULL,
    client_id uuid,
    deleted_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, version)
);
CREATE INDEX shelf_tombstones_client ON shelf_tombstones (account_id, client_id) WHERE client_id IS NOT NULL;
CREATE INDEX shelf_tombstones_age ON shelf_tombstones (deleted_at);

-- Writes that were taken, by the names that apps gave them, so that one that comes again changes nothing.
CREATE TABLE shelf_writes (
    account_id bigint NOT NULL,
    key uuid NOT NULL,
    taken_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, key)
);
CREATE INDEX shelf_writes_age ON shelf_writes (taken_at);
