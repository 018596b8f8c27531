// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/timelines/tag/:hashtag: public posts with a tag.

import Web

/// Posts with the tag or one of `any`, with each of `all` and with none of `none`.
///
/// A request looks at so many entries and no more, whether they match or not. Where that ends before the page is full, the
/// page is short and its `Link` leads on from there.
enum TagTimeline {
    /// Tags in one list beyond this are not looked at, besides the one of the path.
    static let most = 4

    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let parameters = try request.parameters()
        let page = try parameters.page(default: 20, maximum: 40)
        let tags = TagFilter(
            any: try TagFilter.names(
                [request.pathParameters["hashtag"] ?? ""] + (parameters.strings("any") ?? []).prefix(most)
            ),
            all: try TagFilter.names((parameters.strings("all") ?? []).prefix(most)),
            none: try TagFilter.names((parameters.strings("none") ?? []).prefix(most)),
            onlyMedia: try parameters.boolean("only_media") ?? false
        )
        if try parameters.boolean("remote") == true {
            return .statuses([StatusRow](), request, site: dependencies.site)
        }
        let database = dependencies.database
        let chosen = try await TagStore.choose(tags, viewer: request.viewer, page: page, in: database)
        let rows = try await PostStore.statuses(chosen.ids, viewer: request.viewer, in: database)
            .sorted { $0.entryID > $1.entryID }
        return .statuses(rows, request, site: dependencies.site, page: page, end: chosen.end)
    }
}
