// SPDX-License-Identifier: Apache-2.0
// The Mastodon API's Conversation (docs.joinmastodon.org/entities/Conversation).

import Domain
import Events
import Views

/// Direct posts of one thread among the same people, as one of them sees them.
struct ConversationView: ObjectView {
    let id: ConversationID
    let unread: Bool
    /// The others; for somebody who talks to nobody, themselves.
    let accounts: [AccountSnapshot]
    let lastStatus: StatusView
    let site: Site

    func writeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("unread", unread)
        json.member("accounts", accounts.map { AccountView($0, site: site) })
        json.member("last_status", lastStatus)
    }
}
