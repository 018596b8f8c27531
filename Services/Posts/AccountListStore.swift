// SPDX-License-Identifier: Apache-2.0
// The SQL on lists of posts around one account: its own, its favourites, its bookmarks.

import Domain
import Postgres

/// Statements about the lists of one account, each in two directions as in `TimelineStore`.
enum AccountListStore {
    /// What is left out of an account's posts.
    struct Filter: Sendable {
        var excludeReplies = false
        var excludeBoosts = false
        /// Only posts with this tag, in lower case.
        var tag: String?
    }

    /// An account's posts and boosts that the viewer may see.
    static func posts(of account: AccountID, filter: Filter, viewer: AccountID?, page: Page) -> SQL {
        page.walksForward
            ? postsForward(of: account, filter: filter, viewer: viewer, page: page)
            : postsNewest(of: account, filter: filter, viewer: viewer, page: page)
    }

    private static func postsNewest(of account: AccountID, filter: Filter, viewer: AccountID?, page: Page) -> SQL {
        """
        WITH page AS MATERIALIZED (
            SELECT near.id
            FROM (
                SELECT e.id
                FROM posts e
                LEFT JOIN posts p ON p.id = e.boost_of_id
                WHERE e.account_id = \(account) AND e.deleted_at IS NULL
                    AND e.id < \(page.ceiling) AND e.id > \(page.floor)
                    AND is_visible(
                        e.account_id, e.visibility, e.mentioned_ids, \(viewer),
                        \(account) IN (SELECT id FROM blocked_with(\(viewer))),
                        EXISTS (SELECT FROM follows f WHERE f.follower_id = \(viewer) AND f.followee_id = \(account))
                    )
                    AND (
                        e.boost_of_id IS NULL
                        OR NOT \(filter.excludeBoosts)
                        AND p.account_id NOT IN (SELECT id FROM hidden_from(\(viewer)))
                    )
                    AND (
                        NOT \(filter.excludeReplies) OR e.in_reply_to_id IS NULL
                        OR e.in_reply_to_account_id = e.account_id
                    )
                    AND (\(filter.tag) IS NULL OR \(filter.tag) = ANY (e.tags))
                ORDER BY e.id DESC
                LIMIT 40
            ) near
            ORDER BY near.id DESC
            LIMIT \(page.limit)
        )
        SELECT v.favourited, v.boosted, v.bookmarked, v.muted, e.*
        FROM page
        JOIN entries e ON e.entry_id = page.id
        CROSS JOIN LATERAL viewer_flags(\(viewer), e.id, e.conversation_id) v
        ORDER BY e.entry_id DESC
        """
    }

    private static func postsForward(of account: AccountID, filter: Filter, viewer: AccountID?, page: Page) -> SQL {
        """
        WITH page AS MATERIALIZED (
            SELECT near.id
            FROM (
                SELECT e.id
                FROM posts e
                LEFT JOIN posts p ON p.id = e.boost_of_id
                WHERE e.account_id = \(account) AND e.deleted_at IS NULL
                    AND e.id < \(page.ceiling) AND e.id > \(page.floor)
                    AND is_visible(
                        e.account_id, e.visibility, e.mentioned_ids, \(viewer),
                        \(account) IN (SELECT id FROM blocked_with(\(viewer))),
                        EXISTS (SELECT FROM follows f WHERE f.follower_id = \(viewer) AND f.followee_id = \(account))
                    )
                    AND (
                        e.boost_of_id IS NULL
                        OR NOT \(filter.excludeBoosts)
                        AND p.account_id NOT IN (SELECT id FROM hidden_from(\(viewer)))
                    )
                    AND (
                        NOT \(filter.excludeReplies) OR e.in_reply_to_id IS NULL
                        OR e.in_reply_to_account_id = e.account_id
                    )
                    AND (\(filter.tag) IS NULL OR \(filter.tag) = ANY (e.tags))
                ORDER BY e.id
                LIMIT 40
            ) near
            ORDER BY near.id
            LIMIT \(page.limit)
        )
        SELECT v.favourited, v.boosted, v.bookmarked, v.muted, e.*
        FROM page
        JOIN entries e ON e.entry_id = page.id
        CROSS JOIN LATERAL viewer_flags(\(viewer), e.id, e.conversation_id) v
        ORDER BY e.entry_id DESC
        """
    }

    /// The viewer's favourites, after the id by which the list is paged.
    static func favourites(of viewer: AccountID, page: Page) -> SQL {
        page.walksForward ? favouritesForward(of: viewer, page: page) : favouritesNewest(of: viewer, page: page)
    }

