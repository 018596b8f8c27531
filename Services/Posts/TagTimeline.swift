// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/timelines/tag/:hashtag: public posts with a tag.

import Domain
import Postgres
import Web

/// Posts with the tag or one of `any`, with each of `all` and with none of `none`.
enum TagTimeline {
    /// Tags in one list beyond this are not looked at.
    static let most = 16

    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let parameters = try request.parameters()
        let page = try parameters.page(default: 20, maximum: 40)
        let tags = TimelineStore.Tags(
            any: try names([request.pathParameters["hashtag"] ?? ""] + (parameters.strings("any") ?? [])),
            all: try names(parameters.strings("all") ?? []),
            none: try names(parameters.strings("none") ?? [])
        )
        if try parameters.boolean("remote") == true || parameters.boolean("only_media") == true {
            return .statuses([], request, site: dependencies.site)
        }
        let rows = try await dependencies.database.query(
            TimelineStore.tagged(tags, viewer: request.viewer, page: page)
        ).statuses()
        return .statuses(rows, request, site: dependencies.site)
    }

    /// Tags as they are stored.
    static func names(_ tags: [String]) throws -> [String] {
        try tags.prefix(most).map { tag in
            guard !tag.utf8.contains(0) else { throw Problem.badRequest("tag") }
            return (tag.hasPrefix("#") ? String(tag.dropFirst()) : tag).lowercased()
        }
    }
}
