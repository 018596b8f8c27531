// SPDX-License-Identifier: Apache-2.0
// Whose rows are there.

import Domain
import Events
import Postgres
import Serving

/// Makes sure that whoever acts has a row; see `KnownAccounts.ensure`.
enum EnsureAccount {
    static func run(_ account: Principal.Account, _ dependencies: Dependencies) async throws {
        try await dependencies.known.ensure(account) { account in
            try await dependencies.database.transaction { transaction in
                try AccountStore.keep(AccountSnapshot(id: account.id, username: account.username), in: transaction)
            }
        }
    }
}

/// Whether accounts are there; those that have just signed up are waited for.
enum AwaitAccount {
    static func run(_ id: AccountID, _ dependencies: Dependencies) async throws -> Bool {
        try await missing([id], dependencies).isEmpty
    }

    /// Those of the accounts that are not there.
    static func missing(_ ids: [AccountID], _ dependencies: Dependencies) async throws -> [AccountID] {
        try await dependencies.known.missing(ids, now: dependencies.now) { ids in
            try await AccountStore.existing(ids, in: dependencies.database)
        }
    }
}
