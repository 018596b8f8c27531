// SPDX-License-Identifier: Apache-2.0
// PUT and DELETE /api/v1/channels/:id/members/:account_id: a member may do more or less, or has to go.

import Domain
import Events
import Web

/// Makes a member an admin of the channel, or an admin a member.
enum SetChannelRole {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let role = try request.parameters().role()
        let target: AccountID = try request.id("account_id")
        try await ChangeChannel.run(request, dependencies, .changeRole) { change in
            let present = try await MemberStore.role(of: target, in: .channel(change.id), in: change.transaction)
            guard let present else { throw Problem.notFound }
            guard present != .owner else { throw Problem.ownerMustTransfer }
            guard present != role else { return }
            try await ChannelMembers.setRole(
                role,
                of: target,
                in: change.id,
                of: change.channel.playgroundID,
                by: change.actor.id,
                dependencies,
                in: change.transaction
            )
        }
        return .empty
    }
}

/// Sends a member out of the channel; they stay in the playground.
enum RemoveChannelMember {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let target: AccountID = try request.id("account_id")
        try await ChangeChannel.run(request, dependencies, .removeMember) { change in
            let present = try await MemberStore.role(of: target, in: .channel(change.id), in: change.transaction)
            guard let present else { throw Problem.notFound }
            guard present != .owner else { throw Problem.ownerMustTransfer }
            guard let rank = Permission.rank(change.seen.ties),
                Permission.outranks(rank, present) || target == change.actor.id
            else {
                throw Problem.forbidden
            }
            try await ChannelMembers.leave(target, in: change, dependencies)
        }
        return .empty
    }
}
