// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/statuses/:id/favourite: somebody likes a post.

import Domain
import Events
import Outbox
import Postgres
import Views
import Web

/// Adds a post to the viewer's favourites; doing it again changes nothing.
enum Favourite {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let viewer = account.id
        let id: PostID = try request.id()
        try await EnsureAccount.run(account, dependencies)
        let place: PostID = try dependencies.ids.next()
        // Read before the post is locked, so that others wait the less for it.
        guard let actor = try await AccountStore.account(viewer, in: dependencies.database) else {
            throw Problem.notFound
        }
        let view = try await dependencies.database.transaction { transaction in
            let added = try await transaction.query(ReactionStore.favourite(id, by: viewer, as: place))
            guard let row = added.first else { throw Problem.notFound }
            var columns = row.columns
            let post: PostID = try columns.next()
            let isNew: Bool = try columns.next()
            let isCounted: Bool = try columns.next()
            // The post was deleted while the favourite came.
            if isNew, !isCounted { throw Problem.notFound }
            guard let status = try await transaction.query(PostStore.entry(post, viewer: viewer)).status() else {
                throw Problem.notFound
            }
            if isNew {
                try transaction.record(
                    PostLiked(actor: actor, post: status.post, author: status.author, likedAt: place.timestamp)
                )
            }
            return status.view(for: viewer, site: dependencies.site)
        }
        return .json(view)
    }
}
