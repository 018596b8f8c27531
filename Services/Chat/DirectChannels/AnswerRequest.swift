// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/channels/:id/accept and /decline: what a stranger wrote is let in, or not.

import Domain
import Events
import Web

/// Takes part in direct messages that a stranger opened; doing it again changes nothing.
enum AcceptRequest {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount().id
        let id: ChannelID = try request.id()
        let seen = try await dependencies.transaction { work in
            let seen = try await SeenChannel.holdDirect(id, by: account, in: work)
            let access = try await ChannelStore.access(to: id, of: account, in: work).found()
            guard !access.isBlocked else { throw Problem.blocked }
            guard try await DirectChannelUpdates.accept(seen, by: account, in: work) else { return seen }
            return try await SeenChannel.holdDirect(id, by: account, in: work)
        }
        return .json(ChannelView(seen, site: dependencies.site))
    }
}

/// Puts a stranger's request away; whoever made it is not told.
enum DeclineRequest {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount().id
        let id: ChannelID = try request.id()
        try await dependencies.transaction { work in
            let seen = try await SeenChannel.holdDirect(id, by: account, in: work)
            guard seen.membership?.requested == true else { throw Problem.conflict("accepted") }
            guard try await DirectChannelStore.decline(id, by: account, at: work.stamp(), in: work) else { return }
            try work.tell(.gone(id, from: seen.channel.playgroundID), to: [account])
        }
        return .empty
    }
}

extension SeenChannel {
    /// One's own direct messages, held until the end of the transaction; throws notFound for anything else.
    fileprivate static func holdDirect(_ id: ChannelID, by account: AccountID, in work: Work) async throws
        -> SeenChannel
    {
        ChannelStore.hold(id, in: work)
        guard let seen = try await ChannelStore.seen(id, by: account, in: work), seen.membership != nil,
            seen.channel.type.isDirect
        else { throw Problem.notFound }
        return seen
    }
}
