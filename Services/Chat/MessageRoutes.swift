// SPDX-License-Identifier: Apache-2.0
// Messages, reactions and pins: the routes.

import Web

extension Routes {
    static let messages: [Route<Dependencies>] = []
}
