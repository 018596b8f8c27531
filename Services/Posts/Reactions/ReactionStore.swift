// SPDX-License-Identifier: Apache-2.0
// The SQL on favourites, boosts and bookmarks.

import Domain
import Postgres

/// Statements about what people do with posts.
///
/// A count moves only with a row that really came or went, under the lock of the post's row: repeated and simultaneous
/// requests cannot skew it. Whoever reacts to a boost reacts to the boosted post.
enum ReactionStore {
    /// A favourite of a post that may be seen.
    struct Added: Sendable {
        let place: PostID
        let post: PostID
        /// Of the post, with this favourite and those before it; nil where it was one already.
        let version: Int64?
    }

    /// Adds posts to favourites, as far as those who do may see them, and counts them.
    ///
    /// The posts are locked in the order of their ids: two that favour the same posts do not wait for each other in a circle.
    ///
    /// - Returns: in no order; those whose post may not be seen are missing.
    static func add(_ favourites: [Favourite], in transaction: some Transacting) async throws -> [Added] {
        try await transaction.query(
            """
            WITH target AS MATERIALIZED (
                SELECT c.place, c.viewer_id, p.id
                FROM unnest(\(favourites.map(\.entry)), \(favourites.map(\.viewer)), \(favourites.map(\.place)))
                    AS c (entry_id, viewer_id, place)
                JOIN posts e ON e.id = c.entry_id AND e.deleted_at IS NULL
                JOIN posts p ON p.id = coalesce(e.boost_of_id, e.id) AND p.deleted_at IS NULL
                WHERE \(Visible.row("p", to: "c.viewer_id"))
            ),
            wanted AS MATERIALIZED (
                SELECT t.place, t.viewer_id, t.id
                FROM target t
                WHERE NOT EXISTS (SELECT FROM favourites f WHERE f.account_id = t.viewer_id AND f.post_id = t.id)
            ),
            locked AS MATERIALIZED (
                SELECT p.id
                FROM posts p
                WHERE p.id IN (SELECT w.id FROM wanted w) AND p.deleted_at IS NULL
                ORDER BY p.id
                FOR NO KEY UPDATE
            ),
            added AS (
                INSERT INTO favourites (account_id, post_id, id)
                SELECT w.viewer_id, w.id, w.place FROM wanted w JOIN locked l ON l.id = w.id
                ON CONFLICT (account_id, post_id) DO NOTHING
                RETURNING id, post_id
            ),
            counted AS (
                UPDATE posts p
                SET favourites_count = p.favourites_count + n.number, version = p.version + n.number
                FROM (SELECT a.post_id, count(*) AS number FROM added a GROUP BY a.post_id) n
                WHERE p.id = n.post_id
                RETURNING p.id, p.version
            ),
            numbered AS (
                SELECT a.id, c.version + 1 - row_number() OVER (PARTITION BY a.post_id ORDER BY a.id DESC) AS version
                FROM added a
                JOIN counted c ON c.id = a.post_id
            )
            SELECT t.place, t.id, n.version FROM target t LEFT JOIN numbered n ON n.id = t.place
            """
        ).all { Added(place: try $0.next(), post: try $0.next(), version: try $0.next()) }
    }

    /// Adds a post to the viewer's bookmarks, which nobody counts; false when the viewer may not see it.
    static func addBookmark(
        _ id: PostID,
        by viewer: AccountID,
        as place: PostID,
        in database: some Querying
    ) async throws -> Bool {
        try await !database.query(
            """
            WITH target AS MATERIALIZED (
                SELECT p.id
                FROM posts e
                \(target(id, for: viewer))
            ),
            added AS (
                INSERT INTO bookmarks (account_id, post_id, id)
                SELECT \(viewer), t.id, \(place) FROM target t
                ON CONFLICT (account_id, post_id) DO NOTHING
            )
            SELECT FROM target
            """
        ).isEmpty
    }

    /// The post `p` behind the entry `e` with an id, if the viewer may see it.
    private static func target(_ id: PostID, for viewer: AccountID) -> SQL {
        """
        JOIN posts p ON p.id = coalesce(e.boost_of_id, e.id)
        WHERE e.id = \(id) AND e.deleted_at IS NULL AND p.deleted_at IS NULL
            AND \(Visible.row("p", to: viewer))
        """
    }

    static func deleteBookmark(_ id: PostID, by viewer: AccountID, in database: some Querying) async throws {
        _ = try await database.query(
            """
            DELETE FROM bookmarks
            WHERE account_id = \(viewer)
                AND post_id = (SELECT coalesce(e.boost_of_id, e.id) FROM posts e WHERE e.id = \(id))
            """
        )
    }

    /// A favourite that was taken back.
    struct Removed: Sendable {
        let viewer: AccountID
        let post: PostID
        /// Of the post, without this favourite.
        let version: Int64
    }

    /// Takes favourites back, under the locks of their posts as in `add`.
    ///
    /// - Returns: those that there were, in no order.
    static func delete(_ favourites: [FavouriteEnd], in transaction: some Transacting) async throws -> [Removed] {
        try await transaction.query(
            """
            WITH target AS MATERIALIZED (
                SELECT f.account_id, f.post_id
                FROM unnest(\(favourites.map(\.entry)), \(favourites.map(\.viewer))) AS c (entry_id, viewer_id)
                JOIN posts e ON e.id = c.entry_id
                JOIN favourites f ON f.account_id = c.viewer_id AND f.post_id = coalesce(e.boost_of_id, e.id)
            ),
            locked AS MATERIALIZED (
                SELECT p.id
                FROM posts p
                WHERE p.id IN (SELECT t.post_id FROM target t)
                ORDER BY p.id
                FOR NO KEY UPDATE
            ),
            removed AS (
                DELETE FROM favourites f
                USING target t
                JOIN locked l ON l.id = t.post_id
                WHERE f.account_id = t.account_id AND f.post_id = t.post_id
                RETURNING f.account_id, f.post_id
            ),
            counted AS (
                UPDATE posts p
                SET favourites_count = p.favourites_count - n.number, version = p.version + n.number
                FROM (SELECT r.post_id, count(*) AS number FROM removed r GROUP BY r.post_id) n
                WHERE p.id = n.post_id
                RETURNING p.id, p.version
            )
            SELECT r.account_id, r.post_id,
                c.version + 1 - row_number() OVER (PARTITION BY r.post_id ORDER BY r.account_id)
            FROM removed r
            JOIN counted c ON c.id = r.post_id
            """
        ).all { Removed(viewer: try $0.next(), post: try $0.next(), version: try $0.next()) }
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
