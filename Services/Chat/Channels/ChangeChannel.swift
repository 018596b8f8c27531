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
                let seen = try await SeenChannel.hold(id, by: actor.id, in: transaction)
                try seen.require(act)
                try await change(ChannelChange(actor: actor, seen: seen, transaction: transaction))
            }
        }
    }

    /// The channel of the path as the actor sees it now.
    static func answer(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        .json(ChannelView(try await SeenChannel.find(request, dependencies), site: dependencies.site))
    }
}

/// How those who see a channel hear of it.
enum ChannelNews {
    /// Tells everybody who sees a channel that it changed: its members, of a public one the whole playground.
    static func tell(
        _ action: String,
        of id: ChannelID,
        _ dependencies: Dependencies,
        in transaction: Transaction
    ) async throws {
        guard let channel = try await ChannelStore.channel(id, in: transaction) else { return }
        try dependencies.announce(
            ChatUpdate(
                channelID: try await room(of: channel, in: transaction),
                event: "channel",
                payload: dependencies.news(action, ChannelView(channel, site: dependencies.site))
            ),
            in: transaction
        )
    }

    /// The channel whose members are all who see this one.
    static func room(of channel: ChannelRow, in database: some Querying) async throws -> ChannelID {
        guard channel.type == .public, let playground = channel.playgroundID else { return channel.id }
        return try await PlaygroundStore.everyone(in: playground, in: database) ?? channel.id
    }
}
