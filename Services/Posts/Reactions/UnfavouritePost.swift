// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/statuses/:id/unfavourite: somebody takes a like back.

import Domain
import Events
import Outbox
import Postgres
import ServiceKit
import Web

/// Somebody takes a like back.
struct FavouriteEnd: Sendable {
    /// The post, or a boost of it.
    let entry: PostID
    let viewer: AccountID
    /// Of the request.
    let trace = TraceContext.current
}

/// Removes a post from the viewer's favourites, even one that the viewer may no longer see.
enum UnfavouritePost {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let end = FavouriteEnd(entry: try request.id(), viewer: try request.requireAccount().id)
        let status = try await dependencies.unfavourites.run(
            end,
            in: dependencies.database
        ) { ends, transaction in
            let (removed, statuses) = try await transaction.together(
                { try await ReactionStore.delete(ends, in: $0) },
                { try await PostStore.statuses(ends.map { Sight(of: $0.entry, by: $0.viewer) }, in: $0) }
            )
            let traces = Dictionary(ends.map { ($0.viewer, $0.trace) }) { first, _ in first }
            for one in removed { try tell(one, trace: traces[one.viewer] ?? nil, in: transaction) }
            return statuses
        }
        guard let status else { throw Problem.notFound }
        return .json(status.shown.view(for: end.viewer, site: dependencies.site))
    }

    static func tell(
        _ removed: ReactionStore.Removed,
        trace: TraceContext? = .current,
        in transaction: Transaction
    ) throws {
        try transaction.record(
            PostUnliked(actorID: removed.viewer, postID: removed.post, subjectVersion: removed.version),
            trace: trace
        )
    }
}
