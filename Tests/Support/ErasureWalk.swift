// SPDX-License-Identifier: Apache-2.0
// Whether anything of an account that was deleted is left in a schema: every table is looked through.

package import Domain
internal import Foundation
internal import Outbox
package import Postgres
internal import Serving
internal import Testing

/// An account of which every table of a service has something, as `Tests/<Service>Tests/ErasedRows.sql` makes it.
package struct ErasureWalk: Sendable {
    /// Its id, and what its texts have in them.
    package static let account = AccountID(880_000_000_000_000_077)
    package static let mark = "marked77"

    /// The folder of `Services`.
    let service: String
    let migrations: [MigrationSource]
    /// Tables that have nothing of anybody, and why.
    let impersonal: [String: String]
    /// Tables of which something stays that says who it was only by a number, and why.
    let tombstones: [String: String]

    package init(
        _ service: String,
        migrations: [MigrationSource],
        impersonal: [String: String],
        tombstones: [String: String] = [:]
    ) {
        self.service = service
        self.migrations = migrations
        self.impersonal = impersonal
        self.tombstones = tombstones
    }

    /// Expects that each table has something of the account before, and none after `erase`, which may be done again.
    ///
    /// - Parameter others: counts what is not the account's, and stays as it is.
    package func expect(
        others: [String: Int],
        _ erase: @escaping @Sendable (Database) async throws -> Void
    ) async throws {
        let schema = service.lowercased()
        try await withDatabase(migrations: migrations, schema: schema) { database, configuration in
            let file = repositoryRoot.appending(path: "Tests/\(service)Tests/ErasedRows.sql")
            let rows = try String(contentsOf: file, encoding: .utf8)
            try await Session.run(configuration) { session in
                try session.execute("SET session_replication_role = replica")
                try session.execute(rows)
            }
            let shared = try await ErasureWalk.tablesOfTheKit()
            let tables = try await ErasureWalk.tables(database).filter { !shared.contains($0) }
            for table in tables where impersonal[table] == nil {
                let count = try await found(in: table, database)
                #expect(
                    count > 0,
                    "\(table) has nothing of the account: say in ErasedRows.sql what it could have, and erase it"
                )
            }
            for _ in 0..<2 { try await erase(database) }
            for table in tables where tombstones[table] == nil {
                #expect(try await found(in: table, database) == 0, "something is left in \(table)")
            }
            for table in tombstones.keys {
                #expect(try await found(ErasureWalk.mark, in: table, database) == 0, "a text is left in \(table)")
            }
            for (query, count) in others.sorted(by: { $0.key < $1.key }) {
                #expect(try await ErasureWalk.number(query, database) == count, "\(query)")
            }
        }
    }

    private func found(in table: String, _ database: Database) async throws -> Int {
        try await found(ErasureWalk.account.description, in: table, database)
            + found(ErasureWalk.mark, in: table, database)
    }

    private func found(_ text: String, in table: String, _ database: Database) async throws -> Int {
        try await ErasureWalk.number(
            "SELECT count(*) FROM \"\(table)\" t WHERE CAST(t AS text) LIKE '%\(text)%'",
            database
        )
    }

    private static func number(_ text: String, _ database: Database) async throws -> Int {
        try await database.query(SQL(stringLiteral: text)).number()
    }

    private static func tables(_ database: Database) async throws -> [String] {
        try await database.query(
            """
            SELECT relname::text FROM pg_class
            WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
            ORDER BY 1
            """
        ).all { try $0.next() }
    }

    private static func tablesOfTheKit() async throws -> Set<String> {
        try await withDatabase(migrations: [outboxMigrations, changeMigrations], schema: "test") { database, _ in
            Set(try await tables(database))
        }
    }
}
