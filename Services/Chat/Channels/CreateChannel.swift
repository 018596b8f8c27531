// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/playgrounds/:id/channels: somebody makes a channel.

import Domain
import Events
import HTTPTypes
import Web

/// Makes a channel whose owner and first member is who asks.
enum CreateChannel {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let draft = try ChannelDraft(try request.parameters(), limits: dependencies.limits)
        guard draft.name != nil else { throw Problem.invalid("name", "blank") }
        let act: Permission.PlaygroundAct = draft.type == .private ? .createPrivateChannel : .createPublicChannel
        let seen = try await ChangePlayground.run(request, dependencies, act) { try await create(draft, in: $0) }
        return .json(ChannelView(seen, site: dependencies.site), status: .created)
    }

    private static func create(_ draft: ChannelDraft, in change: PlaygroundChange) async throws -> SeenChannel {
        let (work, actor) = (change.work, change.actor.id)
        guard try await ChannelStore.count(of: change.id, in: work) < work.limits.channels else {
            throw Problem.tooMany("too-many-channels")
        }
        let term = try await work.check([draft.name, draft.description])
        try work.flag(term, in: change.id, by: actor)
        let id: ChannelID = try work.dependencies.ids.next()
        ChannelStore.insert(id, draft, in: change.id, owner: actor, at: work.stamp(), in: work)
        guard let channel = try await ChannelStore.seen(id, by: actor, in: work)?.channel,
            let account = try await AccountStore.snapshot(actor, in: work)
        else { throw Problem.notFound }
        try work.record(ChannelCreated(channel: channel.snapshot))
        _ = try await Members.insert(account, .channel(id, of: change.id), as: .owner, in: work)
        guard let seen = try await ChannelStore.seen(id, by: actor, in: work) else { throw Problem.notFound }
        try work.tell(
            .channel("created", ChannelView(seen.channel, site: work.site)),
            in: channel.type == .public ? change.everyone : id,
            joined: [ChatUpdate.Membership(channelID: id, accountID: actor)]
        )
        return seen
    }
}
