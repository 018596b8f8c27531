// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/statuses/:id/unfavourite: somebody takes a like back.

import Domain
import Events
import Outbox
import Postgres
import Web

/// Removes a post from the viewer's favourites, even one that the viewer may no longer see.
enum UnfavouritePost {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = try request.requireAccount().id
        let id: PostID = try request.id()
        let status = try await dependencies.database.transaction { transaction in
            let (removed, status) = try await transaction.together(
                { try await ReactionStore.deleteFavourite(id, by: viewer, in: $0) },
                { try await PostStore.status(id, viewer: viewer, in: $0) }
            )
            if let removed {
                try transaction.record(
                    PostUnliked(actorID: viewer, postID: removed.post, subjectVersion: removed.version)
                )
            }
            return status
        }
        guard let status else { throw Problem.notFound }
        return .json(status.shown.view(for: viewer, site: dependencies.site))
    }
}
