// SPDX-License-Identifier: Apache-2.0
// The projection of accounts: how each looked when it was last heard of.

import Domain
import Events
import Postgres
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
}
