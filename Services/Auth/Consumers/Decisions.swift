// SPDX-License-Identifier: Apache-2.0
// The queue auth.decisions: what others decided, or did, about accounts.

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
            restrictions(dependencies) + erasures(dependencies)
        )
    }

    private static func restrictions(_ dependencies: Dependencies) -> [Reaction] {
        [
            Reaction(to: AccountRestricted.self) { envelope, transaction in
                try await ObeyRestrictions(dependencies: dependencies, isRetold: envelope.isRetold)
                    .react(envelope.data, in: transaction)
            },
            Reaction(to: DecisionMade.self) { envelope, transaction in
                let decision = envelope.data
                let letter = Letter.decision(
                    action: decision.action,
                    reason: decision.reason,
                    until: decision.until,
                    appealUntil: decision.appealUntil,
                    decision: decision.appealUntil == nil ? nil : decision.decisionID
                )
                try await transaction.send(letter, to: decision.accountID, at: envelope.time)
            },
        ]
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
                LetterStore.bringDeleted(to: account, at: dependencies.now(), in: transaction)
            }
        }
        return Catalogue.erasing.map { erasure($0) }
    }

    /// Of whom is told, so that a rebuild leaves them.
    @Sendable private static func seen(_ event: any Event) -> [Seen] {
        switch event {
        case let event as AccountRestricted: [RestrictedAccounts.seen(event)]
        default: []
        }
    }
}
