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
                // Who is not in it could not see what they did.
                try change.seen.requireMember()
                guard Permission.allows(.createPrivateChannel, change.seen.playgroundRole) else {
                    throw Problem.forbidden
                }
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
            // For those who are not in it, it is gone.
            try dependencies.announce(
                ChatUpdate(
                    channelID: try await dependencies.room(for: change.channel, in: transaction),
                    event: "channel",
                    payload: dependencies.news(gone: change.id, from: change.channel.playgroundID),
                    except: try await ChannelMemberStore.accounts(in: change.id, transaction)
                ),
                in: transaction
            )
        }
        try await dependencies.announce("updated", channel: change.id, by: change.actor.id, in: transaction)
    }
}

extension ChannelDraft {
    /// Whether a channel is anything else than this.
    fileprivate func changes(_ channel: ChannelRow) -> Bool {
        (name != nil && name != channel.name) || (description != nil && description != channel.description)
            || (type != nil && type != channel.type)
    }
}
