// SPDX-License-Identifier: Apache-2.0
// The queue media.restrictions: of whom nobody may see anything.

import Domain
import Events
import Outbox
import Serving

/// Keeps what is in force; the catalogue of GIFs reads it with each entry.
enum Restrictions {
    static let queue = EventQueue(
        "media.restrictions",
        rebuild: Rebuild(seen: seen, withdrawals: [RestrictedAccounts.untold]),
        [
            Reaction(to: AccountRestricted.self) { envelope, transaction in
                _ = try await RestrictedAccounts.keep(envelope.data, in: transaction)
            }
        ]
    )

    /// Of whom is told, so that a rebuild leaves them.
    @Sendable private static func seen(_ event: any Event) -> [Seen] {
        switch event {
        case let event as AccountRestricted: [RestrictedAccounts.seen(event)]
        default: []
        }
    }
}
