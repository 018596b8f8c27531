// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/playgrounds/:id/channels: somebody makes a channel.

import Domain
import Events
import HTTPTypes
import Outbox
import Web

/// Makes a channel whose owner and first member is who asks.
enum CreateChannel {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let draft = try ChannelDraft(try request.parameters(), limits: dependencies.limits)
        guard draft.name != nil else { throw Problem.invalid("name", "blank") }
        let act: Permission.PlaygroundAct = draft.type == .private ? .createPrivateChannel : .createPublicChannel
        let seen = try await ChangePlayground.run(request, dependencies, act) { change in
            try await create(draft, in: change, dependencies)
        }
        return .json(ChannelView(seen, site: dependencies.site), status: .created)
    }

    private static func create(
        _ draft: ChannelDraft,
        in change: PlaygroundChange,
        _ dependencies: Dependencies
    ) async throws -> SeenChannel {
        let transaction = change.transaction
        guard try await ChannelStore.count(of: change.id, in: transaction) < dependencies.limits.channels else {
            throw Problem.tooMany("too-many-channels")
        }
        let id: ChannelID = try dependencies.ids.next()
        ChannelStore.insert(
            id,
            draft,
            in: change.id,
            owner: change.actor.id,
            at: dependencies.now(),
            version: dependencies.nextNumber(),
            in: transaction
        )
        guard let channel = try await ChannelStore.seen(id, by: change.actor.id, in: transaction)?.channel,
            let account = try await AccountStore.snapshot(change.actor.id, in: transaction)
        else { throw Problem.notFound }
        try transaction.record(ChannelCreated(channel: channel.snapshot))
        try await ChannelMembers.enter(
            id,
            of: change.id,
            account,
            role: .owner,
            isTold: false,
            dependencies,
            in: transaction
        )
        guard let seen = try await ChannelStore.seen(id, by: change.actor.id, in: transaction) else {
            throw Problem.notFound
        }
        try dependencies.announce(
            ChatUpdate(
                channelID: channel.type == .public ? change.everyone : id,
                event: "channel",
                payload: dependencies.news("created", ChannelView(seen.channel, site: dependencies.site)),
                joined: [ChatUpdate.Membership(channelID: id, accountID: change.actor.id)]
            ),
            in: transaction
        )
        return seen
    }
}
