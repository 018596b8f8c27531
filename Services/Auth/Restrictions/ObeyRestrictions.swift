// SPDX-License-Identifier: Apache-2.0
// What of an account's restrictions concerns signing in.

import Domain
import Events
import Outbox
import Postgres
import Serving
import Web

/// Signs out who is suspended, wherever they are signed in, and has gateways ask again about who is frozen, or no longer is.
struct ObeyRestrictions: Sendable {
    let dependencies: Dependencies
    let isRetold: Bool

    func react(_ event: AccountRestricted, in transaction: Transaction) async throws {
        let account = event.accountID
        // Whoever signs in at this moment was first, and is signed out, or waits, and is refused.
        _ = try await AccountStore.lock(account, in: transaction)
        guard let before = try await RestrictedAccounts.keep(event, in: transaction) else { return }
        if event.restrictions.contains(.suspended) {
            try await transaction.end(.all(account, except: nil))
            try await CodeStore.deleteUnused(of: account, in: transaction)
        }
        if before.contains(.frozen) != event.restrictions.contains(.frozen) {
            try transaction.record(PrincipalChanged(accountID: account, subjectVersion: event.subjectVersion))
        }
        guard !isRetold else { return }
        let names = event.restrictions.map(\.rawValue).joined(separator: ", ")
        try audit.note(.restricted, .init(account: account, detail: names.isEmpty ? "nothing" : names), in: transaction)
    }

    private var audit: Audit {
        Audit(actor: "posts", dependencies)
    }
}

/// Somebody has proven who they are, and is let in nowhere.
struct AccountSuspended: ProblemConvertible {
    var problem: Problem { .accountSuspended }

    /// Throws for an account that is suspended; nobody becomes so until the transaction has begun their session, or not.
    static func refuse(_ account: AccountID?, in transaction: Transaction) async throws {
        guard let account else { return }
        AccountStore.share(account, in: transaction)
        guard try await !RestrictedAccounts.restrictions(of: account, in: transaction).contains(.suspended) else {
            throw AccountSuspended()
        }
    }
}
