// SPDX-License-Identifier: Apache-2.0
// What a browser finds at the addresses that answers name: people, posts, tags.

/// What a browser finds at the addresses that answers name: people, posts, tags.
public enum PostPageEndpoint: String, EndpointGroup {
    case showAccountPage, showPostPage, showTagPage, leadToAccount, leadToPost, leadToBoost

    public static var service: ServiceName? { .posts }

    public var endpoint: Endpoint {
        switch self {
        case .showAccountPage: .get("/@:name", .anyone, isPage: true, isCostly: true)
        case .showPostPage: .get("/@:name/:id", .anyone, isPage: true, isCostly: true)
        case .showTagPage: .get("/tags/:hashtag", .anyone, isPage: true, isCostly: true)
        case .leadToAccount: .get("/users/:name", .anyone, isPage: true)
        case .leadToPost: .get("/users/:name/statuses/:id", .anyone, isPage: true)
        case .leadToBoost: .get("/users/:name/statuses/:id/activity", .anyone, isPage: true)
        }
    }
}
