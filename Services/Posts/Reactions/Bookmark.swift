// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/statuses/:id/bookmark and /unbookmark: somebody keeps a post for themselves.

import Domain
import Postgres
import Web

/// Adds a post to the viewer's bookmarks, which nobody else hears of.
enum Bookmark {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let id: PostID = try request.id()
        try await EnsureAccount.run(account, dependencies)
        let bookmark = ReactionStore.bookmark(id, by: account.id, as: try dependencies.ids.next())
        guard try await !dependencies.database.query(bookmark).isEmpty else { throw Problem.notFound }
        return try await GetPost.shown(id, request, dependencies)
    }
}

/// Removes a post from the viewer's bookmarks.
enum Unbookmark {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = try request.requireAccount().id
        let id: PostID = try request.id()
        _ = try await dependencies.database.query(ReactionStore.unbookmark(id, by: viewer))
        return try await GetPost.shown(id, request, dependencies)
    }
}
