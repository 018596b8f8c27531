// SPDX-License-Identifier: Apache-2.0
// What notifications forgets.

import Domain
import Outbox
import Serving
import Synchronization

/// Each table has its sweep here or its bound in the README.
enum Sweeps {
    /// Entries that a person keeps.
    private static let mostEntries = 2000
    /// People whose lists are looked at in one step.
    private static let peopleAtOnce = 500

    static func all(
        now: @escaping @Sendable () -> Timestamp,
        keeping mostEntries: Int = mostEntries
    ) -> [Sweep] {
        let retention = Retention(now: now)
        return [
            entries(retention, keeping: mostEntries), ChangeStore.sweep,
            CardStore.sweep(unless: CardStore.isShown, now: now),
        ] + push(now)
            + AgedStore.aged.map { rows in
                Sweep(rows.name) { try await rows.forget(before: retention.forgotten, in: $0) }
            }
    }

    /// What was sent is told for two weeks; that a session ended matters as long as a request of it may be under way.
    private static func push(_ now: @escaping @Sendable () -> Timestamp) -> [Sweep] {
        [
            DeliveryStore.aged.sweep(after: .seconds(14 * 86_400), now: now),
            DeviceStore.agedEnds.sweep(after: .seconds(86_400), now: now),
        ]
    }

    /// Entries go by their age, and those of long lists from the end. It goes around all people, some at a time: a list
    /// that is too long gets a floor, and loses on the next round what lies below.
    private static func entries(_ retention: Retention, keeping most: Int) -> Sweep {
        let reached = Reached()
        return Sweep("notifications", every: .seconds(10)) { database in
            let oldest = NotificationID(max(0, retention.forgotten.milliseconds) << 16)
            let aged = try await AgedStore.notifications.forget(before: oldest, in: database)
            guard aged == 0 else { return aged }
            let people = try await FloorStore.people(after: reached.account, most: peopleAtOnce, in: database)
            reached.account = people.count < peopleAtOnce ? AccountID(0) : people.last ?? AccountID(0)
            guard !people.isEmpty else { return 0 }
            let now = retention.now()
            let gone = try await FloorStore.forgetEntries(of: people, at: now, in: database)
            try await FloorStore.raise(of: people, keeping: most, at: now, in: database)
            return gone
        }
    }
}

/// How far around all people the sweep has come.
private final class Reached: Sendable {
    private let last = Mutex(AccountID(0))

    var account: AccountID {
        get { last.withLock { $0 } }
        set { last.withLock { $0 = newValue } }
    }
}
