// SPDX-License-Identifier: Apache-2.0
// What auth tells.

public import Domain

/// Somebody signed up.
public struct AccountRegistered: Event {
    public static let name = "auth.AccountRegistered"

    public let accountID: AccountID
    public let username: Username
    /// The language in which the person signed up.
    public let language: Language
    public let createdAt: Timestamp

    public var subject: String { accountID.description }
    public var subjectVersion: Int64 { 1 }

    public init(accountID: AccountID, username: Username, language: Language, createdAt: Timestamp) {
        self.accountID = accountID
        self.username = username
        self.language = language
        self.createdAt = createdAt
    }

    enum CodingKeys: String, SnakeCased { case username, language, accountID, createdAt }
}

/// A session ended before its time: whoever holds its tokens is no longer believed.
public struct SessionRevoked: Event {
    public static let name = "auth.SessionRevoked"
    public static let audience = Audience.live

    public let sessionID: SessionID
    /// Nil for the session of an app alone.
    public let accountID: AccountID?

    public var subject: String { sessionID.description }
    public var subjectVersion: Int64 { 1 }

    public init(sessionID: SessionID, accountID: AccountID?) {
        self.sessionID = sessionID
        self.accountID = accountID
    }

    enum CodingKeys: String, SnakeCased { case sessionID, accountID }
}

/// A session of a person is over, however it ended: signed out, revoked or run out. What others keep for it ends with it.
public struct SessionEnded: Event {
    public static let name = "auth.SessionEnded"

    public let sessionID: SessionID
    public let accountID: AccountID

    public var subject: String { sessionID.description }
    public var subjectVersion: Int64 { 1 }

    public init(sessionID: SessionID, accountID: AccountID) {
        self.sessionID = sessionID
        self.accountID = accountID
    }

    enum CodingKeys: String, SnakeCased { case sessionID, accountID }
}

/// Somebody may do more or less to others from now on.
public struct RoleGiven: Event {
    public static let name = "auth.RoleGiven"

    public let accountID: AccountID
    public let role: Role
    public let subjectVersion: Int64

    public var subject: String { accountID.description }

    public init(accountID: AccountID, role: Role, subjectVersion: Int64) {
        self.accountID = accountID
        self.role = role
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case role, accountID, subjectVersion }
}

/// What tokens of somebody stand for is no longer what auth said: gateways ask again.
public struct PrincipalChanged: Event {
    public static let name = "auth.PrincipalChanged"
    public static let audience = Audience.live

    public let accountID: AccountID
    public let subjectVersion: Int64

    public var subject: String { accountID.description }

    public init(accountID: AccountID, subjectVersion: Int64) {
        self.accountID = accountID
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case accountID, subjectVersion }
}
