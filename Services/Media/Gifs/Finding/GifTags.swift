// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/gifs/tags, …/tags/:term and …/searches: words that find something.

import Domain
import Views
import Web

enum GifTags {
    /// What may be about to be typed.
    @Sendable static func suggest(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let asked = try GifRequest(request, dependencies)
        let limit = asked.number("limit", 1...GifLimits.page, 10)
        let tags = try await GifTagStore.beginning(
            with: GifText.folded(asked.words("q")),
            limit: limit,
            in: dependencies.database
        )
        return named(tags, request)
    }

    /// What goes with a tag.
    @Sendable static func related(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let asked = try GifRequest(request, dependencies)
        let limit = asked.number("limit", 1...GifLimits.page, 20)
        let term = GifText.folded(request.pathParameters["term"] ?? "")
        return named(try await GifTagStore.beside(term, limit: limit, in: dependencies.database), request)
    }

    /// Tags of what was taken lately: what people look for is written down nowhere.
    @Sendable static func trending(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        _ = try GifRequest(request, dependencies)
        let tags = try await GifTagStore.trending(limit: 20, in: dependencies.database)
        return GifAnswer.list(tags, request) { $0.string($1) }
    }

    private static func named(_ tags: [String], _ request: Request) -> Answer {
        GifAnswer.list(tags, request) { json, tag in json.object { $0.member("name", tag) } }
    }
}
