// SPDX-License-Identifier: Apache-2.0
// PUT and DELETE /api/v1/messages/:id/reactions/:emoji: somebody reacts to a message, or takes it back.

import Domain
import Events
import Web

/// Adds an emoji to a message; doing it again changes nothing.
enum React {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let actor = try request.requireAccount().id
        let emoji = try Emoji(request)
        let seen = try await SeenMessage.find(request.id(), viewer: actor, dependencies)
        try seen.access.require(.speak)
        guard seen.message.deletedAt == nil else { throw Problem.notFound }
        let reaction = MessageChange.react(
            emoji.text,
            by: actor,
            at: dependencies.now(),
            most: dependencies.limits.reactions
        )
        let (after, isChanged) = try await apply(reaction, emoji, isAdded: true, to: seen, by: actor, dependencies)
        if !isChanged, try await !ReactionStore.exists(emoji.text, on: after.id, by: actor, in: dependencies.database) {
            try await SeenMessage.find(after.id, viewer: actor, dependencies).access.require(.speak)
            throw after.deletedAt == nil ? Problem.invalid("emoji", "too_many") : Problem.notFound
        }
        return .json(MessageView(message: after, site: dependencies.site))
    }
}

/// Takes an emoji back; nothing happens when it is not there.
enum TakeBackReaction {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let actor = try request.requireAccount().id
        let emoji = try Emoji(request)
        let seen = try await SeenMessage.find(request.id(), viewer: actor, dependencies)
        try seen.access.require(.takePart)
        let removal = MessageChange.takeBackReaction(emoji.text, by: actor)
        let (after, _) = try await apply(removal, emoji, isAdded: false, to: seen, by: actor, dependencies)
        return .json(MessageView(message: after, site: dependencies.site))
    }
}

/// Adds a reaction or takes it back, and tells it.
private func apply(
    _ change: MessageChange,
    _ emoji: Emoji,
    isAdded: Bool,
    to seen: SeenMessage,
    by actor: AccountID,
    _ dependencies: Dependencies
) async throws -> (message: MessageRow, isChanged: Bool) {
    try await ChangeMessage.apply(change, to: seen.message, live: "", dependencies) { after, work in
        try work.record(
            MessageReacted(
                messageID: after.id,
                channelID: after.channelID,
                authorID: after.author.id,
                actorID: actor,
                emoji: emoji.text,
                isAdded: isAdded,
                subjectVersion: after.change
            )
        )
        try work.tell(.reaction(after, emoji: emoji.text, by: actor, isAdded: isAdded), of: after)
    }
}

/// One emoji.
struct Emoji: Sendable {
    let text: String

    /// Nil for anything that is not one character which is an emoji.
    init?(_ text: String) {
        guard text.count == 1, text.utf8.count <= 64 else { return nil }
        let scalars = text.unicodeScalars
        // Digits and signs of ASCII are emoji only with the keycap that encloses them.
        let isEmoji = scalars.contains { scalar in
            scalar.value == 0x20E3 || (scalar.value > 0x7F && scalar.properties.isEmoji)
        }
        guard isEmoji else { return nil }
        self.text = text
    }

    /// The emoji of a route's path.
    init(_ request: Request) throws {
        guard let emoji = request.pathParameters["emoji"].flatMap(Emoji.init) else {
            throw Problem.invalid("emoji", "invalid")
        }
        self = emoji
    }
}
