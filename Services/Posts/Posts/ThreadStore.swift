// SPDX-License-Identifier: Apache-2.0
// The SQL on conversations and on who reacted to a post.

import Domain
import Events
import Postgres

/// Statements about what surrounds a post.
enum ThreadStore {
    /// How much of a thread is shown.
    struct Bounds: Sendable {
        let ancestors: Int
        let descendants: Int
        let depth: Int

        /// Replies that are looked at: some may be hidden from the viewer, and must not crowd out the others.
        var walked: Int { descendants * 4 }
    }

    /// The post, at place 0, what it answers at negative places, and what answers it, by their depth: of many replies
    /// those nearest to the post, and of those the oldest. Deleted posts are passed through, so that what hangs on them
    /// stays. No row at place 0 when the viewer may not see the post.
    ///
    /// `OFFSET 0` keeps the planner from reading all posts for the sake of a thread whose size it cannot know.
    static func thread(_ id: PostID, viewer: AccountID?, bounds: Bounds) -> SQL {
        """
        WITH RECURSIVE target AS (
            SELECT p.id, p.in_reply_to_id
            FROM posts e
            JOIN posts p ON p.id = coalesce(e.boost_of_id, e.id)
            WHERE e.id = \(id) AND e.deleted_at IS NULL AND p.deleted_at IS NULL
                AND \(Visible.row("p", to: viewer))
        ),
        up (id, place) AS (
            SELECT t.in_reply_to_id, 1::bigint FROM target t WHERE t.in_reply_to_id IS NOT NULL
            UNION ALL
            SELECT p.in_reply_to_id, up.place + 1
            FROM up
            JOIN posts p ON p.id = up.id
            WHERE p.in_reply_to_id IS NOT NULL AND up.place < \(bounds.ancestors)
        ),
        down (id, depth) AS (
            SELECT t.id, 0::bigint FROM target t
            UNION ALL
            SELECT p.id, down.depth + 1
            FROM down
            CROSS JOIN LATERAL (
                SELECT r.id FROM posts r
                WHERE r.in_reply_to_id = down.id
                ORDER BY r.id
                LIMIT \(bounds.walked)
            ) p
            WHERE down.depth < \(bounds.depth)
        ),
        page AS MATERIALIZED (
            SELECT up.id, -up.place AS place FROM up
            UNION ALL
            (SELECT down.id, down.depth FROM down LIMIT \(bounds.walked + 1))
        ),
        visible AS MATERIALIZED (
            SELECT page.place, p.id
            FROM page
            CROSS JOIN LATERAL (
                SELECT p.id, p.account_id, p.visibility, p.mentioned_ids
                FROM posts p
                WHERE p.id = page.id AND p.deleted_at IS NULL
                OFFSET 0
            ) p
            WHERE page.place = 0 OR (
                p.account_id NOT IN (SELECT id FROM hidden_from(\(viewer)))
                AND \(Visible.row("p", to: viewer, blocked: "false"))
            )
        ),
        shown AS MATERIALIZED (
            SELECT place, id FROM visible WHERE place <= 0
            UNION ALL
            (SELECT place, id FROM visible WHERE place > 0 ORDER BY place, id LIMIT \(bounds.descendants))
        )
        SELECT shown.place, v.favourited, v.boosted, v.bookmarked, v.muted, e.*
        FROM shown
        CROSS JOIN LATERAL (SELECT e.* FROM entries e WHERE e.entry_id = shown.id OFFSET 0) e
        CROSS JOIN LATERAL viewer_flags(\(viewer), e.id, e.conversation_id) v
        """
    }

    /// Who made a post a favourite, newest first, after the id by which the list is paged.
    static func favouritedBy(_ id: PostID, viewer: AccountID?, page: Page) -> SQL {
        """
        SELECT f.id, \(AccountSnapshot.columns)
        FROM (
            SELECT f.id, f.account_id
            FROM favourites f
            WHERE f.post_id = \(id) AND f.account_id NOT IN (SELECT id FROM blocked_with(\(viewer)))
                AND \(page.cut("f.id"))
        ) f
        JOIN accounts a ON a.id = f.account_id
        ORDER BY f.id DESC
        """
    }

    /// Who boosted a post for everyone to see, newest first, after the boost by which the list is paged.
    static func boostedBy(_ id: PostID, viewer: AccountID?, page: Page) -> SQL {
        """
        SELECT b.id, \(AccountSnapshot.columns)
        FROM (
            SELECT b.id, b.account_id
            FROM posts b
            WHERE b.boost_of_id = \(id) AND b.deleted_at IS NULL AND b.visibility IN ('public', 'unlisted')
                AND b.account_id NOT IN (SELECT id FROM blocked_with(\(viewer)))
                AND \(page.cut("b.id"))
        ) b
        JOIN accounts a ON a.id = b.account_id
        ORDER BY b.id DESC
        """
    }
}
