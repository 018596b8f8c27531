// SPDX-License-Identifier: Apache-2.0
// Playgrounds, their members and the ways in.

import Domain

/// Playgrounds, their members and the ways in.
public enum PlaygroundEndpoint: String, EndpointGroup {
    case listPlaygrounds, createPlayground, getPlayground, editPlayground, deletePlayground, joinPlayground,
        leavePlayground, listPlaygroundMembers, setPlaygroundRole, removePlaygroundMember, transferPlayground, listBans,
        banAccount, unbanAccount, listInvites, createInvite, revokeInvite, previewInvite, acceptInvite

    public static var service: ServiceName? { .chat }

    public var endpoint: Endpoint {
        switch self {
        case .listPlaygrounds: .get("/api/v1/playgrounds", .account("read:chat"))
        case .createPlayground: .post("/api/v1/playgrounds", .account("write:chat"))
        case .getPlayground: .get("/api/v1/playgrounds/:id", .account("read:chat"))
        case .editPlayground: .patch("/api/v1/playgrounds/:id", .account("write:chat"))
        case .deletePlayground: .delete("/api/v1/playgrounds/:id", .account("write:chat"), rate: .delete)
        case .joinPlayground: .post("/api/v1/playgrounds/:id/join", .account("write:chat"))
        case .leavePlayground: .post("/api/v1/playgrounds/:id/leave", .account("write:chat"))
        case .listPlaygroundMembers: .get("/api/v1/playgrounds/:id/members", .account("read:chat"))
        case .setPlaygroundRole: .put("/api/v1/playgrounds/:id/members/:account_id", .account("write:chat"))
        case .removePlaygroundMember: .delete("/api/v1/playgrounds/:id/members/:account_id", .account("write:chat"))
        case .transferPlayground: .post("/api/v1/playgrounds/:id/transfer", .account("write:chat"))
        case .listBans: .get("/api/v1/playgrounds/:id/bans", .account("read:chat"))
        case .banAccount: .post("/api/v1/playgrounds/:id/bans", .account("write:chat"))
        case .unbanAccount: .delete("/api/v1/playgrounds/:id/bans/:account_id", .account("write:chat"))
        case .listInvites: .get("/api/v1/playgrounds/:id/invites", .account("read:chat"))
        case .createInvite: .post("/api/v1/playgrounds/:id/invites", .account("write:chat"))
        case .revokeInvite: .delete("/api/v1/playgrounds/:id/invites/:code", .account("write:chat"))
        case .previewInvite: .get("/api/v1/invites/:code", .anyone)
        case .acceptInvite: .post("/api/v1/invites/:code/accept", .account("write:chat"))
        }
    }
}
