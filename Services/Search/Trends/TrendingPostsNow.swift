// SPDX-License-Identifier: Apache-2.0
// GET /internal/trends/posts: posts of which many think much just now.

import Calls
import Web

enum TrendingPostsNow {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        .json(TrendingPosts([]))
    }
}
