// SPDX-License-Identifier: Apache-2.0
// Tells the worker of this process that something waits for it.

import Synchronization

/// Wakes the worker; many rings before it looks are one. What other processes make it finds by looking once a second.
package final class DeliveryBell: Sendable {
    private struct State {
        var isRung = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    package init() {}

    func ring() {
        let waiting = state.withLock { state in
            state.isRung = true
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }

    /// Returns when the bell has rung since it last did, after `time` at the latest, or when the task is cancelled.
    func wait(atMost time: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await Task.sleep(for: time) }
            group.addTask { await self.wait() }
            await group.next()
            group.cancelAll()
        }
        state.withLock { $0.isRung = false }
    }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isLate = state.withLock { state in
                    guard !state.isRung, !Task.isCancelled, state.waiting == nil else { return true }
                    state.waiting = continuation
                    return false
                }
                if isLate { continuation.resume() }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                defer { state.waiting = nil }
                return state.waiting
            }
            waiting?.resume()
        }
    }
}
