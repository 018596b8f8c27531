// SPDX-License-Identifier: Apache-2.0
// Whether a home timeline showed a post shortly before somebody's boost of it.

import Postgres

/// A condition on boosts in home timelines: the only place that says what is not shown again.
enum Repeated {
    /// Whether the viewer's home timeline has the post itself, or an earlier boost of it, among the 40 entries before a
    /// boost, as Mastodon counts them.
    ///
    /// It asks how things are now, so a boost is shown again when the earlier one goes. An earlier boost counts though it was
    /// not shown itself. Of a post that very many boost the 100 boosts before are looked at. What is read from popular
    /// accounts counts where it is sure to be in the timeline.
    static func boost(_ boost: SQL, of post: SQL, to viewer: SQL) -> SQL {
        """
        EXISTS (
            SELECT
            FROM (
                -- The last of the 40.
                SELECT coalesce(
                    (
                        SELECT t.post_id
                        FROM timeline t
                        WHERE t.account_id = \(viewer) AND t.post_id < \(boost)
                        ORDER BY t.post_id DESC
                        OFFSET 39
                        LIMIT 1
                    ),
                    0
                ) AS id
                OFFSET 0
            ) last
            CROSS JOIN LATERAL (
                -- Of the boosts of what very many boost, few are in the timeline: of the others nothing else is asked.
                SELECT o.id, o.account_id,
                    EXISTS (SELECT FROM timeline t WHERE t.account_id = \(viewer) AND t.post_id = o.id OFFSET 0) AS is_entry,
                    o.is_for_all AND o.account_id IN (SELECT l.account_id FROM popular_accounts l) AS is_read
                FROM (
                    SELECT o.id, o.account_id, o.visibility <> 'direct'
                        AND (o.in_reply_to_account_id IS NULL OR o.in_reply_to_account_id = o.account_id) AS is_for_all
                    FROM posts o
                    WHERE o.id = \(post) AND o.id >= last.id AND o.deleted_at IS NULL
                    UNION ALL
                    (
                        SELECT o.id, o.account_id, true
                        FROM posts o
                        WHERE o.boost_of_id = \(post) AND o.id < \(boost) AND o.id >= last.id AND o.deleted_at IS NULL
                        ORDER BY o.id DESC
                        LIMIT 100
                    )
                ) o
                OFFSET 0
            ) earlier
            -- A join may read all whom the viewer follows.
            LEFT JOIN LATERAL (
                SELECT f.follower_id, f.languages, f.show_boosts
                FROM follows f
                WHERE f.follower_id = \(viewer) AND f.followee_id = earlier.account_id
                OFFSET 0
            ) f ON true
            WHERE (earlier.is_entry OR earlier.is_read)
                AND (earlier.is_entry OR f.follower_id IS NOT NULL AND coalesce(f.languages, '{}') = '{}')
                AND (earlier.id = \(post) OR f.show_boosts IS NOT FALSE)
                AND \(Visible.isShown("earlier.account_id", to: viewer))
        )
        """
    }
}
