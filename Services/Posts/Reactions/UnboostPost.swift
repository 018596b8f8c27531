// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/statuses/:id/unreblog: somebody takes a boost back.

import Domain
import Events
import Postgres
import Web

/// Removes the viewer's boost of a post, even of one that the viewer may no longer see.
enum UnboostPost {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = try request.requireAccount().id
        let id: PostID = try request.id()
        let status = try await dependencies.database.transaction { transaction in
            // Read first: the id may be that of the boost itself, which is gone afterwards.
            let before = try await PostStore.status(id, viewer: viewer, in: transaction)
            try await Boost.takeBack(of: id, by: viewer, dependencies, transaction)
            guard let before else { return StatusRow?.none }
            return try await PostStore.status(before.post.id, viewer: viewer, in: transaction)
        }
        guard let status else { throw Problem.notFound }
        return .json(status.view(for: viewer, site: dependencies.site))
    }
}
