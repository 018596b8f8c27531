// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/statuses/:id/reblog: somebody passes a post on to their followers.

import Domain
import Events
import Outbox
import Postgres
import Views
import Web

/// Boosts a public or unlisted post, or a private one of the viewer's own; doing it again answers the first boost.
enum BoostPost {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let viewer = account.id
        let id: PostID = try request.id()
        let visibility = try Post.visibility(request.parameters())
        guard visibility != .direct else { throw Post.Rejection.unknownVisibility }
        try await EnsureAccount.run(account, dependencies)
        let boost: PostID = try dependencies.ids.next()
        let view = try await dependencies.database.transaction { transaction in
            let target = try await ReactionStore.boostTarget(id, by: viewer, in: transaction).found()
            guard target.isAllowed else { throw refusal(target.visibility) }
            let isNew = try await ReactionStore.boost(
                target.post,
                by: viewer,
                as: boost,
                visibility: visibility,
                in: transaction
            )
            guard
                let entry = isNew
                    ? boost : try await ReactionStore.boost(of: target.post, by: viewer, in: transaction),
                let status = try await PostStore.entry(entry, viewer: viewer, in: transaction)
            else { throw Problem.notFound }
            if isNew, let made = status.boost {
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
