// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/channels/:id/unread: how much of a channel somebody has not read.

import Domain
import Postgres
import Views
import Web

/// By the position on the server or, with `after`, since a moment that the client remembers.
enum CountUnread {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let reader = try request.requireAccount().id
        let channel: ChannelID = try request.id()
        let moment = try request.parameters().moment("after")
        let count =
            moment.map { ReadingStore.count(channel, reader, after: $0) } ?? ReadingStore.count(channel, reader)
        guard let row = try await dependencies.database.query(count).first else { throw Problem.notFound }
        var columns = row.columns
        return .json(PositionView(try Position(columns: &columns)))
    }
}
