// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/channels/:id/members: who is in a channel.

import Web

/// Lists members to who may see the channel; with `q`, those whose name holds it.
enum ListChannelMembers {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let parameters = try request.parameters()
        let text = try parameters.prose("q", limit: dependencies.limits.query) ?? ""
        let page = try parameters.page(default: 100, maximum: 200)
        let seen = try await SeenChannel.find(request, dependencies)
        return try await MemberStore.list(of: .channel(seen.id), text: text, page, in: dependencies.database)
            .answer(request, dependencies)
    }
}
