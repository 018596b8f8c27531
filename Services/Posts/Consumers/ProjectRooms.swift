// SPDX-License-Identifier: Apache-2.0
// The queue posts.projects: where the people of projects talk, and who went out there.

import Domain
import Events
import Outbox
import Postgres

/// Follows what chat says of the playgrounds of projects.
enum ProjectRooms {
    static func queue(_ dependencies: Dependencies) -> EventQueue {
        EventQueue(
            "posts.projects",
            prefetch: 16,
            [
                Reaction(to: ProjectRoomChanged.self) { envelope, transaction in
                    ProjectStore.setRoom(envelope.data, in: transaction)
                },
                Reaction(to: ProjectMemberLeft.self) { envelope, transaction in
                    try await left(envelope.data, dependencies, transaction)
                },
            ]
        )
    }

    /// Who went out of the playground goes out of the project, unless they have come into it anew since. The leader cannot: they
    /// are let in again.
    private static func left(
        _ event: ProjectMemberLeft,
        _ dependencies: Dependencies,
        _ transaction: Transaction
    ) async throws {
        guard let held = try await ProjectStore.hold(event.projectID, in: transaction),
            try await ProjectMemberStore.since(event.accountID, in: event.projectID, transaction) == event.since
        else { return }
        var change = ProjectChange(held, dependencies, transaction)
        guard held.project.leaderID == event.accountID else { return try await change.remove(event.accountID) }
        change.project.version += 1
        let (id, version) = (change.project.id, change.project.version)
        ProjectMemberStore.renew(event.accountID, in: id, since: version, transaction)
        ProjectStore.setVersion(version, of: id, in: transaction)
        try await change.tellMembers()
    }
}
