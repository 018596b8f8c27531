// SPDX-License-Identifier: Apache-2.0
// Channels of playgrounds and their members.

import Domain

/// Channels of playgrounds and their members.
public enum ChannelEndpoint: String, EndpointGroup {
    case listChannels, createChannel, getChannel, editChannel, deleteChannel, archiveChannel, unarchiveChannel,
        joinChannel, leaveChannel, listChannelMembers, inviteToChannel, setChannelRole, removeChannelMember,
        transferChannel, setChannelNotifications

    public static var service: ServiceName? { .chat }

    public var endpoint: Endpoint {
        switch self {
        case .listChannels: .get("/api/v1/playgrounds/:id/channels", .account("read:chat"))
        case .createChannel: .post("/api/v1/playgrounds/:id/channels", .account("write:chat"))
        case .getChannel: .get("/api/v1/channels/:id", .account("read:chat"))
        case .editChannel: .patch("/api/v1/channels/:id", .account("write:chat"))
        case .deleteChannel: .delete("/api/v1/channels/:id", .account("write:chat"), rate: .delete)
        case .archiveChannel: .post("/api/v1/channels/:id/archive", .account("write:chat"))
        case .unarchiveChannel: .post("/api/v1/channels/:id/unarchive", .account("write:chat"))
        case .joinChannel: .post("/api/v1/channels/:id/join", .account("write:chat"))
        case .leaveChannel: .post("/api/v1/channels/:id/leave", .account("write:chat"))
        case .listChannelMembers: .get("/api/v1/channels/:id/members", .account("read:chat"))
        case .inviteToChannel: .post("/api/v1/channels/:id/members", .account("write:chat"))
        case .setChannelRole: .put("/api/v1/channels/:id/members/:account_id", .account("write:chat"))
        case .removeChannelMember: .delete("/api/v1/channels/:id/members/:account_id", .account("write:chat"))
        case .transferChannel: .post("/api/v1/channels/:id/transfer", .account("write:chat"))
        case .setChannelNotifications: .put("/api/v1/channels/:id/notifications", .account("write:chat"))
        }
    }
}
