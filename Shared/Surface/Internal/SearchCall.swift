// SPDX-License-Identifier: Apache-2.0
// What the gateway asks search for.

/// What the gateway asks search for, so that it can show what was found as posts and chat show it.
public enum SearchCall: String, EndpointGroup {
    case find, suggestPeople, trendingPosts

    public static var service: ServiceName? { .search }

    public var endpoint: Endpoint {
        switch self {
        case .find: .post("/internal/search", .anyone)
        case .suggestPeople: .get("/internal/suggestions", .account(nil))
        case .trendingPosts: .get("/internal/trends/posts", .anyone)
        }
    }
}
