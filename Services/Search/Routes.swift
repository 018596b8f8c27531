// SPDX-License-Identifier: Apache-2.0
// What answers the endpoints of search.

import Surface
package import Web

/// Every endpoint of search, each with its query.
package enum Routes {
    package static let all: [Route<Dependencies>] = endpoints + books + usage + calls

    private static let endpoints: [Route<Dependencies>] = Route.all(SearchEndpoint.self) { endpoint in
        switch endpoint {
        case .trends, .trendsTags: TrendingTags.run
        case .trendsLinks: TrendingLinks.run
        case .suggestQueries: SuggestQueries.run
        case .searchShelves: SearchShelves.run
        case .dismissSuggestion: DismissSuggestion.run
        }
    }

    private static let books: [Route<Dependencies>] = Route.all(BookEndpoint.self) { endpoint in
        switch endpoint {
        case .searchBooks: SearchBooks.run
        case .showBook: ShowBook.run
        }
    }

    private static let usage: [Route<Dependencies>] = Route.all(UsageEndpoint.self) { endpoint in
        switch endpoint {
        case .countUsage: CountUsage.run
        }
    }

    private static let calls: [Route<Dependencies>] = Route.all(SearchCall.self) { endpoint in
        switch endpoint {
        case .find: Find.run
        case .suggestPeople: SuggestPeople.run
        case .trendingPosts: TrendingPostsNow.run
        }
    }
}
