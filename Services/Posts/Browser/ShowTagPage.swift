// SPDX-License-Identifier: Apache-2.0
// GET /tags/:hashtag: public posts with a tag, for a browser.

import Domain
import Web
import WebPages

/// Shows what anybody may see, whoever asks.
enum ShowTagPage {
    /// Characters of a tag; longer ones are no tags of ours.
    private static let longest = 500

    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try PageRequest(request)
        let asked = try PostPages.page(page)
        let given = request.pathParameters["hashtag"] ?? ""
        guard given.count <= longest, let tag = try? TagFilter.names([given]).first, !tag.isEmpty else {
            throw Problem.notFound
        }
        let database = dependencies.database
        let filter = TagFilter(any: [tag], all: [], none: [])
        let chosen = try await TagStore.choose(filter, viewer: nil, page: asked, in: database)
        let rows = try await PostStore.statuses(chosen.ids, viewer: nil, in: database)
            .sorted { $0.entryID > $1.entryID }
        let site = dependencies.site
        let path = PostPages.path(ofTag: tag)
        var content = Pages.Content(
            template: "tag",
            title: "#\(tag)",
            values: PostPages.list(rows, end: chosen.end, path: path, page, site: site)
        )
        var meta = Pages.Meta()
        // On it are posts of people who want no search engine to know them.
        meta.robots = "noindex"
        meta.canonical = site.origin + path
        meta.alternates = [("application/json", "\(site.origin)/api/v1/timelines/tag/\(tag.percentEncoded)")]
        meta.properties = [
            ("og:title", "#\(tag)"), ("og:type", "website"), ("og:url", site.origin + path),
            ("og:site_name", site.domain), ("og:image", "\(site.origin)/assets/thumbnail.png"),
        ]
        content.meta = meta
        content.keeping = PostPages.keeping
        content.isWide = true
        let query = asked.before.map { [("max_id", String($0))] } ?? []
        return dependencies.pages.answer(content, language: page.language, path: path, query: query)
    }
}
