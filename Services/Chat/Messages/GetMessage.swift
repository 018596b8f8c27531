// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/messages/:id: one message.

import Domain
import Events
import Postgres
import Serving
import Views
import Web

enum GetMessage {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = try request.requireAccount().id
        let seen = try await SeenMessage.find(request.id(), viewer: viewer, dependencies)
        return .json(MessageView(seen.message, site: dependencies.site))
    }
}

/// A message, and what somebody is to its channel.
struct SeenMessage: Sendable {
    let standing: Standing
    let author: AccountSnapshot
    let message: MessageRow

    /// Throws notFound for a message that they may not see.
    static func find(_ id: MessageID, viewer: AccountID, _ dependencies: Dependencies) async throws -> SeenMessage {
        guard let row = try await dependencies.database.query(MessageStore.message(id, viewer: viewer)).first else {
            throw Problem.notFound
        }
        var columns = row.columns
        return try SeenMessage(columns: &columns)
    }

    private init(columns: inout Columns) throws {
        standing = try Standing(columns: &columns)
        let author: AccountSnapshot? = try columns.next(JSONB?.self)?.snapshot()
        message = try MessageRow(columns: &columns)
        self.author = author ?? AccountSnapshot(message.author)
    }
}
