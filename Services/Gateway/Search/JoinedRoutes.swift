// SPDX-License-Identifier: Apache-2.0
// What answers the endpoints for which several services are asked.

import Surface

extension JoinedEndpoint {
    var line: WorkLine { WorkLine(path: path, asker: .own(endpoint.access), run: JoinedEndpoint.run(self)) }

    private static func run(_ endpoint: JoinedEndpoint) -> WorkLine.Run {
        switch endpoint {
        case .search: Search.run
        case .oldSearch: Search.runOld
        case .searchAccounts: SearchAccounts.run
        case .searchPlayground: SearchPlayground.run
        case .searchProjects: SearchProjects.run
        case .searchRecords: SearchRecords.run
        case .listTrendingPosts: ListTrendingPosts.run
        case .listSuggestions: ListSuggestions.run
        case .oldListSuggestions: ListSuggestions.runOld
        }
    }
}
