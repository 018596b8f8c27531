// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/playgrounds/:id/search?q=: channels and members whose names hold a text.

import Domain
import Views
import Web

/// Finds part of a word in any script, whatever the case.
enum SearchPlayground {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let parameters = try request.parameters()
        let text = try parameters.prose("q", limit: dependencies.limits.query) ?? ""
        let limit = Int(min(max(try parameters.integer("limit") ?? 20, 1), 50))
        let seen = try await SeenPlayground.find(request, dependencies, to: .look)
        guard !text.isEmpty else { return answer([], [], dependencies) }
        let account = try request.requireAccount()
        async let channels = ChannelStore.list(
            of: seen.id,
            seenBy: account.id,
            text: text,
            limit: limit,
            in: dependencies.database
        )
        async let members = MemberStore.list(
            of: .playground(seen.id),
            text: text,
            Page(limit: limit),
            in: dependencies.database
        )
        return answer(try await channels, try await members, dependencies)
    }

    private static func answer(
        _ channels: [SeenChannel],
        _ members: [Member],
        _ dependencies: Dependencies
    ) -> Answer {
        .json { json in
            json.member("channels", channels.map { ChannelView($0, site: dependencies.site) })
            json.member("members", members.map { MemberView(member: $0, site: dependencies.site) })
        }
    }
}
