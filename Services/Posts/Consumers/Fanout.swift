// SPDX-License-Identifier: Apache-2.0
// The queue posts.fanout: posts reach the home timelines of those who follow.

import Outbox

/// Brings posts into home timelines and takes them out again.
enum Fanout {
    static func queue(_ dependencies: Dependencies) -> EventQueue { EventQueue("posts.fanout", []) }
}
