// SPDX-License-Identifier: Apache-2.0
// Direct messages between two people or in a group: the routes.

import Domain
import Web

extension Routes {
    static let directChannels: [Route<Dependencies>] = [
        .get("/api/v1/direct_channels", .account("read:chat"), ListDirectChannels.run),
        .post("/api/v1/direct_channels", .account("write:chat"), OpenDirectChannel.run),
        .get("/api/v1/direct_channels/requests", .account("read:chat"), ListRequests.run),
        .post("/api/v1/channels/:id/accept", .account("write:chat"), AcceptRequest.run),
        .post("/api/v1/channels/:id/decline", .account("write:chat"), DeclineRequest.run),
    ]
}
