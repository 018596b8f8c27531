// SPDX-License-Identifier: Apache-2.0
// The projection of posts that notifications show.

import Domain
import Events
import Postgres
import Serving
import Views

/// A post as an event shows it.
struct ToldPost: Sendable {
    let post: PostSnapshot
    /// Whether it is kept where nothing is kept of it yet.
    let isNeeded: Bool
}

enum PostStore {
    /// Keeps each snapshot unless a newer one, or the deletion, is known; when repairing, also in place of one of the same
    /// version, which may be damaged: whatever buried a post knows a higher version of it than was ever told. The old one is touched
    /// all the same, so that what an entry shows is not forgotten before the entry.
    ///
    /// - Parameter shown: each post once. Their rows are locked in the order of the ids.
    static func keep(
        _ shown: [ToldPost],
        repairing: Bool = false,
        at now: Timestamp,
        in transaction: some Transacting
    ) throws {
        guard !shown.isEmpty else { return }
        let posts = shown.map(\.post)
        let snapshots = try posts.map { String(decoding: try JSONB(snapshot: $0).json, as: UTF8.self) }
        let isOld: SQL = "posts.touched_at < excluded.touched_at - interval '1 day'"
        let isNewer: SQL = repairing ? "excluded.version >= posts.version" : "excluded.version > posts.version"
        let isHeeded: SQL =
            repairing
            ? "\(isNewer) OR (posts.snapshot IS NOT NULL AND \(isOld))"
            : "posts.snapshot IS NOT NULL AND (\(isNewer) OR \(isOld))"
        transaction.enqueue(
            """
            INSERT INTO posts (id, version, author_id, snapshot, link_hash, touched_at)
            SELECT s.id, s.version, s.author_id, CAST(s.snapshot AS jsonb),
                \(CardNews.hash(ofColumn: "nullif(s.link, '')")), \(now)
            FROM unnest(
                \(posts.map(\.id)), \(posts.map(\.version)), \(posts.map(\.accountID)), \(snapshots),
                \(posts.map { $0.previewedLink ?? "" }), \(shown.map(\.isNeeded))
            ) AS s (id, version, author_id, snapshot, link, is_needed)
            WHERE s.is_needed OR EXISTS (SELECT FROM posts p WHERE p.id = s.id)
            ORDER BY s.id
            ON CONFLICT (id) DO UPDATE
            SET version = greatest(posts.version, excluded.version), author_id = excluded.author_id,
                snapshot = CASE WHEN \(isNewer) THEN excluded.snapshot ELSE posts.snapshot END,
                link_hash = CASE WHEN \(isNewer) THEN excluded.link_hash ELSE posts.link_hash END,
                touched_at = excluded.touched_at
            WHERE \(isHeeded)
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
