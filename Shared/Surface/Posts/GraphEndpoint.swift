// SPDX-License-Identifier: Apache-2.0
// Who follows, blocks and mutes whom.

import Domain

/// Who follows, blocks and mutes whom.
public enum GraphEndpoint: String, EndpointGroup {
    case getRelationships, getFamiliarFollowers, listFollowers, listFollowing, followAccount, unfollowAccount,
        removeFollower, blockAccount, unblockAccount, muteAccount, unmuteAccount, noteAccount, listBlocks, listMutes,
        listFollowRequests, authorizeFollowRequest, rejectFollowRequest

    public static var service: ServiceName? { .posts }

    public var endpoint: Endpoint {
        switch self {
        case .getRelationships:
            .get("/api/v1/accounts/relationships", .account("read:follows"), answer: "[Relationship]")
        case .getFamiliarFollowers:
            .get("/api/v1/accounts/familiar_followers", .account("read:follows"), isCostly: true, answer: "[Familiar]")
        case .listFollowers: .get("/api/v1/accounts/:id/followers", .anyone, answer: "[Account]")
        case .listFollowing: .get("/api/v1/accounts/:id/following", .anyone, answer: "[Account]")
        case .followAccount: .post("/api/v1/accounts/:id/follow", .account("write:follows"), answer: "Relationship")
        case .unfollowAccount: .post("/api/v1/accounts/:id/unfollow", .account("write:follows"), answer: "Relationship")
        case .removeFollower:
            .post("/api/v1/accounts/:id/remove_from_followers", .account("write:follows"), answer: "Relationship")
        case .blockAccount: .post("/api/v1/accounts/:id/block", .account("write:blocks"), answer: "Relationship")
        case .unblockAccount: .post("/api/v1/accounts/:id/unblock", .account("write:blocks"), answer: "Relationship")
        case .muteAccount: .post("/api/v1/accounts/:id/mute", .account("write:mutes"), answer: "Relationship")
        case .unmuteAccount: .post("/api/v1/accounts/:id/unmute", .account("write:mutes"), answer: "Relationship")
        case .noteAccount: .post("/api/v1/accounts/:id/note", .account("write:accounts"), answer: "Relationship")
        case .listBlocks: .get("/api/v1/blocks", .account("read:blocks"), answer: "[Account]")
        case .listMutes: .get("/api/v1/mutes", .account("read:mutes"), answer: "[Account]")
        case .listFollowRequests: .get("/api/v1/follow_requests", .account("read:follows"), answer: "[Account]")
        case .authorizeFollowRequest:
            .post("/api/v1/follow_requests/:id/authorize", .account("write:follows"), answer: "Relationship")
        case .rejectFollowRequest:
            .post("/api/v1/follow_requests/:id/reject", .account("write:follows"), answer: "Relationship")
        }
    }
}
