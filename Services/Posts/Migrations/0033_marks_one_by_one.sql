-- What the viewer did with a post is looked up for each post of a page. `OFFSET 0` keeps the planner from reading everything
-- that they ever marked instead, which it takes for cheaper because it cannot know how short a page is.
CREATE OR REPLACE FUNCTION viewer_flags(viewer bigint, post bigint, conversation bigint)
RETURNS TABLE (favourited boolean, boosted boolean, bookmarked boolean, muted boolean)
LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT
        EXISTS (SELECT FROM favourites f WHERE f.account_id = viewer AND f.post_id = post OFFSET 0),
        EXISTS (
            SELECT FROM posts b
            WHERE b.boost_of_id = post AND b.account_id = viewer AND b.deleted_at IS NULL
            OFFSET 0
        ),
        EXISTS (SELECT FROM bookmarks k WHERE k.account_id = viewer AND k.post_id = post OFFSET 0),
        EXISTS (
            SELECT FROM conversation_mutes m
            WHERE m.account_id = viewer AND m.conversation_id = conversation
            OFFSET 0
        )
$$;
