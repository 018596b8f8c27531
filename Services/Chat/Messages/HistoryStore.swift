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
        let below: SQL = "m.seq < \(bounds.beforeSeq ?? .max)"
        let above: SQL = "m.seq > \(bounds.afterSeq ?? -1)"
        let earlier = bounds.before.map { moment -> SQL in "m.created_at < \(moment)" } ?? "true"
        let later = bounds.after.map { moment -> SQL in "m.created_at > \(moment)" } ?? "true"
        let all: SQL = "\(below) AND \(above) AND \(earlier) AND \(later)"
        return switch bounds.order {
        case .newestFirst: page(channel, viewer, all, by: "m.seq DESC", shown: "r.seq DESC", bounds.limit)
        case .oldestFirst: page(channel, viewer, all, by: "m.seq", shown: "r.seq", bounds.limit)
        case .byChange:
            page(
                channel,
                viewer,
                "m.change > \(bounds.afterChange ?? -1) AND \(all)",
                by: "m.change",
                shown: "r.change",
                bounds.limit
            )
        case .newestFirstByTime:
            page(channel, viewer, earlier, by: "m.created_at DESC, m.seq DESC", shown: "r.seq DESC", bounds.limit)
        case .oldestFirstByTime: page(channel, viewer, all, by: "m.created_at, m.seq", shown: "r.seq", bounds.limit)
        }
    }

    private static func page(
        _ channel: ChannelID,
        _ viewer: AccountID,
        _ condition: SQL,
        by order: SQL,
        shown: SQL,
        _ limit: Int
    ) -> SQL {
        """
        SELECT r.*
        FROM channel_standing(\(channel), \(viewer)) s
        LEFT JOIN LATERAL (\(rows(of: "s.id", condition, by: order, limit))) r ON true
        ORDER BY \(shown)
        """
    }

    /// The messages of a channel that meet a condition on `messages m`, as an index finds them.
    private static func rows(of channel: SQL, _ condition: SQL, by order: SQL, _ limit: Int) -> SQL {
        """
        SELECT r.*
        FROM (
            SELECT m.id
            FROM messages m
            WHERE m.channel_id = \(channel) AND \(condition)
            ORDER BY \(order)
            LIMIT \(limit)
        ) p
        CROSS JOIN LATERAL (SELECT r.* FROM message_rows r WHERE r.id = p.id OFFSET 0) r
        """
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
        page(
            channel,
            viewer,
            "m.pinned_at IS NOT NULL",
            by: "m.pinned_at DESC, m.seq DESC",
            shown: "r.pinned_at DESC, r.seq DESC",
            limit
        )
    }

    /// Messages after a number, for a gateway that found a gap; it knows who may see them.
    static func gap(_ channel: ChannelID, after seq: Int64, limit: Int) -> SQL {
        gap(channel, rows(of: "c.id", "m.seq > \(seq)", by: "m.seq", limit), shown: "r.seq")
    }

    /// The same for changes, new messages among them.
    static func gap(_ channel: ChannelID, afterChange change: Int64, limit: Int) -> SQL {
        gap(channel, rows(of: "c.id", "m.change > \(change)", by: "m.change", limit), shown: "r.change")
    }

    private static func gap(_ channel: ChannelID, _ rows: SQL, shown: SQL) -> SQL {
        """
        SELECT c.last_seq, c.last_change, r.*
        FROM channels c
        LEFT JOIN LATERAL (\(rows)) r ON true
        WHERE c.id = \(channel) AND c.deleted_at IS NULL
        ORDER BY \(shown)
        """
    }
}
