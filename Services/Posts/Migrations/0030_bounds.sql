-- What bounds work and rows: numbers of changes that no clock decides, and ways to what has served.

-- The highest version told of a pair of accounts in which this one acts, so that two processes whose clocks differ
-- still count up.
ALTER TABLE accounts ADD COLUMN graph_version bigint NOT NULL DEFAULT 0;

-- When a tombstone lost its text, and with it everything that people did with the post.
ALTER TABLE posts ADD COLUMN erased_at timestamptz;
CREATE INDEX posts_unerased ON posts (deleted_at) WHERE deleted_at IS NOT NULL AND erased_at IS NULL;

-- For the foreign keys of posts: a tombstone of a boost is removed, and what people did with a post goes with its text.
CREATE INDEX posts_boosts_all ON posts (boost_of_id) WHERE boost_of_id IS NOT NULL;
CREATE INDEX bookmarks_post ON bookmarks (post_id);

CREATE INDEX mutes_expiry ON mutes (expires_at) WHERE expires_at IS NOT NULL;
