// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/statuses/:id/favourite: somebody likes a post.

import Domain
import Events
import Outbox
import Postgres
import ServiceKit
import Web

/// Somebody likes a post.
struct Favourite: Sendable {
    /// The post, or a boost of it.
    let entry: PostID
    let viewer: AccountID
    /// Where the favourite stands in the viewer's list.
    let place: PostID
    /// Of the request.
    let trace = TraceContext.current
}

/// Adds a post to the viewer's favourites; doing it again changes nothing.
enum FavouritePost {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let favourite = Favourite(entry: try request.id(), viewer: account.id, place: try dependencies.ids.next())
        try await EnsureAccount.run(account, dependencies)
        let status = try await dependencies.favourites.run(
            favourite,
            in: dependencies.database,
            add
        )
        guard let status else { throw Problem.notFound }
        return .json(status.view(for: account.id, site: dependencies.site))
    }

    /// - Returns: what each of those who like sees of the post; nil where they may not see it.
    @Sendable private static func add(
        _ favourites: [Favourite],
        in transaction: Transaction
    ) async throws -> [StatusRow?] {
        // In one round trip and the commit, because others wait for the posts meanwhile.
        let (added, statuses, actors) = try await transaction.together(
            { try await ReactionStore.add(favourites, in: $0) },
            { try await PostStore.entries(favourites.map { Sight(of: $0.entry, by: $0.viewer) }, in: $0) },
            { try await AccountStore.accounts(Set(favourites.map(\.viewer)).sorted(), in: $0) }
        )
        let places = Dictionary(added.map { ($0.place, $0) }) { first, _ in first }
        let people = Dictionary(actors.map { ($0.id, $0) }) { first, _ in first }
        return try zip(favourites, statuses).map { favourite, entry in
            guard let added = places[favourite.place] else { return nil }
            // What was asked for went while the favourite came, which is undone.
            guard let status = entry?.shown, status.post.id == added.post else { throw Problem.notFound }
            if let version = added.version {
                let actor = try people[favourite.viewer].found()
                var post = status.post
                post.version = version
                let liked = PostLiked(
                    actor: actor,
                    post: post,
                    author: status.author,
                    likedAt: favourite.place.timestamp
                )
                try transaction.record(liked, trace: favourite.trace)
            }
            return status
        }
    }
}
