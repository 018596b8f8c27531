// SPDX-License-Identifier: Apache-2.0
// The SQL on who is in a playground.

import Domain
import Events
import Postgres

/// Reads and writes memberships of playgrounds.
enum PlaygroundMemberStore {
    static func role(
        of account: AccountID,
        in playground: PlaygroundID,
        _ transaction: Transaction
    ) async throws -> ChatRole? {
        let rows = try await transaction.query(
            "SELECT role FROM playground_members WHERE playground_id = \(playground) AND account_id = \(account)"
        )
        return try rows.first.map { row in
            var columns = row.columns
            return try columns.next()
        }
    }

    /// Those of the accounts that are in the playground.
    static func members(
        among accounts: [AccountID],
        of playground: PlaygroundID,
        in transaction: Transaction
    ) async throws -> Set<AccountID> {
        let rows = try await transaction.query(
            """
            SELECT account_id FROM playground_members
            WHERE playground_id = \(playground) AND account_id = ANY (\(accounts))
            """
        )
        return Set(
            try rows.map { row in
                var columns = row.columns
                return try columns.next()
            }
        )
    }

    /// Whether a row was made: false for who is in already.
    static func insert(
        _ account: AccountID,
        into playground: PlaygroundID,
        role: ChatRole,
        at now: Timestamp,
        version: Int64,
        in transaction: Transaction
    ) async throws -> Bool {
        try await transaction.query(
            """
            INSERT INTO playground_members (playground_id, account_id, role, joined_at, version)
            VALUES (\(playground), \(account), \(role), \(now), \(version))
            ON CONFLICT DO NOTHING
            """
        ).affected > 0
    }

    static func setRole(
        _ role: ChatRole,
        of account: AccountID,
        in playground: PlaygroundID,
        version: Int64,
        _ transaction: Transaction
    ) {
        transaction.enqueue(
            """
            UPDATE playground_members SET role = \(role), version = \(version)
            WHERE playground_id = \(playground) AND account_id = \(account)
            """
        )
    }

    static func delete(_ account: AccountID, from playground: PlaygroundID, in transaction: Transaction) {
        transaction.enqueue(
            "DELETE FROM playground_members WHERE playground_id = \(playground) AND account_id = \(account)"
        )
    }

    /// Members, the newest account first; with `text`, those whose name holds it.
    static func list(
        of playground: PlaygroundID,
        text: String,
        _ page: Page,
        in database: Database
    ) async throws -> [Member] {
        try await database.query(
            """
            WITH page AS (
                SELECT a.id, m.role, m.joined_at
                FROM playground_members m
                JOIN accounts a ON a.id = m.account_id
                WHERE m.playground_id = \(playground) AND \(Person.isNamed(text)) AND \(page.cut("m.account_id"))
            )
            SELECT \(Person.columns), page.role, page.joined_at
            FROM page
            JOIN accounts a ON a.id = page.id
            ORDER BY a.id DESC
            """
        ).members()
    }
}

extension Rows {
    func members() throws -> [Member] {
        try map { row in
            var columns = row.columns
            return try Member(columns: &columns)
        }
    }
}
