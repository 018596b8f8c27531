// SPDX-License-Identifier: Apache-2.0
// Messages, reactions and pins.

import Surface
import Web

extension Routes {
    static let messages: [Route<Dependencies>] = Route.all(MessageEndpoint.self, run)

    private static func run(_ endpoint: MessageEndpoint) -> Route<Dependencies>.Run {
        switch endpoint {
        case .listMessages: ListMessages.run
        case .sendMessage: SendMessage.run
        case .listPins: ListPins.run
        case .getMessage: GetMessage.run
        case .editMessage: EditMessage.run
        case .deleteMessage: DeleteMessage.run
        case .getThread: GetThread.run
        case .listReactions: ListReactions.run
        case .react: React.run
        case .takeBackReaction: TakeBackReaction.run
        case .pinMessage: PinMessage.run
        case .unpinMessage: UnpinMessage.run
        }
    }
}
