// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/timelines/public: what everyone posts for everyone.

import Web

/// Public posts that are not replies to others. Every account here is local.
enum PublicTimeline {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let parameters = try request.parameters()
        let page = try parameters.page(default: 20, maximum: 40)
        if try parameters.boolean("remote") == true {
            return .statuses([StatusRow](), request, site: dependencies.site)
        }
        let listed = try await TimelineStore.everyones(
            viewer: request.viewer,
            onlyMedia: try parameters.boolean("only_media") ?? false,
            page: page,
            in: dependencies.database
        )
        let rows = try await dependencies.statuses.shown(listed, dependencies)
        return .statuses(rows, request, site: dependencies.site)
    }
}
