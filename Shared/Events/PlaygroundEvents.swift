// SPDX-License-Identifier: Apache-2.0
// What chat tells of playgrounds, channels and the people in them.

public import Domain

/// Somebody made a playground.
public typealias PlaygroundCreated = PlaygroundEvent<ChatDeeds.PlaygroundWasCreated>

/// A playground's name, description or cover changed.
public typealias PlaygroundUpdated = PlaygroundEvent<ChatDeeds.PlaygroundWasUpdated>

/// Tells how a playground is now.
public struct PlaygroundEvent<Deed: EventName>: Event {
    public static var name: String { Deed.name }

    public let playground: PlaygroundSnapshot

    public var subject: String { playground.id.description }
    public var subjectVersion: Int64 { playground.version }

    public init(playground: PlaygroundSnapshot) { self.playground = playground }
}

/// A playground is gone, with its channels and all that was said in them.
public struct PlaygroundDeleted: Event {
    public static let name = "chat.PlaygroundDeleted"

    public let playgroundID: PlaygroundID
    /// The channels that go with it.
    public let channelIDs: [ChannelID]
    /// Who did it.
    public let actorID: AccountID
    /// Higher than that of any earlier event of the playground.
    public let subjectVersion: Int64

    public var subject: String { playgroundID.description }

    public init(playgroundID: PlaygroundID, channelIDs: [ChannelID], actorID: AccountID, subjectVersion: Int64) {
        self.playgroundID = playgroundID
        self.channelIDs = channelIDs
        self.actorID = actorID
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case playgroundID, channelIDs, actorID, subjectVersion }
}

/// Somebody came into a playground or a channel.
public struct MemberJoined: Event {
    public static let name = "chat.MemberJoined"

    /// Nil for direct messages outside any playground.
    public let playgroundID: PlaygroundID?
    /// Nil when it is about the playground as a whole.
    public let channelID: ChannelID?
    public let account: AccountSnapshot
    public let role: ChatRole
    public let joinedAt: Timestamp
    /// Of the membership.
    public let subjectVersion: Int64

    public var subject: String { "\(channelID?.description ?? playgroundID?.description ?? "")-\(account.id)" }

    public init(
        playgroundID: PlaygroundID? = nil,
        channelID: ChannelID? = nil,
        account: AccountSnapshot,
        role: ChatRole,
        joinedAt: Timestamp,
        subjectVersion: Int64
    ) {
        self.playgroundID = playgroundID
        self.channelID = channelID
        self.account = account
        self.role = role
        self.joinedAt = joinedAt
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case account, role, playgroundID, channelID, joinedAt, subjectVersion }
}

/// Somebody left a playground or a channel, or was removed or banned.
public struct MemberLeft: Event {
    public static let name = "chat.MemberLeft"

    /// Nil for direct messages outside any playground.
    public let playgroundID: PlaygroundID?
    /// Nil when it is about the playground as a whole.
    public let channelID: ChannelID?
    public let accountID: AccountID
    /// Who did it.
    public let actorID: AccountID
    /// Of the membership.
    public let subjectVersion: Int64

    public var subject: String { "\(channelID?.description ?? playgroundID?.description ?? "")-\(accountID)" }

    public init(
        playgroundID: PlaygroundID? = nil,
        channelID: ChannelID? = nil,
        accountID: AccountID,
        actorID: AccountID,
        subjectVersion: Int64
    ) {
        self.playgroundID = playgroundID
        self.channelID = channelID
        self.accountID = accountID
        self.actorID = actorID
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case playgroundID, channelID, accountID, actorID, subjectVersion }
}

/// Somebody may do more or less than before.
public struct RoleChanged: Event {
    public static let name = "chat.RoleChanged"

    /// Nil for direct messages outside any playground.
    public let playgroundID: PlaygroundID?
    /// Nil when it is about the playground as a whole.
    public let channelID: ChannelID?
    public let accountID: AccountID
    public let role: ChatRole
    /// Who did it.
    public let actorID: AccountID
    /// Of the membership.
    public let subjectVersion: Int64

    public var subject: String { "\(channelID?.description ?? playgroundID?.description ?? "")-\(accountID)" }

    public init(
        playgroundID: PlaygroundID? = nil,
        channelID: ChannelID? = nil,
        accountID: AccountID,
        role: ChatRole,
        actorID: AccountID,
        subjectVersion: Int64
    ) {
        self.playgroundID = playgroundID
        self.channelID = channelID
        self.accountID = accountID
        self.role = role
        self.actorID = actorID
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case role, playgroundID, channelID, accountID, actorID, subjectVersion }
}

/// A playground or a channel has another owner.
public struct OwnershipTransferred: Event {
    public static let name = "chat.OwnershipTransferred"

    /// Nil for direct messages outside any playground.
    public let playgroundID: PlaygroundID?
    /// Nil when it is about the playground as a whole.
    public let channelID: ChannelID?
    /// Who owns it now.
    public let ownerID: AccountID
    public let formerOwnerID: AccountID
    /// Of the playground or the channel.
    public let subjectVersion: Int64

    public var subject: String { channelID?.description ?? playgroundID?.description ?? "" }

    public init(
        playgroundID: PlaygroundID? = nil,
        channelID: ChannelID? = nil,
        ownerID: AccountID,
        formerOwnerID: AccountID,
        subjectVersion: Int64
    ) {
        self.playgroundID = playgroundID
        self.channelID = channelID
        self.ownerID = ownerID
        self.formerOwnerID = formerOwnerID
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case playgroundID, channelID, ownerID, formerOwnerID, subjectVersion }
}

/// Somebody made a channel in a playground.
public typealias ChannelCreated = ChannelEvent<ChatDeeds.ChannelWasCreated>

/// A channel's name, description or type changed.
public typealias ChannelUpdated = ChannelEvent<ChatDeeds.ChannelWasUpdated>

/// A channel was archived, so that nothing more is said in it, or opened again: its `archivedAt` tells.
public typealias ChannelArchived = ChannelEvent<ChatDeeds.ChannelWasArchived>

/// Tells how a channel is now.
public struct ChannelEvent<Deed: EventName>: Event {
    public static var name: String { Deed.name }

    public let channel: ChannelSnapshot

    public var subject: String { channel.id.description }
    public var subjectVersion: Int64 { channel.version }

    public init(channel: ChannelSnapshot) { self.channel = channel }
}

/// A channel is gone, with all that was said in it.
public struct ChannelDeleted: Event {
    public static let name = "chat.ChannelDeleted"

    public let channelID: ChannelID
    public let playgroundID: PlaygroundID?
    /// Who did it.
    public let actorID: AccountID
    /// Higher than that of any earlier event of the channel.
    public let subjectVersion: Int64

    public var subject: String { channelID.description }

    public init(channelID: ChannelID, playgroundID: PlaygroundID? = nil, actorID: AccountID, subjectVersion: Int64) {
        self.channelID = channelID
        self.playgroundID = playgroundID
        self.actorID = actorID
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case channelID, playgroundID, actorID, subjectVersion }
}

public enum ChatDeeds {
    public enum PlaygroundWasCreated: EventName { public static let name = "chat.PlaygroundCreated" }
    public enum PlaygroundWasUpdated: EventName { public static let name = "chat.PlaygroundUpdated" }
    public enum ChannelWasCreated: EventName { public static let name = "chat.ChannelCreated" }
    public enum ChannelWasUpdated: EventName { public static let name = "chat.ChannelUpdated" }
    public enum ChannelWasArchived: EventName { public static let name = "chat.ChannelArchived" }
}
