// SPDX-License-Identifier: Apache-2.0
// DELETE /api/v1/playgrounds/:id/members/:account_id: somebody is sent out of a playground; they may come back.

import Domain
import Web

/// Ends another's memberships, in the playground and in all its channels.
enum RemovePlaygroundMember {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let target: AccountID = try request.id("account_id")
        try await ChangePlayground.run(request, dependencies, .removeMember) { change in
            let present = try await MemberStore.role(of: target, in: .playground(change.id), in: change.work).found()
            guard Permission.outranks(change.role, present) else { throw Problem.forbidden }
            try await PlaygroundMembers.expel(target, in: change)
        }
        return .empty
    }
}
