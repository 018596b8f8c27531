// SPDX-License-Identifier: Apache-2.0
// Routes about who follows, blocks and mutes whom.

import Domain
import Web

extension Routes {
    static let graph: [Route<Dependencies>] = [
        .get("/api/v1/accounts/relationships", .account("read:follows"), GetRelationships.run),
        .get("/api/v1/accounts/familiar_followers", .account("read:follows"), GetFamiliarFollowers.run),
        .get("/api/v1/accounts/:id/followers", .anyone, ListFollowers.run),
        .get("/api/v1/accounts/:id/following", .anyone, ListFollowing.run),
        .post("/api/v1/accounts/:id/follow", .account("write:follows"), FollowAccount.run),
        .post("/api/v1/accounts/:id/unfollow", .account("write:follows"), UnfollowAccount.run),
        .post("/api/v1/accounts/:id/remove_from_followers", .account("write:follows"), RemoveFollower.run),
        .post("/api/v1/accounts/:id/block", .account("write:blocks"), BlockAccount.run),
        .post("/api/v1/accounts/:id/unblock", .account("write:blocks"), UnblockAccount.run),
        .post("/api/v1/accounts/:id/mute", .account("write:mutes"), MuteAccount.run),
        .post("/api/v1/accounts/:id/unmute", .account("write:mutes"), UnmuteAccount.run),
        .post("/api/v1/accounts/:id/note", .account("write:accounts"), NoteAccount.run),
        .get("/api/v1/blocks", .account("read:blocks"), ListBlocks.run),
        .get("/api/v1/mutes", .account("read:mutes"), ListMutes.run),
        .get("/api/v1/follow_requests", .account("read:follows"), ListFollowRequests.run),
        .post("/api/v1/follow_requests/:id/authorize", .account("write:follows"), AuthorizeFollowRequest.run),
        .post("/api/v1/follow_requests/:id/reject", .account("write:follows"), RejectFollowRequest.run),
    ]
}
