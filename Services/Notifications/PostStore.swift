// SPDX-License-Identifier: Apache-2.0
// The projection of posts that notifications show.

import Domain
import Events
import Postgres

enum PostStore {
    /// Keeps the snapshot unless a newer one, or the deletion, is known.
    static func keep(_ post: PostSnapshot, in transaction: Transaction) throws {
        transaction.enqueue(
            """
            INSERT INTO posts (id, version, author_id, snapshot)
            VALUES (\(post.id), \(post.version), \(post.accountID), \(try JSONB(snapshot: post)))
            ON CONFLICT (id) DO UPDATE
            SET version = excluded.version, author_id = excluded.author_id, snapshot = excluded.snapshot
            WHERE posts.snapshot IS NOT NULL AND excluded.version > posts.version
            """
        )
    }

    /// Forgets the post's content for ever, with everything that was done to it.
    static func bury(_ id: PostID, version: Int64, in transaction: Transaction) {
        transaction.enqueue(
            """
            INSERT INTO posts (id, version) VALUES (\(id), \(version))
            ON CONFLICT (id) DO UPDATE
            SET version = greatest(posts.version, excluded.version), author_id = NULL, snapshot = NULL
            """
        )
        transaction.enqueue(
            "DELETE FROM acts WHERE kind IN ('favourite', 'reblog') AND subject_id = \(id)"
        )
        transaction.enqueue(
            "DELETE FROM notifications WHERE type IN ('mention', 'favourite', 'reblog') AND subject_id = \(id)"
        )
    }
}
