// SPDX-License-Identifier: Apache-2.0
// The projection of accounts: how each looked when it was last heard of.

import Domain
import Events
import Outbox
import Postgres
import Serving

enum AccountStore {
    /// Keeps the snapshot unless a newer one is known; when repairing, also in place of one of the same version.
    static func keep(
        _ account: AccountSnapshot,
        repairing: Bool = false,
        in transaction: some Transacting
    ) throws {
        let isNewer: SQL = repairing ? "excluded.version >= accounts.version" : "excluded.version > accounts.version"
        transaction.enqueue(
            """
            INSERT INTO accounts (id, version, username, snapshot)
            VALUES (\(account.id), \(account.version), \(account.username), \(try JSONB(snapshot: account)))
            ON CONFLICT (id) DO UPDATE
            SET version = excluded.version, username = excluded.username, snapshot = excluded.snapshot
            WHERE \(isNewer)
            """
        )
    }

    /// What goes in a rebuild: accounts of which nobody told.
    static let untold = UntoldRows(from: "accounts", where: "id <> 0", kind: "'account'", "id")

    /// Those of the accounts that have a row.
    static func existing(_ ids: [AccountID], in database: some Querying) async throws -> Set<AccountID> {
        Set(try await database.query("SELECT id FROM accounts WHERE id = ANY (\(ids))").all { try $0.next() })
    }

    /// An account as events carry it.
    static func snapshot(_ id: AccountID, in database: some Querying) async throws -> AccountSnapshot? {
        try await snapshots([id], in: database).first
    }

    /// Accounts as events carry them, in the order of their ids.
    static func snapshots(_ ids: [AccountID], in database: some Querying) async throws -> [AccountSnapshot] {
        try await database.query("SELECT snapshot FROM accounts WHERE id = ANY (\(ids)) ORDER BY id")
            .all { try $0.next() }
    }

    /// Holds an account's row until the end of the transaction, so that what is counted of it stays true.
    static func lock(_ id: AccountID, in transaction: some Transacting) {
        transaction.enqueue("SELECT 1 FROM accounts WHERE id = \(id) FOR NO KEY UPDATE")
    }
}
