// SPDX-License-Identifier: Apache-2.0
// The projection of channels: how each looks, who read how far, who left, and which are gone.

import Domain
import Events
import Postgres

/// Where somebody was, and left.
enum Place: Sendable {
    case channel(ChannelID)
    /// With all of its channels.
    case playground(PlaygroundID)

    var id: Int64 {
        switch self {
        case .channel(let id): id.rawValue
        case .playground(let id): id.rawValue
        }
    }
}

/// How far somebody has read a channel.
struct ChannelReading: Sendable {
    struct Reader: Hashable {
        let channel: ChannelID
        let account: AccountID
    }

    let channel: ChannelID
    let account: AccountID
    let seq: Int64
    let moment: Timestamp

    var reader: Reader { Reader(channel: channel, account: account) }
}

/// Where something of a channel or of a playground is kept.
enum PlaceTable: Sendable, CaseIterable {
    case notifications, messages, reads, departures, channels

    fileprivate var table: SQL {
        switch self {
        case .notifications: "notifications"
        case .messages: "messages"
        case .reads: "reads"
        case .departures: "departures"
        case .channels: "channels"
        }
    }

    fileprivate var key: SQL {
        switch self {
        case .notifications, .messages, .reads: "channel_id"
        case .departures: "place_id"
        case .channels: "id"
        }
    }
}

enum ChannelStore {
    /// Keeps the snapshot unless it, a newer one, or the end of the channel is known. Nobody waits for anybody where nothing
    /// is new, as with nearly every message.
    static func keep(_ channel: ChannelSnapshot, in transaction: some Transacting) {
        let isNews: SQL = """

                AND NOT EXISTS (SELECT FROM channels WHERE id = \(channel.id) AND version >= \(channel.version))
            """
        transaction.enqueue(keeping(channel, if: isNews, "excluded.version > channels.version"))
    }

    /// Keeps the snapshot also in place of one of the same version, which may be damaged.
    static func repair(_ channel: ChannelSnapshot, in transaction: some Transacting) {
        transaction.enqueue(keeping(channel, if: "", "excluded.version >= channels.version"))
    }

    private static func keeping(_ channel: ChannelSnapshot, if isNews: SQL, _ isNewer: SQL) -> SQL {
        """
        INSERT INTO channels (id, version, type, playground_id, name)
        SELECT \(channel.id), \(channel.version), \(channel.type.rawValue), \(channel.playgroundID), \(channel.name)
        WHERE NOT EXISTS (SELECT FROM gone_places WHERE id = \(channel.id))\(isNews)
        ON CONFLICT (id) DO UPDATE
        SET version = excluded.version, type = excluded.type, playground_id = excluded.playground_id,
            name = excluded.name
        WHERE \(isNewer)
        """
    }

    /// Keeps how far channels are read, unless it is known that they are read further. The rows are held even where nothing
    /// changes: a reading that comes at the same time waits, and then sees what was raised.
    ///
    /// - Parameter readings: one of each account and channel.
    static func keep(_ readings: [ChannelReading], in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO reads (channel_id, account_id, seq, touched_at)
            SELECT r.channel_id, r.account_id, r.seq, r.moment
            FROM unnest(
                \(readings.map(\.channel)), \(readings.map(\.account)), \(readings.map(\.seq)), \(readings.map(\.moment))
            ) AS r (channel_id, account_id, seq, moment)
            WHERE NOT EXISTS (SELECT FROM gone_places g WHERE g.id = r.channel_id OFFSET 0)
            ORDER BY r.channel_id, r.account_id
            ON CONFLICT (channel_id, account_id) DO UPDATE
            SET seq = excluded.seq, touched_at = greatest(reads.touched_at, excluded.touched_at)
            WHERE excluded.seq > reads.seq
            """
        )
    }

    /// Keeps that somebody left.
    static func keepDeparture(
        from place: Place,
        of account: AccountID,
        at moment: Timestamp,
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            INSERT INTO departures (place_id, account_id, at)
            SELECT \(place.id), \(account), \(moment)
            WHERE NOT EXISTS (SELECT FROM gone_places WHERE id = \(place.id))
            ON CONFLICT (place_id, account_id) DO UPDATE SET at = excluded.at
            WHERE excluded.at > departures.at
            """
        )
    }

    /// Keeps that these channels and playgrounds are gone.
    static func keepEnd(of places: [Int64], at moment: Timestamp, in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO gone_places (id, at) SELECT unnest(\(places)), \(moment)
            ON CONFLICT (id) DO UPDATE SET at = greatest(gone_places.at, excluded.at)
            """
        )
    }

    /// Forgets what a table holds of these channels and playgrounds.
    static func clear(_ table: PlaceTable, of places: [Int64], in transaction: some Transacting) {
        transaction.enqueue("DELETE FROM \(table.table) WHERE \(table.key) = ANY (\(places))")
    }
}
