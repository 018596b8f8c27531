// SPDX-License-Identifier: Apache-2.0
// GET /internal/trends/posts: posts of which many think much just now.

import Calls
import Domain
import Postgres
import Web

enum TrendingPostsNow {
    /// How old a post may be.
    private static let age = Duration.seconds(3 * 86_400)

    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let part = try Part(request.parameters(), default: 20, maximum: 40)
        let now = dependencies.now()
        let posts = try await PopularStore.trending(
            since: now.first(before: age),
            now: now.first(before: .zero),
            for: request.principal?.account?.id,
            in: dependencies.bounded
        )
        return .json(TrendingPosts(part.of(posts)))
    }
}
