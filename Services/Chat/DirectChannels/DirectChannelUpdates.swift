// SPDX-License-Identifier: Apache-2.0
// What open connections are told of direct channels.

import Domain
import Events
import Outbox
import Postgres
import Views
import Web

enum DirectChannelUpdates {
    /// Somebody who has yet to accept is told that there is something, but not what.
    static func tellRequested(
        _ channel: ChannelID,
        to accounts: [AccountID],
        version: Int64,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws {
        guard let channel = try await ChannelStore.channel(channel, in: transaction) else { return }
        let view = ChannelView(channel, site: dependencies.site)
        try dependencies.announce(
            ChatUpdate(
                channelID: nil,
                accountIDs: accounts,
                event: "channel",
                payload: dependencies.news("requested", view)
            ),
            in: transaction
        )
    }

    /// Accepts on behalf of somebody who has yet to; gives false when there was nothing to accept.
    static func accept(
        _ seen: SeenChannel,
        by account: AccountID,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws -> Bool {
        let version = try await DirectChannelStore.accept(
            seen.id,
            by: account,
            version: dependencies.nextNumber(),
            in: transaction
        )
        guard let version else { return false }
        try await tellJoined(account, seen, version: version, dependencies, transaction)
        return true
    }

    /// Somebody takes part from now on.
    static func tellJoined(
        _ account: AccountID,
        _ seen: SeenChannel,
        version: Int64,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws {
        guard let snapshot = try await AccountStore.snapshot(account, in: transaction) else { return }
        let channel = seen.channel
        try transaction.record(
            MemberJoined(
                playgroundID: channel.playgroundID,
                channelID: channel.id,
                account: snapshot,
                role: .member,
                joinedAt: dependencies.now(),
                subjectVersion: version
            )
        )
        try dependencies.announce(
            ChatUpdate(
                channelID: channel.id,
                event: "member",
                payload: dependencies.news(
                    "joined",
                    Person(snapshot),
                    role: .member,
                    playground: channel.playgroundID,
                    channel: channel.id
                ),
                joined: [ChatUpdate.Membership(channelID: channel.id, accountID: account)]
            ),
            in: transaction
        )
        try dependencies.announce(
            ChatUpdate(
                channelID: nil,
                accountIDs: [account],
                event: "channel",
                payload: dependencies.news("opened", ChannelView(channel, site: dependencies.site))
            ),
            in: transaction
        )
    }
}
