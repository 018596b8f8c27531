// SPDX-License-Identifier: Apache-2.0
// Channels of playgrounds and their members: the routes.

import Web

extension Routes {
    static let channels: [Route<Dependencies>] = []
}
