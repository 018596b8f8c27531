// SPDX-License-Identifier: Apache-2.0
// The Mastodon API's Conversation (docs.joinmastodon.org/entities/Conversation).

package import Domain
package import Events

/// Direct posts of one thread among the same people, as one of them sees them.
package struct ConversationView: ObjectView {
    package let id: ConversationID
    package let unread: Bool
    /// The others; for somebody who talks to nobody, themselves.
    package let accounts: [AccountSnapshot]
    package let lastStatus: StatusView
    package let site: Site

    package init(
        id: ConversationID,
        unread: Bool,
        accounts: [AccountSnapshot],
        lastStatus: StatusView,
        site: Site
    ) {
        self.id = id
        self.unread = unread
        self.accounts = accounts
        self.lastStatus = lastStatus
        self.site = site
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("unread", unread)
        json.member("accounts", accounts.map { AccountView($0, site: site) })
        json.member("last_status", lastStatus)
    }
}
