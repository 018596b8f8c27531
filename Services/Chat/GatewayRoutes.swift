// SPDX-License-Identifier: Apache-2.0
// What the gateway asks for its open connections: the routes.

import Web

extension Routes {
    static let gateway: [Route<Dependencies>] = []
}
