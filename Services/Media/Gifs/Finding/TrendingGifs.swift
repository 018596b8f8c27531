// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/gifs/trending: what was taken lately.

import Domain
import Web

enum TrendingGifs {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let asked = try GifRequest(request, dependencies)
        let part = asked.part
        let page = try await GifSearchStore.trending(asked.kind, asked.rating, part, in: dependencies.database)
        return GifAnswer.page(page, part, request, dependencies)
    }
}
