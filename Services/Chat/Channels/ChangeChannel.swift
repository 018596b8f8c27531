// SPDX-License-Identifier: Apache-2.0
// What every change of a channel has in common.

import Domain
import Events
import Postgres
import Web

/// A channel that is being changed: held until the end of the transaction.
struct ChannelChange: Sendable {
    let actor: Principal.Account
    let seen: SeenChannel
    let transaction: Transaction

    var id: ChannelID { seen.id }
    var channel: ChannelRow { seen.channel }
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
            try await dependencies.database.transaction { transaction in
                guard let seen = try await ChannelStore.lock(id, by: actor.id, in: transaction) else {
                    throw Problem.notFound
                }
                try seen.require(act)
                try await change(ChannelChange(actor: actor, seen: seen, transaction: transaction))
            }
        }
    }

    /// The channel of the path as the actor sees it now.
    static func answer(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        .json(ChannelView(try await GetChannel.seen(request, dependencies), site: dependencies.site))
    }
}

extension Dependencies {
    /// Tells everybody who sees a channel that it changed: its members, of a public one the whole playground.
    func announce(_ action: String, channel id: ChannelID, by actor: AccountID, in transaction: Transaction)
        async throws
    {
        guard let channel = try await ChannelStore.seen(id, by: actor, in: transaction)?.channel else { return }
        try announce(
            ChatUpdate(
                channelID: try await room(for: channel, in: transaction),
                event: "channel",
                payload: news(action, ChannelView(channel, site: site))
            ),
            in: transaction
        )
    }

    /// The channel whose members are all who see this one.
    func room(for channel: ChannelRow, in transaction: Transaction) async throws -> ChannelID {
        guard channel.type == .public, let playground = channel.playgroundID else { return channel.id }
        return try await ChannelStore.everyone(in: playground, transaction) ?? channel.id
    }
}
