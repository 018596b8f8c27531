// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/statuses/:id/favourited_by and /reblogged_by: who reacted to a post.

import Domain
import Events
import Postgres
import Views
import Web

/// The accounts that made a post a favourite.
enum FavouritedBy {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try request.parameters().page(default: 40, maximum: 80)
        let post = try await GetPost.status(request.id(), request, dependencies).post.id
        let rows = try await dependencies.database.query(
            ThreadStore.favouritedBy(post, viewer: request.viewer, page: page)
        )
        return try .accounts(rows, request, site: dependencies.site)
    }
}

/// The accounts that boosted a post.
enum BoostedBy {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try request.parameters().page(default: 40, maximum: 80)
        let post = try await GetPost.status(request.id(), request, dependencies).post.id
        let rows = try await dependencies.database.query(
            ThreadStore.boostedBy(post, viewer: request.viewer, page: page)
        )
        return try .accounts(rows, request, site: dependencies.site)
    }
}

extension Answer {
    /// A page of accounts, linked by the number in front of each.
    fileprivate static func accounts(_ rows: Rows, _ request: Request, site: Site) throws -> Answer {
        let listed = try rows.map { row in
            var columns = row.columns
            let place: Int64 = try columns.next()
            return (place: place, account: try AccountSnapshot(columns: &columns))
        }
        return Answer.json(array: listed.map { AccountView($0.account, site: site) })
            .linked(request, site: site, newest: listed.first?.place, oldest: listed.last?.place)
    }
}
