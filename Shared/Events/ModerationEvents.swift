// SPDX-License-Identifier: Apache-2.0
// What posts, which keeps the reports and what moderators decide, tells of it.

public import Domain

/// Which restrictions of an account are in force from now on: all of them, not what changed.
public struct AccountRestricted: Event {
    public static let name = "posts.AccountRestricted"

    public let accountID: AccountID
    /// In the order of `Restriction.allCases`; empty once there is none.
    public let restrictions: [Restriction]
    public let subjectVersion: Int64

    public var subject: String { accountID.description }

    public init(accountID: AccountID, restrictions: [Restriction], subjectVersion: Int64) {
        self.accountID = accountID
        self.restrictions = restrictions
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case restrictions, accountID, subjectVersion }
}

/// What can be reported, and decided about.
public enum ThingKind: String, CaseIterable, Codable, Hashable, Sendable {
    case account, post, project, record, message, playground, gif
}

/// One thing, wherever it is kept.
public struct Thing: Codable, Hashable, Sendable {
    public let kind: ThingKind
    /// Its id, as its service writes it.
    public let id: String

    public init(kind: ThingKind, id: String) {
        self.kind = kind
        self.id = id
    }
}

/// What a moderator decided.
public enum DecisionAction: String, CaseIterable, Codable, Hashable, Sendable {
    /// Of an account (Mastodon's `none`, `sensitive`, `silence`, `disable`, `suspend`) or a thing (`sensitive`, `remove`).
    case warn, sensitive, limit, remove, freeze, suspend
    /// What was decided before holds no more.
    case lift
}

/// A moderator decided about an account or about something that it made; who made it is told so.
public struct DecisionMade: ShowingAccounts {
    public static let name = "posts.DecisionMade"

    public let decisionID: DecisionID
    /// Whom it concerns.
    public let accountID: AccountID
    public let action: DecisionAction
    /// The thing; nil for the account itself.
    public let thing: Thing?
    /// What the moderator wrote to the person; may be empty.
    public let reason: String
    /// Until when it holds; nil for good.
    public let until: Timestamp?
    /// Until when the person may appeal; nil for what allows none.
    public let appealUntil: Timestamp?
    public let decidedAt: Timestamp
    public let subjectVersion: Int64
    /// Whom it concerns, as others see them.
    public let account: AccountSnapshot?

    public var accounts: [AccountSnapshot] { [account].compactMap(\.self) }
    public var subject: String { decisionID.description }

    public init(
        decisionID: DecisionID,
        accountID: AccountID,
        action: DecisionAction,
        thing: Thing? = nil,
        reason: String,
        until: Timestamp? = nil,
        appealUntil: Timestamp? = nil,
        decidedAt: Timestamp,
        subjectVersion: Int64,
        account: AccountSnapshot? = nil
    ) {
        self.decisionID = decisionID
        self.accountID = accountID
        self.action = action
        self.thing = thing
        self.reason = reason
        self.until = until
        self.appealUntil = appealUntil
        self.decidedAt = decidedAt
        self.subjectVersion = subjectVersion
        self.account = account
    }

    enum CodingKeys: String, SnakeCased {
        case action, thing, reason, until, decisionID, accountID, appealUntil, decidedAt, subjectVersion, account
    }
}
