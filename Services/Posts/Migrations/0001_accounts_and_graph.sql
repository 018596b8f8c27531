-- Accounts as the world sees them, and who follows, blocks and mutes whom.

CREATE TABLE accounts (
    id bigint PRIMARY KEY,
    username text NOT NULL UNIQUE,
    display_name text NOT NULL DEFAULT '',
    note text NOT NULL DEFAULT '',
    fields jsonb NOT NULL DEFAULT '[]',
    locked boolean NOT NULL DEFAULT false,
    bot boolean NOT NULL DEFAULT false,
    discoverable boolean NOT NULL DEFAULT false,
    default_visibility text NOT NULL DEFAULT 'public'
        CHECK (default_visibility IN ('public', 'unlisted', 'private')),
    default_sensitive boolean NOT NULL DEFAULT false,
    default_language text,
    created_at timestamptz NOT NULL,
    last_post_at timestamptz,
    posts_count bigint NOT NULL DEFAULT 0 CHECK (posts_count >= 0),
    followers_count bigint NOT NULL DEFAULT 0 CHECK (followers_count >= 0),
    following_count bigint NOT NULL DEFAULT 0 CHECK (following_count >= 0),
    version bigint NOT NULL DEFAULT 1
) WITH (fillfactor = 85);
-- For names that begin with a text, whatever the database's collation.
CREATE INDEX accounts_username_prefix ON accounts (username text_pattern_ops);
CREATE INDEX accounts_display_name_prefix ON accounts (lower(display_name) text_pattern_ops);

-- `id` orders the lists and pages them.
CREATE TABLE follows (
    follower_id bigint NOT NULL REFERENCES accounts,
    followee_id bigint NOT NULL REFERENCES accounts,
    id bigint NOT NULL,
    show_boosts boolean NOT NULL DEFAULT true,
    notify boolean NOT NULL DEFAULT false,
    languages text[],
    PRIMARY KEY (follower_id, followee_id),
    CHECK (follower_id <> followee_id)
);
CREATE INDEX follows_followers ON follows (followee_id, id DESC) INCLUDE (follower_id, show_boosts);
CREATE INDEX follows_following ON follows (follower_id, id DESC) INCLUDE (followee_id);

CREATE TABLE follow_requests (
    follower_id bigint NOT NULL REFERENCES accounts,
    followee_id bigint NOT NULL REFERENCES accounts,
    id bigint NOT NULL,
    show_boosts boolean NOT NULL DEFAULT true,
    notify boolean NOT NULL DEFAULT false,
    languages text[],
    PRIMARY KEY (follower_id, followee_id),
    CHECK (follower_id <> followee_id)
);
CREATE INDEX follow_requests_incoming ON follow_requests (followee_id, id DESC);

CREATE TABLE blocks (
    account_id bigint NOT NULL REFERENCES accounts,
    target_id bigint NOT NULL REFERENCES accounts,
    id bigint NOT NULL,
    PRIMARY KEY (account_id, target_id),
    CHECK (account_id <> target_id)
);
CREATE INDEX blocks_list ON blocks (account_id, id DESC);
CREATE INDEX blocks_target ON blocks (target_id);

CREATE TABLE mutes (
    account_id bigint NOT NULL REFERENCES accounts,
    target_id bigint NOT NULL REFERENCES accounts,
    id bigint NOT NULL,
    notifications boolean NOT NULL DEFAULT true,
    expires_at timestamptz,
    PRIMARY KEY (account_id, target_id),
    CHECK (account_id <> target_id)
);
CREATE INDEX mutes_list ON mutes (account_id, id DESC);
CREATE INDEX mutes_target ON mutes (target_id);

-- What one account privately notes of another.
CREATE TABLE account_notes (
    account_id bigint NOT NULL REFERENCES accounts,
    target_id bigint NOT NULL REFERENCES accounts,
    comment text NOT NULL,
    PRIMARY KEY (account_id, target_id)
);
