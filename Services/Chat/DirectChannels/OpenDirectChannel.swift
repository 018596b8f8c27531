// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/direct_channels: somebody wants to talk to others, apart from any channel.

import Domain
import Events
import HTTPTypes
import Serving
import Web

/// Opens direct messages with one person or a group; the same people always meet in the same place.
///
/// Somebody who does not know the opener has to accept before messages reach them. They know the opener when they are in
/// a playground together, or when they have written where both are.
enum OpenDirectChannel {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let opener = try request.requireAccount()
        let parameters = try request.parameters()
        let others = try others(parameters, opener: opener.id, limits: dependencies.limits)
        let playground: PlaygroundID? = try parameters.id("playground_id")
        try await EnsureAccount.run(opener, dependencies)
        guard try await AwaitAccount.missing(others, dependencies).isEmpty else {
            throw Problem.invalid("account_ids", "unreachable")
        }
        let channel = DirectChannelStore.NewChannel(
            id: try dependencies.ids.next(),
            type: others.count == 1 ? .direct : .group,
            playground: playground,
            people: (others + [opener.id]).sorted(),
            moment: dependencies.now(),
            version: dependencies.nextNumber()
        )
        let (seen, isNew) = try await dependencies.transaction { work in
            let strangers = try await strangers(among: others, to: opener.id, in: playground, work)
            if try await DirectChannelStore.insert(channel, in: work) {
                try await work.count(.conversation, times: strangers.count, by: opener.id)
                return (try await open(channel, strangers, opener.id, in: work), true)
            }
            return (try await join(channel, strangers, opener.id, in: work), false)
        }
        return .json(ChannelView(seen, site: dependencies.site), status: isNew ? .created : .ok)
    }

    private static func others(_ parameters: Parameters, opener: AccountID, limits: Limits) throws -> [AccountID] {
        var others: Set<AccountID> = []
        for text in try parameters.strings("account_ids") ?? [] {
            guard let id = AccountID(text) else { throw Problem.invalid("account_ids", "invalid") }
            if id != opener { others.insert(id) }
            guard others.count < limits.group else { throw Problem.invalid("account_ids", "too_many") }
        }
        guard !others.isEmpty else { throw Problem.invalid("account_ids", "blank") }
        return others.sorted()
    }

    /// Those who have to accept; throws when somebody may not be written to at all.
    private static func strangers(
        among others: [AccountID],
        to opener: AccountID,
        in playground: PlaygroundID?,
        _ work: Work
    ) async throws -> [AccountID] {
        if let playground {
            PlaygroundStore.share(playground, in: work)
            guard try await MemberStore.role(of: opener, in: .playground(playground), in: work) != nil else {
                throw Problem.notFound
            }
        }
        let relations = try await DirectChannelStore.relations(of: opener, to: others, in: playground, in: work)
        for relation in relations {
            guard !relation.isBlocked else { throw Problem.blocked }
            guard relation.isInPlayground else { throw Problem.invalid("account_ids", "unreachable") }
        }
        return relations.filter { !$0.knowsOpener }.map(\.account)
    }

    private static func open(
        _ channel: DirectChannelStore.NewChannel,
        _ strangers: [AccountID],
        _ opener: AccountID,
        in work: Work
    ) async throws -> SeenChannel {
        DirectChannelStore.add(requested: strangers, to: channel, in: work)
        let seen = try await Self.seen(channel.id, opener, work)
        try work.record(
            ConversationOpened(
                channel: seen.channel.snapshot,
                memberIDs: channel.people,
                requestedIDs: strangers,
                actorID: opener
            )
        )
        let view = ChannelView(seen.channel, site: work.site)
        let joined = channel.people.filter { !strangers.contains($0) }.map {
            ChatUpdate.Membership(channelID: channel.id, accountID: $0)
        }
        try work.tell(.channel("opened", view), in: channel.id, joined: joined)
        if !strangers.isEmpty { try work.tell(.channel("requested", view), to: strangers) }
        return seen
    }

    /// Opening what is there already accepts it, and brings back whoever had left the playground and returned.
    private static func join(
        _ channel: DirectChannelStore.NewChannel,
        _ strangers: [AccountID],
        _ opener: AccountID,
        in work: Work
    ) async throws -> SeenChannel {
        guard let id = try await DirectChannelStore.find(channel, in: work) else {
            throw Problem.unavailable(cause: "a direct channel went while it was looked for")
        }
        let added = try await DirectChannelStore.bringBack(channel, requested: strangers, to: id, in: work)
        let seen = try await Self.seen(id, opener, work)
        for member in added {
            if member.requested {
                try await DirectChannelUpdates.tellRequested(id, to: [member.account], in: work)
            } else {
                try await DirectChannelUpdates.tellJoined(member.account, seen, version: channel.version, in: work)
            }
        }
        guard seen.membership?.requested == true else { return seen }
        _ = try await DirectChannelUpdates.accept(seen, by: opener, in: work)
        return try await Self.seen(id, opener, work)
    }

    private static func seen(_ id: ChannelID, _ viewer: AccountID, _ work: Work) async throws -> SeenChannel {
        guard let seen = try await ChannelStore.seen(id, by: viewer, in: work) else { throw Problem.notFound }
        return seen
    }
}
