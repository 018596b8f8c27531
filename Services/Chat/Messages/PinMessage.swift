// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/messages/:id/pin and /unpin, GET /api/v1/channels/:id/pins: what a channel wants to find again.

import Domain
import Events
import Web

/// Pins a message in its channel; any member may.
enum PinMessage {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let actor = try request.requireAccount().id
        let seen = try await SeenMessage.find(request.id(), viewer: actor, dependencies)
        try seen.access.require(.speak)
        guard seen.message.deletedAt == nil else { throw Problem.notFound }
        let pin = MessageChange.pin(by: actor, at: dependencies.now(), most: dependencies.limits.pins)
        let after = try await change(seen.message, by: actor, pin, dependencies)
        guard after.pinnedAt != nil else {
            throw after.deletedAt == nil ? Problem.invalid("pins", "too_many") : Problem.notFound
        }
        return .json(MessageView(message: after, site: dependencies.site))
    }
}

/// Takes a pin away; any member may.
enum UnpinMessage {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let actor = try request.requireAccount().id
        let seen = try await SeenMessage.find(request.id(), viewer: actor, dependencies)
        try seen.access.require(.speak)
        let after = try await change(seen.message, by: actor, .unpin, dependencies)
        return .json(MessageView(message: after, site: dependencies.site))
    }
}

/// The pinned messages of a channel, the last pinned first.
enum ListPins {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = try request.requireAccount().id
        let pins = try await HistoryStore.pins(
            try request.id(),
            viewer: viewer,
            limit: dependencies.limits.pins,
            in: dependencies.database
        ).found()
        return .messages(pins, site: dependencies.site)
    }
}

/// Pins a message or takes the pin away, and tells it.
private func change(
    _ message: MessageRow,
    by actor: AccountID,
    _ change: MessageChange,
    _ dependencies: Dependencies
) async throws -> MessageRow {
    try await ChangeMessage.apply(change, to: message, dependencies) { after, work in
        try work.record(
            MessagePinned(
                messageID: after.id,
                channelID: after.channelID,
                actorID: actor,
                isPinned: after.pinnedAt != nil,
                subjectVersion: after.change
            )
        )
    }.message
}
