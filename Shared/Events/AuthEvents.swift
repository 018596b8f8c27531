// SPDX-License-Identifier: Apache-2.0
// What auth tells.

package import Domain

/// Somebody signed up.
package struct AccountRegistered: Event {
    package static let name = "auth.AccountRegistered"

    package let accountID: AccountID
    package let username: Username
    /// The language in which the person signed up.
    package let language: Language
    package let createdAt: Timestamp

    package var subject: String { accountID.description }
    package var subjectVersion: Int64 { 1 }

    package init(accountID: AccountID, username: Username, language: Language, createdAt: Timestamp) {
        self.accountID = accountID
        self.username = username
        self.language = language
        self.createdAt = createdAt
    }

    enum CodingKeys: String, SnakeCased { case username, language, accountID, createdAt }
}

/// A session ended before its time: whoever holds its tokens is no longer believed.
package struct SessionRevoked: Event {
    package static let name = "auth.SessionRevoked"
    package static let audience = Audience.live

    package let sessionID: SessionID
    /// Nil for the session of an app alone.
    package let accountID: AccountID?

    package var subject: String { sessionID.description }
    package var subjectVersion: Int64 { 1 }

    package init(sessionID: SessionID, accountID: AccountID?) {
        self.sessionID = sessionID
        self.accountID = accountID
    }

    enum CodingKeys: String, SnakeCased { case sessionID, accountID }
}

/// A session of a person is over, however it ended: signed out, revoked or run out. What others keep for it ends with it.
package struct SessionEnded: Event {
    package static let name = "auth.SessionEnded"

    package let sessionID: SessionID
    package let accountID: AccountID

    package var subject: String { sessionID.description }
    package var subjectVersion: Int64 { 1 }

    package init(sessionID: SessionID, accountID: AccountID) {
        self.sessionID = sessionID
        self.accountID = accountID
    }

    enum CodingKeys: String, SnakeCased { case sessionID, accountID }
}

/// Somebody may do more or less to others from now on.
package struct RoleGiven: Event {
    package static let name = "auth.RoleGiven"

    package let accountID: AccountID
    package let role: Role
    package let subjectVersion: Int64

    package var subject: String { accountID.description }

    package init(accountID: AccountID, role: Role, subjectVersion: Int64) {
        self.accountID = accountID
        self.role = role
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case role, accountID, subjectVersion }
}

/// What tokens of somebody stand for is no longer what auth said: gateways ask again.
package struct PrincipalChanged: Event {
    package static let name = "auth.PrincipalChanged"
    package static let audience = Audience.live

    package let accountID: AccountID
    package let subjectVersion: Int64

    package var subject: String { accountID.description }

    package init(accountID: AccountID, subjectVersion: Int64) {
        self.accountID = accountID
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case accountID, subjectVersion }
}
