// SPDX-License-Identifier: Apache-2.0
// The queue auth.decisions: what was decided about people who can sign in.

import Domain
import Events
import Outbox
import Serving

/// What is kept from whom decides who gets in, and who may change something.
enum Decisions {
    static func queue(_ dependencies: Dependencies) -> EventQueue {
        EventQueue(
            "auth.decisions",
            rebuild: Rebuild(seen: seen, withdrawals: [RestrictedAccounts.untold]),
            [
                Reaction(to: AccountRestricted.self) { envelope, transaction in
                    try await ObeyRestrictions(dependencies: dependencies, isRetold: envelope.isRetold)
                        .react(envelope.data, in: transaction)
                }
            ]
        )
    }

    /// Of whom is told, so that a rebuild leaves them.
    @Sendable private static func seen(_ event: any Event) -> [Seen] {
        switch event {
        case let event as AccountRestricted: [RestrictedAccounts.seen(event)]
        default: []
        }
    }
}
