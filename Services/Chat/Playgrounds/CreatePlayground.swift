// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/playgrounds: somebody opens a playground.

import Domain
import Events
import HTTPTypes
import Web

/// Makes a playground, the channel that everybody is in, and its first member, the owner.
enum CreatePlayground {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let actor = try request.requireAccount()
        let draft = try PlaygroundDraft(try request.parameters(), limits: dependencies.limits)
        guard draft.name != nil else { throw Problem.invalid("name", "blank") }
        try await EnsureAccount.run(actor, dependencies)
        try await draft.awaitCover(dependencies)
        return try await dependencies.transaction { work in
            try await requireRoom(for: actor.id, in: work)
            try await draft.checkCover(of: actor.id, in: work)
            let term = try await work.check([draft.name, draft.description])
            let made = try await make(draft, of: actor.id, request.language, in: work)
            try work.flag(term, in: made.playground.id, by: actor.id)
            return .json(PlaygroundView(made, site: work.site), status: .created)
        }
    }

    static func make(
        _ draft: PlaygroundDraft,
        of owner: AccountID,
        _ language: Language,
        in work: Work
    ) async throws -> SeenPlayground {
        let id: PlaygroundID = try work.dependencies.ids.next()
        let channel: ChannelID = try work.dependencies.ids.next()
        let general = ChannelDraft(name: defaultChannel(in: language), type: .public)
        let stamp = work.stamp()
        PlaygroundStore.insert(id, draft, owner: owner, defaultChannel: channel, at: stamp, in: work)
        let next = Stamp(moment: stamp.moment, version: work.nextNumber())
        ChannelStore.insert(channel, general, in: id, owner: owner, at: next, in: work)
        guard let made = try await PlaygroundStore.seen(id, by: owner, in: work)?.playground,
            let everyone = try await ChannelStore.seen(channel, by: owner, in: work)?.channel
        else { throw Problem.notFound }
        try work.record(PlaygroundCreated(playground: made.snapshot))
        try work.record(ChannelCreated(channel: everyone.snapshot))
        try await PlaygroundMembers.admit(owner, to: made, as: .owner, in: work)
        guard let seen = try await PlaygroundStore.seen(id, by: owner, in: work) else { throw Problem.notFound }
        return seen
    }

    /// Throws unless somebody may own one more.
    static func requireRoom(for owner: AccountID, in work: Work) async throws {
        AccountStore.lock(owner, in: work)
        guard try await PlaygroundStore.owned(by: owner, in: work) < work.limits.ownedPlaygrounds else {
            throw Problem.tooMany("too-many-playgrounds")
        }
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
