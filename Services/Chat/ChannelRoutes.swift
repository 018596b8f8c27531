// SPDX-License-Identifier: Apache-2.0
// Channels of playgrounds and their members: the routes.

import Domain
import Web

extension Routes {
    static let channels: [Route<Dependencies>] = [
        .get("/api/v1/playgrounds/:id/channels", .account("read:chat"), ListChannels.run),
        .post("/api/v1/playgrounds/:id/channels", .account("write:chat"), CreateChannel.run),
        .get("/api/v1/channels/:id", .account("read:chat"), GetChannel.run),
        .patch("/api/v1/channels/:id", .account("write:chat"), EditChannel.run),
        .delete("/api/v1/channels/:id", .account("write:chat"), DeleteChannel.run),
        .post("/api/v1/channels/:id/archive", .account("write:chat"), ArchiveChannel.run),
        .post("/api/v1/channels/:id/unarchive", .account("write:chat"), UnarchiveChannel.run),
        .post("/api/v1/channels/:id/join", .account("write:chat"), JoinChannel.run),
        .post("/api/v1/channels/:id/leave", .account("write:chat"), LeaveChannel.run),
        .get("/api/v1/channels/:id/members", .account("read:chat"), ListChannelMembers.run),
        .post("/api/v1/channels/:id/members", .account("write:chat"), InviteToChannel.run),
        .put("/api/v1/channels/:id/members/:account_id", .account("write:chat"), SetChannelRole.run),
        .delete("/api/v1/channels/:id/members/:account_id", .account("write:chat"), RemoveChannelMember.run),
        .post("/api/v1/channels/:id/transfer", .account("write:chat"), TransferChannel.run),
        .put("/api/v1/channels/:id/notifications", .account("write:chat"), SetChannelNotifications.run),
    ]
}
