// SPDX-License-Identifier: Apache-2.0
// The SQL on what was said in a channel: history, threads, pins.

import Domain
import Postgres

/// Which part of a channel's history is asked for. Each bound is exclusive.
struct HistoryBounds: Sendable {
    /// By what the page is found and ordered.
    enum Order: Sendable {
        case newestFirst, oldestFirst, byChange, newestFirstByTime, oldestFirstByTime
    }

    var beforeSeq: Int64?
    var afterSeq: Int64?
    var afterChange: Int64?
    var before: Timestamp?
    var after: Timestamp?
    var limit: Int

    var order: Order {
        if afterChange != nil { return .byChange }
        if afterSeq != nil { return .oldestFirst }
        if after != nil { return .oldestFirstByTime }
        if beforeSeq == nil, before != nil { return .newestFirstByTime }
        return .newestFirst
    }
}

/// Statements that give a page of messages. The page's ids are found by an index first, then filled.
enum HistoryStore {
    /// A channel's messages, if the viewer may see it; one row without a message when there are none.
    static func page(_ channel: ChannelID, viewer: AccountID, _ bounds: HistoryBounds) -> SQL {
        let below = bounds.beforeSeq ?? .max
        let above = bounds.afterSeq ?? -1
        let changed = bounds.afterChange ?? -1
        switch bounds.order {
        case .newestFirst:
            return """
                SELECT r.*
                FROM channel_standing(\(channel), \(viewer)) s
                LEFT JOIN LATERAL (
                    SELECT r.*
                    FROM (
                        SELECT m.id
                        FROM messages m
                        WHERE m.channel_id = s.id AND m.seq < \(below) AND m.seq > \(above)
                            AND (\(bounds.before) IS NULL OR m.created_at < \(bounds.before))
                        ORDER BY m.seq DESC
                        LIMIT \(bounds.limit)
                    ) p
                    CROSS JOIN LATERAL (SELECT r.* FROM message_rows r WHERE r.id = p.id OFFSET 0) r
                ) r ON true
                ORDER BY r.seq DESC
                """
        case .oldestFirst:
            return """
                SELECT r.*
                FROM channel_standing(\(channel), \(viewer)) s
                LEFT JOIN LATERAL (
                    SELECT r.*
                    FROM (
                        SELECT m.id
                        FROM messages m
                        WHERE m.channel_id = s.id AND m.seq > \(above) AND m.seq < \(below)
                            AND (\(bounds.before) IS NULL OR m.created_at < \(bounds.before))
                            AND (\(bounds.after) IS NULL OR m.created_at > \(bounds.after))
                        ORDER BY m.seq
                        LIMIT \(bounds.limit)
                    ) p
                    CROSS JOIN LATERAL (SELECT r.* FROM message_rows r WHERE r.id = p.id OFFSET 0) r
                ) r ON true
                ORDER BY r.seq
                """
        case .byChange:
            return """
                SELECT r.*
                FROM channel_standing(\(channel), \(viewer)) s
                LEFT JOIN LATERAL (
                    SELECT r.*
                    FROM (
                        SELECT m.id
                        FROM messages m
                        WHERE m.channel_id = s.id AND m.change > \(changed) AND m.seq > \(above) AND m.seq < \(below)
                            AND (\(bounds.before) IS NULL OR m.created_at < \(bounds.before))
                            AND (\(bounds.after) IS NULL OR m.created_at > \(bounds.after))
                        ORDER BY m.change
                        LIMIT \(bounds.limit)
                    ) p
                    CROSS JOIN LATERAL (SELECT r.* FROM message_rows r WHERE r.id = p.id OFFSET 0) r
                ) r ON true
                ORDER BY r.change
                """
        case .newestFirstByTime:
            return """
                SELECT r.*
                FROM channel_standing(\(channel), \(viewer)) s
                LEFT JOIN LATERAL (
                    SELECT r.*
                    FROM (
                        SELECT m.id
                        FROM messages m
                        WHERE m.channel_id = s.id AND m.created_at < \(bounds.before)
                        ORDER BY m.created_at DESC, m.seq DESC
                        LIMIT \(bounds.limit)
                    ) p
                    CROSS JOIN LATERAL (SELECT r.* FROM message_rows r WHERE r.id = p.id OFFSET 0) r
                ) r ON true
                ORDER BY r.seq DESC
                """
        case .oldestFirstByTime:
            return """
                SELECT r.*
                FROM channel_standing(\(channel), \(viewer)) s
                LEFT JOIN LATERAL (
                    SELECT r.*
                    FROM (
                        SELECT m.id
                        FROM messages m
                        WHERE m.channel_id = s.id AND m.created_at > \(bounds.after) AND m.seq < \(below)
                            AND (\(bounds.before) IS NULL OR m.created_at < \(bounds.before))
                        ORDER BY m.created_at, m.seq
                        LIMIT \(bounds.limit)
                    ) p
                    CROSS JOIN LATERAL (SELECT r.* FROM message_rows r WHERE r.id = p.id OFFSET 0) r
                ) r ON true
                ORDER BY r.seq
                """
        }
    }

