// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/playgrounds/:id: one playground.

import Web

/// Shows a playground to its members, an open one to anybody who is signed in.
enum GetPlayground {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let seen = try await SeenPlayground.find(request, dependencies, to: .see)
        return .json(PlaygroundView(seen, site: dependencies.site))
    }
}
