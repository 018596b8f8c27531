// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/playgrounds/:id/leave: somebody goes, and out of every channel of the playground.

import Domain
import Events
import Web

/// Ends the asking person's memberships; the owner must hand the playground on first.
enum LeavePlayground {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ChangePlayground.run(request, dependencies, .look) { change in
            guard change.role != .owner else { throw Problem.ownerMustTransfer }
            try await PlaygroundMembers.expel(change.actor.id, in: change)
        }
        return .empty
    }
}
