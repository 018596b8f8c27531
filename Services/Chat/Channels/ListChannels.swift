// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/playgrounds/:id/channels: the channels of a playground that the asking person sees.

import Domain
import Web

/// Lists public channels and one's own, the one of everybody first, archived ones last.
enum ListChannels {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let seen = try await SeenPlayground.find(request, dependencies, to: .look)
        let list = try await ChannelStore.list(
            of: seen.id,
            seenBy: try request.requireAccount().id,
            limit: dependencies.limits.channels,
            in: dependencies.database
        )
        return .json(array: list.map { ChannelView($0, site: dependencies.site) })
    }
}
