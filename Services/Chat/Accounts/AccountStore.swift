// SPDX-License-Identifier: Apache-2.0
// The projection of accounts: how each looked when it was last heard of.

import Domain
import Events
import Postgres
import Serving
import Views

enum AccountStore {
    /// Keeps the snapshot unless a newer one is known.
    static func keep(_ account: AccountSnapshot, in transaction: Transaction) throws {
        transaction.enqueue(
            """
            INSERT INTO accounts (id, version, username, snapshot)
            VALUES (\(account.id), \(account.version), \(account.username), \(try JSONB(snapshot: account)))
            ON CONFLICT (id) DO UPDATE
            SET version = excluded.version, username = excluded.username, snapshot = excluded.snapshot
            WHERE excluded.version > accounts.version
            """
        )
    }

    /// Those of the accounts that have a row.
    static func existing(_ ids: [AccountID], in database: Database) async throws -> Set<AccountID> {
        let rows = try await database.query("SELECT id FROM accounts WHERE id = ANY (\(ids))")
        return Set(
            try rows.map { row in
                var columns = row.columns
                return try columns.next()
            }
        )
    }

    /// An account as events carry it.
    static func snapshot(_ id: AccountID, in transaction: Transaction) async throws -> AccountSnapshot? {
        try await transaction.query("SELECT snapshot FROM accounts WHERE id = \(id)").first.map { row in
            var columns = row.columns
            let snapshot: JSONB = try columns.next()
            return try snapshot.snapshot()
        }
    }

    /// Accounts as events carry them, in the order of their ids.
    static func snapshots(_ ids: [AccountID], in transaction: Transaction) async throws -> [AccountSnapshot] {
        let rows = try await transaction.query("SELECT snapshot FROM accounts WHERE id = ANY (\(ids)) ORDER BY id")
        return try rows.map { row in
            var columns = row.columns
            let snapshot: JSONB = try columns.next()
            return try snapshot.snapshot()
        }
    }

    /// Holds an account's row until the end of the transaction, so that what is counted of it stays true.
    static func lock(_ id: AccountID, in transaction: Transaction) {
        transaction.enqueue("SELECT 1 FROM accounts WHERE id = \(id) FOR NO KEY UPDATE")
    }
}
