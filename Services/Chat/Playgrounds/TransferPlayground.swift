// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/playgrounds/:id/transfer: a playground gets another owner.

import Domain
import Events
import Web

/// Makes a member the owner; who was it stays as an admin.
enum TransferPlayground {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let target = try request.parameters().account()
        try await ChangePlayground.run(request, dependencies, .transfer) { change in
            let (work, actor) = (change.work, change.actor.id)
            guard target != actor else { return }
            guard try await MemberStore.role(of: target, in: .playground(change.id), in: work) != nil else {
                throw Problem.invalid("account_id", "inclusion")
            }
            try await CreatePlayground.requireRoom(for: target, in: work)
            try await PlaygroundMembers.transfer(change.place, change.id, from: actor, to: target, in: work)
        }
        return try await ChangePlayground.answer(request, dependencies)
    }
}
