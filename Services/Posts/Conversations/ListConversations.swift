// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/conversations: somebody's direct posts by the people among whom they are.

import Domain
import Web

/// The conversations with the newest posts first, linked by the ids of these posts.
enum ListConversations {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = try request.requireAccount().id
        let page = try request.parameters().page(default: 20, maximum: 40)
        let rows = try await ConversationStore.page(page, of: viewer, in: dependencies.database)
        let views = try await Conversations.views(of: rows, dependencies, in: dependencies.database)
        return Answer.json(array: views.map(\.view)).linked(
            request,
            site: dependencies.site,
            newest: rows.first?.last.entryID.rawValue,
            oldest: rows.last?.last.entryID.rawValue
        )
    }
}
