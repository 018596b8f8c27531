// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/projects/:id and its history: one project, and what it was before its edits.

import Domain
import Events
import Views
import Web

/// One project, if the viewer may see it; counts that they looked.
enum GetProject {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let row = try await VisibleProject.require(request.id(), request, dependencies)
        if let viewer = request.viewer, viewer != row.leader.id {
            dependencies.views.note(row.project.id, by: viewer, at: dependencies.now())
        }
        return .json(row.view(site: dependencies.site))
    }
}

/// The newest forms that a project has had since others saw it, oldest first, the present one last.
enum ProjectHistory {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let row = try await VisibleProject.require(request.id(), request, dependencies)
        var forms: [ProjectSnapshot] = []
        if row.project.editedAt != nil {
            let limit = dependencies.limits.projects.edits
            forms = try await ProjectStore.forms(of: row.project.id, limit: limit, in: dependencies.database)
        }
        forms.append(row.project)
        return .json(array: forms.map { ProjectFormView(project: $0, site: dependencies.site) })
    }
}
