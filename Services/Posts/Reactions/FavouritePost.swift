// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/statuses/:id/favourite: somebody likes a post.

import Domain
import Events
import Outbox
import Postgres
import Web

/// Adds a post to the viewer's favourites; doing it again changes nothing.
enum FavouritePost {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let viewer = account.id
        let id: PostID = try request.id()
        try await EnsureAccount.run(account, dependencies)
        let place: PostID = try dependencies.ids.next()
        // Read before the post is locked, so that others wait the less for it.
        let actor = try await AccountStore.account(viewer, in: dependencies.database).found()
        let view = try await dependencies.database.transaction { transaction in
            let added = try await ReactionStore.add(.favourites, id, by: viewer, as: place, in: transaction)
            // Not counted: the post was deleted while the favourite came.
            guard let added, added.isCounted || !added.isNew,
                let status = try await PostStore.entry(added.post, viewer: viewer, in: transaction)
            else { throw Problem.notFound }
            if added.isNew {
                try transaction.record(
                    PostLiked(actor: actor, post: status.post, author: status.author, likedAt: place.timestamp)
                )
            }
            return status.view(for: viewer, site: dependencies.site)
        }
        return .json(view)
    }
}
