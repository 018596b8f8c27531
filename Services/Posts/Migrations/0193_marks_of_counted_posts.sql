-- What nobody favoured or boosted, the viewer did not: counts change in the statements that write and remove what they count.
SET LOCAL lock_timeout = '5s';

CREATE OR REPLACE VIEW entry_editions AS
SELECT
    e.id AS entry_id,
    CASE WHEN e.boost_of_id IS NULL THEN e.id ELSE o.id END AS id,
    CASE WHEN e.boost_of_id IS NULL THEN e.conversation_id ELSE o.conversation_id END AS conversation_id,
    e.xmin AS entry_writer,
    CASE WHEN e.boost_of_id IS NULL THEN e.xmin ELSE o.writer END AS post_writer,
    a.writer AS author_writer,
    b.writer AS booster_writer,
    c.writer AS card_writer,
    CASE WHEN e.boost_of_id IS NULL THEN e.favourites_count ELSE o.favourites_count END AS favourites_count,
    CASE WHEN e.boost_of_id IS NULL THEN e.boosts_count ELSE o.boosts_count END AS boosts_count
FROM posts e
LEFT JOIN LATERAL (
    SELECT p.id, p.xmin AS writer, p.account_id, p.conversation_id, p.link_hash, p.deleted_at, p.favourites_count, p.boosts_count
    FROM posts p
    WHERE p.id = e.boost_of_id
    OFFSET 0
) o ON true
CROSS JOIN LATERAL (
    SELECT a.xmin AS writer
    FROM accounts a
    WHERE a.id = CASE WHEN e.boost_of_id IS NULL THEN e.account_id ELSE o.account_id END
    OFFSET 0
) a
LEFT JOIN LATERAL (
    SELECT b.xmin AS writer
    FROM accounts b
    WHERE b.id = CASE WHEN e.boost_of_id IS NOT NULL THEN e.account_id END
    OFFSET 0
) b ON true
LEFT JOIN LATERAL (
    SELECT c.xmin AS writer
    FROM cards c
    WHERE c.hash = CASE WHEN e.boost_of_id IS NULL THEN e.link_hash ELSE o.link_hash END
    OFFSET 0
) c ON true
WHERE e.deleted_at IS NULL AND o.deleted_at IS NULL;

CREATE FUNCTION viewer_marks(viewer bigint, post bigint, conversation bigint, favourers bigint, boosters bigint)
RETURNS TABLE (favourited boolean, boosted boolean, bookmarked boolean, muted boolean)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT
        favourers > 0
            AND EXISTS (SELECT FROM favourites f WHERE f.account_id = viewer AND f.post_id = post OFFSET 0),
        boosters > 0
            AND EXISTS (
                SELECT FROM posts b
                WHERE b.boost_of_id = post AND b.account_id = viewer AND b.deleted_at IS NULL
                OFFSET 0
            ),
        EXISTS (SELECT FROM bookmarks k WHERE k.account_id = viewer)
            AND EXISTS (SELECT FROM bookmarks k WHERE k.account_id = viewer AND k.post_id = post OFFSET 0),
        EXISTS (SELECT FROM conversation_mutes m WHERE m.account_id = viewer)
            AND EXISTS (
                SELECT FROM conversation_mutes m
                WHERE m.account_id = viewer AND m.conversation_id = conversation
                OFFSET 0
            )
$$;
