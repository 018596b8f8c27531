// SPDX-License-Identifier: Apache-2.0
// Makes sure that whoever acts has a row.

import Domain
import Events
import Postgres
import Synchronization

/// The asking account's row, made from its principal when it is missing.
///
/// Somebody who signed up a moment ago may act before AccountRegistered has arrived; the principal carries all that
/// the row needs.
enum EnsureAccount {
    /// Call this before the transaction of a command: what it makes stays even if the command fails.
    static func run(_ account: Principal.Account, _ dependencies: Dependencies) async throws {
        if dependencies.known.contains(account.id) { return }
        try await dependencies.database.transaction { transaction in
            try AccountStore.keep(
                AccountSnapshot(
                    id: account.id,
                    username: account.username,
                    createdAt: account.id.timestamp,
                    version: 0
                ),
                in: transaction
            )
        }
        dependencies.known.insert(account.id)
    }
}

/// The accounts that were seen to have a row, so that an active one costs no query. Rows of accounts never go.
final class KnownAccounts: Sendable {
    private let capacity: Int
    private let ids = Mutex<Set<AccountID>>([])

    init(capacity: Int = 100_000) { self.capacity = capacity }

    func contains(_ id: AccountID) -> Bool { ids.withLock { $0.contains(id) } }

    /// A full set starts again: asking the database once more is cheaper than keeping an order.
    func insert(_ id: AccountID) {
        ids.withLock { ids in
            if ids.count >= capacity { ids.removeAll(keepingCapacity: true) }
            ids.insert(id)
        }
    }
}
