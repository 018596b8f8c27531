// SPDX-License-Identifier: Apache-2.0
// How one process at a time works on something, and another goes on where it was killed.

import Domain
import ServiceLifecycle

/// What is worked on by whoever holds it.
struct Lease: Sendable {
    /// Somebody else has it by now, or nobody wants it any more.
    struct Lost: Error {}
    /// The process stops: another may begin at once, and it was no attempt.
    struct Stopping: Error {}

    let time: Duration
    let now: @Sendable () -> Timestamp
    /// Holds it until a moment; false when it is lost.
    let renew: @Sendable (Timestamp) async throws -> Bool

    /// Runs `body` and holds the lease meanwhile; cancels it when the lease is lost.
    func hold<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                while true {
                    try await Task.sleep(for: time / 3)
                    // A database that is away for a moment costs nothing as long as the lease lasts.
                    if (try? await renew(now() + time)) == false { throw Lost() }
                }
            }
            group.addTask {
                try await gracefulShutdown()
                throw Stopping()
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() ?? nil else { throw Lost() }
            return value
        }
    }
}
