// SPDX-License-Identifier: Apache-2.0
// The projection of posts that notifications show.

import Domain
import Events
import Postgres
import Serving

enum PostStore {
    /// Keeps the snapshot unless a newer one, or the deletion, is known. The old one is touched all the same, so that what
    /// an entry shows is not forgotten before the entry.
    static func keep(_ post: PostSnapshot, at now: Timestamp, in transaction: Transaction) throws {
        transaction.enqueue(
            """
            INSERT INTO posts (id, version, author_id, snapshot, touched_at)
            VALUES (\(post.id), \(post.version), \(post.accountID), \(try JSONB(snapshot: post)), \(now))
            ON CONFLICT (id) DO UPDATE
            SET version = greatest(posts.version, excluded.version), author_id = excluded.author_id,
                snapshot = CASE WHEN excluded.version > posts.version THEN excluded.snapshot ELSE posts.snapshot END,
                touched_at = excluded.touched_at
            WHERE posts.snapshot IS NOT NULL
                AND (excluded.version > posts.version OR posts.touched_at < excluded.touched_at - interval '1 day')
            """
        )
    }

    /// Forgets the post's content for ever, with everything that was done to it.
    static func bury(_ id: PostID, version: Int64, at moment: Timestamp, in transaction: Transaction) {
        transaction.enqueue(
            """
            INSERT INTO posts (id, version, touched_at) VALUES (\(id), \(version), \(moment))
            ON CONFLICT (id) DO UPDATE
            SET version = greatest(posts.version, excluded.version), author_id = NULL, snapshot = NULL,
                touched_at = greatest(posts.touched_at, excluded.touched_at)
            """
        )
        transaction.enqueue(
            "DELETE FROM acts WHERE kind IN ('favourite', 'reblog') AND subject_id = \(id)"
        )
        transaction.enqueue(
            "DELETE FROM notifications WHERE type IN ('mention', 'favourite', 'reblog') AND subject_id = \(id)"
        )
    }

    /// Removes some posts, deleted ones among them, that nothing was said of since a moment.
    static func forget(before moment: Timestamp) -> SQL {
        """
        DELETE FROM posts
        WHERE id IN (
            SELECT id FROM posts
            WHERE touched_at < \(moment)
            ORDER BY touched_at
            LIMIT 2000
            FOR UPDATE SKIP LOCKED
        )
        """
    }
}
