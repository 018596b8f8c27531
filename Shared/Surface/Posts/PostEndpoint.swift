// SPDX-License-Identifier: Apache-2.0
// Single posts and what people do with them.

import Domain

/// Single posts and what people do with them.
public enum PostEndpoint: String, EndpointGroup {
    case createPost, postsByIDs, getPost, editPost, deletePost, context, postHistory, postSource, favouritedBy,
        boostedBy, favourite, unfavourite, boost, unboost, bookmark, unbookmark, muteConversation, unmuteConversation,
        pinPost, unpinPost

    public static var service: ServiceName? { .posts }

    public var endpoint: Endpoint {
        switch self {
        case .createPost: .post("/api/v1/statuses", .account("write:statuses"), isKeyed: true, answer: "Status")
        case .postsByIDs: .get("/api/v1/statuses", .anyone, answer: "[Status]")
        case .getPost: .get("/api/v1/statuses/:id", .anyone, answer: "Status")
        case .editPost: .put("/api/v1/statuses/:id", .account("write:statuses"), answer: "Status")
        case .deletePost: .delete("/api/v1/statuses/:id", .account("write:statuses"), rate: .delete, answer: "Status")
        case .context: .get("/api/v1/statuses/:id/context", .anyone, isCostly: true, answer: "Context")
        case .postHistory: .get("/api/v1/statuses/:id/history", .anyone, isCostly: true, answer: "[Edit]")
        case .postSource: .get("/api/v1/statuses/:id/source", .account("read:statuses"), answer: "StatusSource")
        case .favouritedBy: .get("/api/v1/statuses/:id/favourited_by", .anyone, answer: "[Account]")
        case .boostedBy: .get("/api/v1/statuses/:id/reblogged_by", .anyone, answer: "[Account]")
        case .favourite: .post("/api/v1/statuses/:id/favourite", .account("write:favourites"), answer: "Status")
        case .unfavourite: .post("/api/v1/statuses/:id/unfavourite", .account("write:favourites"), answer: "Status")
        case .boost: .post("/api/v1/statuses/:id/reblog", .account("write:statuses"), answer: "Status")
        case .unboost:
            .post("/api/v1/statuses/:id/unreblog", .account("write:statuses"), rate: .delete, answer: "Status")
        case .bookmark: .post("/api/v1/statuses/:id/bookmark", .account("write:bookmarks"), answer: "Status")
        case .unbookmark: .post("/api/v1/statuses/:id/unbookmark", .account("write:bookmarks"), answer: "Status")
        case .muteConversation: .post("/api/v1/statuses/:id/mute", .account("write:mutes"), answer: "Status")
        case .unmuteConversation: .post("/api/v1/statuses/:id/unmute", .account("write:mutes"), answer: "Status")
        case .pinPost: .post("/api/v1/statuses/:id/pin", .account("write:accounts"), answer: "Status")
        case .unpinPost: .post("/api/v1/statuses/:id/unpin", .account("write:accounts"), answer: "Status")
        }
    }
}
