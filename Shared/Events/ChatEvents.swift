// SPDX-License-Identifier: Apache-2.0
// What chat tells of direct messages, messages and how far people have read.

public import Domain

/// Somebody opened direct messages with others.
public struct ConversationOpened: Event {
    public static let name = "chat.ConversationOpened"

    public let channel: ChannelSnapshot
    public let memberIDs: [AccountID]
    /// Those of the members who have yet to accept.
    public let requestedIDs: [AccountID]
    /// Who did it.
    public let actorID: AccountID

    public var subject: String { channel.id.description }
    public var subjectVersion: Int64 { channel.version }

    public init(channel: ChannelSnapshot, memberIDs: [AccountID], requestedIDs: [AccountID], actorID: AccountID) {
        self.channel = channel
        self.memberIDs = memberIDs
        self.requestedIDs = requestedIDs
        self.actorID = actorID
    }

    enum CodingKeys: String, SnakeCased { case channel, memberIDs, requestedIDs, actorID }
}

/// An event that tells how a message is now, with its author and where it stands.
public protocol TellingMessage: ShowingAccounts {
    var message: MessageSnapshot { get }
    var author: AccountSnapshot { get }
    var channel: ChannelSnapshot { get }
}

extension TellingMessage {
    public var accounts: [AccountSnapshot] { [author] }
    public var subject: String { message.id.description }
    public var subjectVersion: Int64 { message.change }
}

/// Somebody said something. In direct messages it tells of the other members, without those who muted it, want none or have yet to
/// accept, else of nobody: who is to hear of it in a channel is told by `MessageAwaited` and `MentionRaised`.
public typealias MessageSent = MessageTold<MessageDeeds.Send>

/// Something was said in a channel of a playground, of which some members asked to hear everything: those who chose the level `all`,
/// without those whom the message names, who muted the channel or are blocked either way, at most 500 an event.
public typealias MessageAwaited = MessageTold<MessageDeeds.Await>

/// Tells some people of what somebody said.
public struct MessageTold<Deed: EventName>: TellingMessage {
    public static var name: String { Deed.name }

    public let message: MessageSnapshot
    public let author: AccountSnapshot
    public let channel: ChannelSnapshot
    public let recipientIDs: [AccountID]

    public init(
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

public enum MessageDeeds {
    public enum Send: EventName { public static let name = "chat.MessageSent" }
    public enum Await: EventName { public static let name = "chat.MessageAwaited" }
}

/// The author changed a message.
public struct MessageEdited: TellingMessage {
    public static let name = "chat.MessageEdited"

    public let message: MessageSnapshot
    public let author: AccountSnapshot
    public let channel: ChannelSnapshot

    public init(message: MessageSnapshot, author: AccountSnapshot, channel: ChannelSnapshot) {
        self.message = message
        self.author = author
        self.channel = channel
    }
}

/// A message was deleted; nothing of it may be shown any more.
public struct MessageDeleted: Event {
    public static let name = "chat.MessageDeleted"

    public let messageID: MessageID
    public let channelID: ChannelID
    public let seq: Int64
    public let authorID: AccountID
    /// Who did it.
    public let actorID: AccountID
    /// The message's `change`.
    public let subjectVersion: Int64

    public var subject: String { messageID.description }

    public init(
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
public struct MessageReacted: Event {
    public static let name = "chat.MessageReacted"

    public let messageID: MessageID
    public let channelID: ChannelID
    /// Of the message.
    public let authorID: AccountID
    /// Who did it.
    public let actorID: AccountID
    public let emoji: String
    public let isAdded: Bool
    /// The message's `change`.
    public let subjectVersion: Int64

    public var subject: String { messageID.description }

    public init(
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
public struct MessagePinned: Event {
    public static let name = "chat.MessagePinned"

    public let messageID: MessageID
    public let channelID: ChannelID
    /// Who did it.
    public let actorID: AccountID
    public let isPinned: Bool
    /// The message's `change`.
    public let subjectVersion: Int64

    public var subject: String { messageID.description }

    public init(
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
public struct ConversationRead: Event {
    public static let name = "chat.ConversationRead"

    public let channelID: ChannelID
    public let accountID: AccountID
    /// Everything up to this number is read.
    public let lastReadSeq: Int64
    /// Of the membership.
    public let subjectVersion: Int64

    public var subject: String { "\(channelID)-\(accountID)" }

    public init(channelID: ChannelID, accountID: AccountID, lastReadSeq: Int64, subjectVersion: Int64) {
        self.channelID = channelID
        self.accountID = accountID
        self.lastReadSeq = lastReadSeq
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case channelID, accountID, lastReadSeq, subjectVersion }
}

/// A message names people.
public struct MentionRaised: TellingMessage {
    public static let name = "chat.MentionRaised"

    public let message: MessageSnapshot
    public let author: AccountSnapshot
    public let channel: ChannelSnapshot
    /// Members whom it names one by one or by `@channel`, without those who muted the channel, want nothing of it or blocked the author.
    public let mentionedIDs: [AccountID]
    /// Those named by `@here` only.
    public let mentionedIfConnectedIDs: [AccountID]

    public init(
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
public struct ChatUpdated: LiveEvent {
    public static let name = "chat.ChatUpdated"
    public static let version = 2
    public static let audience = Audience.live

    public var update: ChatUpdate
    public let subjectVersion: Int64

    public var subject: String { update.channelID?.description ?? "accounts" }

    public init(update: ChatUpdate, subjectVersion: Int64) {
        self.update = update
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case update, subjectVersion }
}
