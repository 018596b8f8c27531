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
            let seen = try await find(id, account, transaction)
            guard try await !isBlocked(id, account, transaction) else { throw Problem.blocked }
            guard try await DirectChannelUpdates.accept(seen, by: account, dependencies, transaction) else {
                return seen
            }
            return try await find(id, account, transaction)
        }
        return .json(ChannelView(seen, site: dependencies.site))
    }

    private static func isBlocked(
        _ id: ChannelID,
        _ account: AccountID,
        _ transaction: Transaction
    ) async throws -> Bool {
        guard let row = try await transaction.query("SELECT s.* FROM channel_standing(\(id), \(account)) s").first
        else {
            throw Problem.notFound
        }
        var columns = row.columns
        return try Standing(columns: &columns).isBlocked
    }

    /// Throws notFound for anything but one's own direct messages.
    fileprivate static func find(
        _ id: ChannelID,
        _ account: AccountID,
        _ transaction: Transaction
    ) async throws -> SeenChannel {
        transaction.enqueue(MessageChangeStore.lock(id))
        guard let row = try await transaction.query(DirectChannelStore.seen(id, by: account)).first else {
            throw Problem.notFound
        }
        var columns = row.columns
        let seen = try SeenChannel(columns: &columns)
        guard seen.membership != nil, seen.channel.type.isDirect else { throw Problem.notFound }
        return seen
    }
}

/// Puts a stranger's request away; whoever made it is not told.
enum DeclineRequest {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount().id
        let id: ChannelID = try request.id()
        try await dependencies.database.transaction { transaction in
            let seen = try await AcceptRequest.find(id, account, transaction)
            guard seen.membership?.requested == true else { throw Problem.conflict("accepted") }
            let decline = DirectChannelStore.decline(
                id,
                by: account,
                at: dependencies.now(),
                version: dependencies.nextNumber()
            )
            guard try await !transaction.query(decline).isEmpty else { return }
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
