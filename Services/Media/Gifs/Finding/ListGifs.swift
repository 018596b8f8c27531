// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/gifs?ids=: some GIFs by their ids, in that order.

import Domain
import Web

enum ListGifs {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let ids = try GifRequest(request, dependencies).ids()
        return GifAnswer.all(try await FindGifs.run(ids, dependencies), request, dependencies)
    }
}
