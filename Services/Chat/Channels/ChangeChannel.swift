// SPDX-License-Identifier: Apache-2.0
// What every change of a channel has in common.

import Domain
import Web

/// A channel that is being changed: held until the end of the transaction.
struct ChannelChange: Sendable {
    let actor: Principal.Account
    let seen: SeenChannel
    let work: Work

    var id: ChannelID { seen.id }
    var channel: ChannelRow { seen.channel }
    var place: MemberPlace { .channel(id, of: channel.playgroundID) }
}

/// Runs a change of the channel of the path.
enum ChangeChannel {
    /// The channel's row is locked while `change` runs, and its playground's against changes of members: what the actor
    /// is in both stays true until the end.
    static func run(
        _ request: Request,
        _ dependencies: Dependencies,
        _ act: Permission.ChannelAct,
        _ change: @Sendable (ChannelChange) async throws -> Void
    ) async throws {
        let actor = try request.requireAccount()
        let id: ChannelID = try request.id()
        try await EnsureAccount.run(actor, dependencies)
        try await namesTaken {
            try await dependencies.transaction { work in
                let seen = try await SeenChannel.hold(id, by: actor.id, in: work)
                try seen.require(act)
                try await change(ChannelChange(actor: actor, seen: seen, work: work))
            }
        }
    }

    /// The channel of the path as the actor sees it now.
    static func answer(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await GetChannel.run(request, dependencies)
    }
}
