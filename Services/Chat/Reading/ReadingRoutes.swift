// SPDX-License-Identifier: Apache-2.0
// How far somebody has read.

import Surface
import Web

extension Routes {
    static let reading: [Route<Dependencies>] = Route.all(ReadingEndpoint.self, run)

    private static func run(_ endpoint: ReadingEndpoint) -> Route<Dependencies>.Run {
        switch endpoint {
        case .readChannel: ReadChannel.run
        case .markUnread: MarkUnread.run
        case .countUnread: CountUnread.run
        case .overview: Overview.run
        }
    }
}
