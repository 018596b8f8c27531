// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/gifs/random: one that chance chooses, perhaps of those that a word finds.

import Domain
import Web

enum RandomGif {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let asked = try GifRequest(request, dependencies)
        return GifAnswer.one(try await gif(asked, dependencies), isDrawn: true, request, dependencies)
    }

    private static func gif(_ asked: GifRequest, _ dependencies: Dependencies) async throws -> Gif? {
        guard let tag = try asked.text("tag"), !tag.isEmpty else {
            return try await GifSearchStore.drawn(asked.kind, asked.rating, in: dependencies.database)
        }
        guard let query = GifQuery(try asked.words("tag"), asked.kind, asked.rating) else { return nil }
        return try await GifSearchStore.drawn(query, in: dependencies.database)
    }
}
