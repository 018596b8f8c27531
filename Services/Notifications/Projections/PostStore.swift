// SPDX-License-Identifier: Apache-2.0
// The projection of posts that notifications show.

import Domain
import Events
import Postgres
import Serving
import Views

enum PostStore {
    /// Keeps the snapshot unless a newer one, or the deletion, is known. The old one is touched all the same, so that what
    /// an entry shows is not forgotten before the entry.
    static func keep(_ post: PostSnapshot, at now: Timestamp, in transaction: some Transacting) throws {
        transaction.enqueue(
            """
            INSERT INTO posts (id, version, author_id, snapshot, link_hash, touched_at)
            VALUES (\(post.id), \(post.version), \(post.accountID), \(try JSONB(snapshot: post)),
                \(CardNews.hash(of: post.previewedLink)), \(now))
            ON CONFLICT (id) DO UPDATE
            SET version = greatest(posts.version, excluded.version), author_id = excluded.author_id,
                snapshot = CASE WHEN excluded.version > posts.version THEN excluded.snapshot ELSE posts.snapshot END,
                link_hash = CASE WHEN excluded.version > posts.version THEN excluded.link_hash ELSE posts.link_hash END,
                touched_at = excluded.touched_at
            WHERE posts.snapshot IS NOT NULL
                AND (excluded.version > posts.version OR posts.touched_at < excluded.touched_at - interval '1 day')
            """
        )
    }

    /// Keeps the snapshot where one is kept, also in place of one of the same version, which may be damaged; with
    /// `isNeeded`, where none is, too. Whatever buried a post knows a higher version of it than was ever told.
    static func repair(
        _ post: PostSnapshot,
        isNeeded: Bool,
        at now: Timestamp,
        in transaction: some Transacting
    ) throws {
        transaction.enqueue(
            """
            INSERT INTO posts (id, version, author_id, snapshot, link_hash, touched_at)
            SELECT \(post.id), \(post.version), \(post.accountID), \(try JSONB(snapshot: post)),
                \(CardNews.hash(of: post.previewedLink)), \(now)
            WHERE \(isNeeded) OR EXISTS (SELECT FROM posts WHERE id = \(post.id))
            ON CONFLICT (id) DO UPDATE
            SET version = excluded.version, author_id = excluded.author_id, snapshot = excluded.snapshot,
                link_hash = excluded.link_hash, touched_at = excluded.touched_at
            WHERE excluded.version >= posts.version
            """
        )
    }

    /// What is kept of posts, of those that were not deleted.
    static func snapshots(of ids: [PostID], in database: some Querying) async throws -> [ReadSnapshot] {
        try await database.query(
            "SELECT \(RowEdition.columns("posts")), snapshot FROM posts WHERE id = ANY (\(ids)) AND snapshot IS NOT NULL"
        ).all { (try $0.next(), try $0.next()) }
    }

    /// Forgets the post's content for ever, so that what arrives late is known to be late.
    static func bury(_ id: PostID, version: Int64, at moment: Timestamp, in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO posts (id, version, touched_at) VALUES (\(id), \(version), \(moment))
            ON CONFLICT (id) DO UPDATE
            SET version = greatest(posts.version, excluded.version), author_id = NULL, snapshot = NULL, link_hash = NULL,
                touched_at = greatest(posts.touched_at, excluded.touched_at)
            """
        )
    }
}
