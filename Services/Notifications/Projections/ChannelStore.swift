// SPDX-License-Identifier: Apache-2.0
// The projection of channels: how each looks, who read how far, who left, and which are gone.

import Domain
import Events
import Postgres

enum ChannelStore {
    /// Keeps the snapshot unless it, a newer one, or the end of the channel is known. Nobody waits for anybody where nothing
    /// is new, as with nearly every message.
    static func keep(_ channel: ChannelSnapshot, in transaction: Transaction) {
        transaction.enqueue(
            """
            INSERT INTO channels (id, version, type, playground_id, name)
            SELECT \(channel.id), \(channel.version), \(channel.type.rawValue), \(channel.playgroundID), \(channel.name)
            WHERE NOT EXISTS (SELECT FROM gone_places WHERE id = \(channel.id))
                AND NOT EXISTS (SELECT FROM channels WHERE id = \(channel.id) AND version >= \(channel.version))
            ON CONFLICT (id) DO UPDATE
            SET version = excluded.version, type = excluded.type, playground_id = excluded.playground_id,
                name = excluded.name
            WHERE excluded.version > channels.version
            """
        )
    }

    /// Holds back the end of these places, and that somebody leaves them, until this transaction ends.
    static func share(_ channel: ChannelSnapshot, in transaction: Transaction) {
        if let playground = channel.playgroundID {
            transaction.enqueue("SELECT pg_advisory_xact_lock_shared(\(playground))")
        }
        transaction.enqueue("SELECT pg_advisory_xact_lock_shared(\(channel.id))")
    }

    /// Waits for what `share` holds, and holds back more of it.
    private static func claim(_ place: Int64, in transaction: Transaction) {
        transaction.enqueue("SELECT pg_advisory_xact_lock(\(place))")
    }

    /// Somebody has read a channel up to a message: nothing of it until there concerns them any more.
    static func read(
        _ channel: ChannelID,
        by account: AccountID,
        upTo seq: Int64,
        at moment: Timestamp,
        in transaction: Transaction
    ) {
        transaction.enqueue(
            """
            INSERT INTO reads (channel_id, account_id, seq, touched_at)
            SELECT \(channel), \(account), \(seq), \(moment)
            WHERE NOT EXISTS (SELECT FROM gone_places WHERE id = \(channel))
            ON CONFLICT (channel_id, account_id) DO UPDATE
            SET seq = excluded.seq, touched_at = greatest(reads.touched_at, excluded.touched_at)
            WHERE excluded.seq > reads.seq
            """
        )
        transaction.enqueue(
            """
            DELETE FROM notifications
            WHERE channel_id = \(channel) AND account_id = \(account) AND seq <= \(seq)
            """
        )
    }

    /// Somebody left a channel.
    static func left(_ channel: ChannelID, by account: AccountID, at moment: Timestamp, in transaction: Transaction) {
        depart(channel.rawValue, account, moment, in: transaction)
        transaction.enqueue(
            """
            DELETE FROM notifications
            WHERE channel_id = \(channel) AND account_id = \(account) AND created_at <= \(moment)
            """
        )
    }

    /// Somebody left a playground, and with it all of its channels.
    static func left(
        _ playground: PlaygroundID,
        by account: AccountID,
        at moment: Timestamp,
        in transaction: Transaction
    ) {
        depart(playground.rawValue, account, moment, in: transaction)
        transaction.enqueue(
            """
            DELETE FROM notifications
            WHERE channel_id IN (SELECT id FROM channels WHERE playground_id = \(playground))
                AND account_id = \(account) AND created_at <= \(moment)
            """
        )
    }

    private static func depart(
        _ place: Int64,
        _ account: AccountID,
        _ moment: Timestamp,
        in transaction: Transaction
    ) {
        claim(place, in: transaction)
        transaction.enqueue(
            """
            INSERT INTO departures (place_id, account_id, at)
            SELECT \(place), \(account), \(moment)
            WHERE NOT EXISTS (SELECT FROM gone_places WHERE id = \(place))
            ON CONFLICT (place_id, account_id) DO UPDATE SET at = excluded.at
            WHERE excluded.at > departures.at
            """
        )
    }

    /// Forgets channels for ever, with all that was said in them, and their playground if it goes, too.
    static func bury(
        _ channels: [ChannelID],
        with playground: PlaygroundID? = nil,
        at moment: Timestamp,
        in transaction: Transaction
    ) {
        let places = (channels.map(\.rawValue) + (playground.map { [$0.rawValue] } ?? [])).sorted()
        for place in places { claim(place, in: transaction) }
        transaction.enqueue(
            """
            INSERT INTO gone_places (id, at) SELECT unnest(\(places)), \(moment)
            ON CONFLICT (id) DO UPDATE SET at = greatest(gone_places.at, excluded.at)
            """
        )
        transaction.enqueue("DELETE FROM notifications WHERE channel_id = ANY (\(channels))")
        transaction.enqueue("DELETE FROM messages WHERE channel_id = ANY (\(channels))")
        transaction.enqueue("DELETE FROM reads WHERE channel_id = ANY (\(channels))")
        transaction.enqueue("DELETE FROM departures WHERE place_id = ANY (\(places))")
        transaction.enqueue("DELETE FROM channels WHERE id = ANY (\(channels))")
    }

    /// Removes some positions that have not moved since a moment.
    static func forgetReads(before moment: Timestamp) -> SQL {
        """
        DELETE FROM reads
        WHERE (channel_id, account_id) IN (
            SELECT channel_id, account_id FROM reads
            WHERE touched_at < \(moment)
            ORDER BY touched_at
            LIMIT 2000
            FOR UPDATE SKIP LOCKED
        )
        """
    }

    /// Removes some departures before a moment.
    static func forgetDepartures(before moment: Timestamp) -> SQL {
        """
        DELETE FROM departures
        WHERE (place_id, account_id) IN (
            SELECT place_id, account_id FROM departures
            WHERE at < \(moment)
            ORDER BY at
            LIMIT 2000
            FOR UPDATE SKIP LOCKED
        )
        """
    }

    /// Removes what is known of some places that were deleted before a moment.
    static func forgetPlaces(before moment: Timestamp) -> SQL {
        """
        DELETE FROM gone_places
        WHERE id IN (
            SELECT id FROM gone_places
            WHERE at < \(moment)
            ORDER BY at
            LIMIT 2000
            FOR UPDATE SKIP LOCKED
        )
        """
    }
}
