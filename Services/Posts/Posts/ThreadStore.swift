// SPDX-License-Identifier: Apache-2.0
// The SQL on conversations.

import Domain
import Postgres

/// Reads what surrounds a post, and mutes it.
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
    /// stays. None at place 0 when the viewer may not see the post.
    ///
    /// `OFFSET 0` keeps the planner from reading all posts for the sake of a thread whose size it cannot know.
    static func thread(
        _ id: PostID,
        viewer: AccountID?,
        bounds: Bounds,
        in database: some Querying
    ) async throws -> [PlacedStatus] {
        try await database.query(
            """
            WITH RECURSIVE target AS (
                SELECT p.id, p.in_reply_to_id
                FROM posts e
                CROSS JOIN LATERAL (
                    SELECT p.id, p.in_reply_to_id, p.account_id, p.visibility, p.mentioned_ids
                    FROM posts p
                    WHERE p.id = coalesce(e.boost_of_id, e.id) AND p.deleted_at IS NULL
                    OFFSET 0
                ) p
                WHERE e.id = \(id) AND e.deleted_at IS NULL
                    AND \(Visible.row("p", to: viewer))
            ),
            up (id, place) AS (
                SELECT t.in_reply_to_id, 1::bigint FROM target t WHERE t.in_reply_to_id IS NOT NULL
                UNION ALL
                SELECT p.in_reply_to_id, up.place + 1
                FROM up
                CROSS JOIN LATERAL (SELECT p.in_reply_to_id FROM posts p WHERE p.id = up.id OFFSET 0) p
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
                    \(Visible.isShown("p.account_id", to: "\(viewer)"))
                    AND \(Visible.row("p", to: viewer, blocked: "false"))
                )
            ),
            shown AS MATERIALIZED (
                SELECT place, id FROM visible WHERE place <= 0
                UNION ALL
                (SELECT place, id FROM visible WHERE place > 0 ORDER BY place, id LIMIT \(bounds.descendants))
            )
            SELECT shown.place, \(ListedStatus.columns)
            FROM shown
            \(ListedStatus.lookedUp(by: "shown.id", for: viewer))
            """
        ).all(as: PlacedStatus.init)
    }

    /// Mutes the conversation of a post that the caller knows to be visible.
    static func mute(conversationOf id: PostID, by viewer: AccountID, in database: some Querying) async throws {
        _ = try await database.query(
            """
            INSERT INTO conversation_mutes (account_id, conversation_id)
            SELECT \(viewer), conversation_id FROM posts WHERE id = \(id)
            ON CONFLICT (account_id, conversation_id) DO NOTHING
            """
        )
    }

    static func unmute(conversationOf id: PostID, by viewer: AccountID, in database: some Querying) async throws {
        _ = try await database.query(
            """
            DELETE FROM conversation_mutes
            WHERE account_id = \(viewer) AND conversation_id = (SELECT conversation_id FROM posts WHERE id = \(id))
            """
        )
    }
}
