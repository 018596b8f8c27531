// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/direct_channels and /requests: whom somebody talks to, and who would like to.

import Domain
import Web

/// The direct channels that the viewer opened or accepted, the last opened first.
enum ListDirectChannels {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await directChannels(request, dependencies, requested: false)
    }
}

/// Direct messages that strangers opened with the viewer, who has neither accepted nor declined them.
enum ListRequests {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await directChannels(request, dependencies, requested: true)
    }
}

private func directChannels(
    _ request: Request,
    _ dependencies: Dependencies,
    requested: Bool
) async throws -> Answer {
    let viewer = try request.requireAccount().id
    let parameters = try request.parameters()
    let channels = try await DirectChannelStore.list(
        of: viewer,
        requested: requested,
        in: try parameters.id("playground_id"),
        try parameters.page(default: 40, maximum: 100),
        in: dependencies.database
    )
    return Answer.json(array: channels.map { ChannelView($0, site: dependencies.site) })
        .linked(request, site: dependencies.site, channels.map(\.id))
}
