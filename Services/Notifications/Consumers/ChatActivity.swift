// SPDX-License-Identifier: Apache-2.0
// The queue `notifications.chat`: turns what is said in chat into notifications of those whom it concerns.

import Domain
import Events
import Outbox
import Postgres

/// Reacts to every event of chat that concerns somebody; the others are listed in `Catalogue.unneeded`.
///
/// As with posts, the tables end the same whatever the order in which events come, and however often. Everybody whom a
/// message concerns gets an entry, which goes when they read: that somebody is connected is not known well enough.
struct ChatActivity: Sendable {
    let ids: IDGenerator
    let retention: Retention
    let deliveries: MakeDeliveries
    /// Whether somebody seems to have a live connection, perhaps one that has just gone.
    let isConnected: @Sendable (AccountID) -> Bool

    static let name = "notifications.chat"

    var queue: EventQueue {
        EventQueue(
            ChatActivity.name,
            gathering: .milliseconds(25),
            patient: [MessageSent.self, MessageEdited.self, ConversationRead.self],
            prepare: { arrivals, transaction in
                try AccountStore.keep(arrivals.events.newestAccounts, in: transaction)
                read(arrivals.readings(of: retention), transaction)
            },
            rebuild: .chat,
            said + ended + renamed
        )
    }

    private var said: [Reaction] {
        Reaction.noted([ConversationRead.self]) + [
            retention.reaction(to: MentionRaised.self) { event, transaction in
                // `mentionedIfConnectedIDs` are for connections only, as the name says.
                try raise(.chatMention, event, for: event.data.mentionedIDs, transaction)
            },
            retention.reaction(to: MessageSent.self) { event, transaction in
                try raise(.directMessage, event, for: event.data.recipientIDs, transaction)
            },
            retention.reaction(to: MessageAwaited.self) { event, transaction in
                try raise(.channelMessage, event, for: event.data.recipientIDs, transaction)
            },
            retention.reaction(to: MessageEdited.self) { event, transaction in
                try keep(event.data, transaction)
            },
            Reaction(to: MessageDeleted.self) { event, transaction in
                MessageStore.bury(event.data, at: event.time, in: transaction)
                EntryStore.withdraw(.messageDeleted(event.data.messageID), in: transaction)
            },
        ]
    }

    private var ended: [Reaction] {
        [
            Reaction(to: MemberLeft.self) { event, transaction in
                let data = event.data
                if let channel = data.channelID {
                    left(.channel(channel), data.accountID, at: event.time, transaction)
                } else if let playground = data.playgroundID {
                    left(.playground(playground), data.accountID, at: event.time, transaction)
                }
            },
            Reaction(to: ChannelDeleted.self) { event, transaction in
                bury([event.data.channelID], at: event.time, transaction)
            },
            Reaction(to: PlaygroundDeleted.self) { event, transaction in
                bury(event.data.channelIDs, with: event.data.playgroundID, at: event.time, transaction)
            },
        ]
    }

    private var renamed: [Reaction] {
        [
            retention.reaction(to: ChannelCreated.self) { event, transaction in
                let channel = event.data.channel
                if event.isRetold {
                    ChannelStore.repair(channel, in: transaction)
                } else {
                    ChannelStore.keep(channel, in: transaction)
                }
            },
            retention.reaction(to: ChannelUpdated.self) { event, transaction in
                ChannelStore.keep(event.data.channel, in: transaction)
            },
            retention.reaction(to: ChannelArchived.self) { event, transaction in
                ChannelStore.keep(event.data.channel, in: transaction)
            },
        ]
    }

    private func keep(_ event: some TellingMessage, again: Bool = false, _ transaction: Transaction) throws {
        let (message, channel) = (event.message, event.channel)
        // Held back: that the place ends, or that somebody leaves it.
        let places = [channel.id.rawValue] + (channel.playgroundID.map { [$0.rawValue] } ?? [])
        LockStore.take(sharing: Set(places), in: transaction)
        if again {
            ChannelStore.repair(channel, in: transaction)
        } else {
            ChannelStore.keep(channel, in: transaction)
        }
        MessageStore.keep(message, repairing: again, at: retention.now(), in: transaction)
        EntryStore.followMentions(of: message.id, in: transaction)
    }

