// SPDX-License-Identifier: Apache-2.0
// Bounds how long something may take.

import Synchronization
import Threads

/// Thrown when a deadline passed.
public struct DeadlineExceeded: Error {}

/// Runs `operation` and cancels it when it has not ended within `limit`; then throws `DeadlineExceeded`.
///
/// - Note: precise to a tenth of a second; one ticking task serves all deadlines of the process.
public func withDeadline<Value: Sendable>(
    _ limit: Duration,
    _ operation: @Sendable @escaping () async throws -> Value
) async throws -> Value {
    let task = Task(executorPreference: PreferredExecutor.current, operation: operation)
    let ticket = Deadlines.shared.add(after: limit) { task.cancel() }
    let result = await withTaskCancellationHandler {
        await task.result
    } onCancel: {
        task.cancel()
    }
    let isExpired = Deadlines.shared.remove(ticket)
    if isExpired, case .failure = result { throw DeadlineExceeded() }
    return try result.get()
}

/// All deadlines that are open.
private final class Deadlines: Sendable {
    static let shared = Deadlines()

    private struct Entry {
        let instant: ContinuousClock.Instant
        let expire: @Sendable () -> Void
    }

    private struct State {
        var entries: [UInt64: Entry] = [:]
        var last: UInt64 = 0
        var isTicking = false
    }

    private let state = Mutex(State())

    func add(after limit: Duration, expire: @Sendable @escaping () -> Void) -> UInt64 {
        let instant = ContinuousClock.now.advanced(by: limit)
        let (ticket, mustTick) = state.withLock { state in
            state.last += 1
            state.entries[state.last] = Entry(instant: instant, expire: expire)
            defer { state.isTicking = true }
            return (state.last, !state.isTicking)
        }
        if mustTick { Task { await tick() } }
        return ticket
    }

    /// Whether it had expired.
    func remove(_ ticket: UInt64) -> Bool {
        state.withLock { $0.entries.removeValue(forKey: ticket) == nil }
    }

    private func tick() async {
        while true {
            try? await Task.sleep(for: .milliseconds(100))
            let now = ContinuousClock.now
            let expired: [Entry]? = state.withLock { state in
                guard !state.entries.isEmpty else {
                    state.isTicking = false
                    return nil
                }
                let due = state.entries.filter { $0.value.instant <= now }
                for ticket in due.keys { state.entries[ticket] = nil }
                return Array(due.values)
            }
            guard let expired else { return }
            for entry in expired { entry.expire() }
        }
    }
}
