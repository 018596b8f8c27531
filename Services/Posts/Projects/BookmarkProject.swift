// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/projects/:id/bookmark and /unbookmark: somebody keeps a project for themselves.

import Domain
import Web

/// Adds a project to those that the viewer keeps, which nobody else hears of; doing it again changes nothing.
enum BookmarkProject {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let id: ProjectID = try request.id()
        try await EnsureAccount.run(account, dependencies)
        let place = try dependencies.ids.next(ProjectID.self).rawValue
        let isSeen = try await ProjectStore.bookmark(id, by: account.id, as: place, in: dependencies.database)
        guard isSeen else { throw Problem.notFound }
        return try await VisibleProject.answer(id, request, dependencies)
    }
}

/// Removes a project from those that the viewer keeps.
enum UnbookmarkProject {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = try request.requireAccount().id
        let id: ProjectID = try request.id()
        try await ProjectStore.unbookmark(id, by: viewer, in: dependencies.database)
        return try await VisibleProject.answer(id, request, dependencies)
    }
}
