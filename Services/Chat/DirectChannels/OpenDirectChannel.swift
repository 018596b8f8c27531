// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/direct_channels: somebody wants to talk to others, apart from any channel.

import Domain
import Events
import HTTPTypes
import Outbox
import Postgres
import Views
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
        let (seen, isNew) = try await dependencies.database.transaction { transaction in
            let strangers = try await strangers(among: others, to: opener.id, in: playground, transaction)
            if try await transaction.query(DirectChannelStore.insert(channel)).affected > 0 {
                return (try await open(channel, strangers, opener.id, dependencies, transaction), true)
            }
            return (try await join(channel, strangers, opener.id, dependencies, transaction), false)
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
        _ transaction: Transaction
    ) async throws -> [AccountID] {
        if let playground {
            transaction.enqueue(DirectChannelStore.lock(playground))
            guard try await !transaction.query(DirectChannelStore.isMember(opener, of: playground)).isEmpty else {
                throw Problem.notFound
            }
        }
        var strangers: [AccountID] = []
        let relations = DirectChannelStore.relations(of: opener, to: others, in: playground)
        for row in try await transaction.query(relations) {
            var columns = row.columns
            let id: AccountID = try columns.next()
            let isBlocked: Bool = try columns.next()
            let knowsOpener: Bool = try columns.next()
            let isInPlayground: Bool = try columns.next()
            guard !isBlocked else { throw Problem.blocked }
            guard isInPlayground else { throw Problem.invalid("account_ids", "unreachable") }
            if !knowsOpener { strangers.append(id) }
        }
        return strangers
    }

    private static func open(
        _ channel: DirectChannelStore.NewChannel,
        _ strangers: [AccountID],
        _ opener: AccountID,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws -> SeenChannel {
        transaction.enqueue(
            DirectChannelStore.add(channel.people, requested: strangers, to: channel.id, channel)
        )
        let seen = try await self.seen(channel.id, opener, transaction)
        try transaction.record(
            ConversationOpened(
                channel: seen.channel.snapshot,
                memberIDs: channel.people,
                requestedIDs: strangers,
                actorID: opener
            )
        )
        let view = ChannelView(seen.channel, site: dependencies.site)
        try dependencies.announce(
            ChatUpdate(
                channelID: channel.id,
                event: "channel",
                payload: dependencies.news("opened", view),
                joined: channel.people.filter { !strangers.contains($0) }.map {
                    ChatUpdate.Membership(channelID: channel.id, accountID: $0)
                }
            ),
            in: transaction
        )
        if !strangers.isEmpty {
            try dependencies.announce(
                ChatUpdate(
                    channelID: nil,
                    accountIDs: strangers,
                    event: "channel",
                    payload: dependencies.news("requested", view)
                ),
                in: transaction
            )
        }
        return seen
    }

    /// Opening what is there already accepts it, and brings back whoever had left the playground and returned.
    private static func join(
        _ channel: DirectChannelStore.NewChannel,
        _ strangers: [AccountID],
        _ opener: AccountID,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws -> SeenChannel {
        guard let row = try await transaction.query(DirectChannelStore.find(channel)).first else {
            throw Problem.unavailable(cause: "a direct channel went while it was looked for")
        }
        var columns = row.columns
        let id: ChannelID = try columns.next()
        let added = try await transaction.query(
            DirectChannelStore.add(channel.people, requested: strangers, to: id, channel)
        )
        let seen = try await self.seen(id, opener, transaction)
        for row in added {
            var columns = row.columns
            let account: AccountID = try columns.next()
            guard try !columns.next(Bool.self) else {
                try await DirectChannelUpdates.tellRequested(
                    id,
                    to: [account],
                    version: channel.version,
                    dependencies,
                    transaction
                )
                continue
            }
            try await DirectChannelUpdates.tellJoined(
                account,
                seen,
                version: channel.version,
                dependencies,
                transaction
            )
        }
        if seen.membership?.requested == true {
            _ = try await DirectChannelUpdates.accept(seen, by: opener, dependencies, transaction)
            return try await self.seen(id, opener, transaction)
        }
        return seen
    }

    private static func seen(
        _ id: ChannelID,
        _ viewer: AccountID,
        _ transaction: Transaction
    ) async throws -> SeenChannel {
        guard let row = try await transaction.query(DirectChannelStore.seen(id, by: viewer)).first else {
            throw Problem.notFound
        }
        var columns = row.columns
        return try SeenChannel(columns: &columns)
    }
}
