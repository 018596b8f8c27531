-- The messages with a link. By itself, so that messages can be read meanwhile.
SET LOCAL lock_timeout = '5s';

CREATE INDEX messages_link ON messages (link_hash, id DESC) WHERE link_hash IS NOT NULL;
