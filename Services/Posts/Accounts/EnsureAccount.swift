// SPDX-License-Identifier: Apache-2.0
// Whose rows are there.

import Domain
import Events
import Outbox
import Postgres
import Serving

/// Makes sure that whoever acts has a row; see `KnownAccounts.ensure`.
enum EnsureAccount {
    static func run(_ account: Principal.Account, _ dependencies: Dependencies) async throws {
        try await dependencies.known.ensure(account) { account in
            if try await AccountStore.exists(account.id, in: dependencies.database) { return }
            try await dependencies.database.transaction { transaction in
                if let made = try await AccountStore.insert(account.id, username: account.username, in: transaction) {
                    try transaction.record(ProfileUpdated(account: made))
                }
            }
        }
    }
}

/// Whether an account is there; one that has just signed up is waited for.
enum AwaitAccount {
    static func run(_ id: AccountID, _ dependencies: Dependencies) async throws -> Bool {
        try await dependencies.known.missing([id], now: dependencies.now) { ids in
            try await AccountStore.existing(ids, in: dependencies.database)
        }.isEmpty
    }
}
