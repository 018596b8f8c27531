// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/messages/:id/pin and /unpin, GET /api/v1/channels/:id/pins: what a channel wants to find again.

import Domain
import Events
import Outbox
import Postgres
import Views
import Web

/// Pins a message in its channel; any member may.
enum PinMessage {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let actor = try request.requireAccount().id
        let seen = try await SeenMessage.find(request.id(), viewer: actor, dependencies)
        try seen.standing.requireVoice()
        guard seen.message.deletedAt == nil else { throw Problem.notFound }
        let pin = MessageChangeStore.pin(
            seen.message.id,
            by: actor,
            at: dependencies.now(),
            most: dependencies.limits.pins
        )
        let after = try await apply(pin, to: seen.message, by: actor, dependencies)
        guard after.pinnedAt != nil else {
            throw after.deletedAt == nil ? Problem.invalid("pins", "too_many") : Problem.notFound
        }
        return .json(MessageView(after, site: dependencies.site))
    }

    fileprivate static func apply(
        _ change: SQL,
        to message: MessageRow,
        by actor: AccountID,
        _ dependencies: Dependencies
    ) async throws -> MessageRow {
        try await ChangeMessage.apply(change, to: message, dependencies) { after, transaction in
            try transaction.record(
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
}

/// Takes a pin away; any member may.
enum UnpinMessage {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let actor = try request.requireAccount().id
        let seen = try await SeenMessage.find(request.id(), viewer: actor, dependencies)
        try seen.standing.requireVoice()
        let unpin = MessageChangeStore.unpin(seen.message.id)
        let after = try await PinMessage.apply(unpin, to: seen.message, by: actor, dependencies)
        return .json(MessageView(after, site: dependencies.site))
    }
}

/// The pinned messages of a channel, the last pinned first.
enum ListPins {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = try request.requireAccount().id
        let pins = HistoryStore.pins(try request.id(), viewer: viewer, limit: dependencies.limits.pins)
        let rows = try await dependencies.database.query(pins)
        guard !rows.isEmpty else { throw Problem.notFound }
        return .messages(try rows.messages(), site: dependencies.site)
    }
}
