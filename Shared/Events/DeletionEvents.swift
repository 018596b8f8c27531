// SPDX-License-Identifier: Apache-2.0
// What auth tells of accounts that end.

public import Domain

/// Somebody asked for their account to be deleted, or came back before it was.
public struct AccountLeaving: Event {
    public static let name = "auth.AccountLeaving"

    public let accountID: AccountID
    /// When it will be deleted; nil once the person has come back.
    public let deletion: Timestamp?
    public let subjectVersion: Int64

    public var subject: String { accountID.description }

    public init(accountID: AccountID, deletion: Timestamp?, subjectVersion: Int64) {
        self.accountID = accountID
        self.deletion = deletion
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case deletion, accountID, subjectVersion }
}

/// An account is gone for good: everybody erases what they have of it.
public struct AccountDeleted: Event {
    public static let name = "auth.AccountDeleted"

    public let accountID: AccountID

    public var subject: String { accountID.description }
    /// Above that of anything told of the account before.
    public var subjectVersion: Int64 { .max }

    public init(accountID: AccountID) { self.accountID = accountID }

    enum CodingKeys: String, SnakeCased { case accountID }
}

/// That a service has nothing left of an account that was deleted.
public protocol ErasureEnd: Event {
    var accountID: AccountID { get }

    init(accountID: AccountID)
}

public struct AccountErased<Owner: EventName>: ErasureEnd {
    public static var name: String { Owner.name }

    public let accountID: AccountID

    public var subject: String { accountID.description }
    public var subjectVersion: Int64 { .max }

    public init(accountID: AccountID) { self.accountID = accountID }

    enum CodingKeys: String, SnakeCased { case accountID }
}

/// The services that keep something of accounts, beside auth.
public enum ErasureOwners {
    public enum Posts: EventName { public static let name = "posts.AccountErased" }
    public enum Chat: EventName { public static let name = "chat.AccountErased" }
    public enum Media: EventName { public static let name = "media.AccountErased" }
    public enum Notifications: EventName { public static let name = "notifications.AccountErased" }
    public enum Search: EventName { public static let name = "search.AccountErased" }
}
