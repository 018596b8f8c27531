// SPDX-License-Identifier: Apache-2.0
// Routes about accounts and profiles.

import Web

extension Routes {
    static let accounts: [Route<Dependencies>] = []
}
