// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/playgrounds/:id/bans and DELETE …/bans/:account_id: somebody may not come in, or may again.

import Domain
import Events
import Web

/// Bans an account, a member or not; a member is sent out in the same transaction.
enum BanAccount {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let parameters = try request.parameters()
        let target = try parameters.account()
        let reason = try parameters.prose("reason", limit: dependencies.limits.reason) ?? ""
        // Before the account is looked for: who may not ban learns nothing of who is here.
        _ = try await SeenPlayground.find(request, dependencies, to: .ban)
        guard try await AwaitAccount.run(target, dependencies) else {
            throw Problem.invalid("account_id", "unreachable")
        }
        let ban = try await ChangePlayground.run(request, dependencies, .ban) { change in
            let (work, actor) = (change.work, change.actor.id)
            let present = try await MemberStore.role(of: target, in: .playground(change.id), in: work)
            guard Permission.outranks(change.role, present ?? .member), target != actor else {
                throw Problem.forbidden
            }
            BanStore.insert(target, in: change.id, actor: actor, reason: reason, at: work.now(), in: work)
            if present != nil { try await PlaygroundMembers.expel(target, in: change) }
            return try await BanStore.ban(target, in: change.id, site: work.site, in: work)
        }
        guard let ban else { throw Problem.notFound }
        return .json(ban)
    }
}

/// Takes a ban back; the person must come in again by themselves.
enum UnbanAccount {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let target: AccountID = try request.id("account_id")
        try await ChangePlayground.run(request, dependencies, .ban) { change in
            BanStore.delete(target, in: change.id, in: change.work)
        }
        return .empty
    }
}
