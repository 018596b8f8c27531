// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/playgrounds/:id/bans: who may not come in, and why.

import Web

/// Lists bans to those who may ban.
enum ListBans {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let page = try request.parameters().page(default: 100, maximum: 200)
        let seen = try await SeenPlayground.find(request, dependencies, to: .ban)
        let list = try await BanStore.list(of: seen.id, page, site: dependencies.site, in: dependencies.database)
        return Answer.json(array: list)
            .linked(request, site: dependencies.site, list.map(\.person.id))
    }
}
