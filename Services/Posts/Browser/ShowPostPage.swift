// SPDX-License-Identifier: Apache-2.0
// GET /@:name/:id: a public post with the conversation around it, for a browser.

import Domain
import Events
import Web
import WebPages

/// Shows what anybody may see, whoever asks; a boost leads to the post.
enum ShowPostPage {
    /// What of a conversation is on the page: posts before it, and replies.
    static let bounds = ThreadStore.Bounds(ancestors: 10, descendants: PostPages.length, depth: 10)

    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try PageRequest(request)
        let username = try request.username()
        let id: PostID = try request.id()
        let rows = try await ThreadStore.thread(id, viewer: nil, bounds: bounds, in: dependencies.database)
        let thread = try await ShownThread(rows, dependencies)
        let root = thread.root.row
        let path = PostPages.path(of: root.post.id, by: root.author.username)
        guard root.post.id == id, root.author.username == username else {
            return .redirect(to: Pages.link(path, page.chosenLanguage))
        }
        let site = dependencies.site
        var posts = thread.before.map { PostPages.values($0.row, page, site: site) }
        posts.append(PostPages.values(root, page, site: site, isChosen: true))
        posts += thread.after.map { PostPages.values($0.row, page, site: site) }
        let summary = PostPages.shortened(PostPages.summary(root.post, page.language), 60)
        var content = Pages.Content(
            template: "post",
            title: "\(PostPages.name(root.author)): \(summary)",
            values: ["posts": posts, "more_replies": thread.after.count >= bounds.descendants]
        )
        content.meta = meta(root, page, site)
        content.keeping = PostPages.keeping
        content.isWide = true
        return dependencies.pages.answer(content, language: page.language, path: path, query: [])
    }

    private static func meta(_ row: StatusRow, _ page: PageRequest, _ site: Site) -> Pages.Meta {
        let address = site.post(row.post.id, by: row.author.username)
        let summary = PostPages.summary(row.post, page.language)
        var meta = Pages.Meta()
        // An unlisted post is for whoever is given its address.
        meta.robots = row.author.isIndexable && row.post.visibility == .public ? nil : "noindex"
        meta.description = summary
        meta.canonical = address
        meta.alternates = [("application/json", "\(site.origin)/api/v1/statuses/\(row.post.id)")]
        meta.properties = [
            ("og:title", "\(PostPages.name(row.author)) (@\(row.author.username.text)@\(site.domain))"),
            ("og:type", "article"),
            ("og:url", address),
            ("og:description", summary),
            ("og:site_name", site.domain),
            ("og:image", PostPages.picture(row.post, site: site) ?? site.avatar(row.author.extras?.avatar?.file)),
            ("article:published_time", row.post.createdAt.rfc3339),
        ]
        if let edited = row.post.editedAt { meta.properties.append(("article:modified_time", edited.rfc3339)) }
        return meta
    }
}
