// SPDX-License-Identifier: Apache-2.0
// What notifications tells.

package import Domain

/// A notification was put in somebody's list.
package struct NotificationCreated: LiveEvent {
    package static let name = "notifications.NotificationCreated"
    package static let version = 2
    package static let audience = Audience.live

    package let notificationID: NotificationID
    /// Whose list.
    package let accountID: AccountID
    /// The Mastodon notification type.
    package let type: String
    /// For the account's open connections.
    package var update: LiveUpdate

    package var subject: String { notificationID.description }
    package var subjectVersion: Int64 { 1 }

    package init(notificationID: NotificationID, accountID: AccountID, type: String, update: LiveUpdate) {
        self.notificationID = notificationID
        self.accountID = accountID
        self.type = type
        self.update = update
    }

    enum CodingKeys: String, SnakeCased { case type, update, notificationID, accountID }
}
