// SPDX-License-Identifier: Apache-2.0
// The SQL on how far somebody has read.

import Domain
import Postgres

/// Statements about positions and unread counts.
enum ReadingStore {
    /// Send it before `read` and `unread`: then they see every position that was set before.
    static func lock(_ channel: ChannelID, _ reader: AccountID) -> SQL {
        """
        SELECT 1
        FROM channel_members
        WHERE channel_id = \(channel) AND account_id = \(reader)
        FOR NO KEY UPDATE
        """
    }

    /// Moves a position forward, at most to the newest message; nil is the newest. One row if the reader sees the
    /// channel: their standing, the newest number, the position, the membership's version if it moved, the counts.
    static func read(_ channel: ChannelID, _ reader: AccountID, upTo seq: Int64?, version: Int64) -> SQL {
        """
        WITH target AS MATERIALIZED (
            SELECT s.*, c.last_seq, m.last_read_seq, least(coalesce(\(seq), c.last_seq), c.last_seq) AS wanted
            FROM channel_standing(\(channel), \(reader)) s
            JOIN channels c ON c.id = s.id
            LEFT JOIN channel_members m ON m.channel_id = s.id AND m.account_id = \(reader)
        ),
        moved AS (
            UPDATE channel_members m
            SET last_read_seq = t.wanted, version = greatest(m.version + 1, \(version))
            FROM target t
            WHERE m.channel_id = t.id AND m.account_id = \(reader) AND NOT m.requested AND m.last_read_seq < t.wanted
            RETURNING m.last_read_seq, m.version
        )
        SELECT
            t.id, t.type, t.playground_id, t.name, t.description, t.owner_id, t.archived_at, t.created_at, t.version,
            t.member, t.requested, t.role, t.playground_role, t.blocked, t.last_seq,
            coalesce(v.last_read_seq, t.last_read_seq, t.last_seq), v.version, u.unread, u.mentions
        FROM target t
        LEFT JOIN moved v ON true
        CROSS JOIN LATERAL unread_after(
            t.id, \(reader), coalesce(v.last_read_seq, t.last_read_seq, t.last_seq), t.last_seq
        ) u
        """
    }

    /// Moves a position to just before a message, forward or back. The row is that of `read`.
    static func unread(_ channel: ChannelID, _ reader: AccountID, from seq: Int64, version: Int64) -> SQL {
        """
        WITH target AS MATERIALIZED (
            SELECT s.*, c.last_seq, m.last_read_seq
            FROM channel_standing(\(channel), \(reader)) s
            JOIN channels c ON c.id = s.id
            LEFT JOIN channel_members m ON m.channel_id = s.id AND m.account_id = \(reader)
        ),
        moved AS (
            UPDATE channel_members m
            SET last_read_seq = \(seq) - 1, version = greatest(m.version + 1, \(version))
            FROM target t
            WHERE m.channel_id = t.id AND m.account_id = \(reader) AND NOT m.requested
                AND \(seq) BETWEEN 1 AND t.last_seq AND m.last_read_seq <> \(seq) - 1
            RETURNING m.last_read_seq, m.version
        )
        SELECT
            t.id, t.type, t.playground_id, t.name, t.description, t.owner_id, t.archived_at, t.created_at, t.version,
            t.member, t.requested, t.role, t.playground_role, t.blocked, t.last_seq,
            coalesce(v.last_read_seq, t.last_read_seq, t.last_seq), v.version, u.unread, u.mentions
        FROM target t
        LEFT JOIN moved v ON true
        CROSS JOIN LATERAL unread_after(
            t.id, \(reader), coalesce(v.last_read_seq, t.last_read_seq, t.last_seq), t.last_seq
        ) u
        """
    }

    /// How much is unread. The row is that of `read`.
    static func count(_ channel: ChannelID, _ reader: AccountID) -> SQL {
        """
        SELECT s.*, c.last_seq, coalesce(m.last_read_seq, c.last_seq), NULL::bigint, u.unread, u.mentions
        FROM channel_standing(\(channel), \(reader)) s
        JOIN channels c ON c.id = s.id
        LEFT JOIN channel_members m ON m.channel_id = s.id AND m.account_id = \(reader)
        CROSS JOIN LATERAL unread_after(s.id, \(reader), coalesce(m.last_read_seq, c.last_seq), c.last_seq) u
        """
    }

    /// How much others have said since a moment, whatever was read. The row is that of `read`.
    static func count(_ channel: ChannelID, _ reader: AccountID, after moment: Timestamp) -> SQL {
        """
        SELECT
            s.*, c.last_seq, coalesce(m.last_read_seq, c.last_seq), NULL::bigint,
            (
                SELECT count(*)
                FROM messages x
                WHERE x.channel_id = s.id AND x.created_at > \(moment) AND x.author_id <> \(reader)
                    AND x.deleted_at IS NULL
            ),
            (
                SELECT count(*)
                FROM messages x
                WHERE x.channel_id = s.id AND x.created_at > \(moment) AND x.author_id <> \(reader)
                    AND x.deleted_at IS NULL
                    AND (
                        x.wide_mention IS NOT NULL
                        OR EXISTS (
                            SELECT
                            FROM message_mentions n
                            WHERE n.channel_id = s.id AND n.account_id = \(reader) AND n.seq = x.seq
                        )
                    )
            )
        FROM channel_standing(\(channel), \(reader)) s
        JOIN channels c ON c.id = s.id
        LEFT JOIN channel_members m ON m.channel_id = s.id AND m.account_id = \(reader)
        """
    }
}
