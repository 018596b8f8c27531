-- What a post shows in place of its link's preview: the book of a record that is shared.
SET LOCAL lock_timeout = '5s';

ALTER TABLE posts ADD COLUMN card jsonb;

CREATE OR REPLACE VIEW entries AS
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
    p.conversation_id,
    p.pinned_id IS NOT NULL AS is_pinned,
    a.extras AS author_extras,
    b.extras AS booster_extras,
    p.media,
    coalesce(p.card, c.card) AS card
FROM posts e
CROSS JOIN LATERAL (SELECT p.* FROM posts p WHERE p.id = coalesce(e.boost_of_id, e.id) OFFSET 0) p
CROSS JOIN LATERAL (SELECT a.* FROM accounts a WHERE a.id = p.account_id OFFSET 0) a
LEFT JOIN LATERAL (
    SELECT b.* FROM accounts b WHERE b.id = CASE WHEN e.boost_of_id IS NOT NULL THEN e.account_id END OFFSET 0
) b ON true
LEFT JOIN LATERAL (SELECT c.card FROM cards c WHERE c.hash = p.link_hash OFFSET 0) c ON true
WHERE e.deleted_at IS NULL AND p.deleted_at IS NULL;
