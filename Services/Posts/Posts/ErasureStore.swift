// SPDX-License-Identifier: Apache-2.0
// The SQL that erases what a deleted post still holds.

import Domain
import Postgres

/// Statements of the sweeps of posts, each of a few thousand rows at most.
enum ErasureStore {
    /// Deleted posts and boosts that still hold something, whose deletion was told, and which no boost outlives.
    static func deleted(before moment: Timestamp) -> SQL {
        """
        SELECT p.id
        FROM posts p
        WHERE p.deleted_at < \(moment) AND p.erased_at IS NULL
            AND NOT EXISTS (SELECT FROM posts b WHERE b.boost_of_id = p.id AND b.deleted_at IS NULL)
            AND NOT EXISTS (SELECT FROM outbox o WHERE o.subject = coalesce(p.boost_of_id, p.id)::text)
        ORDER BY p.deleted_at
        LIMIT 200
        FOR UPDATE SKIP LOCKED
        """
    }

    /// One step for posts whose rows the caller has locked; a post that many reacted to takes several.
    static func erase(_ ids: [PostID], at now: Timestamp) -> [SQL] {
        [
            """
            DELETE FROM favourites
            WHERE (account_id, post_id) IN (
                SELECT account_id, post_id FROM favourites WHERE post_id = ANY (\(ids)) LIMIT 2000
            )
            """,
            """
            DELETE FROM bookmarks
            WHERE (account_id, post_id) IN (
                SELECT account_id, post_id FROM bookmarks WHERE post_id = ANY (\(ids)) LIMIT 2000
            )
            """,
            """
            DELETE FROM post_edits
            WHERE (post_id, created_at) IN (
                SELECT post_id, created_at FROM post_edits WHERE post_id = ANY (\(ids)) LIMIT 2000
            )
            """,
            "DELETE FROM posts WHERE id = ANY (\(ids)) AND boost_of_id IS NOT NULL",
            """
            UPDATE posts p
            SET text = '', spoiler_text = '', language = NULL, mentioned_ids = '{}', mentioned_names = '{}',
                tags = '{}', app_name = NULL, app_website = NULL, erased_at = \(now)
            WHERE p.id = ANY (\(ids))
                AND NOT EXISTS (SELECT FROM favourites f WHERE f.post_id = p.id)
                AND NOT EXISTS (SELECT FROM bookmarks k WHERE k.post_id = p.id)
                AND NOT EXISTS (SELECT FROM post_edits h WHERE h.post_id = p.id)
            """,
        ]
    }

    /// Earlier forms of some posts that have more than are kept, the oldest ones.
    static func forgetEdits(keeping edits: Int) -> SQL {
        """
        DELETE FROM post_edits e
        USING (
            SELECT post_id, (array_agg(created_at ORDER BY created_at DESC))[\(edits)] AS oldest
            FROM post_edits
            GROUP BY post_id
            HAVING count(*) > \(edits)
            LIMIT 500
        ) kept
        WHERE e.post_id = kept.post_id AND e.created_at < kept.oldest
        """
    }
}
