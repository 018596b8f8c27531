// SPDX-License-Identifier: Apache-2.0
// Direct messages between two people or in a group.

import Domain

/// Direct messages between two people or in a group.
public enum DirectChannelEndpoint: String, EndpointGroup {
    case listDirectChannels, openDirectChannel, listRequests, acceptRequest, declineRequest

    public static var service: ServiceName? { .chat }

    public var endpoint: Endpoint {
        switch self {
        case .listDirectChannels: .get("/api/v1/direct_channels", .account("read:chat"))
        case .openDirectChannel: .post("/api/v1/direct_channels", .account("write:chat"))
        case .listRequests: .get("/api/v1/direct_channels/requests", .account("read:chat"))
        case .acceptRequest: .post("/api/v1/channels/:id/accept", .account("write:chat"))
        case .declineRequest: .post("/api/v1/channels/:id/decline", .account("write:chat"))
        }
    }
}
