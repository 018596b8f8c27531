// SPDX-License-Identifier: Apache-2.0
// The SQL on favourites, boosts and bookmarks.

import Domain
import Postgres

/// Statements about what people do with posts.
///
/// A count moves only with a row that really came or went, under the lock of the post's row: repeated and simultaneous
/// requests cannot skew it. Whoever reacts to a boost reacts to the boosted post.
enum ReactionStore {
    /// What somebody added to a list of posts.
    struct Added: Sendable {
        let post: PostID
        let isNew: Bool
        /// False when the post was deleted while it was added.
        let isCounted: Bool

        fileprivate static func columns(counted: SQL) -> SQL { "t.id, EXISTS (SELECT FROM added), \(counted)" }
    }

    /// Adds a post to a list; nil when the viewer may not see it. Favourites are counted, bookmarks are nobody's business.
    static func add(
        _ marks: Marks,
        _ id: PostID,
        by viewer: AccountID,
        as place: PostID,
        in database: some Querying
    ) async throws -> Added? {
        let counting: SQL = """
            , counted AS (
                UPDATE posts p
                SET favourites_count = p.favourites_count + 1, version = p.version + 1
                FROM added a
                WHERE p.id = a.post_id AND p.deleted_at IS NULL
                RETURNING p.id
            )
            """
        let isCounted = marks == .favourites
        return try await database.query(
            """
            WITH target AS MATERIALIZED (
                SELECT p.id
                FROM posts e
                \(target(id, for: viewer))
            ),
            added AS (
                INSERT INTO \(marks.table) (account_id, post_id, id)
                SELECT \(viewer), t.id, \(place) FROM target t
                ON CONFLICT (account_id, post_id) DO NOTHING
                RETURNING post_id
            )\(isCounted ? counting : "")
            SELECT \(Added.columns(counted: isCounted ? "EXISTS (SELECT FROM counted)" : "true")) FROM target t
            """
        ).one(as: Added.init)
    }

    /// The post `p` behind the entry `e` with an id, if the viewer may see it.
    private static func target(_ id: PostID, for viewer: AccountID) -> SQL {
        """
        JOIN posts p ON p.id = coalesce(e.boost_of_id, e.id)
        WHERE e.id = \(id) AND e.deleted_at IS NULL AND p.deleted_at IS NULL
            AND \(Visible.row("p", to: viewer))
        """
    }

    private static func deletion(_ id: PostID, by viewer: AccountID, from marks: Marks) -> SQL {
        """
        DELETE FROM \(marks.table)
        WHERE account_id = \(viewer)
            AND post_id = (SELECT coalesce(e.boost_of_id, e.id) FROM posts e WHERE e.id = \(id))
        """
    }

    static func deleteBookmark(_ id: PostID, by viewer: AccountID, in database: some Querying) async throws {
        _ = try await database.query(deletion(id, by: viewer, from: .bookmarks))
    }

    /// Takes a favourite back. Gives the post and its new version; nil when there was none.
    static func deleteFavourite(
        _ id: PostID,
        by viewer: AccountID,
        in transaction: some Transacting
    ) async throws -> (post: PostID, version: Int64)? {
        try await transaction.query(
            """
            WITH removed AS (
                \(deletion(id, by: viewer, from: .favourites))
                RETURNING post_id
            )
            UPDATE posts p
            SET favourites_count = p.favourites_count - 1, version = p.version + 1
            FROM removed r
            WHERE p.id = r.post_id
            RETURNING p.id, p.version
            """
        ).one { (try $0.next(), try $0.next()) }
    }

    /// A post that the viewer may see.
    struct BoostTarget: Sendable {
        let post: PostID
        let visibility: Visibility
        /// Whether its visibility allows the viewer to boost it.
        let isAllowed: Bool

        /// Of `posts p`.
        fileprivate static func columns(for viewer: AccountID) -> SQL {
            """
            p.id, p.visibility,
            p.visibility IN ('public', 'unlisted') OR (p.visibility = 'private' AND p.account_id = \(viewer))
            """
        }
    }

