// SPDX-License-Identifier: Apache-2.0
// Lists of posts.

import Domain

/// Lists of posts.
public enum TimelineEndpoint: String, EndpointGroup {
    case homeTimeline, publicTimeline, tagTimeline, accountPosts, accountFavourites, favourites, bookmarks

    public static var service: ServiceName? { .posts }

    public var endpoint: Endpoint {
        switch self {
        case .homeTimeline: .get("/api/v1/timelines/home", .account("read:statuses"), answer: "[Status]")
        case .publicTimeline: .get("/api/v1/timelines/public", .anyone, answer: "[Status]")
        case .tagTimeline: .get("/api/v1/timelines/tag/:hashtag", .anyone, isCostly: true, answer: "[Status]")
        case .accountPosts: .get("/api/v1/accounts/:id/statuses", .anyone, answer: "[Status]")
        case .accountFavourites: .get("/api/v1/accounts/:id/favourites", .anyone, isCostly: true, answer: "[Status]")
        case .favourites: .get("/api/v1/favourites", .account("read:favourites"), answer: "[Status]")
        case .bookmarks: .get("/api/v1/bookmarks", .account("read:bookmarks"), answer: "[Status]")
        }
    }
}
