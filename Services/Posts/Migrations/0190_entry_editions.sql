-- Of each entry which transactions wrote the rows that it is shown from: whoever has shown these shows the same again.
SET LOCAL lock_timeout = '5s';

CREATE VIEW entry_editions AS
SELECT
    e.id AS entry_id,
    p.id,
    p.conversation_id,
    e.xmin AS entry_writer,
    p.writer AS post_writer,
    a.writer AS author_writer,
    b.writer AS booster_writer,
    c.writer AS card_writer
FROM posts e
CROSS JOIN LATERAL (
    SELECT p.id, p.xmin AS writer, p.account_id, p.conversation_id, p.link_hash, p.deleted_at
    FROM posts p
    WHERE p.id = coalesce(e.boost_of_id, e.id)
    OFFSET 0
) p
CROSS JOIN LATERAL (SELECT a.xmin AS writer FROM accounts a WHERE a.id = p.account_id OFFSET 0) a
LEFT JOIN LATERAL (
    SELECT b.xmin AS writer
    FROM accounts b
    WHERE b.id = CASE WHEN e.boost_of_id IS NOT NULL THEN e.account_id END
    OFFSET 0
) b ON true
LEFT JOIN LATERAL (SELECT c.xmin AS writer FROM cards c WHERE c.hash = p.link_hash OFFSET 0) c ON true
WHERE e.deleted_at IS NULL AND p.deleted_at IS NULL;
