// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/favourites and /api/v1/bookmarks: what the viewer liked and kept.

import Domain
import Web

/// The viewer's favourites, the newest favourite first.
enum ListFavourites {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await MarkedPosts.answer(.favourites, request, dependencies)
    }
}

/// The viewer's bookmarks, the newest bookmark first.
enum ListBookmarks {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await MarkedPosts.answer(.bookmarks, request, dependencies)
    }
}

private enum MarkedPosts {
    /// The asked page, linked by the ids of its entries.
    static func answer(_ marks: Marks, _ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = try request.requireAccount().id
        let page = try request.parameters().page(default: 20, maximum: 40)
        let rows = try await PostListStore.marked(marks, of: viewer, page: page, in: dependencies.database)
        return Answer.json(array: rows.map { $0.status.view(for: viewer, site: dependencies.site) })
            .linked(request, site: dependencies.site, newest: rows.first?.place, oldest: rows.last?.place)
    }
}
