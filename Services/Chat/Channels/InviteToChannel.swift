// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/channels/:id/members: people of the playground are brought into a channel.

import Domain
import Web

/// Lets members of the playground in; those who are in already stay as they are.
enum InviteToChannel {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        guard let ids: [AccountID] = try request.parameters().ids("account_ids"), !ids.isEmpty else {
            throw Problem.invalid("account_ids", "blank")
        }
        guard ids.count <= dependencies.limits.added else { throw Problem.invalid("account_ids", "too_many") }
        let wanted = Set(ids)
        try await ChangeChannel.run(request, dependencies, .invite) { change in
            guard let playground = change.channel.playgroundID,
                try await MemberStore.members(among: ids, of: playground, in: change.work) == wanted
            else { throw Problem.invalid("account_ids", "inclusion") }
            for account in try await AccountStore.snapshots(ids, in: change.work) {
                try await Members.enter(change.place, account, in: change.work)
            }
        }
        return try await ChangeChannel.answer(request, dependencies)
    }
}
