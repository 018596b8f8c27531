// SPDX-License-Identifier: Apache-2.0
// How far somebody has read.

import Domain

/// How far somebody has read.
public enum ReadingEndpoint: String, EndpointGroup {
    case readChannel, markUnread, countUnread, overview

    public static var service: ServiceName? { .chat }

    public var endpoint: Endpoint {
        switch self {
        case .readChannel: .post("/api/v1/channels/:id/read", .account("write:chat"))
        case .markUnread: .post("/api/v1/channels/:id/unread", .account("write:chat"))
        case .countUnread: .get("/api/v1/channels/:id/unread", .account("read:chat"))
        case .overview: .get("/api/v1/conversations-overview", .account("read:chat"))
        }
    }
}
