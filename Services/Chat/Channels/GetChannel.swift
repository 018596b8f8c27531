// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/channels/:id: one channel.

import Domain
import Web

/// Shows a channel, direct ones too, to who may see it.
enum GetChannel {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        .json(ChannelView(try await seen(request, dependencies), site: dependencies.site))
    }

    /// The channel of the path, which the asking person may see.
    static func seen(_ request: Request, _ dependencies: Dependencies) async throws -> SeenChannel {
        let account = try request.requireAccount()
        let seen = try await ChannelStore.seen(try request.id(), by: account.id, in: dependencies.database)
        guard let seen else { throw Problem.notFound }
        try seen.requireVisible()
        return seen
    }
}
