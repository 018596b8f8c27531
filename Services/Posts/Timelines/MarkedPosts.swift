// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/favourites, /api/v1/bookmarks and /api/v1/accounts/:id/favourites: what somebody liked and kept.

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

/// Somebody's favourites as far as the viewer may see the posts, where their owner shows them to others.
enum ListAccountFavourites {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let owner: AccountID = try request.id()
        let page = try request.parameters().page(default: 20, maximum: 40)
        let isShown = try await AccountStore.showsFavourites(owner, to: request.viewer, in: dependencies.database)
        guard let isShown else { throw Problem.notFound }
        guard isShown else { throw hidden }
        let rows = try await PostListStore.favourites(
            of: owner,
            viewer: request.viewer,
            page: page,
            in: dependencies.database
        )
        return try await MarkedPosts.answer(rows, request, dependencies)
    }

    private static var hidden: Problem {
        var problem = Problem.forbidden
        problem.code = "favourites-hidden"
        problem.detail = [
            .english: "This account does not show its favourites",
            .korean: "이 계정은 좋아요 목록을 공개하지 않습니다",
            .japanese: "このアカウントはお気に入りを公開していません",
        ]
        return problem
    }
}

private enum MarkedPosts {
    /// The asked page, linked by the ids of its entries.
    static func answer(_ marks: Marks, _ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = try request.requireAccount().id
        let page = try request.parameters().page(default: 20, maximum: 40)
        let rows = try await PostListStore.marked(marks, of: viewer, page: page, in: dependencies.database)
        return try await answer(rows, request, dependencies)
    }

    static func answer(
        _ rows: [PlacedStatus],
        _ request: Request,
        _ dependencies: Dependencies
    ) async throws -> Answer {
        let shown = try await dependencies.statuses.shown(rows, dependencies)
        return Answer.json(array: shown.map { $0.status.view(for: request.viewer, site: dependencies.site) })
            .linked(request, site: dependencies.site, newest: rows.first?.place, oldest: rows.last?.place)
    }
}
