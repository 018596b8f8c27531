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
        let view = try await dependencies.database.transaction { transaction in
            // In one round trip and the commit, because others wait for the post meanwhile.
            let (added, entry, actor) = try await transaction.together(
                { try await ReactionStore.add(.favourites, id, by: viewer, as: place, in: $0) },
                { try await PostStore.entry(id, viewer: viewer, in: $0) },
                { try await AccountStore.account(viewer, in: $0) }
            )
            // Not counted: the post was deleted while the favourite came.
            guard let added, added.isCounted || !added.isNew, let status = entry?.shown, status.post.id == added.post
            else { throw Problem.notFound }
            if added.isNew {
                let actor = try actor.found()
                try transaction.record(
                    PostLiked(actor: actor, post: status.post, author: status.author, likedAt: place.timestamp)
                )
            }
            return status.view(for: viewer, site: dependencies.site)
        }
        return .json(view)
    }
}
