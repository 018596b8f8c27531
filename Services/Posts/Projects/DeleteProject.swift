// SPDX-License-Identifier: Apache-2.0
// DELETE /api/v1/projects/:id: the leader takes a project back, with everything in it.

import Domain
import Events
import Outbox
import Web

/// Makes a project a tombstone, which nobody sees any more; what it held is erased by `Sweeps`. Its playground stays with those
/// who are in it.
enum DeleteProject {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await ChangeProject.apply(request, dependencies) { change in try delete(change) }
        return .empty
    }

    /// Deletes a project that is held, and tells it.
    static func delete(_ change: ProjectChange) throws {
        let (project, now) = (change.project, change.dependencies.now())
        let version = project.version + 1
        ProjectStore.delete(project.id, version: version, at: now, in: change.transaction)
        MediaStore.release(from: PostID(project.id.rawValue), except: [], at: now, in: change.transaction)
        try change.transaction.record(
            ProjectDeleted(projectID: project.id, leaderID: project.leaderID, subjectVersion: version)
        )
    }
}
