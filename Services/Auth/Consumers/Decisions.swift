// SPDX-License-Identifier: Apache-2.0
// The queue auth.decisions: what others decided, or did, about accounts.

import Domain
import Events
import Outbox

enum Decisions {
    static func queue(_ dependencies: Dependencies) -> EventQueue {
        EventQueue("auth.decisions", erasures(dependencies))
    }

    /// Services that have nothing left of an account that was deleted.
    private static func erasures(_ dependencies: Dependencies) -> [Reaction] {
        func erasure<End: ErasureEnd>(_: End.Type) -> Reaction {
            Reaction(to: End.self) { envelope, transaction in
                let account = envelope.data.accountID
                DepartureStore.note(answerOf: End.owner, for: account, in: transaction)
                DepartureStore.close(
                    account,
                    onceAnswered: Catalogue.erasing.map { $0.owner },
                    now: dependencies.now(),
                    in: transaction
                )
            }
        }
        return Catalogue.erasing.map { erasure($0) }
    }
}
