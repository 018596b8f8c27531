// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/trends/tags: hashtags that more people use than usual.

import Web

enum TrendingTags {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let part = try Part(request.parameters(), default: 10, maximum: 20)
        let ids = part.of(try await Trends.now(.hashtag, dependencies)).map(\.id)
        return .json(array: try await Tags.views(ids, dependencies))
    }
}

/// A part of a short list: `limit` from `offset` on.
struct Part: Sendable {
    private let offset: Int
    private let limit: Int

    init(_ parameters: Parameters, default: Int, maximum: Int) throws {
        limit = try parameters.limit(default: `default`, maximum: maximum)
        offset = Int(min(max(try parameters.integer("offset") ?? 0, 0), 1000))
    }

    func of<Value>(_ values: [Value]) -> [Value] { Array(values.dropFirst(offset).prefix(limit)) }
}