    /// The post that a boost would be of, which is locked; nil when the viewer may not see it.
    static func boostTarget(
        _ id: PostID,
        by viewer: AccountID,
        in transaction: some Transacting
    ) async throws -> BoostTarget? {
        try await transaction.query(
            """
            SELECT \(BoostTarget.columns(for: viewer))
            FROM posts e
            \(target(id, for: viewer))
            FOR NO KEY UPDATE OF p
            """
        ).one(as: BoostTarget.init)
    }

    /// Boosts a post whose lock the caller holds and puts the boost into the viewer's own home timeline.
    ///
    /// - Returns: false when the viewer has boosted the post.
    static func boost(
        _ post: PostID,
        by viewer: AccountID,
        as boost: PostID,
        visibility: Visibility?,
        in transaction: some Transacting
    ) async throws -> Bool {
        try await transaction.query(
            """
            WITH added AS (
                INSERT INTO posts (id, account_id, text, visibility, conversation_id, boost_of_id, created_at)
                SELECT
                    \(boost), a.id, '',
                    CASE
                        WHEN p.visibility = 'private' THEN 'private'
                        ELSE coalesce(\(visibility), nullif(a.default_visibility, 'direct'), 'public')
                    END,
                    p.conversation_id, p.id, \(boost.timestamp)
                FROM posts p
                JOIN accounts a ON a.id = \(viewer)
                WHERE p.id = \(post)
                ON CONFLICT (boost_of_id, account_id) WHERE boost_of_id IS NOT NULL AND deleted_at IS NULL DO NOTHING
                RETURNING id, account_id, boost_of_id
            ),
            counted AS (
                UPDATE posts p
                SET boosts_count = p.boosts_count + 1, version = p.version + 1
                FROM added b
                WHERE p.id = b.boost_of_id
            ),
            writer AS (
                UPDATE accounts a
                SET posts_count = a.posts_count + 1, last_post_at = \(boost.timestamp), version = a.version + 1
                FROM added b
                WHERE a.id = b.account_id
            ),
            own_home AS (
                INSERT INTO timeline (account_id, post_id, author_id)
                SELECT b.account_id, b.id, b.account_id FROM added b
            )
            SELECT id FROM added
            """
        ).affected > 0
    }

    /// The viewer's boost of a post.
    static func boost(of post: PostID, by viewer: AccountID, in transaction: some Transacting) async throws -> PostID? {
        try await transaction.query(
            "SELECT id FROM posts WHERE boost_of_id = \(post) AND account_id = \(viewer) AND deleted_at IS NULL"
        ).one { try $0.next() }
    }

    /// A boost that was taken back, of which post, and the post's new version.
    struct Unboosted: Sendable {
        let boost: PostID
        let post: PostID
        let version: Int64

        static let columns: SQL = "r.id, p.id, p.version"
    }

    /// Takes a boost back, under the lock of the post as in `boostTarget`; nil when there was none.
    static func unboost(
        _ id: PostID,
        by viewer: AccountID,
        at now: Timestamp,
        in transaction: some Transacting
    ) async throws -> Unboosted? {
        try await transaction.query(
            """
            WITH target AS MATERIALIZED (
                SELECT p.id
                FROM posts p
                WHERE p.id = (SELECT coalesce(e.boost_of_id, e.id) FROM posts e WHERE e.id = \(id))
                FOR NO KEY UPDATE
            ),
            removed AS (
                UPDATE posts b
                SET deleted_at = \(now), version = b.version + 1
                WHERE b.boost_of_id = (SELECT t.id FROM target t) AND b.account_id = \(viewer) AND b.deleted_at IS NULL
                RETURNING b.id, b.account_id, b.boost_of_id
            ),
            writer AS (
                UPDATE accounts a
                SET posts_count = a.posts_count - 1, version = a.version + 1
                FROM removed r
                WHERE a.id = r.account_id
            )
            UPDATE posts p
            SET boosts_count = p.boosts_count - 1, version = p.version + 1
            FROM removed r
            WHERE p.id = r.boost_of_id
            RETURNING \(Unboosted.columns)
            """
        ).one(as: Unboosted.init)
    }
}
