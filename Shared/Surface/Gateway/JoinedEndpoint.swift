// SPDX-License-Identifier: Apache-2.0
// What the gateway answers by asking several services: search finds, posts and chat show.

import Domain

/// What the gateway answers by asking several services: search finds, posts and chat show.
public enum JoinedEndpoint: String, EndpointGroup {
    case search, oldSearch, searchAccounts, searchPlayground, searchProjects, searchRecords, listTrendingPosts,
        listSuggestions, oldListSuggestions

    public static var service: ServiceName? { nil }

    public var endpoint: Endpoint {
        switch self {
        // A token that comes along must allow `read:search`, here and for projects and records.
        case .search: .get("/api/v2/search", .anyone, isCostly: true, answer: "Search")
        case .oldSearch: .get("/api/v1/search", .anyone, isCostly: true, answer: "OldSearch")
        case .searchAccounts:
            .get("/api/v1/accounts/search", .account("read:accounts"), isCostly: true, answer: "[Account]")
        case .searchPlayground:
            .get(
                "/api/v1/playgrounds/:id/search",
                .account("read:chat"),
                isCostly: true,
                answer: "PlaygroundSearch"
            )
        case .searchProjects: .get("/api/v1/search/projects", .anyone, isCostly: true, answer: "ProjectSearch")
        case .searchRecords: .get("/api/v1/search/records", .anyone, isCostly: true, answer: "RecordSearch")
        case .listTrendingPosts: .get("/api/v1/trends/statuses", .anyone, answer: "[Status]")
        case .listSuggestions: .get("/api/v2/suggestions", .account("read"), answer: "[Suggestion]")
        case .oldListSuggestions: .get("/api/v1/suggestions", .account("read"), answer: "[Account]")
        }
    }
}
