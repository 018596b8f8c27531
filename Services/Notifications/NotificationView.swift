// SPDX-License-Identifier: Apache-2.0
// The Mastodon API's Notification (docs.joinmastodon.org/entities/Notification).

import Domain
import Events
import Views

/// A notification as its recipient sees it.
struct NotificationView: View {
    let id: NotificationID
    let kind: NotificationKind
    let createdAt: Timestamp
    /// Who caused it.
    let account: AccountView
    /// Nil for a follow and a request to follow.
    let status: StatusView?

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("id", id)
            json.member("type", kind.rawValue)
            json.member("group_key", "ungrouped-\(id)")
            json.member("created_at", createdAt)
            json.member("account", account)
            if let status { json.member("status", status) }
        }
    }
}
