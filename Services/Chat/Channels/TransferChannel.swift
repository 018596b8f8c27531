// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/channels/:id/transfer: a channel gets another owner.

import Domain
import Events
import Web

/// Makes a member the owner; who was it stays as an admin.
enum TransferChannel {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let target = try request.parameters().account()
        try await ChangeChannel.run(request, dependencies, .transfer) { change in
            let (work, actor) = (change.work, change.actor.id)
            guard let present = try await MemberStore.role(of: target, in: .channel(change.id), in: work) else {
                throw Problem.invalid("account_id", "inclusion")
            }
            guard present != .owner else { return }
            if let former = change.channel.ownerID {
                // Never two owners, not even for a moment.
                try await Members.setRole(.admin, of: former, change.place, by: actor, in: work)
            }
            try await Members.own(change.place, target, after: change.channel.ownerID ?? actor, in: work)
        }
        return try await ChangeChannel.answer(request, dependencies)
    }
}
