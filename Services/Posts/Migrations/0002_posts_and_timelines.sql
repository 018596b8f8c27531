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
    -- Side by side: the accounts that the text names.
    mentioned_ids bigint[] NOT NULL DEFAULT '{}',
    mentioned_names text[] NOT NULL DEFAULT '{}',
    tags text[] NOT NULL DEFAULT '{}',
    app_name text,
    app_website text,
    created_at timestamptz NOT NULL,
    edited_at timestamptz,
    -- A deleted post stays as a tombstone: whatever comes late about it finds that it is gone.
    deleted_at timestamptz,
    replies_count bigint NOT NULL DEFAULT 0 CHECK (replies_count >= 0),
    boosts_count bigint NOT NULL DEFAULT 0 CHECK (boosts_count >= 0),
    favourites_count bigint NOT NULL DEFAULT 0 CHECK (favourites_count >= 0),
    version bigint NOT NULL DEFAULT 1
) WITH (fillfactor = 85);
CREATE INDEX posts_account ON posts (account_id, id DESC) WHERE deleted_at IS NULL;
-- What the public timeline shows: replies to others are read in their threads.
CREATE INDEX posts_public ON posts (id DESC)
    WHERE visibility = 'public' AND boost_of_id IS NULL AND deleted_at IS NULL
        AND (in_reply_to_id IS NULL OR in_reply_to_account_id = account_id);
-- Tombstones too: they hold a thread together.
CREATE INDEX posts_replies ON posts (in_reply_to_id, id) WHERE in_reply_to_id IS NOT NULL;
CREATE UNIQUE INDEX posts_boosts ON posts (boost_of_id, account_id) WHERE boost_of_id IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX posts_boosts_list ON posts (boost_of_id, id DESC) WHERE boost_of_id IS NOT NULL AND deleted_at IS NULL;

-- The public posts of each tag, so that a tag is read newest first without sorting.
CREATE TABLE post_tags (
    tag text NOT NULL,
    post_id bigint NOT NULL,
    PRIMARY KEY (tag, post_id)
);

-- What a post was before each edit, and since when.
CREATE TABLE post_edits (
    post_id bigint NOT NULL REFERENCES posts,
    created_at timestamptz NOT NULL,
    text text NOT NULL,
    spoiler_text text NOT NULL,
    sensitive boolean NOT NULL,
    mentioned_ids bigint[] NOT NULL,
    mentioned_names text[] NOT NULL,
    PRIMARY KEY (post_id, created_at)
);

CREATE TABLE favourites (
    account_id bigint NOT NULL REFERENCES accounts,
    post_id bigint NOT NULL REFERENCES posts,
    id bigint NOT NULL,
    PRIMARY KEY (account_id, post_id)
);
CREATE INDEX favourites_list ON favourites (account_id, id DESC) INCLUDE (post_id);
CREATE INDEX favourites_post ON favourites (post_id, id DESC) INCLUDE (account_id);

CREATE TABLE bookmarks (
    account_id bigint NOT NULL REFERENCES accounts,
    post_id bigint NOT NULL REFERENCES posts,
    id bigint NOT NULL,
    PRIMARY KEY (account_id, post_id)
);
CREATE INDEX bookmarks_list ON bookmarks (account_id, id DESC) INCLUDE (post_id);

CREATE TABLE conversation_mutes (
    account_id bigint NOT NULL REFERENCES accounts,
    conversation_id bigint NOT NULL,
    PRIMARY KEY (account_id, conversation_id)
);

-- One entry for each post or boost that fan-out brought into a home timeline.
CREATE TABLE timeline (
    account_id bigint NOT NULL,
    post_id bigint NOT NULL,
    author_id bigint NOT NULL,
    PRIMARY KEY (account_id, post_id) INCLUDE (author_id)
);
CREATE INDEX timeline_post ON timeline (post_id);
CREATE INDEX timeline_author ON timeline (account_id, author_id);

-- Accounts with so many followers that some of their posts were not fanned out: those are read from `posts` when a
-- timeline is read. An account stays here when it loses followers, for the sake of those posts.
CREATE TABLE popular_accounts (
    account_id bigint PRIMARY KEY
);

CREATE TABLE idempotency_keys (
    account_id bigint NOT NULL,
    key text NOT NULL,
    request_hash bytea NOT NULL,
    post_id bigint NOT NULL,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, key)
);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

