// SPDX-License-Identifier: Apache-2.0
// GET /@:name: somebody's profile and public posts, for a browser.

import Domain
import Events
import Foundation
import Views
import Web
import WebPages

/// Shows what anybody may see, whoever asks.
enum ShowAccountPage {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try PageRequest(request)
        let asked = try PostPages.page(page)
        let account = try await AccountStore.account(request.username(), in: dependencies.database).found()
        guard !account.isHidden else { throw Problem.notFound }
        let listed = try await PostListStore.posts(
            of: account.id,
            filter: PostListStore.Filter(excludeReplies: true),
            viewer: nil,
            page: asked,
            in: dependencies.database
        )
        let rows = try await dependencies.statuses.shown(listed, dependencies).map(\.row)
        let end =
            listed.count < asked.limit
            ? try await PostListStore.end(of: account.id, page: asked, in: dependencies.database) : nil
        let path = PostPages.path(of: account.username)
        var content = Pages.Content(
            template: "account",
            title: "\(PostPages.name(account)) (@\(account.username.text))",
            values: PostPages.list(rows, end: end, path: path, page, site: dependencies.site)
        )
        content.values.merge(profile(account, page, dependencies)) { $1 }
        content.meta = meta(account, isFirst: asked.before == nil, dependencies)
        content.keeping = PostPages.keeping
        content.isWide = true
        let query = asked.before.map { [("max_id", String($0))] } ?? []
        return dependencies.pages.answer(content, language: page.language, path: path, query: query)
    }

    private static func profile(
        _ account: AccountSnapshot,
        _ page: PageRequest,
        _ dependencies: Dependencies
    ) -> [String: Any] {
        let site = dependencies.site
        return [
            "name": PostPages.name(account),
            "avatar": site.avatar(account.extras?.avatar?.file),
            "handle": "@\(account.username.text)",
            "full_handle": "@\(account.username.text)@\(site.domain)",
            "note": PostText.html(account.note, mentions: [], site: site),
            "has_fields": !account.fields.isEmpty,
            "fields": account.fields.map {
                ["label": $0.name, "value": PostText.inlineHTML($0.value, mentions: [], site: site)]
            },
            "native": names(account.extras?.nativeLanguages, in: page.language),
            "target": names(account.extras?.targetLanguages, in: page.language),
            "posts_count": String(max(0, account.postsCount)),
            "followers_count": String(max(0, account.followersCount)),
            "following_count": String(max(0, account.followingCount)),
        ]
    }

    /// Languages as a reader of another one calls them.
    private static func names(_ codes: [String]?, in language: Language) -> String {
        let locale = Locale(identifier: language.rawValue)
        return (codes ?? []).map { locale.localizedString(forIdentifier: $0) ?? $0 }.joined(separator: " · ")
    }

    private static func meta(_ account: AccountSnapshot, isFirst: Bool, _ dependencies: Dependencies) -> Pages.Meta {
        let site = dependencies.site
        var meta = Pages.Meta()
        meta.robots = account.isIndexable && isFirst ? nil : "noindex"
        meta.description = PostPages.shortened(account.note, 200)
        meta.canonical = site.profile(account.username)
        meta.alternates = [("application/json", "\(site.origin)/api/v1/accounts/\(account.id)")]
        meta.properties = [
            ("og:title", "\(PostPages.name(account)) (@\(account.username.text)@\(site.domain))"),
            ("og:type", "profile"),
            ("og:url", site.profile(account.username)),
            ("og:description", PostPages.shortened(account.note, 200)),
            ("og:site_name", site.domain),
            ("og:image", site.avatar(account.extras?.avatar?.file)),
            ("profile:username", account.username.text),
        ]
        return meta
    }
}
