// SPDX-License-Identifier: Apache-2.0
// What posts tells of who follows, blocks and mutes whom.

package import Domain

/// Somebody follows an account; for a locked account, after it agreed.
package struct AccountFollowed: ShowingAccounts {
    package static let name = "posts.AccountFollowed"

    /// Who did it.
    package let actor: AccountSnapshot
    package let targetID: AccountID
    package let followedAt: Timestamp
    /// Of the pair of accounts.
    package let subjectVersion: Int64

    package var accounts: [AccountSnapshot] { [actor] }
    package var subject: String { "\(actor.id)-\(targetID)" }

    package init(actor: AccountSnapshot, targetID: AccountID, followedAt: Timestamp, subjectVersion: Int64) {
        self.actor = actor
        self.targetID = targetID
        self.followedAt = followedAt
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case actor, targetID, followedAt, subjectVersion }
}

/// Somebody asks to follow a locked account.
package struct FollowRequested: ShowingAccounts {
    package static let name = "posts.FollowRequested"

    /// Who did it.
    package let actor: AccountSnapshot
    package let targetID: AccountID
    package let requestedAt: Timestamp
    /// Of the pair of accounts.
    package let subjectVersion: Int64

    package var accounts: [AccountSnapshot] { [actor] }
    package var subject: String { "\(actor.id)-\(targetID)" }

    package init(actor: AccountSnapshot, targetID: AccountID, requestedAt: Timestamp, subjectVersion: Int64) {
        self.actor = actor
        self.targetID = targetID
        self.requestedAt = requestedAt
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case actor, targetID, requestedAt, subjectVersion }
}

/// Somebody no longer wants to see an account.
package struct AccountMuted: Event {
    package static let name = "posts.AccountMuted"

    package let actorID: AccountID
    package let targetID: AccountID
    /// Whether its notifications are muted too.
    package let notifications: Bool
    /// Nil for ever.
    package let expires: Timestamp?
    /// Of the pair of accounts.
    package let subjectVersion: Int64

    package var subject: String { "\(actorID)-\(targetID)" }

    package init(
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
package struct PairEvent<Deed: EventName>: Event {
    package static var name: String { Deed.name }

    package let actorID: AccountID
    package let targetID: AccountID
    /// Of the pair of accounts.
    package let subjectVersion: Int64

    package var subject: String { "\(actorID)-\(targetID)" }

    package init(actorID: AccountID, targetID: AccountID, subjectVersion: Int64) {
        self.actorID = actorID
        self.targetID = targetID
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case actorID, targetID, subjectVersion }
}

/// The deeds of which no more is to be said than who does them to whom.
package enum PairDeeds {
    package enum Unfollow: EventName { package static let name = "posts.AccountUnfollowed" }
    package enum CloseRequest: EventName { package static let name = "posts.FollowRequestClosed" }
    package enum Block: EventName { package static let name = "posts.AccountBlocked" }
    package enum Unblock: EventName { package static let name = "posts.AccountUnblocked" }
    package enum Unmute: EventName { package static let name = "posts.AccountUnmuted" }
}

/// Somebody no longer follows an account, by their own act, by removal or by a block.
package typealias AccountUnfollowed = PairEvent<PairDeeds.Unfollow>

/// A request to follow was withdrawn, refused or granted.
package typealias FollowRequestClosed = PairEvent<PairDeeds.CloseRequest>

/// Somebody blocks an account: neither is to meet the other.
package typealias AccountBlocked = PairEvent<PairDeeds.Block>

/// A block was taken back.
package typealias AccountUnblocked = PairEvent<PairDeeds.Unblock>

/// A mute was taken back.
package typealias AccountUnmuted = PairEvent<PairDeeds.Unmute>
