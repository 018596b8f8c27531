// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/accounts/:id/follow: somebody wants to see what an account posts.

import Domain
import Postgres
import Serving
import Web

/// Follows an account, asks a locked one, or changes how it is followed.
enum FollowAccount {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let options = try options(try request.parameters())
        let target: AccountID = try request.id()
        guard target != (try request.requireAccount().id) else { throw Problem.forbidden }
        return try await ChangePair.run(
            request,
            dependencies,
            plainly: { try await PlainFollows.begin(FollowChange(follow: $0, options: options), dependencies) },
            knowing: { pair, ties, transaction in
                if ties.areBlocked { throw Problem.forbidden }
                if ties.isFollowing {
                    FollowStore.update(pair.follow, of: .follows, options: options, in: transaction)
                } else if ties.isRequested {
                    FollowStore.update(pair.follow, of: .requests, options: options, in: transaction)
                } else if ties.isHidden {
                    throw Problem.notFound
                } else if pair.targetIsLocked {
                    try await count(pair, dependencies, transaction)
                    try await pair.follow.request(options, dependencies, in: transaction)
                } else {
                    try await count(pair, dependencies, transaction)
                    try await pair.follow.begin(options, dependencies, in: transaction)
                }
            }
        )
    }

    private static func count(_ pair: Pair, _ dependencies: Dependencies, _ transaction: Transaction) async throws {
        let now = dependencies.now()
        try await dependencies.limits.newAccounts.count(.follow, by: pair.actor, now: now, in: transaction)
    }

    private static func options(_ parameters: Parameters) throws -> FollowOptions {
        let languages = try parameters.strings("languages")
        if let languages {
            guard languages.count <= 100, languages.allSatisfy({ $0.isEmpty || LanguageCode.isWellFormed($0) }) else {
                throw Problem.invalid("languages", "inclusion")
            }
        }
        return FollowOptions(
            showBoosts: try parameters.boolean("reblogs"),
            notify: try parameters.boolean("notify"),
            languages: languages?.filter { !$0.isEmpty }
        )
    }
}
