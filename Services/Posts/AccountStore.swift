// SPDX-License-Identifier: Apache-2.0
// The SQL on accounts.

import Domain
import Events
import Postgres

/// Reads and writes accounts.
enum AccountStore {
    static func exists(_ id: AccountID, in database: Database) async throws -> Bool {
        try await !database.query("SELECT 1 FROM accounts WHERE id = \(id)").isEmpty
    }

    /// Makes an account's row; nil when it has one.
    ///
    /// An id tells when it was made, so the row is the same whether the event or the account's first act makes it.
    static func insert(
        _ id: AccountID,
        username: Username,
        in transaction: Transaction
    ) async throws -> AccountSnapshot? {
        try await transaction.query(
            """
            INSERT INTO accounts (id, username, created_at)
            VALUES (\(id), \(username), \(id.timestamp))
            ON CONFLICT (id) DO NOTHING
            RETURNING id, username, display_name, note, fields, locked, bot, discoverable, created_at, last_post_at,
                posts_count, followers_count, following_count, version
            """
        ).account()
    }
}