-- The one rule of who may see a post. `viewer` is null for somebody who is not signed in. `blocked` says whether
-- author and viewer have a block between them, `follows` whether the viewer follows the author: they are parameters,
-- so that the planner can take this function apart and look them up only when they matter.
CREATE FUNCTION is_visible(
    author bigint,
    visibility text,
    mentioned bigint[],
    viewer bigint,
    blocked boolean,
    follows boolean
) RETURNS boolean
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT CASE
        WHEN viewer IS NULL THEN visibility IN ('public', 'unlisted')
        WHEN author = viewer THEN true
        WHEN blocked THEN false
        WHEN visibility IN ('public', 'unlisted') THEN true
        WHEN viewer = ANY (mentioned) THEN true
        WHEN visibility = 'private' THEN follows
        ELSE false
    END
$$;

-- Everyone who has a block with the viewer, whoever made it.
CREATE FUNCTION blocked_with(viewer bigint) RETURNS TABLE (id bigint)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT b.target_id FROM blocks b WHERE b.account_id = viewer
    UNION ALL
    SELECT b.account_id FROM blocks b WHERE b.target_id = viewer
$$;

-- Everyone whose posts no list shows to the viewer.
CREATE FUNCTION hidden_from(viewer bigint) RETURNS TABLE (id bigint)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT b.target_id FROM blocks b WHERE b.account_id = viewer
    UNION ALL
    SELECT b.account_id FROM blocks b WHERE b.target_id = viewer
    UNION ALL
    SELECT m.target_id FROM mutes m
    WHERE m.account_id = viewer AND (m.expires_at IS NULL OR m.expires_at > statement_timestamp())
$$;

-- What the viewer has done with a post.
CREATE FUNCTION viewer_flags(viewer bigint, post bigint, conversation bigint)
RETURNS TABLE (favourited boolean, boosted boolean, bookmarked boolean, muted boolean)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT
        EXISTS (SELECT FROM favourites f WHERE f.account_id = viewer AND f.post_id = post),
        EXISTS (
            SELECT FROM posts b WHERE b.boost_of_id = post AND b.account_id = viewer AND b.deleted_at IS NULL
        ),
        EXISTS (SELECT FROM bookmarks k WHERE k.account_id = viewer AND k.post_id = post),
        EXISTS (SELECT FROM conversation_mutes m WHERE m.account_id = viewer AND m.conversation_id = conversation)
$$;

-- Every post and every boost as an entry of a list: the post that is shown, its author, and who boosted it. The one
-- place where the columns stand that a status is read from, in the order in which the program reads them.
CREATE VIEW entries AS
SELECT
    e.id AS entry_id,
    p.id,
    p.account_id,
    p.text,
    p.spoiler_text,
    p.sensitive,
    p.visibility,
    p.language,
    p.in_reply_to_id,
    p.in_reply_to_account_id,
    p.mentioned_ids,
    p.mentioned_names,
    p.tags,
    p.app_name,
    p.app_website,
    p.created_at,
    p.edited_at,
    p.replies_count,
    p.boosts_count,
    p.favourites_count,
    p.version,
    a.id AS author_id,
    a.username AS author_username,
    a.display_name AS author_display_name,
    a.note AS author_note,
    a.fields AS author_fields,
    a.locked AS author_locked,
    a.bot AS author_bot,
    a.discoverable AS author_discoverable,
    a.created_at AS author_created_at,
    a.last_post_at AS author_last_post_at,
    a.posts_count AS author_posts_count,
    a.followers_count AS author_followers_count,
    a.following_count AS author_following_count,
    a.version AS author_version,
    CASE WHEN e.boost_of_id IS NOT NULL THEN e.visibility END AS boost_visibility,
    e.created_at AS boost_created_at,
    b.id AS booster_id,
    b.username AS booster_username,
    b.display_name AS booster_display_name,
    b.note AS booster_note,
    b.fields AS booster_fields,
    b.locked AS booster_locked,
    b.bot AS booster_bot,
    b.discoverable AS booster_discoverable,
    b.created_at AS booster_created_at,
    b.last_post_at AS booster_last_post_at,
    b.posts_count AS booster_posts_count,
    b.followers_count AS booster_followers_count,
    b.following_count AS booster_following_count,
    b.version AS booster_version,
    p.conversation_id
FROM posts e
JOIN posts p ON p.id = coalesce(e.boost_of_id, e.id)
JOIN accounts a ON a.id = p.account_id
LEFT JOIN accounts b ON b.id = CASE WHEN e.boost_of_id IS NOT NULL THEN e.account_id END
WHERE e.deleted_at IS NULL AND p.deleted_at IS NULL;
