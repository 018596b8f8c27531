// SPDX-License-Identifier: Apache-2.0
// What chat tells of direct messages, messages and how far people have read.

package import Domain

/// Somebody opened direct messages with others.
package struct ConversationOpened: Event {
    package static let name = "chat.ConversationOpened"

    package let channel: ChannelSnapshot
    package let memberIDs: [AccountID]
    /// Those of the members who have yet to accept.
    package let requestedIDs: [AccountID]
    /// Who did it.
    package let actorID: AccountID

    package var subject: String { channel.id.description }
    package var subjectVersion: Int64 { channel.version }

    package init(channel: ChannelSnapshot, memberIDs: [AccountID], requestedIDs: [AccountID], actorID: AccountID) {
        self.channel = channel
        self.memberIDs = memberIDs
        self.requestedIDs = requestedIDs
        self.actorID = actorID
    }

    enum CodingKeys: String, SnakeCased { case channel, memberIDs, requestedIDs, actorID }
}

/// An event that tells how a message is now, with its author and where it stands.
package protocol TellingMessage: ShowingAccounts {
    var message: MessageSnapshot { get }
    var author: AccountSnapshot { get }
    var channel: ChannelSnapshot { get }
}

extension TellingMessage {
    package var accounts: [AccountSnapshot] { [author] }
    package var subject: String { message.id.description }
    package var subjectVersion: Int64 { message.change }
}

/// Somebody said something. In direct messages it tells of the other members, without those who muted it, want none or have yet to
/// accept, else of nobody: who is to hear of it in a channel is told by `MessageAwaited` and `MentionRaised`.
package typealias MessageSent = MessageTold<MessageDeeds.Send>

/// Something was said in a channel of a playground, of which some members asked to hear everything: those who chose the level `all`,
/// without those whom the message names, who muted the channel or are blocked either way, at most 500 an event.
package typealias MessageAwaited = MessageTold<MessageDeeds.Await>

/// Tells some people of what somebody said.
package struct MessageTold<Deed: EventName>: TellingMessage {
    package static var name: String { Deed.name }

    package let message: MessageSnapshot
    package let author: AccountSnapshot
    package let channel: ChannelSnapshot
    package let recipientIDs: [AccountID]

    package init(
        message: MessageSnapshot,
        author: AccountSnapshot,
        channel: ChannelSnapshot,
        recipientIDs: [AccountID]
    ) {
        self.message = message
        self.author = author
        self.channel = channel
        self.recipientIDs = recipientIDs
    }

    enum CodingKeys: String, SnakeCased { case message, author, channel, recipientIDs }
}

package enum MessageDeeds {
    package enum Send: EventName { package static let name = "chat.MessageSent" }
    package enum Await: EventName { package static let name = "chat.MessageAwaited" }
}

/// The author changed a message.
package struct MessageEdited: TellingMessage {
    package static let name = "chat.MessageEdited"

    package let message: MessageSnapshot
    package let author: AccountSnapshot
    package let channel: ChannelSnapshot

    package init(message: MessageSnapshot, author: AccountSnapshot, channel: ChannelSnapshot) {
        self.message = message
        self.author = author
        self.channel = channel
    }
}

/// A message was deleted; nothing of it may be shown any more.
package struct MessageDeleted: Event {
    package static let name = "chat.MessageDeleted"

    package let messageID: MessageID
    package let channelID: ChannelID
    package let seq: Int64
    package let authorID: AccountID
    /// Who did it.
    package let actorID: AccountID
    /// The message's `change`.
    package let subjectVersion: Int64

    package var subject: String { messageID.description }

    package init(
        messageID: MessageID,
        channelID: ChannelID,
        seq: Int64,
        authorID: AccountID,
        actorID: AccountID,
        subjectVersion: Int64
    ) {
        self.messageID = messageID
        self.channelID = channelID
        self.seq = seq
        self.authorID = authorID
        self.actorID = actorID
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case seq, messageID, channelID, authorID, actorID, subjectVersion }
}

