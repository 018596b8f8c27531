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
                },
                Reaction(to: DecisionMade.self) { envelope, transaction in
                    // mail: try await transaction.send(.decision(action: envelope.data.action, reason: envelope.data.reason, until: envelope.data.until, appealUntil: envelope.data.appealUntil), to: envelope.data.accountID, at: envelope.time), with `AppealLink.address`
                },
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
