-- Previews of links: what is known of each, and the link of a post that has one, null for posts without.
SET LOCAL lock_timeout = '1s';

CREATE TABLE cards (
    -- SHA-256 of the URL in its canonical form.
    hash bytea PRIMARY KEY,
    url text NOT NULL,
    -- By which media knows it.
    link_id bigint,
    version bigint NOT NULL,
    -- Null where the page shows nothing.
    card jsonb,
    -- When it was last told, or found to be shown.
    touched_at timestamptz NOT NULL
);
CREATE INDEX cards_touched ON cards (touched_at);

ALTER TABLE posts ADD COLUMN link_hash bytea;
