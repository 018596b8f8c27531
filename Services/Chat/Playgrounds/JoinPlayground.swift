// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/playgrounds/:id/join: somebody comes into an open playground.

import Domain
import Web

/// Lets the asking person in, unless they are banned; for one who is in already nothing changes.
enum JoinPlayground {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let actor = try request.requireAccount()
        let id: PlaygroundID = try request.id()
        try await EnsureAccount.run(actor, dependencies)
        try await dependencies.transaction { work in
            let seen = try await SeenPlayground.hold(id, by: actor.id, in: work)
            try seen.require(.see)
            guard seen.role == nil else { return }
            guard try await !BanStore.exists(actor.id, in: id, in: work) else { throw Problem.banned }
            try await PlaygroundMembers.admit(actor.id, to: seen.playground, in: work)
        }
        return try await ChangePlayground.answer(request, dependencies)
    }
}
