// SPDX-License-Identifier: Apache-2.0
// The SQL on lists of posts by many accounts: home, public and tag timelines.

import Domain
import Postgres

/// Statements about timelines, each in two directions: the newest page, and the page next to a known entry.
///
/// A page is first chosen by its ids alone, walking an index in the order of the list, then filled from `entries`.
/// The constant `LIMIT 40`, the longest page there is, tells the planner what the bound limit cannot: that few rows
/// are wanted.
enum TimelineStore {
    /// What fan-out brought, and the posts of popular accounts that the viewer follows.
    static func home(of viewer: AccountID, page: Page) -> SQL {
        page.walksForward ? homeForward(of: viewer, page: page) : homeNewest(of: viewer, page: page)
    }

    private static func homeNewest(of viewer: AccountID, page: Page) -> SQL {
        """
        WITH page AS MATERIALIZED (
            (
                SELECT near.id
                FROM (
                    SELECT t.post_id AS id
                    FROM timeline t
                    JOIN posts e ON e.id = t.post_id
                    LEFT JOIN posts p ON p.id = e.boost_of_id
                    LEFT JOIN follows f ON f.follower_id = \(viewer) AND f.followee_id = t.author_id
                    WHERE t.account_id = \(viewer) AND t.post_id < \(page.ceiling) AND t.post_id > \(page.floor)
                        AND t.author_id NOT IN (SELECT id FROM hidden_from(\(viewer)))
                        AND e.deleted_at IS NULL
                        AND is_visible(
                            e.account_id, e.visibility, e.mentioned_ids, \(viewer), false, f.follower_id IS NOT NULL
                        )
                        AND (
                            e.boost_of_id IS NULL
                            OR f.show_boosts IS NOT FALSE
                            AND p.account_id NOT IN (SELECT id FROM hidden_from(\(viewer)))
                        )
                    ORDER BY t.post_id DESC
                    LIMIT 40
                ) near
                ORDER BY near.id DESC
                LIMIT \(page.limit)
            )
            UNION
            (
                SELECT near.id
                FROM popular_accounts l
                JOIN follows f ON f.follower_id = \(viewer) AND f.followee_id = l.account_id
                CROSS JOIN LATERAL (
                    SELECT e.id
                    FROM posts e
                    LEFT JOIN posts p ON p.id = e.boost_of_id
                    WHERE e.account_id = l.account_id AND e.deleted_at IS NULL
                        AND e.id < \(page.ceiling) AND e.id > \(page.floor)
                        AND e.visibility <> 'direct'
                        AND (e.language = ANY (f.languages) OR coalesce(f.languages, '{}') = '{}' OR e.language IS NULL)
                        AND (
                            e.boost_of_id IS NULL
                            OR f.show_boosts AND p.account_id NOT IN (SELECT id FROM hidden_from(\(viewer)))
                        )
                        AND (
                            e.in_reply_to_account_id IS NULL
                            OR e.in_reply_to_account_id IN (e.account_id, \(viewer))
                            OR EXISTS (
                                SELECT FROM follows r
                                WHERE r.follower_id = \(viewer) AND r.followee_id = e.in_reply_to_account_id
                            )
                        )
                    ORDER BY e.id DESC
                    LIMIT 40
                ) near
                WHERE l.account_id NOT IN (SELECT id FROM hidden_from(\(viewer)))
            )
            ORDER BY id DESC
            LIMIT \(page.limit)
        )
        SELECT v.favourited, v.boosted, v.bookmarked, v.muted, e.*
        FROM page
        JOIN entries e ON e.entry_id = page.id
        CROSS JOIN LATERAL viewer_flags(\(viewer), e.id, e.conversation_id) v
        ORDER BY e.entry_id DESC
        """
    }

