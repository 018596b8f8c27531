// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/trends/statuses: posts of which many think much just now.

import Calls
import NIOHTTP1
import Surface

enum ListTrendingPosts {
    static func run(_ request: WorkRequest) async throws -> WorkAnswer {
        let parameters = try request.parameters()
        let limit = try parameters.number("limit", default: 20, 1...40)
        let offset = try parameters.number("offset", default: 0, 0...1000)
        let path = "\(SearchCall.trendingPosts.path)?limit=\(limit)&offset=\(offset)"
        guard let trending = TrendingPosts(answer: try await request.askSearch(ServiceCall(.GET, .search, path))) else {
            throw WorkRequest.isAway("search: trends cannot be read")
        }
        return request.answer(try await request.show(posts: Array(trending.ids.prefix(limit))))
    }
}
