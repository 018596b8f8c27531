// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/search/projects?q=: projects by their words and their titles.

import Calls
import Domain

/// Finds projects that look for people, and one's own drafts.
enum SearchProjects {
    static func run(_ request: WorkRequest) async throws -> WorkAnswer {
        let page = try await request.findPage(of: .project)
        let shown = try await request.show(projects: page[.project].map { ProjectID($0.id) })
        return request.answer(page.json("projects", page[.project], shown))
    }
}
