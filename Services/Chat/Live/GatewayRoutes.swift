// SPDX-License-Identifier: Apache-2.0
// What the gateway asks chat.

import Surface
import Web

extension Routes {
    static let calls: [Route<Dependencies>] = Route.all(ChatCall.self, run)

    private static func run(_ endpoint: ChatCall) -> Route<Dependencies>.Run {
        switch endpoint {
        case .getRooms: GetRooms.run
        case .getMissed: GetMissed.run
        case .fillGap: FillGap.run
        case .sendMessages: SendMessages.run
        case .sendBatch: SendBatch.run
        case .getPositions: GetPositions.run
        case .getFound: ShowFound.run
        }
    }
}
