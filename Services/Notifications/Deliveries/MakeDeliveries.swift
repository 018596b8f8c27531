// SPDX-License-Identifier: Apache-2.0
// Has devices told what happened, in the transaction in which it did.

import Domain
import Postgres
import ServiceKit

/// Makes deliveries for the platforms that this Madang has keys for; for others there are none.
package struct MakeDeliveries: Sendable {
    let platforms: [Platform]
    let now: @Sendable () -> Timestamp
    let bell: Bell

    /// Where nobody is pushed to.
    package static let none = MakeDeliveries(platforms: [], now: Timestamp.now, bell: Bell())

    /// Of entries, as far as they were put into a list just now.
    ///
    /// - Parameter present: who seems to be connected, and is told on devices only of what stays unread.
    func callAsFunction(
        of entries: [NotificationID],
        present: [AccountID] = [],
        in transaction: some Transacting
    ) {
        guard !platforms.isEmpty, !entries.isEmpty else { return }
        let now = now()
        DeliveryStore.make(
            of: entries,
            on: platforms,
            at: now,
            forThosePresent: present,
            notBefore: now + EntryStore.quiet,
            in: transaction
        )
        transaction.afterCommit { [bell] in bell.ring() }
    }

    /// Of the new number, for the devices of somebody who read.
    func callAsFunction(badgesOf account: AccountID, after read: Read, in transaction: some Transacting) {
        let platforms = platforms.filter(\.takesBadges)
        guard !platforms.isEmpty else { return }
        DeliveryStore.makeBadges(of: account, after: read, on: platforms, at: now(), in: transaction)
        if case .notifications(by: let session?) = read { DeliveryStore.forgetBadge(of: session, in: transaction) }
        transaction.afterCommit { [bell] in bell.ring() }
    }
}
