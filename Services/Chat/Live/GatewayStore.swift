// SPDX-License-Identifier: Apache-2.0
// The SQL for the gateway: who belongs where, and what a connection missed.

import Domain
import Postgres

/// Statements behind the `/internal` routes.
enum GatewayStore {
    /// What a connection has of a channel.
    struct Known: Sendable {
        let channel: ChannelID
        let seq: Int64
        /// Nil when it does not ask for changes.
        let change: Int64?
    }

    /// The channels that somebody takes part in, then their playgrounds. Direct messages between two people are no room
    /// while one wants nothing to do with the other.
    static func rooms(of account: AccountID) -> SQL {
        """
        SELECT c.id, c.type, c.playground_id, c.last_seq, c.last_change
        FROM channel_members m
        JOIN channels c ON c.id = m.channel_id
        WHERE m.account_id = \(account) AND NOT m.requested AND c.deleted_at IS NULL
            AND NOT (
                c.type = 'direct' AND EXISTS (
                    SELECT
                    FROM channel_members o
                    JOIN blocks b ON (b.blocker_id, b.blocked_id) IN (
                        (o.account_id, \(account)), (\(account), o.account_id)
                    )
                    WHERE o.channel_id = c.id AND o.account_id <> \(account) AND b.active
                )
            )
        UNION ALL
        SELECT NULL, NULL, p.playground_id, NULL, NULL
        FROM playground_members p
        WHERE p.account_id = \(account)
        """
    }

    /// What is missing of each channel that the account takes part in, in the order in which they were asked for: the
    /// channel's numbers, whether it is too much, whether this message is new rather than changed, and the message.
    /// A channel of which nothing is missing has one row without a message.
    ///
    /// - Parameters:
    ///   - limit: more new messages of one channel, or more changed ones, are too much.
    ///   - whole: more new messages and changes in all are too much for the channels that come last.
    static func missed(of account: AccountID, _ known: [Known], limit: Int, whole: Int) -> SQL {
        """
        WITH judged AS MATERIALIZED (
            SELECT
                a.id, a.seq, a.change, a.place, c.last_seq, c.last_change,
                a.seq > c.last_seq OR a.change > c.last_change OR c.last_seq - a.seq > \(limit)
                    OR sum(
                        -- What a client claims beyond the newest counts as the newest.
                        c.last_seq - least(a.seq, c.last_seq)
                        + CASE
                            WHEN a.change >= 0 THEN greatest(
                                c.last_change - least(a.change, c.last_change)
                                    - (c.last_seq - least(a.seq, c.last_seq)),
                                0
                            )
                            ELSE 0
                        END
                    ) OVER (ORDER BY a.place) > \(whole) AS resync
            FROM unnest(
                \(known.map(\.channel)), \(known.map(\.seq)), \(known.map { $0.change ?? -1 })
            ) WITH ORDINALITY a (id, seq, change, place)
            JOIN channel_members m ON m.channel_id = a.id AND m.account_id = \(account) AND NOT m.requested
            JOIN channels c ON c.id = a.id
            WHERE c.deleted_at IS NULL
        )
        SELECT j.id, j.last_seq, j.last_change, j.resync, p.is_new, r.*
        FROM judged j
        LEFT JOIN LATERAL (
            (
                SELECT m.id, true AS is_new, m.seq AS place
                FROM messages m
                WHERE NOT j.resync AND m.channel_id = j.id AND m.seq > j.seq
                ORDER BY m.seq
                LIMIT \(limit)
            )
            UNION ALL
            (
                SELECT m.id, false, m.change
                FROM messages m
                WHERE NOT j.resync AND j.change >= 0 AND m.channel_id = j.id AND m.change > j.change AND m.seq <= j.seq
                ORDER BY m.change
                LIMIT \(limit + 1)
            )
        ) p ON true
        LEFT JOIN LATERAL (SELECT r.* FROM message_rows r WHERE r.id = p.id OFFSET 0) r ON true
        ORDER BY j.place, p.is_new DESC, p.place
        """
    }

    /// The newest number and change of each channel.
    static func positions(_ channels: [ChannelID]) -> SQL {
        """
        SELECT id, last_seq, last_change
        FROM channels
        WHERE id = ANY (\(channels)) AND deleted_at IS NULL
        ORDER BY id
        """
    }
}
