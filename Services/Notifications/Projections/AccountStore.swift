// SPDX-License-Identifier: Apache-2.0
// The projection of accounts: how each looked when it was last heard of.

import Events
import Postgres
import Serving

enum AccountStore {
    /// Keeps the snapshot unless a newer one is known.
    static func keep(_ account: AccountSnapshot, in transaction: Transaction) throws {
        transaction.enqueue(
            """
            INSERT INTO accounts (id, version, snapshot)
            VALUES (\(account.id), \(account.version), \(try JSONB(snapshot: account)))
            ON CONFLICT (id) DO UPDATE SET version = excluded.version, snapshot = excluded.snapshot
            WHERE excluded.version > accounts.version
            """
        )
    }
}
