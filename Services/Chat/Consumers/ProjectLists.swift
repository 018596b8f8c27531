// SPDX-License-Identifier: Apache-2.0
// The queue chat.projects: who is in projects, and with that in their playgrounds.

import Domain
import Events
import Outbox

/// Follows the newest list of each project; playgrounds end the same in whatever order lists come, and however often.
enum ProjectLists {
    static func queue(_ dependencies: Dependencies) -> EventQueue {
        EventQueue(
            "chat.projects",
            prefetch: 16,
            prepare: { arrivals, transaction in
                let ids = Set(arrivals.events.compactMap(project)).sorted()
                guard !ids.isEmpty else { return }
                // Playgrounds in one order, whatever the order of the events.
                ProjectRoomStore.claim(ids, in: transaction)
                ProjectRoomStore.holdPlaygrounds(of: ids, in: transaction)
            },
            [
                Reaction(to: ProjectMembersChanged.self) { envelope, transaction in
                    try await ProjectRooms.follow(envelope.data, in: Work(dependencies, transaction))
                },
                Reaction(to: ProjectDeleted.self) { envelope, transaction in
                    ProjectRoomStore.end(envelope.data, at: dependencies.now(), in: transaction)
                },
            ]
        )
    }

    private static func project(_ event: any Event) -> ProjectID? {
        switch event {
        case let event as ProjectMembersChanged: event.projectID
        case let event as ProjectDeleted: event.projectID
        default: nil
        }
    }
}
