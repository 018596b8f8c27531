// SPDX-License-Identifier: Apache-2.0
// PUT and DELETE /api/v1/channels/:id/members/:account_id: a member may do more or less, or has to go.

import Domain
import Web

/// Makes a member an admin of the channel, or an admin a member.
enum SetChannelRole {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let role = try request.parameters().role()
        let target: AccountID = try request.id("account_id")
        try await ChangeChannel.run(request, dependencies, .changeRole) { change in
            let present = try await Members.present(target, in: .channel(change.id), change.work)
            guard present != role else { return }
            try await Members.setRole(role, of: target, change.place, by: change.actor.id, in: change.work)
        }
        return .empty
    }
}

/// Sends a member out of the channel; they stay in the playground.
enum RemoveChannelMember {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let target: AccountID = try request.id("account_id")
        try await ChangeChannel.run(request, dependencies, .removeMember) { change in
            let present = try await Members.present(target, in: .channel(change.id), change.work)
            guard let rank = Permission.rank(change.seen.ties),
                Permission.outranks(rank, present) || target == change.actor.id
            else {
                throw Problem.forbidden
            }
            try await Members.leave(target, in: change)
        }
        return .empty
    }
}
