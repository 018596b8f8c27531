// SPDX-License-Identifier: Apache-2.0
// Tells who works in the background of this process that something waits for them.

internal import Synchronization

/// Wakes everybody who waits; many rings before they look are one. What other processes make, they find by looking now and then.
public final class Bell: Sendable {
    private struct State {
        var rings: UInt64 = 0
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var last: UInt64 = 0
    }

    private let state = Mutex(State())

    public init() {}

    /// To be read before looking, so that what comes while one looks is not waited for.
    public var rings: UInt64 { state.withLock { $0.rings } }

    public func ring() {
        let waiting = state.withLock { state in
            state.rings &+= 1
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for one in waiting { one.resume() }
    }

    /// Returns when the bell rang since `rings` was read, after `time` at the latest, or when the task is cancelled.
    public func wait(after rings: UInt64, atMost time: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await Task.sleep(for: time) }
            group.addTask { await self.wait(after: rings) }
            await group.next()
            group.cancelAll()
        }
    }

    private func wait(after rings: UInt64) async {
        let ticket = state.withLock { state in
            state.last &+= 1
            return state.last
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isLate = state.withLock { state in
                    guard state.rings == rings, !Task.isCancelled else { return true }
                    state.waiting[ticket] = continuation
                    return false
                }
                if isLate { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume()
        }
    }
}
