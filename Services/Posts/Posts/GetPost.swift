// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/statuses/:id: one post.

import Domain
import Postgres
import Web

/// One post or boost, if the viewer may see it.
enum GetPost {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await answer(request.id(), request, dependencies)
    }

    /// The same problem whether the post is not there or not for the viewer's eyes.
    static func answer(_ id: PostID, _ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        .json(try await status(id, request, dependencies).view(for: request.viewer, site: dependencies.site))
    }

    static func status(_ id: PostID, _ request: Request, _ dependencies: Dependencies) async throws -> StatusRow {
        let found = try await dependencies.database.query(PostStore.status(id, viewer: request.viewer)).status()
        guard let found else { throw Problem.notFound }
        return found
    }

    /// The post itself where `id` is that of a boost: what somebody sees who has just done something with it.
    static func shown(_ id: PostID, _ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let status = try await status(id, request, dependencies).shown
        return .json(status.view(for: request.viewer, site: dependencies.site))
    }
}
