// SPDX-License-Identifier: Apache-2.0
// Direct posts by the people among whom they are.

import Domain

/// Direct posts by the people among whom they are.
public enum ConversationEndpoint: String, EndpointGroup {
    case listConversations, putConversationAway, readConversation, unreadConversation

    public static var service: ServiceName? { .posts }

    public var endpoint: Endpoint {
        switch self {
        case .listConversations:
            .get("/api/v1/conversations", .account("read:statuses"), answer: "[Conversation]")
        case .putConversationAway:
            .delete("/api/v1/conversations/:id", .account("write:conversations"), answer: "any")
        case .readConversation:
            .post("/api/v1/conversations/:id/read", .account("write:conversations"), answer: "Conversation")
        case .unreadConversation:
            .post("/api/v1/conversations/:id/unread", .account("write:conversations"), answer: "Conversation")
        }
    }
}
