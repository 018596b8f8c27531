// SPDX-License-Identifier: Apache-2.0
// Waits for the row of an account that signed up a moment ago.

import Domain

/// Whether an account is there; one so new that its AccountRegistered may still be on the way is waited for.
enum AwaitAccount {
    /// How old an id may be for its event to be still on the way.
    private static let fresh: ClosedRange<Duration> = .seconds(-5) ... .seconds(30)
    /// Longer and longer, 1.9 seconds in all.
    private static let pauses = [15, 30, 60, 120, 240, 480, 960].map { Duration.milliseconds($0) }

    static func run(_ id: AccountID, _ dependencies: Dependencies) async throws -> Bool {
        if dependencies.known.contains(id) { return true }
        var isThere = try await AccountStore.exists(id, in: dependencies.database)
        // An id tells its age, so that asking for one that never was costs nobody any time.
        if !isThere, fresh.contains(dependencies.now() - id.timestamp) {
            for pause in pauses where !isThere {
                try await Task.sleep(for: pause)
                isThere = try await AccountStore.exists(id, in: dependencies.database)
            }
        }
        if isThere { dependencies.known.insert(id) }
        return isThere
    }
}
