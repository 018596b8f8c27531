// SPDX-License-Identifier: Apache-2.0
// Somebody comes into a channel, goes out of it, or may do more or less in it.

import Domain
import Events
import Outbox
import Postgres
import Web

/// What changes of a membership of a channel have in common, whoever asks for them.
enum ChannelMembers {
    /// Lets somebody into a channel whose row is held; tells it unless they are in already.
    ///
    /// - Parameter isTold: whether open connections hear of it here, and not with something larger.
    static func enter(
        _ channel: ChannelID,
        of playground: PlaygroundID?,
        _ account: AccountSnapshot,
        role: ChatRole = .member,
        isTold: Bool = true,
        _ dependencies: Dependencies,
        in transaction: Transaction
    ) async throws {
        let now = dependencies.now()
        let version = dependencies.nextNumber()
        let isNew = try await MemberStore.insert(
            account.id,
            into: .channel(channel),
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
        try dependencies.announce(
            ChatUpdate(
                channelID: nil,
                accountIDs: [account.id],
                event: "channel",
                payload: dependencies.news("opened", ChannelView(seen, site: dependencies.site)),
                joined: [ChatUpdate.Membership(channelID: channel, accountID: account.id)]
            ),
            in: transaction
        )
        try dependencies.announce(
            ChatUpdate(
                channelID: channel,
                event: "member",
                payload: dependencies.news(
                    "joined",
                    Person(account),
                    role: role,
                    playground: playground,
                    channel: channel
                )
            ),
            in: transaction
        )
    }

    /// Gives a member of a channel whose row is held another role, and tells it.
    static func setRole(
        _ role: ChatRole,
        of account: AccountID,
        in channel: ChannelID,
        of playground: PlaygroundID?,
        by actor: AccountID,
        _ dependencies: Dependencies,
        in transaction: Transaction
    ) async throws {
        let version = dependencies.nextNumber()
        MemberStore.setRole(role, of: account, in: .channel(channel), version: version, in: transaction)
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
        try dependencies.announce(
            ChatUpdate(
                channelID: channel,
                event: "member",
                payload: dependencies.news(
                    "role",
                    Person(snapshot),
                    role: role,
                    playground: playground,
                    channel: channel
                )
            ),
            in: transaction
        )
    }

    /// Makes a member the owner of a channel whose row is held, and tells it. Nobody else may be its owner any more.
    static func own(
        _ channel: ChannelID,
        of playground: PlaygroundID?,
        _ owner: AccountID,
        after former: AccountID,
        _ dependencies: Dependencies,
        in transaction: Transaction
    ) async throws {
        let version = dependencies.nextNumber()
        ChannelStore.setOwner(channel, owner, at: dependencies.now(), version: version, in: transaction)
        try transaction.record(
            OwnershipTransferred(
                playgroundID: playground,
                channelID: channel,
                ownerID: owner,
                formerOwnerID: former,
                subjectVersion: version
            )
        )
        try await setRole(.owner, of: owner, in: channel, of: playground, by: former, dependencies, in: transaction)
        try await ChannelNews.tell("updated", of: channel, dependencies, in: transaction)
    }

    /// A channel whose owner went out goes to whoever comes next. A private one that nobody is left in is gone: nobody
    /// could ever see it again.
    static func succeed(
        _ former: AccountID,
        in ended: EndedMembership,
        of change: PlaygroundChange,
        _ dependencies: Dependencies
    ) async throws {
        let transaction = change.transaction
        if let next = try await MemberStore.successor(in: ended.channel, in: transaction) {
            try await own(ended.channel, of: change.id, next, after: former, dependencies, in: transaction)
        } else if ended.type == .private {
            try remove(ended.channel, of: change.id, by: change.actor.id, dependencies, in: transaction)
        } else {
            ChannelStore.setOwner(
                ended.channel,
                nil,
                at: dependencies.now(),
                version: dependencies.nextNumber(),
                in: transaction
            )
            if let seen = try await ChannelStore.seen(ended.channel, by: change.actor.id, in: transaction) {
                try transaction.record(ChannelUpdated(channel: seen.channel.snapshot))
            }
        }
    }

    /// Ends somebody's membership of a channel whose row is held, if there is one, and tells it. A group that nobody is
    /// left in is gone.
    static func leave(_ account: AccountID, in change: ChannelChange, _ dependencies: Dependencies) async throws {
        let transaction = change.transaction
        guard let role = try await MemberStore.role(of: account, in: .channel(change.id), in: transaction) else {
            return
        }
        guard !change.channel.isDefault else { throw Problem.defaultChannel }
        guard role != .owner else { throw Problem.ownerMustTransfer }
        guard let snapshot = try await AccountStore.snapshot(account, in: transaction) else { return }
        MemberStore.delete(account, from: .channel(change.id), in: transaction)
        try transaction.record(
            MemberLeft(
                playgroundID: change.channel.playgroundID,
                channelID: change.id,
                accountID: account,
                actorID: change.actor.id,
                subjectVersion: dependencies.nextNumber()
            )
        )
        try dependencies.announce(
            ChatUpdate(
                channelID: change.id,
                event: "member",
                payload: dependencies.news(
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
        guard change.channel.type == .group else { return }
        DirectChannelStore.dissolve(change.id, in: transaction)
        guard try await MemberStore.successor(in: change.id, in: transaction) == nil else { return }
        try remove(change.id, of: change.channel.playgroundID, by: change.actor.id, dependencies, in: transaction)
    }

    private static func remove(
        _ channel: ChannelID,
        of playground: PlaygroundID?,
        by actor: AccountID,
        _ dependencies: Dependencies,
        in transaction: Transaction
    ) throws {
        ChannelStore.delete([channel], at: dependencies.now(), in: transaction)
        try transaction.record(
            ChannelDeleted(
                channelID: channel,
                playgroundID: playground,
                actorID: actor,
                subjectVersion: dependencies.nextNumber()
            )
        )
    }
}
