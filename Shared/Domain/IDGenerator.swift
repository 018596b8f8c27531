// SPDX-License-Identifier: Apache-2.0
// Makes ids that are unique across the processes of a service and rise within a process.

import Synchronization

/// Makes ids: Unix milliseconds shifted left by 16, then six bits of process slot and ten bits of counter.
///
/// A process makes at most 1,024 ids in a millisecond; beyond that, and when the clock goes back, it runs ahead
/// of the clock instead of repeating itself.
package final class IDGenerator: Sendable {
    /// Slots that can run side by side.
    package static let slots = 0..<64

    private let slot: Int64
    private let now: @Sendable () -> Timestamp
    private let last: Mutex<Int64>

    /// - Parameter slot: the process's own number in `slots`; numbers outside are folded into it.
    package init(slot: Int, now: @escaping @Sendable () -> Timestamp) {
        self.slot = Int64(truncatingIfNeeded: slot) & 63
        self.now = now
        last = Mutex(0)
    }

    package func next<Kind>(_: ID<Kind>.Type = ID<Kind>.self) -> ID<Kind> {
        let clock = now().milliseconds << 10
        let tick = last.withLock { last in
            last = max(last &+ 1, clock)
            return last
        }
        return ID(((tick >> 10) << 16) | (slot << 10) | (tick & 1023))
    }
}
