// SPDX-License-Identifier: Apache-2.0
// The queue `notifications.chat`: turns what is said in chat into notifications of those who are away.

import Domain
import Events
import Outbox
import Postgres

/// Reacts to every event of chat that concerns somebody; the others are listed in `Catalogue.unneeded`.
///
/// As with posts, the tables end the same whatever the order in which events come, and however often. Somebody who is
/// connected is told by the message itself and gets no entry; when it is not known, they get one.
struct ChatActivity: Sendable {
    let ids: IDGenerator
    let isConnected: @Sendable (AccountID) -> Bool

    static let name = "notifications.chat"

    var queue: EventQueue { EventQueue(ChatActivity.name, said + read + ended + renamed) }

    private var said: [Reaction] {
        [
            Reaction(to: MentionRaised.self) { event, transaction in
                let data = event.data
                // `mentionedIfConnectedIDs` are for connections only, as the name says.
                try raise(.chatMention, data.message, by: data.author, in: data.channel, data.mentionedIDs, transaction)
            },
            Reaction(to: MessageSent.self) { event, transaction in
                let data = event.data
                // Who writes has read what was there.
                let (message, author) = (data.message, data.author)
                ChannelStore.read(message.channelID, by: author.id, upTo: message.seq, in: transaction)
                try raise(.directMessage, message, by: author, in: data.channel, data.recipientIDs, transaction)
            },
            Reaction(to: MessageEdited.self) { event, transaction in
                try keep(event.data.message, by: event.data.author, in: event.data.channel, transaction)
            },
            Reaction(to: MessageDeleted.self) { event, transaction in
                MessageStore.bury(event.data, in: transaction)
            },
        ]
    }

    private var read: [Reaction] {
        [
            Reaction(to: ConversationRead.self) { event, transaction in
                let data = event.data
                ChannelStore.read(data.channelID, by: data.accountID, upTo: data.lastReadSeq, in: transaction)
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
                ChannelStore.bury([event.data.channelID], in: transaction)
            },
            Reaction(to: PlaygroundDeleted.self) { event, transaction in
                ChannelStore.bury(event.data.channelIDs, with: event.data.playgroundID, in: transaction)
            },
        ]
    }

    private var renamed: [Reaction] {
        [
            Reaction(to: ChannelCreated.self) { event, transaction in
                ChannelStore.keep(event.data.channel, in: transaction)
            },
            Reaction(to: ChannelUpdated.self) { event, transaction in
                ChannelStore.keep(event.data.channel, in: transaction)
            },
            Reaction(to: ChannelArchived.self) { event, transaction in
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
        try AccountStore.keep(author, in: transaction)
        ChannelStore.keep(channel, in: transaction)
        MessageStore.keep(message, in: transaction)
    }

    private func raise(
        _ kind: NotificationKind,
        _ message: MessageSnapshot,
        by author: AccountSnapshot,
        in channel: ChannelSnapshot,
        _ recipients: [AccountID],
        _ transaction: Transaction
    ) throws {
        let away = Set(recipients).filter { $0 != author.id && !isConnected($0) }.sorted()
        guard !away.isEmpty else { return }
        try keep(message, by: author, in: channel, transaction)
        try MessageStore.raise(kind, message, in: channel, for: away, ids: ids, in: transaction)
    }
}
