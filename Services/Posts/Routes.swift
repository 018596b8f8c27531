// SPDX-License-Identifier: Apache-2.0
// The table of contents of posts.

import Web

/// Every route that posts answers, split by what it is about.
enum Routes {
    static let all: [Route<Dependencies>] =
        accounts + graph + posts + timelines + conversations + emptyLists + library + projects + pages + moderation
}
