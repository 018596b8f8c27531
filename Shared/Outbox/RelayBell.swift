// SPDX-License-Identifier: Apache-2.0
// Tells the relays of this process that something was recorded.

import Synchronization

/// Wakes one relay; many rings before it looks are one.
final class RelayBell: Sendable {
    /// A process has one outbox, so that a bell for all is a bell for the right one; more rings than needed cost a look.
    private static let all = Mutex<[ObjectIdentifier: RelayBell]>([:])

    private let isRung = Atomic(false)
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    func ring() {
        if !isRung.exchange(true, ordering: .acquiringAndReleasing) { wake() }
    }

    /// Must be called before looking, so that what is recorded while looking rings again.
    func silence() { isRung.store(false, ordering: .releasing) }

    func hang() { RelayBell.all.withLock { $0[ObjectIdentifier(self)] = self } }
    func takeDown() { RelayBell.all.withLock { $0[ObjectIdentifier(self)] = nil } }

    static func ringAll() {
        for bell in all.withLock({ Array($0.values) }) { bell.ring() }
    }
}
