// SPDX-License-Identifier: Apache-2.0
// DELETE /api/v1/messages/:id: the author, or who runs the place, takes a message away.

import Domain
import Events
import Web

/// Leaves a tombstone under the message's number; doing it again changes nothing.
enum DeleteMessage {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let actor = try request.requireAccount().id
        let seen = try await SeenMessage.find(request.id(), viewer: actor, dependencies)
        let message = seen.message
        if message.author.id != actor { try seen.access.require(.moderate) }
        let tombstone = try await dependencies.transaction { try await delete(message, by: actor, in: $0) }
        return .json(MessageView(message: tombstone, site: dependencies.site))
    }

    /// - Returns: what is left of it.
    static func delete(_ message: MessageRow, by actor: AccountID, in work: Work) async throws -> MessageRow {
        try await ChangeMessage.apply(
            .delete(at: work.now()),
            to: message,
            live: "message:deleted",
            in: work
        ) { tombstone, work in
            try work.record(event(of: tombstone, by: actor))
        }.message
    }

    static func event(of tombstone: MessageRow, by actor: AccountID) -> MessageDeleted {
        MessageDeleted(
            messageID: tombstone.id,
            channelID: tombstone.channelID,
            seq: tombstone.seq,
            authorID: tombstone.author.id,
            actorID: actor,
            subjectVersion: tombstone.change
        )
    }
}
