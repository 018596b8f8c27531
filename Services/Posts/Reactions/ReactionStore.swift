// SPDX-License-Identifier: Apache-2.0
// The SQL on favourites, boosts, bookmarks and muted conversations.

import Domain
import Postgres

/// Statements about what people do with posts.
///
/// A count moves only with a row that really came or went, under the lock of the post's row: repeated and simultaneous
/// requests cannot skew it. Whoever reacts to a boost reacts to the boosted post.
enum ReactionStore {
    /// Adds a favourite. Gives the post and whether the favourite is new and whether it is counted; no row when the
    /// viewer may not see the post.
    static func favourite(_ id: PostID, by viewer: AccountID, as place: PostID) -> SQL {
        """
        WITH target AS MATERIALIZED (
            SELECT p.id
            FROM posts e
            JOIN posts p ON p.id = coalesce(e.boost_of_id, e.id)
            WHERE e.id = \(id) AND e.deleted_at IS NULL AND p.deleted_at IS NULL
                AND \(Visible.row("p", to: viewer))
        ),
        added AS (
            INSERT INTO favourites (account_id, post_id, id)
            SELECT \(viewer), t.id, \(place) FROM target t
            ON CONFLICT (account_id, post_id) DO NOTHING
            RETURNING post_id
        ),
        counted AS (
            UPDATE posts p
            SET favourites_count = p.favourites_count + 1, version = p.version + 1
            FROM added a
            WHERE p.id = a.post_id AND p.deleted_at IS NULL
            RETURNING p.id
        )
        SELECT t.id, EXISTS (SELECT FROM added), EXISTS (SELECT FROM counted) FROM target t
        """
    }

    /// Takes a favourite back. Gives the post and its new version; no row when there was none.
    static func unfavourite(_ id: PostID, by viewer: AccountID) -> SQL {
        """
        WITH removed AS (
            DELETE FROM favourites
            WHERE account_id = \(viewer)
                AND post_id = (SELECT coalesce(e.boost_of_id, e.id) FROM posts e WHERE e.id = \(id))
            RETURNING post_id
        )
        UPDATE posts p
        SET favourites_count = p.favourites_count - 1, version = p.version + 1
        FROM removed r
        WHERE p.id = r.post_id
        RETURNING p.id, p.version
        """
    }

    /// The post that a boost would be of, whether its visibility allows the viewer to boost it, and the viewer's boost
    /// if there is one. No row when the viewer may not see the post. Locks the post.
    static func boostTarget(_ id: PostID, by viewer: AccountID) -> SQL {
        """
        SELECT
            p.id,
            p.visibility,
            p.visibility IN ('public', 'unlisted') OR (p.visibility = 'private' AND p.account_id = \(viewer))
        FROM posts e
        JOIN posts p ON p.id = coalesce(e.boost_of_id, e.id)
        WHERE e.id = \(id) AND e.deleted_at IS NULL AND p.deleted_at IS NULL
            AND \(Visible.row("p", to: viewer))
        FOR NO KEY UPDATE OF p
        """
    }

    /// Boosts a post whose lock the caller holds and puts the boost into the viewer's own home timeline. Gives the
    /// boost's visibility; no row when the viewer has boosted the post.
    static func boost(_ post: PostID, by viewer: AccountID, as boost: PostID, visibility: Visibility?) -> SQL {
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
            RETURNING id, account_id, visibility, boost_of_id
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
        SELECT visibility FROM added
        """
    }

    /// The viewer's boost of a post.
    static func boost(of post: PostID, by viewer: AccountID) -> SQL {
        "SELECT id FROM posts WHERE boost_of_id = \(post) AND account_id = \(viewer) AND deleted_at IS NULL"
    }

    /// Takes a boost back, under the lock of the post as in `boostTarget`. Gives the boost, the post and its new version; no
    /// row when there was none.
    static func unboost(_ id: PostID, by viewer: AccountID, at now: Timestamp) -> SQL {
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
        RETURNING r.id, p.id, p.version
        """
    }

    /// Adds a bookmark; no row when the viewer may not see the post.
    static func bookmark(_ id: PostID, by viewer: AccountID, as place: PostID) -> SQL {
        """
        WITH target AS MATERIALIZED (
            SELECT p.id
            FROM posts e
            JOIN posts p ON p.id = coalesce(e.boost_of_id, e.id)
            WHERE e.id = \(id) AND e.deleted_at IS NULL AND p.deleted_at IS NULL
                AND \(Visible.row("p", to: viewer))
        ),
        added AS (
            INSERT INTO bookmarks (account_id, post_id, id)
            SELECT \(viewer), t.id, \(place) FROM target t
            ON CONFLICT (account_id, post_id) DO NOTHING
        )
        SELECT id FROM target
        """
    }

    static func unbookmark(_ id: PostID, by viewer: AccountID) -> SQL {
        """
        DELETE FROM bookmarks
        WHERE account_id = \(viewer)
            AND post_id = (SELECT coalesce(e.boost_of_id, e.id) FROM posts e WHERE e.id = \(id))
        """
    }

    /// Mutes the conversation of a post that the caller knows to be visible.
    static func muteConversation(of id: PostID, by viewer: AccountID) -> SQL {
        """
        INSERT INTO conversation_mutes (account_id, conversation_id)
        SELECT \(viewer), conversation_id FROM posts WHERE id = \(id)
        ON CONFLICT (account_id, conversation_id) DO NOTHING
        """
    }

    static func unmuteConversation(of id: PostID, by viewer: AccountID) -> SQL {
        """
        DELETE FROM conversation_mutes
        WHERE account_id = \(viewer) AND conversation_id = (SELECT conversation_id FROM posts WHERE id = \(id))
        """
    }
}
