// SPDX-License-Identifier: Apache-2.0
// Routes about single posts and what people do with them.

import Web

extension Routes {
    static let posts: [Route<Dependencies>] = []
}
