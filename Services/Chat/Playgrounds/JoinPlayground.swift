// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/playgrounds/:id/join: somebody comes into an open playground.

import Domain
import Postgres
import Web

/// Lets the asking person in, unless they are banned; for one who is in already nothing changes.
enum JoinPlayground {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let actor = try request.requireAccount()
        let id: PlaygroundID = try request.id()
        try await EnsureAccount.run(actor, dependencies)
        try await dependencies.database.transaction { transaction in
            let seen = try await SeenPlayground.hold(id, by: actor.id, in: transaction)
            try seen.require(.see)
            guard seen.role == nil else { return }
            guard try await !BanStore.exists(actor.id, in: id, in: transaction) else { throw Problem.banned }
            try await PlaygroundMembers.admit(actor.id, to: seen.playground, dependencies, in: transaction)
        }
        return try await ChangePlayground.answer(request, dependencies)
    }
}
