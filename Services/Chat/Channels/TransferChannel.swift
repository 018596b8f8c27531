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
            let transaction = change.transaction
            let present = try await MemberStore.role(of: target, in: .channel(change.id), in: transaction)
            guard let present else { throw Problem.invalid("account_id", "inclusion") }
            guard present != .owner else { return }
            let playground = change.channel.playgroundID
            if let former = change.channel.ownerID {
                // Never two owners, not even for a moment.
                try await ChannelMembers.setRole(
                    .admin,
                    of: former,
                    in: change.id,
                    of: playground,
                    by: change.actor.id,
                    dependencies,
                    in: transaction
                )
            }
            try await ChannelMembers.own(
                change.id,
                of: playground,
                target,
                after: change.channel.ownerID ?? change.actor.id,
                dependencies,
                in: transaction
            )
        }
        return try await ChangeChannel.answer(request, dependencies)
    }
}
