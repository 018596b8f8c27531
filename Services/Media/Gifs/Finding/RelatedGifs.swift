// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/gifs/related: what has the most words of a GIF.

import Domain
import Web

enum RelatedGifs {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let asked = try GifRequest(request, dependencies)
        guard let id = try asked.text("gif_id"), !id.isEmpty else { throw Problem.badRequest("gif_id") }
        let found = try MediaID(id).found()
        let gif = try await GifStore.gif(found, in: dependencies.database).found()
        let words = gif.text.tags + [gif.text.title, gif.text.category]
        guard let query = GifQuery(tags: words, gif.text.kind, asked.rating) else {
            return GifAnswer.all([], request, dependencies)
        }
        let near = try await GifSearchStore.nearest(
            query,
            without: gif.id,
            limit: asked.part.limit,
            in: dependencies.database
        )
        return GifAnswer.all(near.map(FoundGif.own), request, dependencies)
    }
}
