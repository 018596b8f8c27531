// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/playgrounds/:id/members: who is in a playground.

import Domain
import Views
import Web

/// Lists members to members; with `q`, those whose name holds it.
enum ListPlaygroundMembers {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let parameters = try request.parameters()
        let text = try parameters.prose("q", limit: dependencies.limits.query) ?? ""
        let page = try parameters.page(default: 100, maximum: 200)
        let seen = try await GetPlayground.seen(request, dependencies)
        try seen.require(.look)
        return try await PlaygroundMemberStore.list(of: seen.id, text: text, page, in: dependencies.database)
            .answer(request, dependencies)
    }
}

extension [Member] {
    /// The members as a page.
    func answer(_ request: Request, _ dependencies: Dependencies) -> Answer {
        Answer.json(array: map { MemberView(member: $0, site: dependencies.site) })
            .linked(
                request,
                site: dependencies.site,
                newest: first?.person.id.rawValue,
                oldest: last?.person.id.rawValue
            )
    }
}
