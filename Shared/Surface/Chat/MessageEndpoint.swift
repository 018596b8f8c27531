// SPDX-License-Identifier: Apache-2.0
// Messages, reactions and pins.

import Domain

/// Messages, reactions and pins.
public enum MessageEndpoint: String, EndpointGroup {
    case listMessages, sendMessage, listPins, getMessage, editMessage, deleteMessage, getThread, listReactions, react,
        takeBackReaction, pinMessage, unpinMessage

    public static var service: ServiceName? { .chat }

    public var endpoint: Endpoint {
        switch self {
        case .listMessages: .get("/api/v1/channels/:id/messages", .account("read:chat"))
        case .sendMessage: .post("/api/v1/channels/:id/messages", .account("write:chat"), isKeyed: true)
        case .listPins: .get("/api/v1/channels/:id/pins", .account("read:chat"))
        case .getMessage: .get("/api/v1/messages/:id", .account("read:chat"))
        case .editMessage: .patch("/api/v1/messages/:id", .account("write:chat"))
        case .deleteMessage: .delete("/api/v1/messages/:id", .account("write:chat"))
        case .getThread: .get("/api/v1/messages/:id/thread", .account("read:chat"), isCostly: true)
        case .listReactions: .get("/api/v1/messages/:id/reactions", .account("read:chat"))
        case .react: .put("/api/v1/messages/:id/reactions/:emoji", .account("write:chat"))
        case .takeBackReaction: .delete("/api/v1/messages/:id/reactions/:emoji", .account("write:chat"))
        case .pinMessage: .post("/api/v1/messages/:id/pin", .account("write:chat"))
        case .unpinMessage: .post("/api/v1/messages/:id/unpin", .account("write:chat"))
        }
    }
}
