// SPDX-License-Identifier: Apache-2.0
// The queue auth.decisions: what moderators decide about people.

import Domain
import Events
import Outbox

enum Decisions {
    static func queue(_ dependencies: Dependencies) -> EventQueue {
        EventQueue("auth.decisions", prefetch: 16, reactions(dependencies))
    }

    private static func reactions(_ dependencies: Dependencies) -> [Reaction] {
        [
            Reaction(to: DecisionMade.self) { envelope, transaction in
                // mail: try await transaction.send(.decision(action: envelope.data.action, reason: envelope.data.reason, until: envelope.data.until, appealUntil: envelope.data.appealUntil), to: envelope.data.accountID, at: envelope.time), with `AppealLink.address`
            }
        ]
    }
}
