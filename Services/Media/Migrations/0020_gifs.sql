-- The catalogue of GIFs, and what people keep of it.

SET LOCAL lock_timeout = '5s';

-- Uploads that everybody may see, by what they are found by. One has the id of its upload.
CREATE TABLE gifs (
    id bigint PRIMARY KEY,
    -- 0 is nobody: the operator's command.
    importer_id bigint NOT NULL,
    importer_name text,
    -- 1 GIF, 2 sticker, 3 text.
    kind smallint NOT NULL,
    -- 0 y, 1 g, 2 pg, 3 pg-13, 4 r.
    rating smallint NOT NULL,
    title text NOT NULL,
    alt_text text NOT NULL,
    tags text[] NOT NULL,
    category text NOT NULL,
    subcategory text NOT NULL,
    language text,
    keys integer[] NOT NULL,
    form text COLLATE "C" NOT NULL,
    -- What it consists of, as `name file width height bytes`.
    files text[] NOT NULL,
    -- SHA-256 of the file that was imported, so that it is not imported twice.
    source text COLLATE "C",
    created_at timestamptz NOT NULL,
    -- Who took it lately, counted anew by a sweep. `weight` rises by one with each doubling.
    score integer NOT NULL DEFAULT 0,
    weight smallint NOT NULL GENERATED ALWAYS AS (CAST(floor(log(2.0, CAST(score + 1 AS numeric))) AS smallint)) STORED,
    trended_at timestamptz,
    -- Where it stands when one is drawn.
    lot double precision NOT NULL DEFAULT random()
) WITH (fillfactor = 80);
CREATE INDEX gifs_keys ON gifs USING gin (keys) WITH (fastupdate = off);
CREATE INDEX gifs_trending ON gifs (kind, score DESC, id DESC);
CREATE INDEX gifs_category ON gifs (kind, category, subcategory, weight DESC, id DESC) WHERE category <> '';
CREATE INDEX gifs_lot ON gifs (kind, lot);
CREATE UNIQUE INDEX gifs_source ON gifs (source) WHERE source IS NOT NULL;

-- The tags of each, folded.
CREATE TABLE gif_tags (
    tag text COLLATE "C" NOT NULL,
    gif_id bigint NOT NULL,
    PRIMARY KEY (tag, gif_id)
);
CREATE INDEX gif_tags_gif ON gif_tags (gif_id);

-- Uploads that somebody made of one to show it.
CREATE TABLE gif_takings (
    upload_id bigint PRIMARY KEY,
    gif_id bigint NOT NULL,
    taken_at timestamptz NOT NULL
);
CREATE INDEX gif_takings_taken ON gif_takings (taken_at);
CREATE INDEX gif_takings_gif ON gif_takings (gif_id);

-- What accounts keep, the newest by the highest place, which is an id and tells when.
CREATE TABLE gif_favourites (
    account_id bigint NOT NULL,
    gif_id bigint NOT NULL,
    place bigint NOT NULL,
    PRIMARY KEY (account_id, gif_id)
);
CREATE INDEX gif_favourites_places ON gif_favourites (account_id, place);
CREATE INDEX gif_favourites_place ON gif_favourites (place);
CREATE INDEX gif_favourites_gif ON gif_favourites (gif_id);

CREATE TABLE gif_collections (
    id bigint PRIMARY KEY,
    account_id bigint NOT NULL,
    name text NOT NULL,
    created_at timestamptz NOT NULL
);
CREATE INDEX gif_collections_account ON gif_collections (account_id, id);

CREATE TABLE gif_collected (
    collection_id bigint NOT NULL,
    gif_id bigint NOT NULL,
    place bigint NOT NULL,
    PRIMARY KEY (collection_id, gif_id)
);
CREATE INDEX gif_collected_places ON gif_collected (collection_id, place);
CREATE INDEX gif_collected_gif ON gif_collected (gif_id);
