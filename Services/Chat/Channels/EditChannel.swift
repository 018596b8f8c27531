// SPDX-License-Identifier: Apache-2.0
// PATCH /api/v1/channels/:id: another name, description or type.

import Domain
import Events
import Outbox
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
            try await apply(draft, to: change, hides: hides, dependencies)
        }
        return try await ChangeChannel.answer(request, dependencies)
    }

    private static func apply(
        _ draft: ChannelDraft,
        to change: ChannelChange,
        hides: Bool,
        _ dependencies: Dependencies
    ) async throws {
        let transaction = change.transaction
        ChannelStore.update(
            change.id,
            draft,
            at: dependencies.now(),
            version: dependencies.nextNumber(),
            in: transaction
        )
        guard let seen = try await ChannelStore.seen(change.id, by: change.actor.id, in: transaction) else { return }
        try transaction.record(ChannelUpdated(channel: seen.channel.snapshot))
        if hides {
            try await tellOutsiders(change, dependencies)
        }
        try await ChannelNews.tell("updated", of: change.id, dependencies, in: transaction)
    }

    /// For those who are not in a channel that is hidden, it is gone. Either those who are in it are left out or, when
    /// there are too many for one event, the others are told by name.
    private static func tellOutsiders(_ change: ChannelChange, _ dependencies: Dependencies) async throws {
        let transaction = change.transaction
        let payload = dependencies.news(gone: change.id, from: change.channel.playgroundID)
        if change.channel.membersCount <= Dependencies.idsInUpdate {
            let room = try await ChannelNews.room(of: change.channel, in: transaction)
            let members = try await MemberStore.accounts(in: change.id, in: transaction)
            let update = ChatUpdate(channelID: room, event: "channel", payload: payload, except: members)
            return try dependencies.announce(update, in: transaction)
        }
        let outsiders = try await MemberStore.outsiders(of: change.id, in: transaction)
        for part in outsiders.parts(of: Dependencies.idsInUpdate) where !part.isEmpty {
            try dependencies.announce(
                ChatUpdate(channelID: nil, accountIDs: part, event: "channel", payload: payload),
                in: transaction
            )
        }
    }
}

extension ChannelDraft {
    /// Whether a channel is anything else than this.
    fileprivate func changes(_ channel: ChannelRow) -> Bool {
        (name != nil && name != channel.name) || (description != nil && description != channel.description)
            || (type != nil && type != channel.type)
    }
}
