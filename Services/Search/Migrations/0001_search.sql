-- What can be found, by what, and who may see it.

SET LOCAL lock_timeout = '5s';

-- Whom there is, as far as what they wrote may be shown. Somebody of whom nothing is known has allowed nothing.
CREATE TABLE accounts (
    id bigint PRIMARY KEY,
    version bigint NOT NULL,
    handle text COLLATE "C" NOT NULL,
    indexable boolean NOT NULL,
    gone boolean NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX accounts_handle ON accounts (handle);

-- Follows and blocks: the newest word on each pair; one that was taken back keeps its row.
CREATE TABLE ties (
    kind smallint NOT NULL,
    account_id bigint NOT NULL,
    target_id bigint NOT NULL,
    version bigint NOT NULL,
    active boolean NOT NULL,
    PRIMARY KEY (kind, account_id, target_id)
) WITH (fillfactor = 80);
-- Who has blocked somebody.
CREATE INDEX ties_blocking ON ties (target_id, account_id) WHERE kind = 2 AND active;

-- Who is in which channel or playground now. `term` is what its documents are kept under.
CREATE TABLE memberships (
    account_id bigint NOT NULL,
    place_id bigint NOT NULL,
    version bigint NOT NULL,
    active boolean NOT NULL,
    term integer NOT NULL,
    PRIMARY KEY (account_id, place_id)
) WITH (fillfactor = 80);

-- Parts of the index by the age of what is in them, a thousand documents each.
CREATE TABLE segments (
    kind smallint NOT NULL,
    number integer NOT NULL,
    first_id bigint NOT NULL,
    PRIMARY KEY (kind, number)
);

-- Terms that many documents have: from segment `since` on, the documents of 2^shift segments share a key of a term.
CREATE TABLE frequent (
    kind smallint NOT NULL,
    term integer NOT NULL,
    since integer NOT NULL,
    shift smallint NOT NULL,
    PRIMARY KEY (kind, term, since)
);
CREATE INDEX frequent_since ON frequent (kind, since);

-- What can be found. One that was removed keeps its row without content, so that what arrives late is known to be late.
CREATE TABLE documents (
    kind smallint NOT NULL,
    id bigint NOT NULL,
    version bigint NOT NULL,
    author_id bigint,
    audience smallint NOT NULL,
    place_id bigint,
    people bigint[] NOT NULL,
    popularity integer NOT NULL,
    popularity_version bigint NOT NULL,
    gone boolean NOT NULL,
    keys integer[] NOT NULL,
    form text COLLATE "C" NOT NULL,
    source text NOT NULL,
    PRIMARY KEY (kind, id)
) WITH (fillfactor = 90);
-- Every look into a pending list would be repeated for each segment.
CREATE INDEX documents_keys ON documents USING gin (keys) WITH (fastupdate = off);

-- Names and titles by the keys that write them, from each place where somebody may begin to type. `weight` rises by one with each
-- doubling of how popular the document is, so it is seldom written.
CREATE TABLE names (
    kind smallint NOT NULL,
    id bigint NOT NULL,
    position smallint NOT NULL,
    typed text COLLATE "C" NOT NULL,
    initials text COLLATE "C",
    near integer[],
    within boolean NOT NULL,
    weight smallint NOT NULL,
    PRIMARY KEY (kind, id, position)
);
-- Of a beginning that half of all names have, the most popular are found first.
CREATE INDEX names_typed ON names (kind, within, weight, typed);
CREATE INDEX names_initials ON names (kind, within, weight, initials) WHERE initials IS NOT NULL;
CREATE INDEX names_near ON names USING gin (near) WITH (fastupdate = off);

-- Words that spaces part, as they were written anywhere: what a beginning or a slip may have meant. Never shown.
CREATE TABLE words (
    word text COLLATE "C" PRIMARY KEY,
    near integer[] NOT NULL
);
CREATE INDEX words_near ON words USING gin (near) WITH (fastupdate = off);