    private static func homeForward(of viewer: AccountID, page: Page) -> SQL {
        """
        WITH page AS MATERIALIZED (
            (
                SELECT near.id
                FROM (
                    SELECT t.post_id AS id
                    FROM timeline t
                    JOIN posts e ON e.id = t.post_id
                    LEFT JOIN posts p ON p.id = e.boost_of_id
                    LEFT JOIN follows f ON f.follower_id = \(viewer) AND f.followee_id = t.author_id
                    WHERE t.account_id = \(viewer) AND t.post_id < \(page.ceiling) AND t.post_id > \(page.floor)
                        AND t.author_id NOT IN (SELECT id FROM hidden_from(\(viewer)))
                        AND e.deleted_at IS NULL
                        AND is_visible(
                            e.account_id, e.visibility, e.mentioned_ids, \(viewer), false, f.follower_id IS NOT NULL
                        )
                        AND (
                            e.boost_of_id IS NULL
                            OR f.show_boosts IS NOT FALSE
                            AND p.account_id NOT IN (SELECT id FROM hidden_from(\(viewer)))
                        )
                    ORDER BY t.post_id
                    LIMIT 40
                ) near
                ORDER BY near.id
                LIMIT \(page.limit)
            )
            UNION
            (
                SELECT near.id
                FROM popular_accounts l
                JOIN follows f ON f.follower_id = \(viewer) AND f.followee_id = l.account_id
                CROSS JOIN LATERAL (
                    SELECT e.id
                    FROM posts e
                    LEFT JOIN posts p ON p.id = e.boost_of_id
                    WHERE e.account_id = l.account_id AND e.deleted_at IS NULL
                        AND e.id < \(page.ceiling) AND e.id > \(page.floor)
                        AND e.visibility <> 'direct'
                        AND (e.language = ANY (f.languages) OR coalesce(f.languages, '{}') = '{}' OR e.language IS NULL)
                        AND (
                            e.boost_of_id IS NULL
                            OR f.show_boosts AND p.account_id NOT IN (SELECT id FROM hidden_from(\(viewer)))
                        )
                        AND (
                            e.in_reply_to_account_id IS NULL
                            OR e.in_reply_to_account_id IN (e.account_id, \(viewer))
                            OR EXISTS (
                                SELECT FROM follows r
                                WHERE r.follower_id = \(viewer) AND r.followee_id = e.in_reply_to_account_id
                            )
                        )
                    ORDER BY e.id
                    LIMIT 40
                ) near
                WHERE l.account_id NOT IN (SELECT id FROM hidden_from(\(viewer)))
            )
            ORDER BY id
            LIMIT \(page.limit)
        )
        SELECT v.favourited, v.boosted, v.bookmarked, v.muted, e.*
        FROM page
        JOIN entries e ON e.entry_id = page.id
        CROSS JOIN LATERAL viewer_flags(\(viewer), e.id, e.conversation_id) v
        ORDER BY e.entry_id DESC
        """
    }

    /// Public posts of everyone that are not replies to others.
    static func everyones(viewer: AccountID?, page: Page) -> SQL {
        page.walksForward ? everyonesForward(viewer: viewer, page: page) : everyonesNewest(viewer: viewer, page: page)
    }

    private static func everyonesNewest(viewer: AccountID?, page: Page) -> SQL {
        """
        WITH page AS MATERIALIZED (
            SELECT near.id
            FROM (
                SELECT p.id
                FROM posts p
                WHERE p.visibility = 'public' AND p.boost_of_id IS NULL AND p.deleted_at IS NULL
                    AND (p.in_reply_to_id IS NULL OR p.in_reply_to_account_id = p.account_id)
                    AND p.id < \(page.ceiling) AND p.id > \(page.floor)
                    AND p.account_id NOT IN (SELECT id FROM hidden_from(\(viewer)))
                ORDER BY p.id DESC
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

    private static func everyonesForward(viewer: AccountID?, page: Page) -> SQL {
        """
        WITH page AS MATERIALIZED (
            SELECT near.id
            FROM (
                SELECT p.id
                FROM posts p
                WHERE p.visibility = 'public' AND p.boost_of_id IS NULL AND p.deleted_at IS NULL
                    AND (p.in_reply_to_id IS NULL OR p.in_reply_to_account_id = p.account_id)
                    AND p.id < \(page.ceiling) AND p.id > \(page.floor)
                    AND p.account_id NOT IN (SELECT id FROM hidden_from(\(viewer)))
                ORDER BY p.id
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

    /// Which tags a post must have, in lower case.
    struct Tags: Sendable {
        /// At least one of these.
        let any: [String]
        /// Each of these.
        let all: [String]
        /// None of these.
        let none: [String]
    }

    /// Public posts with certain tags.
    static func tagged(_ tags: Tags, viewer: AccountID?, page: Page) -> SQL {
        page.walksForward
            ? taggedForward(tags, viewer: viewer, page: page) : taggedNewest(tags, viewer: viewer, page: page)
    }

    private static func taggedNewest(_ tags: Tags, viewer: AccountID?, page: Page) -> SQL {
        """
        WITH page AS MATERIALIZED (
            SELECT DISTINCT near.id
            FROM unnest(\(tags.any)) wanted (tag)
            CROSS JOIN LATERAL (
                SELECT t.post_id AS id
                FROM post_tags t
                JOIN posts p ON p.id = t.post_id
                WHERE t.tag = wanted.tag AND t.post_id < \(page.ceiling) AND t.post_id > \(page.floor)
                    AND p.deleted_at IS NULL AND p.visibility = 'public'
                    AND p.tags @> \(tags.all) AND NOT p.tags && \(tags.none)
                    AND p.account_id NOT IN (SELECT id FROM hidden_from(\(viewer)))
                ORDER BY t.post_id DESC
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

    private static func taggedForward(_ tags: Tags, viewer: AccountID?, page: Page) -> SQL {
        """
        WITH page AS MATERIALIZED (
            SELECT DISTINCT near.id
            FROM unnest(\(tags.any)) wanted (tag)
            CROSS JOIN LATERAL (
                SELECT t.post_id AS id
                FROM post_tags t
                JOIN posts p ON p.id = t.post_id
                WHERE t.tag = wanted.tag AND t.post_id < \(page.ceiling) AND t.post_id > \(page.floor)
                    AND p.deleted_at IS NULL AND p.visibility = 'public'
                    AND p.tags @> \(tags.all) AND NOT p.tags && \(tags.none)
                    AND p.account_id NOT IN (SELECT id FROM hidden_from(\(viewer)))
                ORDER BY t.post_id
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
}
