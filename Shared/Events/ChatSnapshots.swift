// SPDX-License-Identifier: Apache-2.0
// Playgrounds, channels and messages as they were at the moment of an event, for whoever keeps a projection.

public import Domain

/// What somebody may do in a playground or in a channel.
public enum ChatRole: String, Codable, Hashable, Sendable, CaseIterable {
    case owner, admin, member
}

/// Who finds a channel, and who comes in.
public enum ChannelType: String, Codable, Hashable, Sendable, CaseIterable {
    /// Every member of the playground finds it and may join.
    case `public`
    /// Only its members see that it is there.
    case `private`
    /// Between two people.
    case direct
    /// Between up to 20 people, without a playground's roles.
    case group

    /// Whether it is direct messages rather than a playground's channel.
    public var isDirect: Bool { self == .direct || self == .group }
}

/// A playground (a workspace of channels) as it was at the moment of an event.
public struct PlaygroundSnapshot: Codable, Hashable, Sendable {
    public var id: PlaygroundID
    public var name: String
    /// Plain text.
    public var description: String
    public var coverID: MediaID?
    public var ownerID: AccountID
    public var createdAt: Timestamp
    /// Rises with every change of the row.
    public var version: Int64
    /// Whether anybody may see that it is there, and come in; nil where an earlier release told it.
    public var open: Bool?

    public init(
        id: PlaygroundID,
        name: String,
        description: String = "",
        coverID: MediaID? = nil,
        ownerID: AccountID,
        createdAt: Timestamp,
        version: Int64,
        open: Bool? = nil
    ) {
        self.id = id
        self.name = name
        self.description = description
        self.coverID = coverID
        self.ownerID = ownerID
        self.createdAt = createdAt
        self.version = version
        self.open = open
    }

    enum CodingKeys: String, SnakeCased { case id, name, description, version, open, coverID, ownerID, createdAt }
}

/// A channel as it was at the moment of an event.
public struct ChannelSnapshot: Codable, Hashable, Sendable {
    public var id: ChannelID
    public var type: ChannelType
    /// Nil for direct messages outside any playground.
    public var playgroundID: PlaygroundID?
    /// Empty for direct messages.
    public var name: String
    /// Plain text.
    public var description: String
    /// Nil for direct messages.
    public var ownerID: AccountID?
    public var archivedAt: Timestamp?
    public var createdAt: Timestamp
    /// Rises with every change of the row, but not with messages.
    public var version: Int64

    public init(
        id: ChannelID,
        type: ChannelType,
        playgroundID: PlaygroundID?,
        name: String = "",
        description: String = "",
        ownerID: AccountID?,
        archivedAt: Timestamp? = nil,
        createdAt: Timestamp,
        version: Int64
    ) {
        self.id = id
        self.type = type
        self.playgroundID = playgroundID
        self.name = name
        self.description = description
        self.ownerID = ownerID
        self.archivedAt = archivedAt
        self.createdAt = createdAt
        self.version = version
    }

    enum CodingKeys: String, SnakeCased {
        case id, type, name, description, version, playgroundID, ownerID, archivedAt, createdAt
    }
}

/// Whom a message names besides single people.
public enum WideMention: String, Codable, Hashable, Sendable {
    /// `@channel`: every member.
    case channel
    /// `@here`: every member who is connected just now.
    case here
}

/// A GIF in a message, by the catalogue it came from.
public struct GifSnapshot: Codable, Hashable, Sendable {
    public var id: String
    public var url: String
    public var previewURL: String
    /// Pixels.
    public var width: Int
    public var height: Int
    public var title: String

    public init(id: String, url: String, previewURL: String, width: Int, height: Int, title: String) {
        self.id = id
        self.url = url
        self.previewURL = previewURL
        self.width = width
        self.height = height
        self.title = title
    }

    enum CodingKeys: String, SnakeCased { case id, url, width, height, title, previewURL }
}

/// A message as it was at the moment of an event.
public struct MessageSnapshot: Codable, Hashable, Sendable {
    public var id: MessageID
    public var channelID: ChannelID
    /// The number in its channel: 1, 2, 3… without a gap.
    public var seq: Int64
    public var authorID: AccountID
    /// Plain text; empty once deleted.
    public var text: String
    /// BCP 47.
    public var language: String?
    public var attachmentIDs: [MediaID]
    public var gif: GifSnapshot?
    public var replyToID: MessageID?
    /// The first message of the thread this one belongs to.
    public var threadID: MessageID?
    public var mentions: [MentionSnapshot]
    public var wideMention: WideMention?
    public var createdAt: Timestamp
    public var editedAt: Timestamp?
    public var deletedAt: Timestamp?
    /// The channel's count of changes when this message was last changed: the message's version.
    public var change: Int64

    public init(
        id: MessageID,
        channelID: ChannelID,
        seq: Int64,
        authorID: AccountID,
        text: String,
        language: String? = nil,
        attachmentIDs: [MediaID] = [],
        gif: GifSnapshot? = nil,
        replyToID: MessageID? = nil,
        threadID: MessageID? = nil,
        mentions: [MentionSnapshot] = [],
        wideMention: WideMention? = nil,
        createdAt: Timestamp,
        editedAt: Timestamp? = nil,
        deletedAt: Timestamp? = nil,
        change: Int64
    ) {
        self.id = id
        self.channelID = channelID
        self.seq = seq
        self.authorID = authorID
        self.text = text
        self.language = language
        self.attachmentIDs = attachmentIDs
        self.gif = gif
        self.replyToID = replyToID
        self.threadID = threadID
        self.mentions = mentions
        self.wideMention = wideMention
        self.createdAt = createdAt
        self.editedAt = editedAt
        self.deletedAt = deletedAt
        self.change = change
    }

    enum CodingKeys: String, SnakeCased {
        case id, seq, text, language, gif, mentions, change, channelID, authorID, attachmentIDs, replyToID, threadID
        case wideMention, createdAt, editedAt, deletedAt
    }
}
