// SPDX-License-Identifier: Apache-2.0
// The SQL on what was said in a channel: history, threads, pins.

import Calls
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

/// A walk along an index.
private struct Walk {
    /// On `messages m`.
    let condition: SQL
    /// By columns of `messages m`.
    let order: SQL
    /// The same by columns of `message_rows r`, as the page is shown.
    let shown: SQL
}

extension HistoryBounds {
    fileprivate var walk: Walk {
        let earlier = before.map { moment -> SQL in "m.created_at < \(moment)" } ?? "true"
        let later = after.map { moment -> SQL in "m.created_at > \(moment)" } ?? "true"
        let all: SQL = "m.seq < \(beforeSeq ?? .max) AND m.seq > \(afterSeq ?? -1) AND \(earlier) AND \(later)"
        return switch order {
        case .newestFirst: Walk(condition: all, order: "m.seq DESC", shown: "r.seq DESC")
        case .oldestFirst: Walk(condition: all, order: "m.seq", shown: "r.seq")
        case .byChange:
            Walk(condition: "m.change > \(afterChange ?? -1) AND \(all)", order: "m.change", shown: "r.change")
        case .newestFirstByTime:
            Walk(condition: earlier, order: "m.created_at DESC, m.seq DESC", shown: "r.seq DESC")
        case .oldestFirstByTime: Walk(condition: all, order: "m.created_at, m.seq", shown: "r.seq")
        }
    }
}

/// Reads pages of messages. A page's ids are found by an index first, then filled.
enum HistoryStore {
    /// A channel's messages; nil when the viewer may not see it.
    static func page(
        _ channel: ChannelID,
        viewer: AccountID,
        _ bounds: HistoryBounds,
        in database: some Querying
    ) async throws -> [MessageRow]? {
        try await page(channel, viewer, bounds.walk, bounds.limit, in: database)
    }

    private static func page(
        _ channel: ChannelID,
        _ viewer: AccountID,
        _ walk: Walk,
        _ limit: Int,
        in database: some Querying
    ) async throws -> [MessageRow]? {
        let rows = try await database.query(
            """
            SELECT \(MessageRow.columns)
            FROM channel_standing(\(channel), \(viewer)) s
            LEFT JOIN LATERAL (\(rows(of: "s.id", walk, limit))) r ON true
            ORDER BY \(walk.shown)
            """
        )
        // One row without a message is a channel without any.
        return rows.isEmpty ? nil : try rows.messages()
    }

    /// The messages of a channel that meet a condition on `messages m`, as an index finds them.
    private static func rows(of channel: SQL, _ walk: Walk, _ limit: Int) -> SQL {
        """
        SELECT \(MessageRow.columns)
        FROM (
            SELECT m.id
            FROM messages m
            WHERE m.channel_id = \(channel) AND \(walk.condition)
            ORDER BY \(walk.order)
            LIMIT \(limit)
        ) p
        CROSS JOIN LATERAL (SELECT \(MessageRow.columns) FROM message_rows r WHERE r.id = p.id OFFSET 0) r
        """
    }

    /// The first message of a thread and a page of its replies, oldest first; nothing if the viewer may not see it.
    static func thread(
        _ id: MessageID,
        viewer: AccountID,
        above: Int64,
        limit: Int,
        in database: some Querying
    ) async throws -> [MessageRow] {
        try await database.query(
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
            SELECT \(MessageRow.columns)
            FROM page p
            CROSS JOIN LATERAL (SELECT \(MessageRow.columns) FROM message_rows r WHERE r.id = p.id OFFSET 0) r
            ORDER BY r.seq
            """
        ).messages()
    }

    /// A channel's pinned messages, the last pinned first; nil when the viewer may not see it.
    static func pins(
        _ channel: ChannelID,
        viewer: AccountID,
        limit: Int,
        in database: some Querying
    ) async throws -> [MessageRow]? {
        let walk = Walk(
            condition: "m.pinned_at IS NOT NULL",
            order: "m.pinned_at DESC, m.seq DESC",
            shown: "r.pinned_at DESC, r.seq DESC"
        )
        return try await page(channel, viewer, walk, limit, in: database)
    }

    /// What is missing after a point, for a gateway that found a gap; it knows who may see it. Nil for no channel.
    static func gap(
        _ channel: ChannelID,
        after point: GapStart,
        limit: Int,
        in database: some Querying
    ) async throws -> Gap<MessageRow>? {
        let walk =
            switch point {
            case .seq(let seq): Walk(condition: "m.seq > \(seq)", order: "m.seq", shown: "r.seq")
            case .change(let change): Walk(condition: "m.change > \(change)", order: "m.change", shown: "r.change")
            }
        let rows = try await database.query(
            """
            SELECT \(ChannelHead.columns), \(MessageRow.columns)
            FROM channels c
            LEFT JOIN LATERAL (\(rows(of: "c.id", walk, limit))) r ON true
            WHERE c.id = \(channel) AND c.deleted_at IS NULL
            ORDER BY \(walk.shown)
            """
        ).all { (head: try $0.next(ChannelHead.self), message: try $0.next(MessageRow?.self)) }
        return rows.first.map { Gap($0.head, rows.compactMap(\.message)) }
    }
}
