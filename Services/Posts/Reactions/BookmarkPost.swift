// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/statuses/:id/bookmark and /unbookmark: somebody keeps a post for themselves.

import Domain
import Web

/// Adds a post to the viewer's bookmarks, which nobody else hears of.
enum BookmarkPost {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let id: PostID = try request.id()
        try await EnsureAccount.run(account, dependencies)
        let place: PostID = try dependencies.ids.next()
        let isThere = try await ReactionStore.addBookmark(id, by: account.id, as: place, in: dependencies.database)
        guard isThere else { throw Problem.notFound }
        return try await VisiblePost.answerShown(id, request, dependencies)
    }
}

/// Removes a post from the viewer's bookmarks.
enum UnbookmarkPost {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = try request.requireAccount().id
        let id: PostID = try request.id()
        try await ReactionStore.deleteBookmark(id, by: viewer, in: dependencies.database)
        return try await VisiblePost.answerShown(id, request, dependencies)
    }
}
