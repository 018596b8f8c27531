// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/statuses?id[]=…: several posts at once.

import Domain
import Web

/// Those of the wanted posts that the viewer may see, in the order in which they were asked for.
enum PostsByIDs {
    /// More ids than this are not looked at.
    static let most = 40

    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        var seen: Set<PostID> = []
        let wanted = try (request.parameters().ids("id") ?? []).prefix(most).filter { seen.insert($0).inserted }
        guard !wanted.isEmpty else { return .json(bytes: Array("[]".utf8)) }
        let rows = try await PostStore.statuses(wanted, viewer: request.viewer, in: dependencies.database)
        let found = Dictionary(rows.map { ($0.entryID, $0) }, uniquingKeysWith: { first, _ in first })
        return .json(
            array: wanted.compactMap { found[$0]?.view(for: request.viewer, site: dependencies.site) }
        )
    }
}
