// SPDX-License-Identifier: Apache-2.0
// POST /internal/found/projects: those projects that search found.

import Calls
import Domain
import Web

/// Shows projects in the order in which they were found, without those that the viewer may not see.
enum ShowFoundProjects {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let found = try FoundThings<Kind.Project>(request.parameters())
        let rows = try await BoardStore.found(found.ids, viewer: request.viewer, in: dependencies.database)
        return .json(array: rows.map { $0.view(site: dependencies.site) })
    }
}
