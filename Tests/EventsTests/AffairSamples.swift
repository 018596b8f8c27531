// SPDX-License-Identifier: Apache-2.0
// Samples of what is told of roles, departures and decisions.

import Domain
import Events

extension Samples {
    private static let moment = Timestamp(milliseconds: 1_767_323_100_000)

    static func departures(of account: AccountID, _ full: Bool) -> [any Event] {
        [
            RoleGiven(accountID: account, role: .moderator, subjectVersion: 2),
            AccountLeaving(accountID: account, deletion: full ? moment : nil, subjectVersion: 3),
            AccountDeleted(accountID: account),
            PrincipalChanged(accountID: account, subjectVersion: 4),
        ]
    }

    static func decisions(about person: AccountSnapshot, _ full: Bool) -> [any Event] {
        [
            AccountRestricted(accountID: person.id, restrictions: full ? [.limited, .frozen] : [], subjectVersion: 4),
            DecisionMade(
                decisionID: DecisionID(110_000_000_000_000_061),
                accountID: person.id,
                action: .remove,
                thing: full ? Thing(kind: .message, id: "110000000000000023") : nil,
                reason: full ? "욕설" : "",
                until: full ? moment : nil,
                appealUntil: full ? moment : nil,
                decidedAt: moment,
                subjectVersion: 1,
                account: full ? person : nil
            ),
        ]
    }
}
