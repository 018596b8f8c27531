// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/gifs/:id: one GIF.

import Domain
import Web

enum ShowGif {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        _ = try GifRequest(request, dependencies)
        let gif = try await FindGifs.one(request.gifID("id"), dependencies)
        return GifAnswer.one(gif, request, dependencies)
    }
}
