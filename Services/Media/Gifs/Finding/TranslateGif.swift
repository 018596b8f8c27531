// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/gifs/translate: the one that says best what somebody says.

import Domain
import Web

/// With `weirdness` from 0 to 10, chance chooses among as many more.
enum TranslateGif {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let asked = try GifRequest(request, dependencies)
        let limit = 1 + asked.number("weirdness", 0...10, 0)
        let words = try asked.words("s")
        var gifs: [FoundGif] = []
        if let query = GifQuery(words, asked.kind, asked.rating) {
            gifs = try await GifSearchStore.nearest(query, limit: limit, in: dependencies.database).map(FoundGif.own)
        }
        if gifs.isEmpty {
            gifs = try await FillGifs.first(limit, GifSearch(words, asked), dependencies).map(FoundGif.upstream)
        }
        return GifAnswer.one(gifs.randomElement(), request, dependencies)
    }
}
