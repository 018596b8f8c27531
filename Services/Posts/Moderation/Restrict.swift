// SPDX-License-Identifier: Apache-2.0
// Keeping accounts from something, and no longer keeping them from it.

import Domain
import Events
import Outbox
import Postgres

/// Each is part of the transaction of whoever decides, changes nothing where it is so already, and tells all that is in force
/// then, if that is something else than before.
enum Restrict {
    /// Who brought it about.
    struct Cause: Sendable {
        /// Such as `operator minsu`, `account 7`.
        let actor: String
        var decision: DecisionID?
    }

    /// - Parameter until: nil for good. What follows from several decisions is in force until the last of them ends.
    static func apply(
        _ kind: Restriction,
        to account: AccountID,
        until: Timestamp? = nil,
        by cause: Cause,
        at now: Timestamp,
        in transaction: Transaction
    ) async throws {
        RestrictionStore.lock(account, in: transaction)
        RestrictionStore.put(kind, on: account, until: until, cause, at: now, in: transaction)
        try await tell(account, at: now, in: transaction)
    }

    /// The same for what a moderator decided.
    static func apply(
        _ kind: Restriction,
        to account: AccountID,
        until: Timestamp?,
        decision: DecisionID?,
        at now: Timestamp,
        in transaction: Transaction
    ) async throws {
        let cause = Cause(actor: decision.map { "decision \($0)" } ?? "moderation", decision: decision)
        try await apply(kind, to: account, until: until, by: cause, at: now, in: transaction)
    }

    /// - Parameter decision: whose restrictions are lifted; others stay in force. Nil for whosever they are.
    static func lift(
        _ kinds: [Restriction],
        from account: AccountID,
        decision: DecisionID? = nil,
        at now: Timestamp,
        in transaction: Transaction
    ) async throws {
        RestrictionStore.lock(account, in: transaction)
        RestrictionStore.remove(kinds, from: account, decision: decision, in: transaction)
        try await tell(account, at: now, in: transaction)
    }

    static func lift(
        _ kind: Restriction,
        from account: AccountID,
        at now: Timestamp,
        in transaction: Transaction
    ) async throws {
        try await lift([kind], from: account, at: now, in: transaction)
    }

    /// Somebody is about to leave, or has come back.
    static func hear(_ event: AccountLeaving, at moment: Timestamp, in transaction: Transaction) async throws {
        RestrictionStore.lock(event.accountID, in: transaction)
        guard try await RestrictionStore.hear(event, in: transaction) else { return }
        if event.deletion != nil {
            let cause = Cause(actor: "account \(event.accountID)")
            try await apply(.leaving, to: event.accountID, by: cause, at: moment, in: transaction)
        } else {
            try await lift(.leaving, from: event.accountID, at: moment, in: transaction)
        }
    }

    /// Lifts what has run out of some accounts, each in a transaction of its own.
    ///
    /// - Returns: of how many.
    static func liftEnded(_ dependencies: Dependencies, in database: Database) async throws -> Int {
        let now = dependencies.now()
        let accounts = try await RestrictionStore.ended(before: now, in: database)
        for account in accounts {
            try await database.transaction { transaction in
                RestrictionStore.lock(account, in: transaction)
                RestrictionStore.removeEnded(of: account, before: now, in: transaction)
                try await tell(account, at: now, in: transaction)
            }
        }
        return accounts.count
    }

    private static func tell(_ account: AccountID, at now: Timestamp, in transaction: Transaction) async throws {
        guard let restricted = try await RestrictionStore.recount(account, at: now, in: transaction) else { return }
        try transaction.record(restricted)
        if let shown = try await RestrictionStore.show(restricted, in: transaction) {
            try transaction.record(ProfileUpdated(account: shown))
        }
    }
}
