// SPDX-License-Identifier: Apache-2.0
// The Mastodon API's Account and CredentialAccount (docs.joinmastodon.org/entities/Account).

package import Domain
package import Events

/// An account as a client sees it.
package struct AccountView: ObjectView {
    package let account: AccountSnapshot
    package let site: Site

    package init(_ account: AccountSnapshot, site: Site) {
        self.account = account
        self.site = site
    }

    /// What no other server has, where somebody has set it.
    private func writeExtras(_ extras: ProfileExtras, to json: inout JSONWriter) {
        if let languages = extras.nativeLanguages, !languages.isEmpty { json.member("native_languages", languages) }
        if let languages = extras.targetLanguages, !languages.isEmpty { json.member("target_languages", languages) }
        if extras.showFavourites == true { json.member("show_favourites", true) }
    }

    package func writeMembers(to json: inout JSONWriter) {
        let account = account.isHidden ? account.withoutProfile : account
        let avatar = site.avatar(account.extras?.avatar?.file)
        let header = site.header(account.extras?.header?.file)
        json.member("id", account.id)
        json.member("username", account.username.text)
        json.member("acct", account.username.text)
        json.member("display_name", account.displayName)
        json.member("locked", account.locked)
        json.member("bot", account.bot)
        json.member("discoverable", account.discoverable)
        json.member("indexable", account.isIndexable)
        json.member("group", false)
        json.member("created_at", account.createdAt)
        json.member("note", PostText.html(account.note, mentions: [], site: site))
        json.member("url", site.profile(account.username))
        json.member("uri", site.actor(account.username))
        json.member("avatar", avatar)
        json.member("avatar_static", avatar)
        json.member("avatar_description", account.extras?.avatarDescription ?? "")
        json.member("header", header)
        json.member("header_static", header)
        json.member("header_description", account.extras?.headerDescription ?? "")
        json.member("followers_count", max(0, account.followersCount))
        json.member("following_count", max(0, account.followingCount))
        json.member("statuses_count", max(0, account.postsCount))
        json.member("last_status_at", account.lastPostAt?.date)
        json.member("hide_collections", account.extras?.hideCollections ?? false)
        json.member("noindex", !account.isIndexable)
        json.member("emojis", [String]())
        json.member("roles", [String]())
        if let extras = account.extras { writeExtras(extras, to: &json) }
        if account.isHidden { json.member("suspended", true) }
        if account.restrictions.contains(.limited) { json.member("limited", true) }
        json.array("fields", account.fields) { json, field in
            json.member("name", field.name)
            json.member("value", PostText.inlineHTML(field.value, mentions: [], site: site))
            json.null("verified_at")
        }
    }
}

extension AccountSnapshot {
    /// With nothing that the person says of themselves, as Mastodon shows whom nobody may see.
    fileprivate var withoutProfile: AccountSnapshot {
        AccountSnapshot(
            id: id,
            username: username,
            createdAt: createdAt,
            followersCount: followersCount,
            followingCount: followingCount,
            version: version,
            extras: ProfileExtras(restrictions: restrictions)
        )
    }
}

/// The own account, with what only its owner sees.
package struct CredentialAccountView: ObjectView {
    /// What the owner edits: text instead of markup, and the defaults of new posts.
    package struct Source: Hashable, Sendable {
        package var privacy: Visibility
        package var sensitive: Bool
        package var language: String?
        package var followRequestsCount: Int
        /// Who may quote: `public`, `followers` or `nobody`.
        package var quotePolicy: String
        /// Sites that may name the account as an author.
        package var attributionDomains: [String]

        package init(
            privacy: Visibility = .public,
            sensitive: Bool = false,
            language: String? = nil,
            followRequestsCount: Int = 0,
            quotePolicy: String = "nobody",
            attributionDomains: [String] = []
        ) {
            self.privacy = privacy
            self.sensitive = sensitive
            self.language = language
            self.followRequestsCount = followRequestsCount
            self.quotePolicy = quotePolicy
            self.attributionDomains = attributionDomains
        }
    }

    package let account: AccountSnapshot
    package let source: Source
    package let role: Role
    package let site: Site

    package init(_ account: AccountSnapshot, source: Source = Source(), role: Role = .user, site: Site) {
        self.account = account
        self.source = source
        self.role = role
        self.site = site
    }

    package func writeMembers(to json: inout JSONWriter) {
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
        json.member("role", RoleView(role))
    }
}

/// The Mastodon API's Role (docs.joinmastodon.org/entities/Role).
package struct RoleView: ObjectView {
    package let role: Role

    package init(_ role: Role) { self.role = role }

    package func writeMembers(to json: inout JSONWriter) {
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
