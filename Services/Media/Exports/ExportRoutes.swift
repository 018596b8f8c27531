// SPDX-License-Identifier: Apache-2.0
// What answers the endpoints of archives.

import Surface
import Web

enum ExportRoutes {
    static let all: [Route<Dependencies>] = Route.all(ExportEndpoint.self, run)

    private static func run(_ endpoint: ExportEndpoint) -> Route<Dependencies>.Run {
        switch endpoint {
        case .askForExport: ExportRequests.ask
        case .listExports: ExportRequests.list
        case .showExport: ExportRequests.show
        case .deleteExport: ExportRequests.delete
        }
    }
}
