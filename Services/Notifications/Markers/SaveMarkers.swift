// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/markers: somebody has read this far.

import Domain
import Postgres
import Web

enum SaveMarkers {
    private struct Draft: Sendable {
        /// Of a post of the home timeline, or of a notification.
        let lastReadID: Int64
        let timeline: Marker.Timeline
        /// The version that the client saw, if it says so: another one is a conflict.
        let expected: Int64?

        /// Nil when the request does not name the timeline.
        init?(_ timeline: Marker.Timeline, _ parameters: Parameters) throws {
            guard let members = try parameters.nested(timeline.rawValue) else { return nil }
            guard let id: NotificationID = try members.id("last_read_id") else {
                throw Problem.invalid("\(timeline.rawValue)[last_read_id]", "blank")
            }
            lastReadID = id.rawValue
            self.timeline = timeline
            expected = try members.integer("version")
        }
    }

    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let parameters = try request.parameters()
        let drafts = try Marker.Timeline.allCases.compactMap { try Draft($0, parameters) }
        let (now, session) = (dependencies.now(), request.principal?.sessionID)
        let markers = try await dependencies.database.transaction { transaction in
            var markers: [Marker] = []
            for draft in drafts {
                let marker = try await MarkerStore.save(
                    draft.lastReadID,
                    draft.timeline,
                    of: account.id,
                    expected: draft.expected,
                    now: now,
                    in: transaction
                )
                guard let marker else { throw Problem.conflict("conflict") }
                markers.append(marker)
            }
            if markers.contains(where: { $0.timeline == .notifications }) {
                dependencies.deliveries(badgesOf: account.id, after: .notifications(by: session), in: transaction)
            }
            return markers
        }
        return .json(MarkersView(markers: markers))
    }
}
