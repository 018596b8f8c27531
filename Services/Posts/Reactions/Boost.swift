// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/statuses/:id/reblog: somebody passes a post on to their followers.

import Domain
import Events
import Outbox
import Postgres
import Views
import Web

/// Boosts a public or unlisted post, or a private one of the viewer's own; doing it again answers the first boost.
enum Boost {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let viewer = account.id
        let id: PostID = try request.id()
        let visibility = try Post.visibility(request.parameters())
        guard visibility != .direct else { throw Post.Rejection.unknownVisibility }
        try await EnsureAccount.run(account, dependencies)
        let boost: PostID = try dependencies.ids.next()
        let view = try await dependencies.database.transaction { transaction in
            let target = try await transaction.query(ReactionStore.boostTarget(id, by: viewer))
            guard let row = target.first else { throw Problem.notFound }
            var columns = row.columns
            let post: PostID = try columns.next()
            let postVisibility: Visibility = try columns.next()
            guard try columns.next(Bool.self) else { throw refusal(postVisibility) }
            let added = try await transaction.query(
                ReactionStore.boost(post, by: viewer, as: boost, visibility: visibility)
            )
            let entry = added.isEmpty ? try await existing(of: post, by: viewer, transaction) : boost
            guard let status = try await transaction.query(PostStore.entry(entry, viewer: viewer)).status() else {
                throw Problem.notFound
            }
            if !added.isEmpty, let made = status.boost {
                try transaction.record(
                    PostReposted(
                        actor: made.account,
                        boostID: made.id,
                        post: status.post,
                        author: status.author,
                        visibility: made.visibility,
                        boostedAt: made.createdAt
                    )
                )
            }
            return status.view(for: viewer, site: dependencies.site)
        }
        return .json(view)
    }

    private static func existing(
        of post: PostID,
        by viewer: AccountID,
        _ transaction: Transaction
    ) async throws -> PostID {
        guard let row = try await transaction.query(ReactionStore.boost(of: post, by: viewer)).first else {
            throw Problem.notFound
        }
        var columns = row.columns
        return try columns.next()
    }

    private static func refusal(_ visibility: Visibility) -> Problem {
        var problem = Problem.forbidden
        problem.detail = [
            .english: "A \(visibility.rawValue) post cannot be boosted.",
            .korean: "\(visibility.rawValue) 게시물은 부스트할 수 없습니다.",
            .japanese: "\(visibility.rawValue) の投稿はブーストできません。",
        ]
        return problem
    }
}
