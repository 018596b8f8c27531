// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/statuses/:id/favourited_by and /reblogged_by: who reacted to a post.

import Events
import Web

/// The accounts that made a post a favourite.
enum FavouritedBy {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ListAccounts.answer(
            .favourites(
                of: await VisiblePost.require(request.id(), request, dependencies).post.id,
                viewer: request.viewer
            ),
            request,
            dependencies
        )
    }
}

/// The accounts that boosted a post.
enum BoostedBy {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ListAccounts.answer(
            .boosts(of: await VisiblePost.require(request.id(), request, dependencies).post.id, viewer: request.viewer),
            request,
            dependencies
        )
    }
}
