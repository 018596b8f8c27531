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
    /// Whether somebody seems to have a live connection, perhaps one that has just gone.
    let isConnected: @Sendable (AccountID) -> Bool

    static let name = "notifications.chat"

    var queue: EventQueue {
        EventQueue(
            ChatActivity.name,
            prepare: { events, transaction in try AccountStore.keep(events.newestAccounts, in: transaction) },
            said + read + ended + renamed
        )
    }

    private var said: [Reaction] {
        [
            retention.reaction(to: MentionRaised.self) { event, transaction in
                let data = event.data
                // `mentionedIfConnectedIDs` are for connections only, as the name says.
                try raise(.chatMention, data.message, by: data.author, in: data.channel, data.mentionedIDs, transaction)
            },
            retention.reaction(to: MessageSent.self) { event, transaction in
                let data = event.data
                // Who writes has read what was there.
                let (message, author) = (data.message, data.author)
                ChannelStore.read(
                    message.channelID,
                    by: author.id,
                    upTo: message.seq,
                    at: event.time,
                    in: transaction
                )
                try raise(.directMessage, message, by: author, in: data.channel, data.recipientIDs, transaction)
            },
            retention.reaction(to: MessageEdited.self) { event, transaction in
                try keep(event.data.message, by: event.data.author, in: event.data.channel, transaction)
            },
            Reaction(to: MessageDeleted.self) { event, transaction in
                MessageStore.bury(event.data, at: event.time, in: transaction)
            },
        ]
    }

    private var read: [Reaction] {
        [
            Reaction(to: ConversationRead.self) { event, transaction in
                let data = event.data
                ChannelStore.read(
                    data.channelID,
                    by: data.accountID,
                    upTo: data.lastReadSeq,
                    at: event.time,
                    in: transaction
                )
            }
        ]
    }

    private var ended: [Reaction] {
        [
            Reaction(to: MemberLeft.self) { event, transaction in
                let data = event.data
                if let channel = data.channelID {
                    ChannelStore.left(channel, by: data.accountID, at: event.time, in: transaction)
                } else if let playground = data.playgroundID {
                    ChannelStore.left(playground, by: data.accountID, at: event.time, in: transaction)
                }
            },
            Reaction(to: ChannelDeleted.self) { event, transaction in
                ChannelStore.bury([event.data.channelID], at: event.time, in: transaction)
            },
            Reaction(to: PlaygroundDeleted.self) { event, transaction in
                ChannelStore.bury(
                    event.data.channelIDs,
                    with: event.data.playgroundID,
                    at: event.time,
                    in: transaction
                )
            },
        ]
    }

    private var renamed: [Reaction] {
        [
            retention.reaction(to: ChannelCreated.self) { event, transaction in
                ChannelStore.keep(event.data.channel, in: transaction)
            },
            retention.reaction(to: ChannelUpdated.self) { event, transaction in
                ChannelStore.keep(event.data.channel, in: transaction)
            },
            retention.reaction(to: ChannelArchived.self) { event, transaction in
                ChannelStore.keep(event.data.channel, in: transaction)
            },
        ]
    }

    private func keep(
        _ message: MessageSnapshot,
        by author: AccountSnapshot,
        in channel: ChannelSnapshot,
        _ transaction: Transaction
    ) throws {
        ChannelStore.share(channel, in: transaction)
        ChannelStore.keep(channel, in: transaction)
        MessageStore.keep(message, at: retention.now(), in: transaction)
    }

    private func raise(
        _ kind: NotificationKind,
        _ message: MessageSnapshot,
        by author: AccountSnapshot,
        in channel: ChannelSnapshot,
        _ recipients: [AccountID],
        _ transaction: Transaction
    ) throws {
        let recipients = Set(recipients).filter { $0 != author.id }.sorted()
        guard !recipients.isEmpty, message.createdAt > retention.horizon else { return }
        try keep(message, by: author, in: channel, transaction)
        SilenceStore.share(author.id, in: transaction)
        try MessageStore.raise(
            kind,
            message,
            in: channel,
            for: recipients,
            connected: recipients.filter(isConnected),
            ids: ids,
            at: retention.now(),
            in: transaction
        )
    }
}
