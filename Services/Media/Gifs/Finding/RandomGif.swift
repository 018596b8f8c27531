// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/gifs/random: one that chance chooses, perhaps of those that a word finds.

import Domain
import Web

enum RandomGif {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let asked = try GifRequest(request, dependencies)
        let isTagged = try asked.text("tag").map { !$0.isEmpty } ?? false
        let tag = isTagged ? try asked.words("tag") : nil
        var gif = try await own(tag, asked, dependencies).map(FoundGif.own)
        if gif == nil {
            let others = try await FillGifs.first(GifCall.size, GifSearch(tag, asked), dependencies)
            gif = others.randomElement().map(FoundGif.upstream)
        }
        return GifAnswer.one(gif, isDrawn: true, request, dependencies)
    }

    private static func own(_ tag: String?, _ asked: GifRequest, _ dependencies: Dependencies) async throws -> Gif? {
        guard let tag else {
            return try await GifSearchStore.drawn(asked.kind, asked.rating, in: dependencies.database)
        }
        guard let query = GifQuery(tag, asked.kind, asked.rating) else { return nil }
        return try await GifSearchStore.drawn(query, in: dependencies.database)
    }
}
