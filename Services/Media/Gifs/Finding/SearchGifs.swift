// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/gifs/search: GIFs, stickers or texts by words.

import Domain
import Web

enum SearchGifs {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let asked = try GifRequest(request, dependencies)
        let part = asked.part
        guard let query = GifQuery(try asked.words("q"), asked.kind, asked.rating) else {
            return GifAnswer.page(GifPage(gifs: [], total: 0), part, request, dependencies)
        }
        let page = try await GifSearchStore.search(query, part, in: dependencies.database)
        return GifAnswer.page(page, part, request, dependencies)
    }
}
