// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/playgrounds: somebody opens a playground.

import Domain
import Events
import HTTPTypes
import Outbox
import Postgres
import Web

/// Makes a playground, the channel that everybody is in, and its first member, the owner.
enum CreatePlayground {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let actor = try request.requireAccount()
        let draft = try PlaygroundDraft(try request.parameters(), limits: dependencies.limits)
        guard draft.name != nil else { throw Problem.invalid("name", "blank") }
        try await EnsureAccount.run(actor, dependencies)
        return try await dependencies.database.transaction { transaction in
            let seen = try await create(draft, by: actor.id, request.language, dependencies, in: transaction)
            return .json(PlaygroundView(seen), status: .created)
        }
    }

    private static func create(
        _ draft: PlaygroundDraft,
        by owner: AccountID,
        _ language: Language,
        _ dependencies: Dependencies,
        in transaction: Transaction
    ) async throws -> SeenPlayground {
        AccountStore.lock(owner, in: transaction)
        guard try await PlaygroundStore.owned(by: owner, in: transaction) < dependencies.limits.ownedPlaygrounds else {
            throw Problem.tooMany("too-many-playgrounds")
        }
        try await draft.checkCover(of: owner, in: transaction)
        let now = dependencies.now()
        let id: PlaygroundID = try dependencies.ids.next()
        let channel: ChannelID = try dependencies.ids.next()
        PlaygroundStore.insert(
            id,
            draft,
            owner: owner,
            defaultChannel: channel,
            at: now,
            version: dependencies.nextNumber(),
            in: transaction
        )
        ChannelStore.insert(
            channel,
            ChannelDraft(name: defaultChannel(in: language), type: .public),
            in: id,
            owner: owner,
            at: now,
            version: dependencies.nextNumber(),
            in: transaction
        )
        guard let made = try await PlaygroundStore.seen(id, by: owner, in: transaction)?.playground,
            let general = try await ChannelStore.seen(channel, by: owner, in: transaction)?.channel
        else { throw Problem.notFound }
        try transaction.record(PlaygroundCreated(playground: made.snapshot))
        try transaction.record(ChannelCreated(channel: general.snapshot))
        try await PlaygroundMembers.admit(owner, to: made, role: .owner, dependencies, in: transaction)
        guard let seen = try await PlaygroundStore.seen(id, by: owner, in: transaction) else { throw Problem.notFound }
        return seen
    }

    /// What the channel is called that everybody is in, until somebody gives it another name.
    private static func defaultChannel(in language: Language) -> String {
        switch language {
        case .english: "general"
        case .korean: "일반"
        case .japanese: "全般"
        }
    }
}
