// SPDX-License-Identifier: Apache-2.0
// What every change of a playground has in common.

import Domain
import Events
import Web

/// A playground that is being changed: held until the end of the transaction.
struct PlaygroundChange: Sendable {
    let actor: Principal.Account
    /// What the actor is in it.
    let role: ChatRole
    let playground: PlaygroundRow
    let work: Work

    var id: PlaygroundID { playground.id }
    /// Everybody in the playground is in this channel: what is written to it reaches all of them.
    var everyone: ChannelID { playground.defaultChannelID }
    var place: MemberPlace { .playground(id, everyone: everyone) }
}

/// Runs a change of the playground of the path.
enum ChangePlayground {
    /// The playground's row is locked while `change` runs: changes of one playground wait for each other, and what the
    /// actor is in it stays true until the end.
    static func run<Value: Sendable>(
        _ request: Request,
        _ dependencies: Dependencies,
        _ act: Permission.PlaygroundAct,
        deadline: Duration? = nil,
        _ change: @Sendable (PlaygroundChange) async throws -> Value
    ) async throws -> Value {
        let actor = try request.requireAccount()
        let id: PlaygroundID = try request.id()
        try await EnsureAccount.run(actor, dependencies)
        return try await namesTaken {
            try await dependencies.transaction(deadline: deadline) { work in
                let seen = try await SeenPlayground.hold(id, by: actor.id, in: work)
                try seen.require(act)
                guard let role = seen.role else { throw Problem.notFound }
                return try await change(
                    PlaygroundChange(actor: actor, role: role, playground: seen.playground, work: work)
                )
            }
        }
    }

    /// The playground of the path as the actor sees it now.
    static func answer(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await GetPlayground.run(request, dependencies)
    }
}
