// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/markers: how far somebody has read.

import Domain
import Web

enum ReadMarkers {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let timelines = try request.parameters().strings("timeline") ?? []
        let markers = try await MarkerStore.markers(
            of: account.id,
            timelines.compactMap(Marker.Timeline.init(rawValue:)),
            in: dependencies.database
        )
        return .json(MarkersView(markers: markers))
    }
}
