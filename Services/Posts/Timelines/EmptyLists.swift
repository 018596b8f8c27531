// SPDX-License-Identifier: Apache-2.0
// Lists that clients ask for at their start and that are empty on this server.

import Surface
import Web

extension Routes {
    /// Madang has none of these things: no lists, filters, emojis, announcements, followed tags, endorsements,
    /// blocked domains or scheduled posts. Clients ask for them at their start and
    /// take an error for a broken server, so the honest answer is an empty list. There is no route that would pretend
    /// to make one.
    static let emptyLists: [Route<Dependencies>] = Route.all(EmptyListEndpoint.self) { _ in
        { _, _ in .json(bytes: Array("[]".utf8)) }
    }
}
