-- Posts, what people did with them, and the home timelines.

-- A boost is a row of its own, an entry of timelines like a post, with `boost_of_id` and no text.
CREATE TABLE posts (
    id bigint PRIMARY KEY,
    account_id bigint NOT NULL REFERENCES accounts,
    text text NOT NULL,
    spoiler_text text NOT NULL DEFAULT '',
    sensitive boolean NOT NULL DEFAULT false,
    visibility text NOT NULL CHECK (visibility IN ('public', 'unlisted', 'private', 'direct')),
    language text,
    in_reply_to_id bigint,
    in_reply_to_account_id bigint,
    conversation_id bigint NOT NULL,
    boost_of_id bigint REFERENCES posts,
    -- [{"id": "1", "username": "a"}]; the same ids in mentioned_ids, for the rule of visibility
    mentions jsonb NOT NULL DEFAULT '[]',
    mentioned_ids bigint[] NOT NULL DEFAULT '{}',
    tags text[] NOT NULL DEFAULT '{}',
    app_name text,
    app_website text,
    created_at timestamptz NOT NULL,
    edited_at timestamptz,
    deleted_at timestamptz,
    replies_count bigint NOT NULL DEFAULT 0 CHECK (replies_count >= 0),
    boosts_count bigint NOT NULL DEFAULT 0 CHECK (boosts_count >= 0),
    favourites_count bigint NOT NULL DEFAULT 0 CHECK (favourites_count >= 0),
    version bigint NOT NULL DEFAULT 1
) WITH (fillfactor = 85);
CREATE INDEX posts_account ON posts (account_id, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX posts_public ON posts (id DESC) WHERE visibility = 'public' AND boost_of_id IS NULL AND deleted_at IS NULL;
CREATE INDEX posts_replies ON posts (in_reply_to_id, id) WHERE in_reply_to_id IS NOT NULL AND deleted_at IS NULL;
CREATE UNIQUE INDEX posts_boosts ON posts (boost_of_id, account_id) WHERE boost_of_id IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX posts_tags ON posts USING gin (tags) WHERE tags <> '{}' AND deleted_at IS NULL;

CREATE TABLE post_edits (
    post_id bigint NOT NULL REFERENCES posts,
    created_at timestamptz NOT NULL,
    text text NOT NULL,
    spoiler_text text NOT NULL,
    sensitive boolean NOT NULL,
    PRIMARY KEY (post_id, created_at)
);

CREATE TABLE favourites (
    account_id bigint NOT NULL REFERENCES accounts,
    post_id bigint NOT NULL REFERENCES posts,
    id bigint NOT NULL,
    PRIMARY KEY (account_id, post_id)
);
CREATE INDEX favourites_list ON favourites (account_id, id DESC);
CREATE INDEX favourites_post ON favourites (post_id, id DESC);

CREATE TABLE bookmarks (
    account_id bigint NOT NULL REFERENCES accounts,
    post_id bigint NOT NULL REFERENCES posts,
    id bigint NOT NULL,
    PRIMARY KEY (account_id, post_id)
);
CREATE INDEX bookmarks_list ON bookmarks (account_id, id DESC);

CREATE TABLE conversation_mutes (
    account_id bigint NOT NULL REFERENCES accounts,
    conversation_id bigint NOT NULL,
    PRIMARY KEY (account_id, conversation_id)
);

-- One entry for each post or boost that fan-out brought into a home timeline. Accounts with many followers are
-- not fanned out: their posts are read from `posts` when the timeline is read.
CREATE TABLE timeline (
    account_id bigint NOT NULL,
    post_id bigint NOT NULL,
    author_id bigint NOT NULL,
    PRIMARY KEY (account_id, post_id)
);
CREATE INDEX timeline_post ON timeline (post_id);
CREATE INDEX timeline_author ON timeline (account_id, author_id);

CREATE TABLE idempotency_keys (
    account_id bigint NOT NULL,
    key text NOT NULL,
    request_hash bytea NOT NULL,
    post_id bigint NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

-- The one rule of who may see a post. `viewer` is null for somebody who is not signed in.
CREATE FUNCTION is_visible(author bigint, visibility text, mentioned bigint[], viewer bigint) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT CASE
        WHEN viewer IS NULL THEN visibility IN ('public', 'unlisted')
        WHEN author = viewer THEN true
        WHEN EXISTS (
            SELECT FROM blocks b
            WHERE (b.account_id = author AND b.target_id = viewer) OR (b.account_id = viewer AND b.target_id = author)
        ) THEN false
        WHEN visibility IN ('public', 'unlisted') THEN true
        WHEN viewer = ANY (mentioned) THEN true
        WHEN visibility = 'private' THEN EXISTS (
            SELECT FROM follows f WHERE f.follower_id = viewer AND f.followee_id = author
        )
        ELSE false
    END
$$;
