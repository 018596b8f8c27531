// SPDX-License-Identifier: Apache-2.0
// How far somebody has read: the routes.

import Web

extension Routes {
    static let reading: [Route<Dependencies>] = []
}
