// SPDX-License-Identifier: Apache-2.0
// What auth tells of accounts that end.

package import Domain

/// Somebody asked for their account to be deleted, or came back before it was.
package struct AccountLeaving: Event {
    package static let name = "auth.AccountLeaving"

    package let accountID: AccountID
    /// When it will be deleted; nil once the person has come back.
    package let deletion: Timestamp?
    package let subjectVersion: Int64

    package var subject: String { accountID.description }

    package init(accountID: AccountID, deletion: Timestamp?, subjectVersion: Int64) {
        self.accountID = accountID
        self.deletion = deletion
        self.subjectVersion = subjectVersion
    }

    enum CodingKeys: String, SnakeCased { case deletion, accountID, subjectVersion }
}

/// An account is gone for good: everybody erases what they have of it.
package struct AccountDeleted: Event {
    package static let name = "auth.AccountDeleted"

    package let accountID: AccountID

    package var subject: String { accountID.description }
    /// Above that of anything told of the account before.
    package var subjectVersion: Int64 { .max }

    package init(accountID: AccountID) { self.accountID = accountID }

    enum CodingKeys: String, SnakeCased { case accountID }
}

/// That a service has nothing left of an account that was deleted.
package protocol ErasureEnd: Event {
    var accountID: AccountID { get }

    init(accountID: AccountID)
}

package struct AccountErased<Owner: EventName>: ErasureEnd {
    package static var name: String { Owner.name }

    package let accountID: AccountID

    package var subject: String { accountID.description }
    package var subjectVersion: Int64 { .max }

    package init(accountID: AccountID) { self.accountID = accountID }

    enum CodingKeys: String, SnakeCased { case accountID }
}

/// The services that keep something of accounts, beside auth.
package enum ErasureOwners {
    package enum Posts: EventName { package static let name = "posts.AccountErased" }
    package enum Chat: EventName { package static let name = "chat.AccountErased" }
    package enum Media: EventName { package static let name = "media.AccountErased" }
    package enum Notifications: EventName { package static let name = "notifications.AccountErased" }
    package enum Search: EventName { package static let name = "search.AccountErased" }
}
