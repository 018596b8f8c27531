// SPDX-License-Identifier: Apache-2.0
// Waiting for a condition, never for a time.

/// Thrown by `eventually` when the condition did not come true.
package struct NotInTime: Error, CustomStringConvertible {
    package let description: String
}

/// Returns once the condition holds; throws when it does not within the time.
///
/// - Parameter limit: against hanging only, so much that other work on the machine does not matter.
package func eventually(
    within limit: Duration = .seconds(300),
    _ what: String = "the condition",
    file: StaticString = #fileID,
    line: UInt = #line,
    _ condition: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + limit
    var pause = Duration.milliseconds(1)
    while true {
        if try await condition() { return }
        guard ContinuousClock.now < end else {
            throw NotInTime(description: "\(what) did not come true within \(limit) (\(file):\(line))")
        }
        try await Task.sleep(for: pause)
        pause = min(pause * 2, .milliseconds(50))
    }
}
