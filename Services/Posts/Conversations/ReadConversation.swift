// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/conversations/:id/read and /unread: how far somebody is with a conversation.

import Domain
import Web

enum ReadConversation {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await mark(unread: false, request, dependencies)
    }

    /// Marks a conversation and answers what it is now.
    fileprivate static func mark(
        unread: Bool,
        _ request: Request,
        _ dependencies: Dependencies
    ) async throws -> Answer {
        let viewer = try request.requireAccount().id
        let id: ConversationID = try request.id()
        let database = dependencies.database
        guard try await ConversationStore.mark(id, of: viewer, unread: unread, in: database) else {
            throw Problem.notFound
        }
        let rows = try await ConversationStore.conversations([id], in: database)
        guard let view = try await Conversations.views(of: rows, dependencies, in: database).first?.view else {
            throw Problem.notFound
        }
        return .json(view)
    }
}

enum UnreadConversation {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ReadConversation.mark(unread: true, request, dependencies)
    }
}
