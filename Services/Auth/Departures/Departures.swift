// SPDX-License-Identifier: Apache-2.0
// Somebody leaves, comes back, or is gone.

import Domain
import Events
import HTTPTypes
import Outbox
import Postgres
import Web

/// Steps of deletions, each in a transaction that somebody else began.
enum Departures {
    /// Somebody who comes after the grace is over.
    struct Gone: ProblemConvertible {
        var problem: Problem { Problem(.gone, "account-deleted", detail: PageText.detail("account_deleted")) }
    }

    /// Has an account deleted at a moment, and ends all its sessions: only who signs in again comes back.
    ///
    /// - Returns: when it will be deleted, which is earlier if that was asked for before.
    static func ask(
        _ account: AccountID,
        deletion: Timestamp,
        _ audit: Audit,
        version: Int64,
        now: Timestamp,
        in transaction: Transaction
    ) async throws -> Timestamp {
        guard try await AccountStore.lock(account, in: transaction) != nil else { throw Problem.unauthorized }
        guard try await !DepartureStore.hasBegun(account, in: transaction) else { throw Gone() }
        let moment = try await DepartureStore.ask(account, deletion: deletion, now: now, in: transaction)
        try transaction.record(AccountLeaving(accountID: account, deletion: moment, subjectVersion: version))
        try await endSessions(of: account, audit, in: transaction)
        let subject = Audit.Subject(account: account, detail: "deleted at \(moment.rfc3339)")
        try audit.note(.accountLeaving, subject, in: transaction)
        try await transaction.send(.leaving(deletion: moment), to: account, at: now)
        return moment
    }

    /// Whoever signs in during the grace stays. Holds the account, so that nobody leaves or goes meanwhile.
    ///
    /// - Returns: whether they were leaving.
    static func stop(
        _ account: AccountID,
        _ dependencies: Dependencies,
        in transaction: Transaction
    ) async throws -> Bool {
        guard try await AccountStore.lock(account, in: transaction) != nil else { throw Problem.unauthorized }
        guard try await DepartureStore.stop(account, in: transaction) else {
            guard try await !DepartureStore.hasBegun(account, in: transaction) else { throw Gone() }
            return false
        }
        try transaction.record(
            AccountLeaving(accountID: account, deletion: nil, subjectVersion: dependencies.ids.number())
        )
        try dependencies.ownAudit.by(account).note(.accountStayed, .init(account: account), in: transaction)
        return true
    }

    /// The grace is over: nobody gets in any more, and what issuers gave is to be given back.
    static func begin(
        _ account: AccountID,
        _ dependencies: Dependencies,
        in transaction: Transaction
    ) async throws {
        let now = dependencies.now()
        _ = try await AccountStore.lock(account, in: transaction)
        for identity in try await IdentityStore.list(of: account, in: transaction) {
            try await RevocationStore.ask(try dependencies.ids.next(), of: identity, now: now, in: transaction)
            try await IdentityStore.delete(identity.id, in: transaction)
        }
        try await RemainsStore.dropPassword(of: account, in: transaction)
        try await endSessions(of: account, dependencies.ownAudit, in: transaction)
        DepartureStore.begin(account, now: now, in: transaction)
    }

    /// Takes the account away and has everybody erase what they have of it.
    static func finish(
        _ account: AccountID,
        _ dependencies: Dependencies,
        in transaction: Transaction
    ) async throws {
        try await RemainsStore.endLetters(to: account, at: dependencies.now(), in: transaction)
        try await transaction.send(.deleted, to: account, at: dependencies.now())
        try await RemainsStore.reserveName(of: account, in: transaction)
        try await RemainsStore.deleteAttempts(of: account, in: transaction)
        try await RemainsStore.deleteRestrictions(of: account, in: transaction)
        try await ExportTaskStore.erase(of: account, in: transaction)
        try await RemainsStore.deleteAccount(account, in: transaction)
        try transaction.record(AccountDeleted(accountID: account))
        DepartureStore.finish(account, now: dependencies.now(), in: transaction)
        try dependencies.ownAudit.note(.accountDeleted, .init(account: account), in: transaction)
    }

    private static func endSessions(
        of account: AccountID,
        _ audit: Audit,
        in transaction: Transaction
    ) async throws {
        try await CodeStore.deleteUnused(of: account, in: transaction)
        for session in try await transaction.end(.all(account, except: nil)) {
            try audit.note(.sessionEnded, .init(account: account, session: session.id), in: transaction)
        }
    }
}

extension Dependencies {
    /// For what this place does by itself.
    var ownAudit: Audit { Audit(actor: "madang", database: database, ids: ids, now: now, logger: logger) }
}
