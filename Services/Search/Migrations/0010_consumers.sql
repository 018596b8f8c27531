-- What the consumer keeps besides documents: places, what is used in public, and how long what has ended is known.

SET LOCAL lock_timeout = '5s';

-- `profile` is a number of the words of a profile: while it stays, no key is written. What is known of somebody before anything
-- shows them has the version -1.
ALTER TABLE accounts
    ADD COLUMN profile bigint NOT NULL DEFAULT 0,
    ADD COLUMN followers integer NOT NULL DEFAULT 0,
    ADD COLUMN is_suggested boolean NOT NULL DEFAULT false,
    ADD COLUMN hides_follows boolean NOT NULL DEFAULT false,
    ADD COLUMN languages text[] NOT NULL DEFAULT '{}',
    ADD COLUMN language text NOT NULL DEFAULT '';
CREATE INDEX accounts_followed ON accounts (followers DESC, id DESC) WHERE is_suggested AND NOT gone;

ALTER TABLE ties ADD COLUMN changed_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX ties_ended ON ties (changed_at) WHERE NOT active;

ALTER TABLE memberships ADD COLUMN changed_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX memberships_ended ON memberships (changed_at) WHERE NOT active;
CREATE INDEX memberships_of_place ON memberships (place_id, account_id) WHERE active;

ALTER TABLE documents ADD COLUMN changed_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX documents_gone ON documents (changed_at) WHERE gone;
CREATE INDEX documents_of_place ON documents (place_id, id) WHERE place_id IS NOT NULL;

-- Playgrounds and channels, direct ones too; `name` as it is typed in a query. One that is gone keeps its row.
CREATE TABLE places (
    id bigint PRIMARY KEY,
    parent_id bigint,
    version bigint NOT NULL,
    name text COLLATE "C" NOT NULL,
    gone boolean NOT NULL,
    changed_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 80);
CREATE INDEX places_of_playground ON places (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX places_gone ON places (changed_at) WHERE gone;

-- Hashtags (3) and links (11) of public posts of the last days. The day is the post's id.
CREATE TABLE uses (
    post_id bigint NOT NULL,
    kind smallint NOT NULL,
    thing_id bigint NOT NULL,
    account_id bigint NOT NULL,
    PRIMARY KEY (post_id, kind, thing_id)
);
CREATE INDEX uses_of_thing ON uses (kind, thing_id, post_id) INCLUDE (account_id);

-- Links by the number of their address.
CREATE TABLE links (
    id bigint PRIMARY KEY,
    url text NOT NULL,
    last_post_id bigint NOT NULL
);
CREATE INDEX links_old ON links (last_post_id);

-- Posts of the last days that somebody thinks something of; so that the keys of no post hang on how popular it is.
CREATE TABLE popular (
    post_id bigint PRIMARY KEY,
    popularity integer NOT NULL,
    version bigint NOT NULL
) WITH (fillfactor = 70);

-- Who asked what, as numbers of both: nothing is shown before many have asked it, and its text is not kept before.
CREATE TABLE askers (
    query_id bigint NOT NULL,
    asker_id bigint NOT NULL,
    asked_at timestamptz NOT NULL,
    PRIMARY KEY (query_id, asker_id)
);
CREATE INDEX askers_old ON askers (asked_at);
CREATE TABLE popular_queries (
    query_id bigint PRIMARY KEY,
    typed text COLLATE "C" NOT NULL,
    text text NOT NULL,
    people integer NOT NULL,
    asked_at timestamptz NOT NULL
);
CREATE INDEX popular_queries_typed ON popular_queries (typed);
CREATE INDEX popular_queries_old ON popular_queries (asked_at);
