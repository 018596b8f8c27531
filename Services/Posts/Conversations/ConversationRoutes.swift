// SPDX-License-Identifier: Apache-2.0
// Direct posts by the people among whom they are.

import Surface
import Web

extension Routes {
    static let conversations: [Route<Dependencies>] = Route.all(ConversationEndpoint.self, run)

    private static func run(_ endpoint: ConversationEndpoint) -> Route<Dependencies>.Run {
        switch endpoint {
        case .listConversations: ListConversations.run
        case .putConversationAway: PutConversationAway.run
        case .readConversation: ReadConversation.run
        case .unreadConversation: UnreadConversation.run
        }
    }
}
