// SPDX-License-Identifier: Apache-2.0
// PATCH /api/v1/channels/:id: another name, description or type.

import Domain
import Events
import Web

/// Changes what the request names; nothing is told when nothing is different.
enum EditChannel {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let draft = try ChannelDraft(try request.parameters(), limits: dependencies.limits)
        try await ChangeChannel.run(request, dependencies, .edit) { change in
            guard draft.changes(change.channel) else { return }
            let hides = draft.type == .private && change.channel.type == .public
            if hides {
                guard !change.channel.isDefault else { throw Problem.defaultChannel }
                try change.seen.require(.hide)
            }
            try await apply(draft, to: change, hides: hides)
        }
        return try await ChangeChannel.answer(request, dependencies)
    }

    private static func apply(_ draft: ChannelDraft, to change: ChannelChange, hides: Bool) async throws {
        let work = change.work
        let term = try await work.check([draft.name, draft.description])
        try work.flag(term, in: change.channel.playgroundID, by: change.actor.id)
        ChannelStore.update(change.id, draft, at: work.stamp(), in: work)
        guard let seen = try await ChannelStore.seen(change.id, by: change.actor.id, in: work) else { return }
        try work.record(ChannelUpdated(channel: seen.channel.snapshot))
        if hides { try await tellOutsiders(change) }
        try await work.tell("updated", of: change.id)
    }

    /// For those who are not in a channel that is hidden, it is gone. Either those who are in it are left out or, when
    /// there are too many for one event, the others are told by name.
    private static func tellOutsiders(_ change: ChannelChange) async throws {
        let work = change.work
        let news = News.gone(change.id, from: change.channel.playgroundID)
        if change.channel.membersCount <= Work.idsInUpdate {
            let room = try await work.audience(of: change.channel)
            return try work.tell(news, in: room, except: try await MemberStore.accounts(in: change.id, in: work))
        }
        let outsiders = try await MemberStore.outsiders(of: change.id, in: work)
        for part in outsiders.parts(of: Work.idsInUpdate) where !part.isEmpty { try work.tell(news, to: part) }
    }
}

extension ChannelDraft {
    /// Whether a channel is anything else than this.
    fileprivate func changes(_ channel: ChannelRow) -> Bool {
        (name != nil && name != channel.name) || (description != nil && description != channel.description)
            || (type != nil && type != channel.type)
    }
}
