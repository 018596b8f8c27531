// SPDX-License-Identifier: Apache-2.0
// Playgrounds, their members and the ways in: the routes.

import Web

extension Routes {
    static let playgrounds: [Route<Dependencies>] = []
}