/// Somebody reacted to a message with an emoji, or took it back.
package struct MessageReacted: Event {
    package static let name = "chat.MessageReacted"

    package let messageID: MessageID
    package let channelID: ChannelID
    /// Of the message.
    package let authorID: AccountID
    /// Who did it.
    package let actorID: AccountID
    package let emoji: String
    package let isAdded: Bool
    /// The message's `change`.
    package let subjectVersion: Int64

    package var subject: String { messageID.description }

    package init(
        messageID: MessageID,
        channelID: ChannelID,
        authorID: AccountID,
        actorID: AccountID,
        emoji: String,
        isAdded: Bool,
        subjectVersion: Int64
    ) {
        self.messageID = messageID
        self.channelID = channelID
        self.authorID = authorID
        self.actorID = actorID
        self.emoji = emoji
        self.isAdded = isAdded
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case emoji, messageID, channelID, authorID, actorID, isAdded, subjectVersion }
}

/// A message was pinned in its channel, or is pinned no more.
package struct MessagePinned: Event {
    package static let name = "chat.MessagePinned"

    package let messageID: MessageID
    package let channelID: ChannelID
    /// Who did it.
    package let actorID: AccountID
    package let isPinned: Bool
    /// The message's `change`.
    package let subjectVersion: Int64

    package var subject: String { messageID.description }

    package init(
        messageID: MessageID,
        channelID: ChannelID,
        actorID: AccountID,
        isPinned: Bool,
        subjectVersion: Int64
    ) {
        self.messageID = messageID
        self.channelID = channelID
        self.actorID = actorID
        self.isPinned = isPinned
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case messageID, channelID, actorID, isPinned, subjectVersion }
}

/// Somebody has read a channel up to a message, or marked it unread from there.
package struct ConversationRead: Event {
    package static let name = "chat.ConversationRead"

    package let channelID: ChannelID
    package let accountID: AccountID
    /// Everything up to this number is read.
    package let lastReadSeq: Int64
    /// Of the membership.
    package let subjectVersion: Int64

    package var subject: String { "\(channelID)-\(accountID)" }

    package init(channelID: ChannelID, accountID: AccountID, lastReadSeq: Int64, subjectVersion: Int64) {
        self.channelID = channelID
        self.accountID = accountID
        self.lastReadSeq = lastReadSeq
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case channelID, accountID, lastReadSeq, subjectVersion }
}

/// A message names people.
package struct MentionRaised: TellingMessage {
    package static let name = "chat.MentionRaised"

    package let message: MessageSnapshot
    package let author: AccountSnapshot
    package let channel: ChannelSnapshot
    /// Members whom it names one by one or by `@channel`, without those who muted the channel, want nothing of it or blocked the author.
    package let mentionedIDs: [AccountID]
    /// Those named by `@here` only.
    package let mentionedIfConnectedIDs: [AccountID]

    package init(
        message: MessageSnapshot,
        author: AccountSnapshot,
        channel: ChannelSnapshot,
        mentionedIDs: [AccountID],
        mentionedIfConnectedIDs: [AccountID]
    ) {
        self.message = message
        self.author = author
        self.channel = channel
        self.mentionedIDs = mentionedIDs
        self.mentionedIfConnectedIDs = mentionedIfConnectedIDs
    }

    enum CodingKeys: String, SnakeCased { case message, author, channel, mentionedIDs, mentionedIfConnectedIDs }
}

/// For open connections: what changed in the playgrounds and channels of their accounts.
package struct ChatUpdated: LiveEvent {
    package static let name = "chat.ChatUpdated"
    package static let version = 2
    package static let audience = Audience.live

    package var update: ChatUpdate
    package let subjectVersion: Int64

    package var subject: String { update.channelID?.description ?? "accounts" }

    package init(update: ChatUpdate, subjectVersion: Int64) {
        self.update = update
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case update, subjectVersion }
}
