// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/channels/:id/unread: how much of a channel somebody has not read.

import Domain
import Web

/// By the position on the server or, with `after`, since a moment that the client remembers.
enum CountUnread {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let reader = try request.requireAccount().id
        let channel: ChannelID = try request.id()
        let moment = try request.parameters().moment("after")
        let count = try await ReadingStore.count(channel, reader, after: moment, in: dependencies.database).found()
        return .json(PositionView(position: count))
    }
}
