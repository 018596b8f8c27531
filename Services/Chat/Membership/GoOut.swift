// SPDX-License-Identifier: Apache-2.0
// Somebody goes out of a playground or a channel, by their own will or another's.

import Domain
import Events
import Outbox
import Postgres
import Web

extension Dependencies {
    /// Ends somebody's membership of a playground whose row is held, and all their memberships of its channels.
    func expel(_ account: AccountID, in change: PlaygroundChange) async throws {
        let transaction = change.transaction
        guard let snapshot = try await AccountStore.snapshot(account, in: transaction) else { return }
        PlaygroundMemberStore.delete(account, from: change.id, in: transaction)
        let ended = try await ChannelMemberStore.deleteAll(of: account, in: change.id, transaction)
        for channel in ended.map(\.channel) {
            try transaction.record(
                MemberLeft(
                    playgroundID: change.id,
                    channelID: channel,
                    accountID: account,
                    actorID: change.actor.id,
                    subjectVersion: nextNumber()
                )
            )
        }
        try transaction.record(
            MemberLeft(
                playgroundID: change.id,
                accountID: account,
                actorID: change.actor.id,
                subjectVersion: nextNumber()
            )
        )
        try announce(
            ChatUpdate(
                channelID: nil,
                accountIDs: [account],
                event: "playground",
                payload: news("left", gone: change.id)
            ),
            in: transaction
        )
        let memberships = ended.map { ChatUpdate.Membership(channelID: $0.channel, accountID: account) }
        let parts = memberships.parts(of: Dependencies.idsInUpdate)
        for (index, part) in parts.enumerated() {
            try announce(
                ChatUpdate(
                    // The others of the playground are told once.
                    channelID: index == parts.count - 1 ? change.everyone : nil,
                    event: "member",
                    payload: news(
                        account == change.actor.id ? "left" : "removed",
                        Person(snapshot),
                        role: nil,
                        playground: change.id
                    ),
                    left: part
                ),
                in: transaction
            )
        }
        for channel in ended where channel.role == .owner {
            try await succeed(account, in: channel, of: change)
        }
    }

    /// A channel whose owner went out goes to whoever comes next. A private one that nobody is left in is gone: nobody
    /// could ever see it again.
    private func succeed(
        _ former: AccountID,
        in ended: ChannelMemberStore.Ended,
        of change: PlaygroundChange
    ) async throws {
        let transaction = change.transaction
        if let next = try await ChannelMemberStore.successor(in: ended.channel, transaction) {
            try await own(ended.channel, of: change.id, next, after: former, in: transaction)
        } else if ended.type == .private {
            ChannelStore.delete([ended.channel], at: now(), in: transaction)
            try transaction.record(
                ChannelDeleted(
                    channelID: ended.channel,
                    playgroundID: change.id,
                    actorID: change.actor.id,
                    subjectVersion: nextNumber()
                )
            )
        } else {
            ChannelStore.setOwner(ended.channel, nil, at: now(), version: nextNumber(), in: transaction)
            if let seen = try await ChannelStore.seen(ended.channel, by: change.actor.id, in: transaction) {
                try transaction.record(ChannelUpdated(channel: seen.channel.snapshot))
            }
        }
    }

    /// Makes a member the owner of a channel whose row is held, and tells it. Nobody else may be its owner any more.
    func own(
        _ channel: ChannelID,
        of playground: PlaygroundID?,
        _ owner: AccountID,
        after former: AccountID,
        in transaction: Transaction
    ) async throws {
        let version = nextNumber()
        ChannelStore.setOwner(channel, owner, at: now(), version: version, in: transaction)
        try transaction.record(
            OwnershipTransferred(
                playgroundID: playground,
                channelID: channel,
                ownerID: owner,
                formerOwnerID: former,
                subjectVersion: version
            )
        )
        try await setRole(.owner, of: owner, in: channel, of: playground, by: former, transaction)
        try await announce("updated", channel: channel, by: owner, in: transaction)
    }

    /// Gives a member of a channel whose row is held another role, and tells it.
    func setRole(
        _ role: ChatRole,
        of account: AccountID,
        in channel: ChannelID,
        of playground: PlaygroundID?,
        by actor: AccountID,
        _ transaction: Transaction
    ) async throws {
        let version = nextNumber()
        ChannelMemberStore.setRole(role, of: account, in: channel, version: version, transaction)
        try transaction.record(
            RoleChanged(
                playgroundID: playground,
                channelID: channel,
                accountID: account,
                role: role,
                actorID: actor,
                subjectVersion: version
            )
        )
        guard let snapshot = try await AccountStore.snapshot(account, in: transaction) else { return }
        try announce(
            ChatUpdate(
                channelID: channel,
                event: "member",
                payload: news("role", Person(snapshot), role: role, playground: playground, channel: channel)
            ),
            in: transaction
        )
    }

    /// Gives a member of a playground whose row is held another role, and tells it.
    func setRole(_ role: ChatRole, of account: AccountID, in change: PlaygroundChange) async throws {
        let version = nextNumber()
        PlaygroundMemberStore.setRole(role, of: account, in: change.id, version: version, change.transaction)
        try change.transaction.record(
            RoleChanged(
                playgroundID: change.id,
                accountID: account,
                role: role,
                actorID: change.actor.id,
                subjectVersion: version
            )
        )
        guard let snapshot = try await AccountStore.snapshot(account, in: change.transaction) else { return }
        try announce(
            ChatUpdate(
                channelID: change.everyone,
                event: "member",
                payload: news("role", Person(snapshot), role: role, playground: change.id)
            ),
            in: change.transaction
        )
    }

    /// Ends somebody's membership of a channel whose row is held, if there is one, and tells it.
    func leave(_ account: AccountID, in change: ChannelChange) async throws {
        let transaction = change.transaction
        guard let role = try await ChannelMemberStore.role(of: account, in: change.id, transaction) else { return }
        guard !change.channel.isDefault else { throw Problem.defaultChannel }
        guard role != .owner else { throw Problem.ownerMustTransfer }
        guard let snapshot = try await AccountStore.snapshot(account, in: transaction) else { return }
        ChannelMemberStore.delete(account, from: change.id, in: transaction)
        try transaction.record(
            MemberLeft(
                playgroundID: change.channel.playgroundID,
                channelID: change.id,
                accountID: account,
                actorID: change.actor.id,
                subjectVersion: nextNumber()
            )
        )
        try announce(
            ChatUpdate(
                channelID: change.id,
                event: "member",
                payload: news(
                    account == change.actor.id ? "left" : "removed",
                    Person(snapshot),
                    role: nil,
                    playground: change.channel.playgroundID,
                    channel: change.id
                ),
                left: [ChatUpdate.Membership(channelID: change.id, accountID: account)]
            ),
            in: transaction
        )
    }
}
