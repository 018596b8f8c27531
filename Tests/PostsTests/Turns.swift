// SPDX-License-Identifier: Apache-2.0
// Lets only a few tests use the database server at a time.

/// A test with fifty simultaneous requests proves something only if it need not share the server with fifty others.
actor Turns {
    static let database = Turns(3)

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ atOnce: Int) { free = atOnce }

    nonisolated func take<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        await enter()
        do {
            let value = try await body()
            await leave()
            return value
        } catch {
            await leave()
            throw error
        }
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
