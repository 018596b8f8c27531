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
        // What popular accounts post changes no home timeline that would be noted.
        if try await dependencies.popularity.anybodyIsPopular(dependencies) {
            return try await shown(to: viewer, page, anybodyIsPopular: true, request, dependencies).answer
        }
        return try await dependencies.answers.answer(to: request, in: dependencies.database) {
            try await shown(to: viewer, page, anybodyIsPopular: false, request, dependencies)
        }
    }

    private static func shown(
        to viewer: AccountID,
        _ page: Page,
        anybodyIsPopular: Bool,
        _ request: Request,
        _ dependencies: Dependencies
    ) async throws -> Shown {
        let listed = try await TimelineStore.home(
            of: viewer,
            anybodyIsPopular: anybodyIsPopular,
            page: page,
            in: dependencies.database
        )
        let rows = try await dependencies.statuses.shown(listed, dependencies)
        return Shown(
            .statuses(rows, request, site: dependencies.site),
            subjects: rows.subjects(viewer.rawValue, ShownStatus.returns)
        )
    }
}
