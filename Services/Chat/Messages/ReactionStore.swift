// SPDX-License-Identifier: Apache-2.0
// The SQL on who reacted to a message.

import Domain
import Postgres

/// Statements about reactions.
enum ReactionStore {
    static func mine(_ message: MessageID, _ emoji: String, _ account: AccountID) -> SQL {
        """
        SELECT 1
        FROM reactions
        WHERE message_id = \(message) AND emoji = \(emoji) AND account_id = \(account)
        """
    }

    /// Each emoji in the order of its first use, with those who used it; one row without an emoji when there is none,
    /// no row for a message that the viewer may not see.
    static func list(_ message: MessageID, viewer: AccountID, most: Int) -> SQL {
        """
        SELECT g.emoji, g.count, g.people
        FROM messages m
        CROSS JOIN LATERAL channel_standing(m.channel_id, \(viewer)) s
        LEFT JOIN LATERAL (
            SELECT
                r.emoji, count(*) AS count, min(r.created_at) AS since,
                jsonb_agg(
                    jsonb_build_object(
                        'id', a.id::text, 'username', a.username,
                        'display_name', coalesce(a.snapshot ->> 'display_name', '')
                    )
                    ORDER BY r.place
                ) FILTER (WHERE r.place <= \(most)) AS people
            FROM (
                SELECT
                    r.emoji, r.account_id, r.created_at,
                    row_number() OVER (PARTITION BY r.emoji ORDER BY r.created_at, r.account_id) AS place
                FROM reactions r
                WHERE r.message_id = m.id
            ) r
            JOIN accounts a ON a.id = r.account_id
            GROUP BY r.emoji
        ) g ON true
        WHERE m.id = \(message)
        ORDER BY g.since, g.emoji
        """
    }
}
