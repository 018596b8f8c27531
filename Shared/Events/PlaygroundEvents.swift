// SPDX-License-Identifier: Apache-2.0
// What chat tells of playgrounds, channels and the people in them.

package import Domain

/// Somebody made a playground.
package typealias PlaygroundCreated = PlaygroundEvent<ChatDeeds.PlaygroundWasCreated>

/// A playground's name, description or cover changed.
package typealias PlaygroundUpdated = PlaygroundEvent<ChatDeeds.PlaygroundWasUpdated>

/// Tells how a playground is now.
package struct PlaygroundEvent<Deed: EventName>: Event {
    package static var name: String { Deed.name }

    package let playground: PlaygroundSnapshot

    package var subject: String { playground.id.description }
    package var subjectVersion: Int64 { playground.version }

    package init(playground: PlaygroundSnapshot) { self.playground = playground }
}

/// A playground is gone, with its channels and all that was said in them.
package struct PlaygroundDeleted: Event {
    package static let name = "chat.PlaygroundDeleted"

    package let playgroundID: PlaygroundID
    /// The channels that go with it.
    package let channelIDs: [ChannelID]
    /// Who did it.
    package let actorID: AccountID
    /// Higher than that of any earlier event of the playground.
    package let subjectVersion: Int64

    package var subject: String { playgroundID.description }

    package init(playgroundID: PlaygroundID, channelIDs: [ChannelID], actorID: AccountID, subjectVersion: Int64) {
        self.playgroundID = playgroundID
        self.channelIDs = channelIDs
        self.actorID = actorID
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case playgroundID, channelIDs, actorID, subjectVersion }
}

/// Somebody came into a playground or a channel.
package struct MemberJoined: Event {
    package static let name = "chat.MemberJoined"

    /// Nil for direct messages outside any playground.
    package let playgroundID: PlaygroundID?
    /// Nil when it is about the playground as a whole.
    package let channelID: ChannelID?
    package let account: AccountSnapshot
    package let role: ChatRole
    package let joinedAt: Timestamp
    /// Of the membership.
    package let subjectVersion: Int64

    package var subject: String { "\(channelID?.description ?? playgroundID?.description ?? "")-\(account.id)" }

    package init(
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
package struct MemberLeft: Event {
    package static let name = "chat.MemberLeft"

    /// Nil for direct messages outside any playground.
    package let playgroundID: PlaygroundID?
    /// Nil when it is about the playground as a whole.
    package let channelID: ChannelID?
    package let accountID: AccountID
    /// Who did it.
    package let actorID: AccountID
    /// Of the membership.
    package let subjectVersion: Int64

    package var subject: String { "\(channelID?.description ?? playgroundID?.description ?? "")-\(accountID)" }

    package init(
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
package struct RoleChanged: Event {
    package static let name = "chat.RoleChanged"

    /// Nil for direct messages outside any playground.
    package let playgroundID: PlaygroundID?
    /// Nil when it is about the playground as a whole.
    package let channelID: ChannelID?
    package let accountID: AccountID
    package let role: ChatRole
    /// Who did it.
    package let actorID: AccountID
    /// Of the membership.
    package let subjectVersion: Int64

    package var subject: String { "\(channelID?.description ?? playgroundID?.description ?? "")-\(accountID)" }

    package init(
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
package struct OwnershipTransferred: Event {
    package static let name = "chat.OwnershipTransferred"

    /// Nil for direct messages outside any playground.
    package let playgroundID: PlaygroundID?
    /// Nil when it is about the playground as a whole.
    package let channelID: ChannelID?
    /// Who owns it now.
    package let ownerID: AccountID
    package let formerOwnerID: AccountID
    /// Of the playground or the channel.
    package let subjectVersion: Int64

    package var subject: String { channelID?.description ?? playgroundID?.description ?? "" }

    package init(
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
package typealias ChannelCreated = ChannelEvent<ChatDeeds.ChannelWasCreated>

/// A channel's name, description or type changed.
package typealias ChannelUpdated = ChannelEvent<ChatDeeds.ChannelWasUpdated>

/// A channel was archived, so that nothing more is said in it, or opened again: its `archivedAt` tells.
package typealias ChannelArchived = ChannelEvent<ChatDeeds.ChannelWasArchived>

/// Tells how a channel is now.
package struct ChannelEvent<Deed: EventName>: Event {
    package static var name: String { Deed.name }

    package let channel: ChannelSnapshot

    package var subject: String { channel.id.description }
    package var subjectVersion: Int64 { channel.version }

    package init(channel: ChannelSnapshot) { self.channel = channel }
}

/// A channel is gone, with all that was said in it.
package struct ChannelDeleted: Event {
    package static let name = "chat.ChannelDeleted"

    package let channelID: ChannelID
    package let playgroundID: PlaygroundID?
    /// Who did it.
    package let actorID: AccountID
    /// Higher than that of any earlier event of the channel.
    package let subjectVersion: Int64

    package var subject: String { channelID.description }

    package init(channelID: ChannelID, playgroundID: PlaygroundID? = nil, actorID: AccountID, subjectVersion: Int64) {
        self.channelID = channelID
        self.playgroundID = playgroundID
        self.actorID = actorID
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case channelID, playgroundID, actorID, subjectVersion }
}

package enum ChatDeeds {
    package enum PlaygroundWasCreated: EventName { package static let name = "chat.PlaygroundCreated" }
    package enum PlaygroundWasUpdated: EventName { package static let name = "chat.PlaygroundUpdated" }
    package enum ChannelWasCreated: EventName { package static let name = "chat.ChannelCreated" }
    package enum ChannelWasUpdated: EventName { package static let name = "chat.ChannelUpdated" }
    package enum ChannelWasArchived: EventName { package static let name = "chat.ChannelArchived" }
}
