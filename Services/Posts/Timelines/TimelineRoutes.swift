// SPDX-License-Identifier: Apache-2.0
// Lists of posts.

import Surface
import Web

extension Routes {
    static let timelines: [Route<Dependencies>] = Route.all(TimelineEndpoint.self, run)

    private static func run(_ endpoint: TimelineEndpoint) -> Route<Dependencies>.Run {
        switch endpoint {
        case .homeTimeline: HomeTimeline.run
        case .publicTimeline: PublicTimeline.run
        case .tagTimeline: TagTimeline.run
        case .accountPosts: AccountPosts.run
        case .favourites: ListFavourites.run
        case .accountFavourites: ListAccountFavourites.run
        case .bookmarks: ListBookmarks.run
        }
    }
}
