// SPDX-License-Identifier: Apache-2.0
// Direct messages between two people or in a group: the routes.

import Web

extension Routes {
    static let directChannels: [Route<Dependencies>] = []
}
