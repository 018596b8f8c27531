// SPDX-License-Identifier: Apache-2.0
// What posts tells of who follows, blocks and mutes whom.

public import Domain

/// Somebody follows an account; for a locked account, after it agreed.
public struct AccountFollowed: ShowingAccounts {
    public static let name = "posts.AccountFollowed"

    /// Who did it.
    public let actor: AccountSnapshot
    public let targetID: AccountID
    public let followedAt: Timestamp
    /// Of the pair of accounts.
    public let subjectVersion: Int64

    public var accounts: [AccountSnapshot] { [actor] }
    public var subject: String { "\(actor.id)-\(targetID)" }

    public init(actor: AccountSnapshot, targetID: AccountID, followedAt: Timestamp, subjectVersion: Int64) {
        self.actor = actor
        self.targetID = targetID
        self.followedAt = followedAt
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case actor, targetID, followedAt, subjectVersion }
}

/// Somebody asks to follow a locked account.
public struct FollowRequested: ShowingAccounts {
    public static let name = "posts.FollowRequested"

    /// Who did it.
    public let actor: AccountSnapshot
    public let targetID: AccountID
    public let requestedAt: Timestamp
    /// Of the pair of accounts.
    public let subjectVersion: Int64

    public var accounts: [AccountSnapshot] { [actor] }
    public var subject: String { "\(actor.id)-\(targetID)" }

    public init(actor: AccountSnapshot, targetID: AccountID, requestedAt: Timestamp, subjectVersion: Int64) {
        self.actor = actor
        self.targetID = targetID
        self.requestedAt = requestedAt
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case actor, targetID, requestedAt, subjectVersion }
}

/// Somebody no longer wants to see an account.
public struct AccountMuted: Event {
    public static let name = "posts.AccountMuted"

    public let actorID: AccountID
    public let targetID: AccountID
    /// Whether its notifications are muted too.
    public let notifications: Bool
    /// Nil for ever.
    public let expires: Timestamp?
    /// Of the pair of accounts.
    public let subjectVersion: Int64

    public var subject: String { "\(actorID)-\(targetID)" }

    public init(
        actorID: AccountID,
        targetID: AccountID,
        notifications: Bool,
        expires: Timestamp?,
        subjectVersion: Int64
    ) {
        self.actorID = actorID
        self.targetID = targetID
        self.notifications = notifications
        self.expires = expires
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case notifications, expires, actorID, targetID, subjectVersion }
}

/// What one account does to another, where no more is to be said of it.
public struct PairEvent<Deed: EventName>: Event {
    public static var name: String { Deed.name }

    public let actorID: AccountID
    public let targetID: AccountID
    /// Of the pair of accounts.
    public let subjectVersion: Int64

    public var subject: String { "\(actorID)-\(targetID)" }

    public init(actorID: AccountID, targetID: AccountID, subjectVersion: Int64) {
        self.actorID = actorID
        self.targetID = targetID
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case actorID, targetID, subjectVersion }
}

/// The deeds of which no more is to be said than who does them to whom.
public enum PairDeeds {
    public enum Unfollow: EventName { public static let name = "posts.AccountUnfollowed" }
    public enum CloseRequest: EventName { public static let name = "posts.FollowRequestClosed" }
    public enum Block: EventName { public static let name = "posts.AccountBlocked" }
    public enum Unblock: EventName { public static let name = "posts.AccountUnblocked" }
    public enum Unmute: EventName { public static let name = "posts.AccountUnmuted" }
}

/// Somebody no longer follows an account, by their own act, by removal or by a block.
public typealias AccountUnfollowed = PairEvent<PairDeeds.Unfollow>

/// A request to follow was withdrawn, refused or granted.
public typealias FollowRequestClosed = PairEvent<PairDeeds.CloseRequest>

/// Somebody blocks an account: neither is to meet the other.
public typealias AccountBlocked = PairEvent<PairDeeds.Block>

/// A block was taken back.
public typealias AccountUnblocked = PairEvent<PairDeeds.Unblock>

/// A mute was taken back.
public typealias AccountUnmuted = PairEvent<PairDeeds.Unmute>
