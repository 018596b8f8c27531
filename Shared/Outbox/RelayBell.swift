// SPDX-License-Identifier: Apache-2.0
// Tells the relays of this process that something was recorded.

import Postgres
import Synchronization

/// Wakes one relay; many rings before it looks are one. The relay of the database to which something was written is handed what
/// that was.
final class RelayBell: Sendable {
    private static let all = Mutex<[ObjectIdentifier: RelayBell]>([:])

    private let isRung = Atomic(false)
    private let database: ObjectIdentifier
    private let wake: @Sendable () -> Void
    private let hand: (@Sendable ([RecordedRow]) -> Void)?

    /// - Parameters:
    ///   - wake: called when there is something to look for.
    ///   - hand: called with rows that were committed here instead; nil for a relay that only looks.
    init(
        _ database: ObjectIdentifier,
        wake: @escaping @Sendable () -> Void,
        hand: (@Sendable ([RecordedRow]) -> Void)? = nil
    ) {
        self.database = database
        self.wake = wake
        self.hand = hand
    }

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

    /// Hands on what a transaction has written; empty when that is not known.
    static func hand(_ rows: [RecordedRow], of database: ObjectIdentifier) {
        for bell in all.withLock({ Array($0.values) }) {
            if !rows.isEmpty, bell.database == database, let hand = bell.hand {
                hand(rows)
            } else {
                bell.ring()
            }
        }
    }
}
