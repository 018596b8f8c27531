// SPDX-License-Identifier: Apache-2.0
// What search answers to clients by itself.

import Domain

/// Trends, what may be about to be typed, and books on shelves.
public enum SearchEndpoint: String, EndpointGroup {
    case trends, trendsTags, trendsLinks, suggestQueries, searchShelves, dismissSuggestion

    public static var service: ServiceName? { .search }

    public var endpoint: Endpoint {
        switch self {
        // As apps of long ago ask for hashtags.
        case .trends: .get("/api/v1/trends", .anyone, answer: "[TrendingTag]")
        case .trendsTags: .get("/api/v1/trends/tags", .anyone, answer: "[TrendingTag]")
        case .trendsLinks: .get("/api/v1/trends/links", .anyone, answer: "[TrendingLink]")
        case .suggestQueries: .get("/api/v1/search/suggestions", .anyone, answer: "[SearchSuggestion]")
        case .searchShelves: .get("/api/v1/search/books", .anyone, isCostly: true, answer: "BookSearch")
        case .dismissSuggestion: .delete("/api/v1/suggestions/:account_id", .account("read"))
        }
    }
}
