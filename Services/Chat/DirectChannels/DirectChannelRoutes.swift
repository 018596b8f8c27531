// SPDX-License-Identifier: Apache-2.0
// Direct messages between two people or in a group.

import Surface
import Web

extension Routes {
    static let directChannels: [Route<Dependencies>] = Route.all(DirectChannelEndpoint.self, run)

    private static func run(_ endpoint: DirectChannelEndpoint) -> Route<Dependencies>.Run {
        switch endpoint {
        case .listDirectChannels: ListDirectChannels.run
        case .openDirectChannel: OpenDirectChannel.run
        case .listRequests: ListRequests.run
        case .acceptRequest: AcceptRequest.run
        case .declineRequest: DeclineRequest.run
        }
    }
}
