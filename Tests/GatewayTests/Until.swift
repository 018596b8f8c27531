// SPDX-License-Identifier: Apache-2.0
// Waits for a condition, giving way to everything else meanwhile.

struct NeverHappened: Error {}

func until(_ condition: () async throws -> Bool) async throws {
    let deadline = ContinuousClock.now + .seconds(20)
    while !(try await condition()) {
        guard ContinuousClock.now < deadline else { throw NeverHappened() }
        await Task.yield()
    }
}
