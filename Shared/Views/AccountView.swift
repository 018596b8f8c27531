// SPDX-License-Identifier: Apache-2.0
// The Mastodon API's Account (docs.joinmastodon.org/entities/Account).

public import Domain
public import Events

/// An account as a client sees it.
public struct AccountView: ObjectView {
    public let account: AccountSnapshot
    public let site: Site

    public init(_ account: AccountSnapshot, site: Site) {
        self.account = account
        self.site = site
    }

    /// What no other server has, where somebody has set it.
    private func writeExtras(_ extras: ProfileExtras, to json: inout JSONWriter) {
        if let languages = extras.nativeLanguages, !languages.isEmpty { json.member("native_languages", languages) }
        if let languages = extras.targetLanguages, !languages.isEmpty { json.member("target_languages", languages) }
        if extras.showFavourites == true { json.member("show_favourites", true) }
    }

    public func writeMembers(to json: inout JSONWriter) {
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
