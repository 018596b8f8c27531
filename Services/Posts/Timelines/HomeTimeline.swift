// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/timelines/home: what the accounts that somebody follows post and boost.

import Domain
import Web

/// One statement, whatever the number of followed accounts.
enum HomeTimeline {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = try request.requireAccount().id
        let page = try request.parameters().page(default: 20, maximum: 40)
        let listed = try await TimelineStore.home(
            of: viewer,
            anybodyIsPopular: try await dependencies.popularity.anybodyIsPopular(dependencies),
            page: page,
            in: dependencies.database
        )
        let rows = try await dependencies.statuses.shown(listed, dependencies)
        return .statuses(rows, request, site: dependencies.site)
    }
}
