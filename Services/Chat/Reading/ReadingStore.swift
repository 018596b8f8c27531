// SPDX-License-Identifier: Apache-2.0
// The SQL on how far somebody has read.

import Domain
import Postgres

/// How a position moves.
enum PositionMove: Sendable {
    /// Forward to a message, at most to the newest; nil is the newest.
    case forward(to: Int64?)
    /// To just before a message, forward or back.
    case before(Int64)

    /// The new position, by the channel's `c`.
    fileprivate var target: SQL {
        switch self {
        case .forward(let seq): "least(coalesce(\(seq), c.last_seq), c.last_seq)"
        case .before(let seq): "\(seq) - 1"
        }
    }

    /// Whether there is anything to move of `m` to the target `t`.
    fileprivate var condition: SQL {
        switch self {
        case .forward: "m.last_read_seq < t.wanted"
        case .before: "t.wanted BETWEEN 0 AND t.last_seq - 1 AND m.last_read_seq <> t.wanted"
        }
    }
}

/// Moves positions and counts what is unread.
enum ReadingStore {
    /// Holds a position. Send it before `move`: then that sees every position that was set before.
    static func hold(_ channel: ChannelID, _ reader: AccountID, in transaction: some Transacting) {
        transaction.enqueue(
            """
            SELECT 1
            FROM channel_members
            WHERE channel_id = \(channel) AND account_id = \(reader)
            FOR NO KEY UPDATE
            """
        )
    }

    /// Nil unless the reader sees the channel.
    static func move(
        _ move: PositionMove,
        of reader: AccountID,
        in channel: ChannelID,
        version: Int64,
        in transaction: some Transacting
    ) async throws -> Position? {
        try await transaction.query(
            """
            WITH target AS MATERIALIZED (
                SELECT \(ChannelAccess.columns), c.last_seq, m.last_read_seq, \(move.target) AS wanted
                FROM channel_standing(\(channel), \(reader)) s
                JOIN channels c ON c.id = s.id
                LEFT JOIN channel_members m ON m.channel_id = s.id AND m.account_id = \(reader)
            ),
            moved AS (
                UPDATE channel_members m
                SET last_read_seq = t.wanted, version = greatest(m.version + 1, \(version))
                FROM target t
                WHERE m.channel_id = t.id AND m.account_id = \(reader) AND NOT m.requested AND \(move.condition)
                RETURNING m.last_read_seq, m.version
            )
            SELECT \(Position.columns)
            FROM target s
            LEFT JOIN moved v ON true
            CROSS JOIN LATERAL (
                SELECT s.last_seq, coalesce(v.last_read_seq, s.last_read_seq, s.last_seq) AS read_seq, v.version
            ) r
            CROSS JOIN LATERAL unread_after(s.id, \(reader), r.read_seq, s.last_seq) u
            """
        ).one(as: Position.init)
    }

    /// How much is unread by the position or, with a moment, how much others have said since, whatever was read. Nil unless
    /// the reader sees the channel.
    static func count(
        _ channel: ChannelID,
        _ reader: AccountID,
        after moment: Timestamp? = nil,
        in database: some Querying
    ) async throws -> Position? {
        let counts: SQL =
            if let moment {
                """
                SELECT count(*) AS unread, count(*) FILTER (
                        WHERE x.wide_mention IS NOT NULL OR EXISTS (
                            SELECT
                            FROM message_mentions n
                            WHERE n.channel_id = s.id AND n.account_id = \(reader) AND n.seq = x.seq
                        )
                    ) AS mentions
                FROM messages x
                WHERE x.channel_id = s.id AND x.created_at > \(moment) AND x.author_id <> \(reader)
                    AND x.deleted_at IS NULL
                """
            } else {
                "SELECT n.unread, n.mentions FROM unread_after(s.id, \(reader), r.read_seq, r.last_seq) n"
            }
        return try await database.query(
            """
            SELECT \(Position.columns)
            FROM channel_standing(\(channel), \(reader)) s
            CROSS JOIN LATERAL (
                SELECT c.last_seq, coalesce(m.last_read_seq, c.last_seq) AS read_seq, NULL::bigint AS version
                FROM channels c
                LEFT JOIN channel_members m ON m.channel_id = c.id AND m.account_id = \(reader)
                WHERE c.id = s.id
            ) r
            CROSS JOIN LATERAL (\(counts)) u
            """
        ).one(as: Position.init)
    }
}
