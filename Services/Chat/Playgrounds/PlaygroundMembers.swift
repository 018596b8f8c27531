// SPDX-License-Identifier: Apache-2.0
// Somebody comes into a playground, goes out of it, or may do more or less in it.

import Domain
import Events
import Outbox
import Postgres
import Web

/// What changes of a membership of a playground have in common, whoever asks for them.
enum PlaygroundMembers {
    /// Lets somebody into a playground whose row is held, and into the channel that everybody is in; tells it unless they
    /// are in already.
    static func admit(
        _ account: AccountID,
        to playground: PlaygroundRow,
        role: ChatRole = .member,
        _ dependencies: Dependencies,
        in transaction: Transaction
    ) async throws {
        let now = dependencies.now()
        let version = dependencies.nextNumber()
        let isNew = try await MemberStore.insert(
            account,
            into: .playground(playground.id),
            role: role,
            at: now,
            version: version,
            in: transaction
        )
        guard isNew, let snapshot = try await AccountStore.snapshot(account, in: transaction) else { return }
        // What is said there while they come in is either read or unread to them, never both.
        PlaygroundStore.share(of: playground.defaultChannelID, in: transaction)
        ChannelStore.hold(playground.defaultChannelID, in: transaction)
        try transaction.record(
            MemberJoined(
                playgroundID: playground.id,
                account: snapshot,
                role: role,
                joinedAt: now,
                subjectVersion: version
            )
        )
        try await ChannelMembers.enter(
            playground.defaultChannelID,
            of: playground.id,
            snapshot,
            role: role,
            isTold: false,
            dependencies,
            in: transaction
        )
        guard let seen = try await PlaygroundStore.seen(playground.id, by: account, in: transaction) else { return }
        try dependencies.announce(
            ChatUpdate(
                channelID: nil,
                accountIDs: [account],
                event: "playground",
                payload: dependencies.news("joined", PlaygroundView(seen)),
                joined: [ChatUpdate.Membership(channelID: playground.defaultChannelID, accountID: account)]
            ),
            in: transaction
        )
        try dependencies.announce(
            ChatUpdate(
                channelID: playground.defaultChannelID,
                event: "member",
                payload: dependencies.news("joined", Person(snapshot), role: role, playground: playground.id)
            ),
            in: transaction
        )
    }

    /// Gives a member of a playground whose row is held another role, and tells it.
    static func setRole(
        _ role: ChatRole,
        of account: AccountID,
        in change: PlaygroundChange,
        _ dependencies: Dependencies
    )
        async throws
    {
        let version = dependencies.nextNumber()
        MemberStore.setRole(
            role,
            of: account,
            in: .playground(change.id),
            version: version,
            in: change.transaction
        )
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
        try dependencies.announce(
            ChatUpdate(
                channelID: change.everyone,
                event: "member",
                payload: dependencies.news("role", Person(snapshot), role: role, playground: change.id)
            ),
            in: change.transaction
        )
    }

    /// Ends somebody's membership of a playground whose row is held, and all their memberships of its channels.
    static func expel(_ account: AccountID, in change: PlaygroundChange, _ dependencies: Dependencies) async throws {
        let transaction = change.transaction
        guard let snapshot = try await AccountStore.snapshot(account, in: transaction) else { return }
        MemberStore.delete(account, from: .playground(change.id), in: transaction)
        ChannelStore.holdAll(of: account, in: change.id, in: transaction)
        let ended = try await MemberStore.deleteAll(of: account, in: change.id, in: transaction)
        for channel in ended.map(\.channel) {
            try transaction.record(
                MemberLeft(
                    playgroundID: change.id,
                    channelID: channel,
                    accountID: account,
                    actorID: change.actor.id,
                    subjectVersion: dependencies.nextNumber()
                )
            )
        }
        try transaction.record(
            MemberLeft(
                playgroundID: change.id,
                accountID: account,
                actorID: change.actor.id,
                subjectVersion: dependencies.nextNumber()
            )
        )
        try dependencies.announce(
            ChatUpdate(
                channelID: nil,
                accountIDs: [account],
                event: "playground",
                payload: dependencies.news("left", gone: change.id)
            ),
            in: transaction
        )
        let memberships = ended.map { ChatUpdate.Membership(channelID: $0.channel, accountID: account) }
        let parts = memberships.parts(of: Dependencies.idsInUpdate)
        for (index, part) in parts.enumerated() {
            try dependencies.announce(
                ChatUpdate(
                    // The others of the playground are told once.
                    channelID: index == parts.count - 1 ? change.everyone : nil,
                    event: "member",
                    payload: dependencies.news(
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
            try await ChannelMembers.succeed(account, in: channel, of: change, dependencies)
        }
    }
}
