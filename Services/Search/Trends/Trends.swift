// SPDX-License-Identifier: Apache-2.0
// What many use just now.

import Domain

/// How trends are told.
enum Trends {
    /// How long it is known what was used.
    static let kept = Duration.seconds(8 * 86_400)
    /// Days that a history tells of, the one that is under way among them.
    static let days = 7
}
