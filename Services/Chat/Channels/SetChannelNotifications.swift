// SPDX-License-Identifier: Apache-2.0
// PUT /api/v1/channels/:id/notifications: which messages of a channel notify, and whether any do for now.

import Domain
import Events
import Web

/// Sets the asking member's level and mute; what the request does not name stays. Their other devices hear of it.
enum SetChannelNotifications {
    private enum Mute {
        case until(Timestamp?)
    }

    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let parameters = try request.parameters()
        let level = try parameters.string("notify").map { text in
            guard let level = NotifyLevel(rawValue: text) else { throw Problem.invalid("notify", "inclusion") }
            return level
        }
        let mute = try mute(parameters, dependencies)
        let actor = try request.requireAccount()
        let id: ChannelID = try request.id()
        let seen = try await dependencies.transaction { work in
            let seen = try await SeenChannel.hold(id, by: actor.id, in: work)
            try seen.require(.mute)
            guard let membership = seen.membership else { throw Problem.notMember }
            var end = membership.mutedUntil
            if case .until(let moment) = mute { end = moment }
            // Who begins with `all` and asks for it hears of everything from now on.
            let isChosen = level != nil || membership.isNotifyChosen
            guard
                level ?? membership.notify != membership.notify || isChosen != membership.isNotifyChosen
                    || end != membership.mutedUntil
            else { return seen }
            MemberStore.setNotifications(
                level ?? membership.notify,
                isChosen: isChosen,
                mutedUntil: end,
                of: actor.id,
                in: id,
                version: work.nextNumber(),
                in: work
            )
            guard let now = try await ChannelStore.seen(id, by: actor.id, in: work) else { return seen }
            try work.tell(.channel("updated", ChannelView(now, site: work.site)), to: [actor.id])
            return now
        }
        return .json(ChannelView(seen, site: dependencies.site))
    }

    /// `mute_for` wins; 0 or an empty text ends a mute. A moment that is over mutes nothing.
    private static func mute(_ parameters: Parameters, _ dependencies: Dependencies) throws -> Mute? {
        let now = dependencies.now()
        let longest = dependencies.limits.mute
        if let seconds = try parameters.integer("mute_for") {
            guard (0...longest).contains(seconds) else { throw Problem.invalid("mute_for", "inclusion") }
            return .until(seconds == 0 ? nil : now + .seconds(seconds))
        }
        guard let text = try parameters.string("muted_until") else { return nil }
        guard !text.isEmpty else { return .until(nil) }
        guard let moment = Timestamp(rfc3339: text), moment <= now + .seconds(longest) else {
            throw Problem.invalid("muted_until", "invalid")
        }
        return .until(moment > now ? moment : nil)
    }
}
