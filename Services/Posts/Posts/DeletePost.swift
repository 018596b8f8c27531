// SPDX-License-Identifier: Apache-2.0
// DELETE /api/v1/statuses/:id: the author takes a post back.

import Domain
import Events
import Outbox
import Postgres
import Views
import Web

/// Deletes a post and its boosts, the first of them at once and the rest from `Fanout`; answers the post with its text, for those who delete to write again.
enum DeletePost {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let author = try request.requireAccount().id
        let id: PostID = try request.id()
        let view = try await dependencies.database.transaction { transaction in
            guard let lock = try await transaction.query(PostStore.lock(id, of: author)).first,
                let status = try await transaction.query(PostStore.entry(id, viewer: author)).status()
            else { throw Problem.notFound }
            var columns = lock.columns
            if let boosted: PostID = try columns.next() {
                try await Unboost.remove(boostOf: boosted, by: author, dependencies, transaction)
            } else {
                try await delete(id, by: author, dependencies, transaction)
            }
            return status.view(for: author, site: dependencies.site, withText: true)
        }
        return .json(view)
    }

    private static func delete(
        _ id: PostID,
        by author: AccountID,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws {
        guard let row = try await transaction.query(PostStore.delete(id, at: dependencies.now())).first else { return }
        var columns = row.columns
        let version: Int64 = try columns.next()
        let boosts = try await transaction.query(
            PostStore.deleteBoosts(of: id, limit: dependencies.limits.boostsInStep, at: dependencies.now())
        ).ids(Kind.Post.self)
        try transaction.record(
            PostDeleted(postID: id, accountID: author, boostIDs: boosts, subjectVersion: version)
        )
    }
}
