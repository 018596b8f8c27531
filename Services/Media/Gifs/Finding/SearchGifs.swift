// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/gifs/search: GIFs, stickers or texts by words.

import Domain
import Web

enum SearchGifs {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let asked = try GifRequest(request, dependencies)
        let part = asked.part
        let words = try asked.words("q")
        var own = GifPage(gifs: [], total: 0)
        if let query = GifQuery(words, asked.kind, asked.rating) {
            own = try await GifSearchStore.search(query, part, in: dependencies.database)
        }
        let page = try await FillGifs.run(own, part, GifSearch(words, asked), dependencies)
        return GifAnswer.page(page, part, request, dependencies)
    }
}
