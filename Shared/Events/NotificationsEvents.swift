// SPDX-License-Identifier: Apache-2.0
// What notifications tells.

public import Domain

/// A notification was put in somebody's list.
public struct NotificationCreated: LiveEvent {
    public static let name = "notifications.NotificationCreated"
    public static let version = 2
    public static let audience = Audience.live

    public let notificationID: NotificationID
    /// Whose list.
    public let accountID: AccountID
    /// The Mastodon notification type.
    public let type: String
    /// For the account's open connections.
    public var update: LiveUpdate

    public var subject: String { notificationID.description }
    public var subjectVersion: Int64 { 1 }

    public init(notificationID: NotificationID, accountID: AccountID, type: String, update: LiveUpdate) {
        self.notificationID = notificationID
        self.accountID = accountID
        self.type = type
        self.update = update
    }

    enum CodingKeys: String, SnakeCased { case type, update, notificationID, accountID }
}
