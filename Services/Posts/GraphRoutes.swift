// SPDX-License-Identifier: Apache-2.0
// Routes about who follows, blocks and mutes whom.

import Web

extension Routes {
    static let graph: [Route<Dependencies>] = []
}
