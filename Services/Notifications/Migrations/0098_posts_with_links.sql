-- The posts with a link. By itself, so that notifications can be read meanwhile.
SET LOCAL lock_timeout = '5s';

CREATE INDEX posts_link ON posts (link_hash) WHERE link_hash IS NOT NULL;
