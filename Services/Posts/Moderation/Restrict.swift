// SPDX-License-Identifier: Apache-2.0
// What keeps accounts from something: put into force, and taken back.

import Domain
import Events
import Outbox
import Postgres

/// Tells everybody which restrictions of an account are in force, whenever that changes.
enum Restrict {
    static func apply(
        _ restriction: Restriction,
        to account: AccountID,
        until: Timestamp?,
        decision: DecisionID?,
        at moment: Timestamp,
        in transaction: Transaction
    ) async throws {
        try await tell(account, at: moment, in: transaction)
    }

    /// - Parameter decision: whose restrictions are lifted, where others may have brought about the same; nil for whosever.
    static func lift(
        _ restrictions: [Restriction],
        from account: AccountID,
        decision: DecisionID? = nil,
        at moment: Timestamp,
        in transaction: Transaction
    ) async throws {
        try await tell(account, at: moment, in: transaction)
    }

    private static func tell(_ account: AccountID, at moment: Timestamp, in transaction: Transaction) async throws {
        let held = try await DecisionStore.inForce(on: account, at: moment, in: transaction)
        let restrictions = Restriction.allCases.filter { restriction in
            held.contains { $0.restriction == restriction }
        }
        try transaction.record(
            AccountRestricted(
                accountID: account,
                restrictions: restrictions,
                subjectVersion: moment.milliseconds
            )
        )
    }
}
