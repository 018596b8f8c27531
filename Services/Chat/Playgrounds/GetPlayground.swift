// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/playgrounds/:id: one playground.

import Domain
import Web

/// Shows a playground to its members, an open one to anybody who is signed in.
enum GetPlayground {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let seen = try await seen(request, dependencies)
        guard seen.role != nil || seen.playground.isOpen else { throw Problem.notFound }
        return .json(PlaygroundView(seen))
    }

    /// The playground of the path and what the asking person is in it.
    static func seen(_ request: Request, _ dependencies: Dependencies) async throws -> SeenPlayground {
        let account = try request.requireAccount()
        let seen = try await PlaygroundStore.seen(try request.id(), by: account.id, in: dependencies.database)
        guard let seen else { throw Problem.notFound }
        return seen
    }
}