    private static func favouritesNewest(of viewer: AccountID, page: Page) -> SQL {
        """
        WITH page AS MATERIALIZED (
            SELECT near.id, near.post_id
            FROM (
                SELECT m.id, m.post_id
                FROM favourites m
                JOIN posts p ON p.id = m.post_id
                WHERE m.account_id = \(viewer) AND m.id < \(page.ceiling) AND m.id > \(page.floor)
                    AND p.deleted_at IS NULL
                    AND is_visible(
                        p.account_id, p.visibility, p.mentioned_ids, \(viewer),
                        p.account_id IN (SELECT id FROM blocked_with(\(viewer))),
                        EXISTS (
                            SELECT FROM follows f WHERE f.follower_id = \(viewer) AND f.followee_id = p.account_id
                        )
                    )
                ORDER BY m.id DESC
                LIMIT 40
            ) near
            ORDER BY near.id DESC
            LIMIT \(page.limit)
        )
        SELECT page.id, v.favourited, v.boosted, v.bookmarked, v.muted, e.*
        FROM page
        JOIN entries e ON e.entry_id = page.post_id
        CROSS JOIN LATERAL viewer_flags(\(viewer), e.id, e.conversation_id) v
        ORDER BY page.id DESC
        """
    }

    private static func favouritesForward(of viewer: AccountID, page: Page) -> SQL {
        """
        WITH page AS MATERIALIZED (
            SELECT near.id, near.post_id
            FROM (
                SELECT m.id, m.post_id
                FROM favourites m
                JOIN posts p ON p.id = m.post_id
                WHERE m.account_id = \(viewer) AND m.id < \(page.ceiling) AND m.id > \(page.floor)
                    AND p.deleted_at IS NULL
                    AND is_visible(
                        p.account_id, p.visibility, p.mentioned_ids, \(viewer),
                        p.account_id IN (SELECT id FROM blocked_with(\(viewer))),
                        EXISTS (
                            SELECT FROM follows f WHERE f.follower_id = \(viewer) AND f.followee_id = p.account_id
                        )
                    )
                ORDER BY m.id
                LIMIT 40
            ) near
            ORDER BY near.id
            LIMIT \(page.limit)
        )
        SELECT page.id, v.favourited, v.boosted, v.bookmarked, v.muted, e.*
        FROM page
        JOIN entries e ON e.entry_id = page.post_id
        CROSS JOIN LATERAL viewer_flags(\(viewer), e.id, e.conversation_id) v
        ORDER BY page.id DESC
        """
    }

    /// The viewer's bookmarks, after the id by which the list is paged.
    static func bookmarks(of viewer: AccountID, page: Page) -> SQL {
        page.walksForward ? bookmarksForward(of: viewer, page: page) : bookmarksNewest(of: viewer, page: page)
    }

    private static func bookmarksNewest(of viewer: AccountID, page: Page) -> SQL {
        """
        WITH page AS MATERIALIZED (
            SELECT near.id, near.post_id
            FROM (
                SELECT m.id, m.post_id
                FROM bookmarks m
                JOIN posts p ON p.id = m.post_id
                WHERE m.account_id = \(viewer) AND m.id < \(page.ceiling) AND m.id > \(page.floor)
                    AND p.deleted_at IS NULL
                    AND is_visible(
                        p.account_id, p.visibility, p.mentioned_ids, \(viewer),
                        p.account_id IN (SELECT id FROM blocked_with(\(viewer))),
                        EXISTS (
                            SELECT FROM follows f WHERE f.follower_id = \(viewer) AND f.followee_id = p.account_id
                        )
                    )
                ORDER BY m.id DESC
                LIMIT 40
            ) near
            ORDER BY near.id DESC
            LIMIT \(page.limit)
        )
        SELECT page.id, v.favourited, v.boosted, v.bookmarked, v.muted, e.*
        FROM page
        JOIN entries e ON e.entry_id = page.post_id
        CROSS JOIN LATERAL viewer_flags(\(viewer), e.id, e.conversation_id) v
        ORDER BY page.id DESC
        """
    }

    private static func bookmarksForward(of viewer: AccountID, page: Page) -> SQL {
        """
        WITH page AS MATERIALIZED (
            SELECT near.id, near.post_id
            FROM (
                SELECT m.id, m.post_id
                FROM bookmarks m
                JOIN posts p ON p.id = m.post_id
                WHERE m.account_id = \(viewer) AND m.id < \(page.ceiling) AND m.id > \(page.floor)
                    AND p.deleted_at IS NULL
                    AND is_visible(
                        p.account_id, p.visibility, p.mentioned_ids, \(viewer),
                        p.account_id IN (SELECT id FROM blocked_with(\(viewer))),
                        EXISTS (
                            SELECT FROM follows f WHERE f.follower_id = \(viewer) AND f.followee_id = p.account_id
                        )
                    )
                ORDER BY m.id
                LIMIT 40
            ) near
            ORDER BY near.id
            LIMIT \(page.limit)
        )
        SELECT page.id, v.favourited, v.boosted, v.bookmarked, v.muted, e.*
        FROM page
        JOIN entries e ON e.entry_id = page.post_id
        CROSS JOIN LATERAL viewer_flags(\(viewer), e.id, e.conversation_id) v
        ORDER BY page.id DESC
        """
    }
}
