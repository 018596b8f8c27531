// SPDX-License-Identifier: Apache-2.0
// PUT /api/v1/playgrounds/:id/members/:account_id: a member may do more or less from now on.

import Domain
import Web

/// Makes a member an admin, or an admin a member; the owner's role is handed on by transfer only.
enum SetPlaygroundRole {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let role = try request.parameters().role()
        let target: AccountID = try request.id("account_id")
        try await ChangePlayground.run(request, dependencies, .changeRole) { change in
            let present = try await Members.present(target, in: .playground(change.id), change.work)
            guard present != role else { return }
            try await Members.setRole(role, of: target, change.place, by: change.actor.id, in: change.work)
        }
        return .empty
    }
}
