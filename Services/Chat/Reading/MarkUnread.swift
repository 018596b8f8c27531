// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/channels/:id/unread: somebody wants to come back to a message.

import Domain
import Web

/// Sets the reader's position to just before a message.
enum MarkUnread {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let reader = try request.requireAccount().id
        let channel: ChannelID = try request.id()
        guard let seq = try request.parameters().seq("seq"), seq > 0 else { throw Problem.invalid("seq", "invalid") }
        let position = try await Position.move(.before(seq), of: reader, in: channel, dependencies) { position in
            guard seq <= position.lastSeq else { throw Problem.invalid("seq", "invalid") }
        }
        return .json(PositionView(position: position))
    }
}
