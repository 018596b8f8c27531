// SPDX-License-Identifier: Apache-2.0
// How long it is known how apps were used.

import Domain
import Outbox

enum UsageSweeps {
    /// A year, and a month to look back on it.
    static let days = 400
    /// For how long a name or a version that nobody tells keeps its place.
    private static let words = Duration.seconds(30 * 86_400)

    static func all(now: @escaping @Sendable () -> Timestamp) -> [Sweep] {
        [
            Sweep("usage") { try await UsageStore.forget(before: (now() - .seconds(days * 86_400)).date, in: $0) },
            Sweep("usage_words") {
                // All at once: there are few.
                _ = try await UsageStore.forgetWords(before: (now() - words).date, in: $0)
                return 0
            },
        ]
    }
}
