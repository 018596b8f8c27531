// SPDX-License-Identifier: Apache-2.0
// Somebody comes into a playground or a channel.

import Domain
import Events
import Outbox
import Postgres
import Web

extension Dependencies {
    /// Lets somebody into a playground whose row is held, and into the channel that everybody is in; tells it unless they
    /// are in already.
    func admit(
        _ account: AccountID,
        to playground: PlaygroundRow,
        role: ChatRole = .member,
        in transaction: Transaction
    ) async throws {
        let now = now()
        let version = nextNumber()
        let isNew = try await PlaygroundMemberStore.insert(
            account,
            into: playground.id,
            role: role,
            at: now,
            version: version,
            in: transaction
        )
        guard isNew, let snapshot = try await AccountStore.snapshot(account, in: transaction) else { return }
        // What is said there while they come in is either read or unread to them, never both.
        _ = try await ChannelStore.lock(playground.defaultChannelID, by: account, in: transaction)
        try transaction.record(
            MemberJoined(
                playgroundID: playground.id,
                account: snapshot,
                role: role,
                joinedAt: now,
                subjectVersion: version
            )
        )
        try await enter(
            playground.defaultChannelID,
            of: playground.id,
            snapshot,
            role: role,
            isTold: false,
            in: transaction
        )
        guard let seen = try await PlaygroundStore.seen(playground.id, by: account, in: transaction) else { return }
        try announce(
            ChatUpdate(
                channelID: nil,
                accountIDs: [account],
                event: "playground",
                payload: news("joined", PlaygroundView(seen)),
                joined: [ChatUpdate.Membership(channelID: playground.defaultChannelID, accountID: account)]
            ),
            in: transaction
        )
        try announce(
            ChatUpdate(
                channelID: playground.defaultChannelID,
                event: "member",
                payload: news("joined", Person(snapshot), role: role, playground: playground.id)
            ),
            in: transaction
        )
    }

    /// Lets somebody into a channel whose row is held; tells it unless they are in already.
    ///
    /// - Parameter isTold: whether open connections hear of it here, and not with something larger.
    func enter(
        _ channel: ChannelID,
        of playground: PlaygroundID?,
        _ account: AccountSnapshot,
        role: ChatRole = .member,
        isTold: Bool = true,
        in transaction: Transaction
    ) async throws {
        let now = now()
        let version = nextNumber()
        let isNew = try await ChannelMemberStore.insert(
            account.id,
            into: channel,
            role: role,
            at: now,
            version: version,
            in: transaction
        )
        guard isNew else { return }
        try transaction.record(
            MemberJoined(
                playgroundID: playground,
                channelID: channel,
                account: account,
                role: role,
                joinedAt: now,
                subjectVersion: version
            )
        )
        guard isTold, let seen = try await ChannelStore.seen(channel, by: account.id, in: transaction) else { return }
        try announce(
            ChatUpdate(
                channelID: nil,
                accountIDs: [account.id],
                event: "channel",
                payload: news("opened", ChannelView(seen, site: site)),
                joined: [ChatUpdate.Membership(channelID: channel, accountID: account.id)]
            ),
            in: transaction
        )
        try announce(
            ChatUpdate(
                channelID: channel,
                event: "member",
                payload: news("joined", Person(account), role: role, playground: playground, channel: channel)
            ),
            in: transaction
        )
    }
}
