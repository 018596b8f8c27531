// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/applications, /api/v1/applications/:id and /api/v1/projects/:id/applications: who wants to be where.

import Domain
import Events
import Views
import Web

/// The viewer's own applications, the newest first; with `state`, those in it.
enum ListApplications {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = try request.requireAccount().id
        let state: ApplicationState? = try request.parameters().word("state")
        return try await answer(.account(viewer, state), viewer, request, dependencies)
    }

    static func answer(
        _ list: ApplicationList,
        _ viewer: AccountID,
        _ request: Request,
        _ dependencies: Dependencies
    ) async throws -> Answer {
        let page = try request.parameters().page(default: 20, maximum: 80)
        let rows = try await ApplicationStore.page(page, of: list, viewer: viewer, in: dependencies.database)
        return Answer.json(array: rows.map { $0.view(site: dependencies.site) })
            .linked(request, site: dependencies.site, rows.map(\.application.id))
    }
}

/// The applications to a project, for its leader; with `state`, those in it.
enum ListProjectApplications {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = try request.requireAccount().id
        let id: ProjectID = try request.id()
        let state: ApplicationState? = try request.parameters().word("state")
        let isLed = try await ProjectStore.isLed(id, by: viewer, in: dependencies.database).found()
        guard isLed else { throw Problem.forbidden }
        return try await ListApplications.answer(.project(id, state), viewer, request, dependencies)
    }
}

/// One application, for whoever made it and for the leader.
enum GetApplication {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = try request.requireAccount().id
        let row = try await ApplicationStore.row(request.id(), viewer: viewer, in: dependencies.database).found()
        return .json(row.view(site: dependencies.site))
    }
}

extension ApplicationRow {
    func view(site: Site) -> ApplicationView {
        ApplicationView(application: application, account: account, project: project, site: site)
    }
}
