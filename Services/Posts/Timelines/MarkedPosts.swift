// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/favourites and /api/v1/bookmarks: what the viewer liked and kept.

import Domain
import Postgres
import Web

/// The viewer's favourites, the newest favourite first.
enum Favourites {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = try request.requireAccount().id
        let page = try request.parameters().page(default: 20, maximum: 40)
        let rows = try await dependencies.database.query(AccountListStore.marked(.favourites, of: viewer, page: page))
        return try .marked(rows, request, site: dependencies.site)
    }
}

/// The viewer's bookmarks, the newest bookmark first.
enum Bookmarks {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = try request.requireAccount().id
        let page = try request.parameters().page(default: 20, maximum: 40)
        let rows = try await dependencies.database.query(AccountListStore.marked(.bookmarks, of: viewer, page: page))
        return try .marked(rows, request, site: dependencies.site)
    }
}

extension Answer {
    /// A page of posts, linked by the number in front of each.
    fileprivate static func marked(_ rows: Rows, _ request: Request, site: Site) throws -> Answer {
        let rows = try rows.placedStatuses()
        return Answer.json(array: rows.map { $0.status.view(for: request.viewer, site: site) })
            .linked(request, site: site, newest: rows.first?.place, oldest: rows.last?.place)
    }
}
