// SPDX-License-Identifier: Apache-2.0
// The Mastodon API's CredentialAccount (docs.joinmastodon.org/entities/Account/#CredentialAccount).

import Domain
import Events
import Views

/// The own account, with what only its owner sees.
struct CredentialAccountView: ObjectView {
    /// What the owner edits: text instead of markup, and the defaults of new posts.
    struct Source: Hashable, Sendable {
        let privacy: Visibility
        let sensitive: Bool
        let language: String?
        let followRequestsCount: Int
        /// Who may quote: `public`, `followers` or `nobody`.
        let quotePolicy: String
        /// Sites that may name the account as an author.
        let attributionDomains: [String]
    }

    let account: AccountSnapshot
    let source: Source
    let role: Role
    let site: Site

    func writeMembers(to json: inout JSONWriter) {
        AccountView(account.asOwn, site: site).writeMembers(to: &json)
        json.object("source") { json in
            json.member("note", account.note)
            json.array("fields", account.fields) { json, field in
                json.member("name", field.name)
                json.member("value", field.value)
                json.null("verified_at")
            }
            json.member("privacy", source.privacy.rawValue)
            json.member("sensitive", source.sensitive)
            json.member("language", source.language)
            json.member("follow_requests_count", max(0, source.followRequestsCount))
            json.member("hide_collections", account.extras?.hideCollections ?? false)
            json.member("discoverable", account.discoverable)
            json.member("indexable", account.isIndexable)
            json.member("quote_policy", source.quotePolicy)
            json.member("attribution_domains", source.attributionDomains)
            json.member("show_favourites", account.extras?.showFavourites ?? false)
            json.member("native_languages", account.extras?.nativeLanguages ?? [])
            json.member("target_languages", account.extras?.targetLanguages ?? [])
        }
        json.member("role", RoleView(role: role))
    }
}

/// The Mastodon API's Role (docs.joinmastodon.org/entities/Role).
struct RoleView: ObjectView {
    let role: Role

    func writeMembers(to json: inout JSONWriter) {
        json.member("id", role.number)
        json.member("name", role.name)
        json.member("color", "")
        json.member("permissions", String(role.permissions))
        // Others are not told of it.
        json.member("highlighted", false)
    }
}

extension Role {
    /// Mastodon's numbers of the roles that a new server has; -99 is everybody's.
    fileprivate var number: String {
        switch self {
        case .user: "-99"
        case .moderator: "1"
        case .admin: "2"
        }
    }

    fileprivate var name: String {
        switch self {
        case .user: ""
        case .moderator: "Moderator"
        case .admin: "Admin"
        }
    }

    /// Bits as Mastodon 4.2 counts them (docs.joinmastodon.org/entities/Role). A moderator sees the dashboard and the log, and
    /// handles reports, people and trends; an administrator has all twenty.
    fileprivate var permissions: Int {
        switch self {
        case .user: 0
        case .moderator: 1 << 2 | 1 << 3 | 1 << 4 | 1 << 8 | 1 << 10
        case .admin: (1 << 20) - 1
        }
    }
}
