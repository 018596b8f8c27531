// SPDX-License-Identifier: Apache-2.0
// The SQL on what others may do here, as auth tells it.

import Domain
import Events
import Postgres

enum RoleStore {
    /// Keeps a role, unless something newer is known.
    static func keep(_ given: RoleGiven, in transaction: some Transacting) {
        transaction.enqueue(
            """
            INSERT INTO roles AS r (account_id, role, version)
            VALUES (\(given.accountID), \(given.role), \(given.subjectVersion))
            ON CONFLICT (account_id) DO UPDATE SET role = excluded.role, version = excluded.version
            WHERE r.version < excluded.version
            """
        )
    }

    static func role(of account: AccountID, in database: some Querying) async throws -> Role {
        try await database.query("SELECT role FROM roles WHERE account_id = \(account)").one { try $0.next() } ?? .user
    }
}
