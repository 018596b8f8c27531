// SPDX-License-Identifier: Apache-2.0
// The SQL for the gateway: who belongs where, and what a connection missed.

package import Calls
import Domain
import Events
public import Postgres

extension ChannelHead: Joined {
    /// The columns of `channels c` that `init(columns:)` reads.
    package static let list = ColumnList("c", "id, last_seq, last_change")

    package init(columns: inout Columns) throws {
        self.init(try columns.next(), lastSeq: try columns.next(), lastChange: try columns.next())
    }
}

/// A channel that somebody takes part in, or a playground that they are in.
private enum Room: Columned {
    case channel(RoomList.Room)
    case playground(PlaygroundID)

    static let columns: SQL = "\(ChannelHead.columns), c.type, c.playground_id"

    init(columns: inout Columns) throws {
        let head: ChannelHead? = try columns.next()
        let type: ChannelType? = try columns.next()
        if let head, let type {
            self = .channel(RoomList.Room(head, type: type, playgroundID: try columns.next()))
        } else {
            self = .playground(try columns.next())
        }
    }
}

/// What a connection missed of a channel: one message of it, perhaps none.
struct MissedRow: Sendable {
    let head: ChannelHead
    /// Whether it is too much.
    let resync: Bool
    /// Whether the message is new rather than changed.
    let isNew: Bool?
    let message: MessageRow?

    static let columns: SQL = "\(ChannelHead.columns), c.resync, p.is_new, \(MessageRow.columns)"
}

/// What is behind the `/internal` routes.
enum GatewayStore {
    /// The channels that somebody takes part in, then their playgrounds. Direct messages between two people are no room
    /// while one wants nothing to do with the other.
    static func rooms(of account: AccountID, in database: some Querying) async throws -> RoomList {
        let rooms = try await database.query(
            """
            SELECT \(Room.columns)
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
            SELECT NULL, NULL, NULL, NULL, p.playground_id
            FROM playground_members p
            WHERE p.account_id = \(account)
            """
        ).all(Room.init(columns:))
        return RoomList(
            rooms: rooms.compactMap { if case .channel(let room) = $0 { room } else { nil } },
            playgrounds: rooms.compactMap { if case .playground(let id) = $0 { id } else { nil } }
        )
    }

    /// What is missing of each channel that the account takes part in, in the order in which they were asked for.
    /// A channel of which nothing is missing has one row without a message.
    ///
    /// - Parameters:
    ///   - limit: more new messages of one channel, or more changed ones, are too much.
    ///   - whole: more new messages and changes in all are too much for the channels that come last.
    static func missed(
        of account: AccountID,
        _ known: [KnownChannel],
        limit: Int,
        whole: Int,
        in database: some Querying
    ) async throws -> [MissedRow] {
        try await database.query(
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
                    \(known.map(\.id)), \(known.map(\.seq)), \(known.map { $0.change ?? -1 })
                ) WITH ORDINALITY a (id, seq, change, place)
                JOIN channel_members m ON m.channel_id = a.id AND m.account_id = \(account) AND NOT m.requested
                JOIN channels c ON c.id = a.id
                WHERE c.deleted_at IS NULL
            )
            SELECT \(MissedRow.columns)
            FROM judged c
            LEFT JOIN LATERAL (
                (
                    SELECT m.id, true AS is_new, m.seq AS place
                    FROM messages m
                    WHERE NOT c.resync AND m.channel_id = c.id AND m.seq > c.seq
                    ORDER BY m.seq
                    LIMIT \(limit)
                )
                UNION ALL
                (
                    SELECT m.id, false, m.change
                    FROM messages m
                    WHERE NOT c.resync AND c.change >= 0 AND m.channel_id = c.id AND m.change > c.change AND m.seq <= c.seq
                    ORDER BY m.change
                    LIMIT \(limit + 1)
                )
            ) p ON true
            LEFT JOIN LATERAL (SELECT \(MessageRow.columns) FROM message_rows r WHERE r.id = p.id OFFSET 0) r ON true
            ORDER BY c.place, p.is_new DESC, p.place
            """
        ).all(as: MissedRow.init)
    }

    static func heads(_ channels: [ChannelID], in database: some Querying) async throws -> [ChannelHead] {
        try await database.query(
            """
            SELECT \(ChannelHead.columns)
            FROM channels c
            WHERE c.id = ANY (\(channels)) AND c.deleted_at IS NULL
            ORDER BY c.id
            """
        ).all(ChannelHead.init(columns:))
    }
}
