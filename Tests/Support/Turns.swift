// SPDX-License-Identifier: Apache-2.0
// Lets only a few tests use the database server, or run servers of their own, at a time.

/// A test with fifty simultaneous requests proves something only if it need not share the machine with fifty others.
package actor Turns {
    static let database = Turns(6)
    package static let servers = Turns(6)

    /// Whether the test has its turn: whatever else it needs then, it need not wait for again.
    @TaskLocal private static var isTaken = false

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    private init(_ atOnce: Int) { free = atOnce }

    /// Runs `body` when its turn has come.
    package nonisolated func take<Value>(_ body: () async throws -> Value) async throws -> Value {
        if Turns.isTaken { return try await body() }
        await enter()
        let outcome: Result<Value, any Error>
        do {
            outcome = .success(try await Turns.$isTaken.withValue(true) { try await body() })
        } catch {
            outcome = .failure(error)
        }
        await leave()
        return try outcome.get()
    }

    private func enter() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func leave() {
        if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() }
    }
}
