// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/playgrounds: the playgrounds that the asking person is in.

import Domain
import Web

/// Lists playgrounds, newest first.
enum ListPlaygrounds {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let page = try request.parameters().page(default: 100, maximum: 200)
        let list = try await PlaygroundStore.list(of: account.id, page, in: dependencies.database)
        return Answer.json(array: list.map { PlaygroundView($0, site: dependencies.site) })
            .linked(request, site: dependencies.site, list.map(\.id))
    }
}
