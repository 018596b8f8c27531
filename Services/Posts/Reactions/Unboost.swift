// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/statuses/:id/unreblog: somebody takes a boost back.

import Domain
import Events
import Outbox
import Postgres
import Web

/// Removes the viewer's boost of a post, even of one that the viewer may no longer see.
enum Unboost {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = try request.requireAccount().id
        let id: PostID = try request.id()
        let status = try await dependencies.database.transaction { transaction in
            // Read first: the id may be that of the boost itself, which is gone afterwards.
            let before = try await transaction.query(PostStore.status(id, viewer: viewer)).status()
            try await remove(boostOf: id, by: viewer, dependencies, transaction)
            guard let before else { return StatusRow?.none }
            return try await transaction.query(PostStore.status(before.post.id, viewer: viewer)).status()
        }
        guard let status else { throw Problem.notFound }
        return .json(status.view(for: viewer, site: dependencies.site))
    }

    /// - Parameter id: the boosted post's, or the boost's own.
    static func remove(
        boostOf id: PostID,
        by viewer: AccountID,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws {
        let removed = try await transaction.query(ReactionStore.unboost(id, by: viewer, at: dependencies.now()))
        guard let row = removed.first else { return }
        var columns = row.columns
        let boost: PostID = try columns.next()
        let post: PostID = try columns.next()
        try transaction.record(
            PostUnreposted(actorID: viewer, boostID: boost, postID: post, subjectVersion: try columns.next())
        )
    }
}
