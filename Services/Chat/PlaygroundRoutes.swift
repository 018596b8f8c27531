// SPDX-License-Identifier: Apache-2.0
// Playgrounds, their members and the ways in: the routes.

import Domain
import Web

extension Routes {
    static let playgrounds: [Route<Dependencies>] = [
        .get("/api/v1/playgrounds", .account("read:chat"), ListPlaygrounds.run),
        .post("/api/v1/playgrounds", .account("write:chat"), CreatePlayground.run),
        .get("/api/v1/playgrounds/:id", .account("read:chat"), GetPlayground.run),
        .patch("/api/v1/playgrounds/:id", .account("write:chat"), EditPlayground.run),
        .delete("/api/v1/playgrounds/:id", .account("write:chat"), DeletePlayground.run),
        .post("/api/v1/playgrounds/:id/join", .account("write:chat"), JoinPlayground.run),
        .post("/api/v1/playgrounds/:id/leave", .account("write:chat"), LeavePlayground.run),
        .get("/api/v1/playgrounds/:id/members", .account("read:chat"), ListPlaygroundMembers.run),
        .put("/api/v1/playgrounds/:id/members/:account_id", .account("write:chat"), SetPlaygroundRole.run),
        .delete("/api/v1/playgrounds/:id/members/:account_id", .account("write:chat"), RemovePlaygroundMember.run),
        .post("/api/v1/playgrounds/:id/transfer", .account("write:chat"), TransferPlayground.run),
        .get("/api/v1/playgrounds/:id/bans", .account("read:chat"), ListBans.run),
        .post("/api/v1/playgrounds/:id/bans", .account("write:chat"), BanAccount.run),
        .delete("/api/v1/playgrounds/:id/bans/:account_id", .account("write:chat"), UnbanAccount.run),
        .get("/api/v1/playgrounds/:id/invites", .account("read:chat"), ListInvites.run),
        .post("/api/v1/playgrounds/:id/invites", .account("write:chat"), CreateInvite.run),
        .delete("/api/v1/playgrounds/:id/invites/:code", .account("write:chat"), RevokeInvite.run),
        .get("/api/v1/invites/:code", .anyone, PreviewInvite.run),
        .post("/api/v1/invites/:code/accept", .account("write:chat"), AcceptInvite.run),
        .get("/api/v1/playgrounds/:id/search", .account("read:chat"), SearchPlayground.run),
    ]
}
