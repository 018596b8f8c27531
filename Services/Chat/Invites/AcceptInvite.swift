// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/invites/:code and POST …/accept: an invitation is looked at, and taken.

import Domain
import Views
import Web

/// Shows where an invitation leads to whoever holds its code, signed in or not.
enum PreviewInvite {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let invite = try await Invite.find(request, dependencies)
        let viewer = request.principal?.account?.id
        let seen = try await PlaygroundStore.seen(invite.playgroundID, by: viewer, in: dependencies.database).found()
        guard invite.isGood(at: dependencies.now()) || seen.role != nil else { throw Problem.inviteExpired }
        return .json { json in
            json.member("code", invite.code)
            json.member("expires_at", invite.expiresAt)
            json.member("playground", PlaygroundView(seen, site: dependencies.site))
        }
    }
}

/// Lets the asking person in by an invitation. One who is in already uses nothing up.
enum AcceptInvite {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let actor = try request.requireAccount()
        let found = try await Invite.find(request, dependencies)
        try await EnsureAccount.run(actor, dependencies)
        let seen = try await dependencies.transaction { work in
            let seen = try await SeenPlayground.hold(found.playgroundID, by: actor.id, in: work)
            guard seen.role == nil else { return seen }
            // Read again: the last use may have been somebody else's.
            guard let invite = try await InviteStore.invite(found.code, in: work), invite.isGood(at: work.now()) else {
                throw Problem.inviteExpired
            }
            guard try await !BanStore.exists(actor.id, in: seen.id, in: work) else { throw Problem.banned }
            InviteStore.use(invite.code, in: work)
            try await PlaygroundMembers.admit(actor.id, to: seen.playground, in: work)
            return try await PlaygroundStore.seen(seen.id, by: actor.id, in: work).found()
        }
        return .json(PlaygroundView(seen, site: dependencies.site))
    }
}