    /// Channels are read up to a message: nothing of them until there concerns who read it any more. What of it is raised later says so
    /// itself.
    private func read(_ readings: [ChannelReading], _ transaction: Transaction) {
        if readings.isEmpty { return }
        ChannelStore.keep(readings, in: transaction)
        for reading in readings {
            let place = Read.channel(reading.channel, upTo: reading.seq)
            deliveries(badgesOf: reading.account, after: place, in: transaction)
        }
        EntryStore.withdraw(.read(readings), in: transaction)
    }

    private func left(_ place: Place, _ account: AccountID, at moment: Timestamp, _ transaction: Transaction) {
        LockStore.take(claiming: [place.id], in: transaction)
        ChannelStore.keepDeparture(from: place, of: account, at: moment, in: transaction)
        EntryStore.withdraw(.left(place, account, at: moment), in: transaction)
    }

    /// Forgets channels for ever, with all that was said in them, and their playground if it goes, too.
    private func bury(
        _ channels: [ChannelID],
        with playground: PlaygroundID? = nil,
        at moment: Timestamp,
        _ transaction: Transaction
    ) {
        let channels = channels.map(\.rawValue)
        let places = (channels + (playground.map { [$0.rawValue] } ?? [])).sorted()
        LockStore.take(claiming: Set(places), in: transaction)
        ChannelStore.keepEnd(of: places, at: moment, in: transaction)
        for table in PlaceTable.allCases {
            ChannelStore.clear(table, of: table == .departures ? places : channels, in: transaction)
        }
    }

    private func raise(
        _ kind: NotificationKind,
        _ event: Envelope<some TellingMessage>,
        for recipients: [AccountID],
        _ transaction: Transaction
    ) throws {
        let (message, channel, again) = (event.data.message, event.data.channel, event.isRetold)
        let author = event.data.author
        let recipients = Set(recipients).filter { $0 != author.id }.sorted()
        guard !recipients.isEmpty, message.createdAt > retention.horizon else { return }
        try keep(event.data, again: again, transaction)
        LockStore.take(sharing: [author.id.rawValue], in: transaction)
        let now = retention.now()
        let unread = recipients.map { ChannelReading(channel: channel.id, account: $0, seq: 0, moment: now) }
        ChannelStore.keep(unread, in: transaction)
        let entries = try ids.entries(recipients.count, of: message.createdAt, again: again)
        // What is told again is no news that somebody may be about to read.
        let present = again ? [] : recipients.filter(isConnected)
        EntryStore.raise(
            kind,
            message,
            in: [channel.id.rawValue] + (channel.playgroundID.map { [$0.rawValue] } ?? []),
            for: recipients,
            as: entries,
            connected: present,
            in: transaction
        )
        if !again { deliveries(of: entries, present: present, in: transaction) }
        if kind.isRenewed { EntryStore.trim(kind, of: channel.id, for: recipients, in: transaction) }
    }
}

extension Sequence<Arrival> {
    /// The furthest that each account has read each channel.
    fileprivate func readings(of retention: Retention) -> [ChannelReading] {
        let horizon = retention.horizon
        var furthest: [ChannelReading.Reader: ChannelReading] = [:]
        for arrival in self {
            guard let reading = arrival.reading(after: horizon) else { continue }
            if let known = furthest[reading.reader], known.seq >= reading.seq { continue }
            furthest[reading.reader] = reading
        }
        return furthest.values.sorted { ($0.channel, $0.account) < ($1.channel, $1.account) }
    }
}

extension Arrival {
    fileprivate func reading(after horizon: Timestamp) -> ChannelReading? {
        switch event {
        case let event as ConversationRead:
            ChannelReading(channel: event.channelID, account: event.accountID, seq: event.lastReadSeq, moment: time)
        // Who writes has read what was there.
        case let event as MessageSent where time > horizon:
            ChannelReading(
                channel: event.message.channelID,
                account: event.author.id,
                seq: event.message.seq,
                moment: time
            )
        default: nil
        }
    }
}
