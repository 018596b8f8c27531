// SPDX-License-Identifier: Apache-2.0
// Routes about lists of posts.

import Web

extension Routes {
    static let timelines: [Route<Dependencies>] = []
}
