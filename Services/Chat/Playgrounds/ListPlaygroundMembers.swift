// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/playgrounds/:id/members: who is in a playground.

import Web

/// Lists members to members; with `q`, those whose name holds it.
enum ListPlaygroundMembers {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let parameters = try request.parameters()
        let text = try parameters.prose("q", limit: dependencies.limits.query) ?? ""
        let page = try parameters.page(default: 100, maximum: 200)
        let seen = try await SeenPlayground.find(request, dependencies, to: .look)
        return try await MemberStore.list(of: .playground(seen.id), text: text, page, in: dependencies.database)
            .answer(request, dependencies)
    }
}
