// SPDX-License-Identifier: Apache-2.0
// Waiting for a condition.

/// Thrown when a condition did not come true in time.
package struct NeverHappened: Error, CustomStringConvertible {
    package let description: String
}

/// Asks again and again, at short intervals, until `condition` holds.
package func eventually(
    _ what: String = "the condition",
    within limit: Duration = .seconds(20),
    _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while !(try await condition()) {
        guard ContinuousClock.now < deadline else {
            throw NeverHappened(description: "\(what) did not come true in \(limit)")
        }
        try await Task.sleep(for: .milliseconds(10))
    }
}
