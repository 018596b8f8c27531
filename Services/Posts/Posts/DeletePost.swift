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
            guard let locked = try await PostStore.lock(id, of: author, in: transaction),
                let status = try await PostStore.entry(id, viewer: author, in: transaction)
            else { throw Problem.notFound }
            if let boosted = locked.boosted {
                try await Boost.takeBack(of: boosted, by: author, dependencies, transaction)
            } else {
                try await delete(id, by: author, dependencies, transaction)
                // Who deletes to write again attaches them again.
                if status.post.media != nil {
                    MediaStore.release(from: id, except: [], at: dependencies.now(), in: transaction)
                }
            }
            return status.view(for: author, with: status.flags, site: dependencies.site, withText: true)
        }
        return .json(view)
    }

    /// Takes a post that is no boost back, if it is there, with the first of its boosts, and tells it.
    static func delete(
        _ id: PostID,
        by author: AccountID,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws {
        let now = dependencies.now()
        guard let version = try await PostStore.delete(id, at: now, in: transaction) else { return }
        let boosts = try await PostStore.deleteBoosts(
            of: id,
            limit: dependencies.limits.boostsInStep,
            at: now,
            in: transaction
        )
        try transaction.record(
            PostDeleted(postID: id, accountID: author, boostIDs: boosts, subjectVersion: version)
        )
    }
}
