// SPDX-License-Identifier: Apache-2.0
// What the gateway asks chat: for its open connections, and to show what search found.

import Domain

/// What the gateway asks chat: for its open connections, and to show what search found.
public enum ChatCall: String, EndpointGroup {
    case getRooms, getMissed, fillGap, sendMessages, sendBatch, getPositions, getFound

    public static var service: ServiceName? { .chat }

    public var endpoint: Endpoint {
        switch self {
        case .getRooms: .get("/internal/rooms", .account("read:chat"))
        case .getMissed: .post("/internal/missed", .account("read:chat"))
        case .fillGap: .get("/internal/channels/:id/messages", .internal)
        case .sendMessages: .post("/internal/channels/:id/messages", .account("write:chat"))
        case .sendBatch: .post("/internal/messages", .internal)
        case .getPositions: .post("/internal/positions", .internal)
        case .getFound: .post("/internal/found", .account("read:chat"))
        }
    }
}
