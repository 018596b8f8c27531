// SPDX-License-Identifier: Apache-2.0
// POST and GET /api/v1/playgrounds/:id/invites, DELETE …/invites/:code: ways into a playground.

import Domain
import HTTPTypes
import Views
import Web

/// Makes a code with which people come in, for a time or a number of them.
enum CreateInvite {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let parameters = try request.parameters()
        let limits = dependencies.limits
        let lifetime = try parameters.integer("expires_in")
        if let lifetime, !(1...limits.inviteLifetime).contains(lifetime) {
            throw Problem.invalid("expires_in", "inclusion")
        }
        let uses = try parameters.integer("max_uses")
        if let uses, !(1...limits.inviteUses).contains(uses) { throw Problem.invalid("max_uses", "inclusion") }
        let invite = try await ChangePlayground.run(request, dependencies, .invite) { change in
            let now = dependencies.now()
            let count = try await InviteStore.goodCount(for: change.id, at: now, in: change.work)
            guard count < limits.invites else { throw Problem.tooMany("too-many-invites") }
            let invite = Invite(
                code: dependencies.inviteCode(),
                playgroundID: change.id,
                creatorID: change.actor.id,
                createdAt: now,
                expiresAt: lifetime.map { now + .seconds($0) },
                maxUses: uses,
                uses: 0,
                revokedAt: nil
            )
            InviteStore.insert(invite, in: change.work)
            return invite
        }
        return .json(invite, status: .created)
    }
}

/// Lists the invites that are good, newest first, to those who may invite.
enum ListInvites {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let seen = try await SeenPlayground.find(request, dependencies, to: .invite)
        let list = try await InviteStore.good(
            for: seen.id,
            at: dependencies.now(),
            limit: dependencies.limits.invites,
            in: dependencies.database
        )
        return .json(array: list)
    }
}

/// Ends an invite; who came in by it stays.
enum RevokeInvite {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let code = request.pathParameters["code"] ?? ""
        guard InviteCode.isWellFormed(code) else { throw Problem.notFound }
        try await ChangePlayground.run(request, dependencies, .invite) { change in
            guard try await InviteStore.invite(code, in: change.work)?.playgroundID == change.id else {
                throw Problem.notFound
            }
            InviteStore.revoke(code, of: change.id, at: dependencies.now(), in: change.work)
        }
        return .empty
    }
}
