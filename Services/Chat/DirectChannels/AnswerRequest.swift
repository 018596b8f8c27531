// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/channels/:id/accept and /decline: what a stranger wrote is let in, or not.

import Domain
import Events
import Postgres
import Views
import Web

/// Takes part in direct messages that a stranger opened; doing it again changes nothing.
enum AcceptRequest {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount().id
        let id: ChannelID = try request.id()
        let seen = try await dependencies.database.transaction { transaction in
            let seen = try await SeenChannel.holdDirect(id, by: account, in: transaction)
            guard let access = try await ChannelStore.access(to: id, of: account, in: transaction) else {
                throw Problem.notFound
            }
            guard !access.isBlocked else { throw Problem.blocked }
            guard try await DirectChannelUpdates.accept(seen, by: account, dependencies, transaction) else {
                return seen
            }
            return try await SeenChannel.holdDirect(id, by: account, in: transaction)
        }
        return .json(ChannelView(seen, site: dependencies.site))
    }
}

/// Puts a stranger's request away; whoever made it is not told.
enum DeclineRequest {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount().id
        let id: ChannelID = try request.id()
        try await dependencies.database.transaction { transaction in
            let seen = try await SeenChannel.holdDirect(id, by: account, in: transaction)
            guard seen.membership?.requested == true else { throw Problem.conflict("accepted") }
            let isDeclined = try await DirectChannelStore.decline(
                id,
                by: account,
                at: dependencies.now(),
                version: dependencies.nextNumber(),
                in: transaction
            )
            guard isDeclined else { return }
            try dependencies.announce(
                ChatUpdate(
                    channelID: nil,
                    accountIDs: [account],
                    event: "channel",
                    payload: dependencies.news(gone: id, from: seen.channel.playgroundID)
                ),
                in: transaction
            )
        }
        return .empty
    }
}

extension SeenChannel {
    /// One's own direct messages, held until the end of the transaction; throws notFound for anything else.
    fileprivate static func holdDirect(
        _ id: ChannelID,
        by account: AccountID,
        in transaction: Transaction
    ) async throws -> SeenChannel {
        ChannelStore.hold(id, in: transaction)
        guard let seen = try await ChannelStore.seen(id, by: account, in: transaction), seen.membership != nil,
            seen.channel.type.isDirect
        else { throw Problem.notFound }
        return seen
    }
}
