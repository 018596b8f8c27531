// SPDX-License-Identifier: Apache-2.0
// What posts, which keeps the reports and what moderators decide, tells of it.

package import Domain

/// Which restrictions of an account are in force from now on: all of them, not what changed.
package struct AccountRestricted: Event {
    package static let name = "posts.AccountRestricted"

    package let accountID: AccountID
    /// In the order of `Restriction.allCases`; empty once there is none.
    package let restrictions: [Restriction]
    package let subjectVersion: Int64

    package var subject: String { accountID.description }

    package init(accountID: AccountID, restrictions: [Restriction], subjectVersion: Int64) {
        self.accountID = accountID
        self.restrictions = restrictions
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case restrictions, accountID, subjectVersion }
}

/// What can be reported, and decided about.
package enum ThingKind: String, CaseIterable, Codable, Hashable, Sendable {
    case account, post, project, record, message, playground, gif
}

/// One thing, wherever it is kept.
package struct Thing: Codable, Hashable, Sendable {
    package let kind: ThingKind
    /// Its id, as its service writes it.
    package let id: String

    package init(kind: ThingKind, id: String) {
        self.kind = kind
        self.id = id
    }
}

/// What a moderator decided.
package enum DecisionAction: String, CaseIterable, Codable, Hashable, Sendable {
    /// Of an account (Mastodon's `none`, `sensitive`, `silence`, `disable`, `suspend`) or a thing (`sensitive`, `remove`).
    case warn, sensitive, limit, remove, freeze, suspend
    /// What was decided before holds no more.
    case lift
}

/// A moderator decided about an account or about something that it made; who made it is told so.
package struct DecisionMade: ShowingAccounts {
    package static let name = "posts.DecisionMade"

    package let decisionID: DecisionID
    /// Whom it concerns.
    package let accountID: AccountID
    package let action: DecisionAction
    /// The thing; nil for the account itself.
    package let thing: Thing?
    /// What the moderator wrote to the person; may be empty.
    package let reason: String
    /// Until when it holds; nil for good.
    package let until: Timestamp?
    /// Until when the person may appeal; nil for what allows none.
    package let appealUntil: Timestamp?
    package let decidedAt: Timestamp
    package let subjectVersion: Int64
    /// Whom it concerns, as others see them.
    package let account: AccountSnapshot?

    package var accounts: [AccountSnapshot] { [account].compactMap(\.self) }
    package var subject: String { decisionID.description }

    package init(
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
