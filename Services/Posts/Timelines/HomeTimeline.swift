// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/timelines/home: what the accounts that somebody follows post and boost.

import Domain
import Serving
import Web

/// One statement, whatever the number of followed accounts; none but a look where nothing changed.
enum HomeTimeline {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = try request.requireAccount().id
        let page = try request.parameters().page(default: 20, maximum: 40)
        let anybodyIsPopular = try await dependencies.popularity.anybodyIsPopular(dependencies)
        return try await dependencies.answers.answer(
            to: request,
            variant: anybodyIsPopular ? 1 : 0,
            in: dependencies.database
        ) {
            async let popular =
                anybodyIsPopular ? TimelineStore.popularAccounts(followedBy: viewer, in: dependencies.database) : []
            let listed = try await TimelineStore.home(
                of: viewer,
                anybodyIsPopular: anybodyIsPopular,
                page: page,
                in: dependencies.database
            )
            let rows = try await dependencies.statuses.shown(listed, dependencies)
            // What popular accounts post is in nobody's timeline: it is a change of their own posts alone.
            let lists = try await popular.map { -$0.rawValue }
            return Shown(
                .statuses(rows, request, site: dependencies.site),
                subjects: rows.subjects(viewer.rawValue, ShownStatus.returns).map { $0 + lists }
            )
        }
    }
}
