// SPDX-License-Identifier: Apache-2.0
// Routes about single posts and what people do with them.

import Domain
import Web

extension Routes {
    static let posts: [Route<Dependencies>] = [
        .post("/api/v1/statuses", .account("write:statuses"), CreatePost.run),
        .get("/api/v1/statuses", .anyone, PostsByIDs.run),
        .get("/api/v1/statuses/:id", .anyone, GetPost.run),
        .put("/api/v1/statuses/:id", .account("write:statuses"), EditPost.run),
        .delete("/api/v1/statuses/:id", .account("write:statuses"), DeletePost.run),
        .get("/api/v1/statuses/:id/context", .anyone, Context.run),
        .get("/api/v1/statuses/:id/history", .anyone, PostHistory.run),
        .get("/api/v1/statuses/:id/source", .account("read:statuses"), PostSource.run),
        .get("/api/v1/statuses/:id/favourited_by", .anyone, FavouritedBy.run),
        .get("/api/v1/statuses/:id/reblogged_by", .anyone, BoostedBy.run),
        .post("/api/v1/statuses/:id/favourite", .account("write:favourites"), Favourite.run),
        .post("/api/v1/statuses/:id/unfavourite", .account("write:favourites"), Unfavourite.run),
        .post("/api/v1/statuses/:id/reblog", .account("write:statuses"), Boost.run),
        .post("/api/v1/statuses/:id/unreblog", .account("write:statuses"), Unboost.run),
        .post("/api/v1/statuses/:id/bookmark", .account("write:bookmarks"), Bookmark.run),
        .post("/api/v1/statuses/:id/unbookmark", .account("write:bookmarks"), Unbookmark.run),
        .post("/api/v1/statuses/:id/mute", .account("write:mutes"), MuteConversation.run),
        .post("/api/v1/statuses/:id/unmute", .account("write:mutes"), UnmuteConversation.run),
        .post("/api/v1/statuses/:id/pin", .account("write:accounts")) { _, _ in throw Post.Rejection.notOffered("pin")
        },
        .post("/api/v1/statuses/:id/unpin", .account("write:accounts")) { _, _ in
            throw Post.Rejection.notOffered("pin")
        },
    ]
}