    /// The first message of a thread and a page of its replies, oldest first, if the viewer may see the channel.
    static func thread(_ id: MessageID, viewer: AccountID, above: Int64, limit: Int) -> SQL {
        """
        WITH root AS (
            SELECT t.id, t.channel_id
            FROM messages m
            JOIN messages t ON t.id = coalesce(m.thread_id, m.id)
            CROSS JOIN LATERAL channel_standing(m.channel_id, \(viewer)) s
            WHERE m.id = \(id)
        ),
        page AS MATERIALIZED (
            SELECT root.id FROM root
            UNION ALL
            (
                SELECT m.id
                FROM root
                JOIN messages m ON m.thread_id = root.id
                WHERE m.seq > \(above)
                ORDER BY m.seq
                LIMIT \(limit)
            )
        )
        SELECT r.*
        FROM page p
        CROSS JOIN LATERAL (SELECT r.* FROM message_rows r WHERE r.id = p.id OFFSET 0) r
        ORDER BY r.seq
        """
    }

    /// A channel's pinned messages, the last pinned first, if the viewer may see it; one row without a message when
    /// there are none.
    static func pins(_ channel: ChannelID, viewer: AccountID, limit: Int) -> SQL {
        """
        SELECT r.*
        FROM channel_standing(\(channel), \(viewer)) s
        LEFT JOIN LATERAL (
            SELECT r.*
            FROM (
                SELECT m.id
                FROM messages m
                WHERE m.channel_id = s.id AND m.pinned_at IS NOT NULL
                ORDER BY m.pinned_at DESC, m.seq DESC
                LIMIT \(limit)
            ) p
            CROSS JOIN LATERAL (SELECT r.* FROM message_rows r WHERE r.id = p.id OFFSET 0) r
        ) r ON true
        ORDER BY r.pinned_at DESC, r.seq DESC
        """
    }

    /// Messages after a number, for a gateway that found a gap; it knows who may see them.
    static func gap(_ channel: ChannelID, after seq: Int64, limit: Int) -> SQL {
        """
        SELECT c.last_seq, c.last_change, r.*
        FROM channels c
        LEFT JOIN LATERAL (
            SELECT r.*
            FROM (
                SELECT m.id
                FROM messages m
                WHERE m.channel_id = c.id AND m.seq > \(seq)
                ORDER BY m.seq
                LIMIT \(limit)
            ) p
            CROSS JOIN LATERAL (SELECT r.* FROM message_rows r WHERE r.id = p.id OFFSET 0) r
        ) r ON true
        WHERE c.id = \(channel) AND c.deleted_at IS NULL
        ORDER BY r.seq
        """
    }

    /// The same for changes, new messages among them.
    static func gap(_ channel: ChannelID, afterChange change: Int64, limit: Int) -> SQL {
        """
        SELECT c.last_seq, c.last_change, r.*
        FROM channels c
        LEFT JOIN LATERAL (
            SELECT r.*
            FROM (
                SELECT m.id
                FROM messages m
                WHERE m.channel_id = c.id AND m.change > \(change)
                ORDER BY m.change
                LIMIT \(limit)
            ) p
            CROSS JOIN LATERAL (SELECT r.* FROM message_rows r WHERE r.id = p.id OFFSET 0) r
        ) r ON true
        WHERE c.id = \(channel) AND c.deleted_at IS NULL
        ORDER BY r.change
        """
    }
}
