-- The posts with a link. By itself, so that timelines can be read meanwhile.
SET LOCAL lock_timeout = '5s';

CREATE INDEX posts_link ON posts (link_hash, id DESC) WHERE link_hash IS NOT NULL;
