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
            let stamp = work.stamp()
            MemberStore.setOwner(target, of: .playground(change.id), at: stamp, in: work)
            try Members.transferred(change.place, to: target, from: actor, version: stamp.version, in: work)
            // Never two owners, not even for a moment.
            try await Members.setRole(.admin, of: actor, change.place, by: actor, in: work)
            try await Members.setRole(.owner, of: target, change.place, by: actor, in: work)
            guard let seen = try await PlaygroundStore.seen(change.id, by: target, in: work) else { return }
            try work.tell(.playground("updated", PlaygroundView(seen.playground, site: work.site)), in: change.everyone)
        }
        return try await ChangePlayground.answer(request, dependencies)
    }
}
