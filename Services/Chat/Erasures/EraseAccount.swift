// SPDX-License-Identifier: Apache-2.0
// What chat has of an account, and how it goes once the account is deleted.

import Domain
import Events
import Outbox
import Serving
import Web

/// First the account leaves everything as its owner would, so that everybody is told; then what is left of it is erased. Its messages
/// stay as tombstones in the conversations of others, and are nobody's: account 0.
enum EraseAccount {
    static func steps(_ dependencies: Dependencies) -> [ErasureStep] {
        places(dependencies) + messages(dependencies)
            + [ErasureStep("covers") { try await ErasedAccountStore.dropCovers(of: $0, in: $1) }]
            + ErasedAccountStore.deeds.map(\.step) + ErasedAccountStore.belongings.map(\.step)
            + [ErasedAccountStore.account.step]
    }

    // MARK: Places

    private static func places(_ dependencies: Dependencies) -> [ErasureStep] {
        [
            // Who leads a project does not leave its playground; the project is deleted too.
            ErasedAccountStore.rooms.step,
            ErasureStep("direct messages") { account, transaction in
                try makeNobody(in: Work(dependencies, transaction))
                return try await ErasedAccountStore.leaveDirectChannels(account, in: transaction)
            },
            ErasureStep("groups") { account, transaction in
                let work = Work(dependencies, transaction)
                let groups = try await ErasedAccountStore.groups(of: account, limit: 20, in: transaction)
                for group in groups { try await leave(group, account, in: work) }
                return groups.count
            },
            ErasureStep("playgrounds") { account, transaction in
                let work = Work(dependencies, transaction)
                let playgrounds = try await ErasedAccountStore.playgrounds(of: account, limit: 5, in: transaction)
                for playground in playgrounds { try await leave(playground, account, in: work) }
                return playgrounds.count
            },
        ]
    }

    /// Makes the row of nobody, to whom all tombstones belong.
    private static func makeNobody(in work: Work) throws {
        guard let name = Username("deleted") else { return }
        try AccountStore.keep(AccountSnapshot(id: AccountID(0), username: name), in: work)
    }

    private static func leave(_ group: ChannelID, _ account: AccountID, in work: Work) async throws {
        ChannelStore.hold(group, in: work)
        guard let actor = try await actor(account, in: work),
            let seen = try await ChannelStore.seen(group, by: account, in: work)
        else {
            MemberStore.delete(account, from: .channel(group), in: work)
            return DirectChannelStore.dissolve(group, in: work)
        }
        try await Members.leave(account, in: ChannelChange(actor: actor, seen: seen, work: work))
    }

    private static func leave(_ id: PlaygroundID, _ account: AccountID, in work: Work) async throws {
        PlaygroundStore.hold(id, in: work)
        guard let actor = try await actor(account, in: work),
            let seen = try await PlaygroundStore.seen(id, by: account, in: work), var role = seen.role
        else { return MemberStore.delete(account, from: .playground(id), in: work) }
        var change = PlaygroundChange(actor: actor, role: role, playground: seen.playground, work: work)
        if role == .owner {
            guard let next = try await ErasedAccountStore.successor(of: account, in: id, work) else {
                return try await DeletePlayground.delete(change)
            }
            try await PlaygroundMembers.transfer(change.place, id, from: account, to: next, in: work)
            role = .admin
            change = PlaygroundChange(actor: actor, role: role, playground: seen.playground, work: work)
        }
        try await PlaygroundMembers.expel(account, in: change)
    }

    private static func actor(_ account: AccountID, in work: Work) async throws -> Principal.Account? {
        try await AccountStore.snapshot(account, in: work).map { Principal.Account(id: $0.id, username: $0.username) }
    }

    // MARK: Messages

    private static func messages(_ dependencies: Dependencies) -> [ErasureStep] {
        [
            ErasureStep("reactions") { account, transaction in
                let reactions = try await ErasedAccountStore.reactions(of: account, limit: 100, in: transaction)
                for reaction in reactions {
                    ChannelStore.hold(reaction.channel, in: transaction)
                    let removal = MessageChange.takeBackReaction(reaction.emoji, by: account)
                    _ = try await MessageChangeStore.apply(removal, to: reaction.message, in: transaction)
                }
                return reactions.count
            },
            ErasureStep("messages") { account, transaction in
                let work = Work(dependencies, transaction)
                let messages = try await ErasedAccountStore.messages(of: account, limit: 50, in: transaction)
                for message in messages { try await delete(message.id, in: message.channel, of: account, work) }
                return messages.count
            },
            ErasedAccountStore.tombstones.step, ErasedAccountStore.naming.step,
        ]
    }

    private static func delete(
        _ id: MessageID,
        in channel: ChannelID,
        of account: AccountID,
        _ work: Work
    ) async throws {
        ChannelStore.hold(channel, in: work)
        guard try await MessageChangeStore.apply(.delete(at: work.now()), to: id, in: work),
            let tombstone = try await MessageStore.row(id, in: work)
        else { return }
        try work.record(DeleteMessage.event(of: tombstone, by: account))
        try work.tell(.message("message:deleted", tombstone), of: tombstone)
    }
}
