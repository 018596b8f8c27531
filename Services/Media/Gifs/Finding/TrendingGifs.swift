// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/gifs/trending: what was taken lately.

import Domain
import Web

enum TrendingGifs {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let asked = try GifRequest(request, dependencies)
        let part = asked.part
        let own = try await GifSearchStore.trending(asked.kind, asked.rating, part, in: dependencies.database)
        let page = try await FillGifs.run(own, part, GifSearch(nil, asked), dependencies)
        return GifAnswer.page(page, part, request, dependencies)
    }
}
