// SPDX-License-Identifier: Apache-2.0
// Migrations: once, in order, never edited.

import Glibc
import Logging
import Support
import Testing

@testable import Postgres

@Suite struct MigratorTests {
    private let logger = Logger(label: "test")

    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let path = "/tmp/madang-migrations-\(UInt64.random(in: 0 ... .max))"
        mkdir(path, 0o700)
        defer {
            for name in ["0001_a.sql", "0002_b.sql", "0003_c.sql", "0004_d.sql"] { unlink("\(path)/\(name)") }
            rmdir(path)
        }
        try await body(path)
    }

    private func write(_ text: String, _ path: String) {
        guard let file = fopen(path, "w") else { return }
        fputs(text, file)
        fclose(file)
    }

    @Test func appliesEachOnceAndRefusesWhatChanged() async throws {
        try await withDatabase { database, configuration in
            try await withFolder { folder in
                write("CREATE TABLE a (x int8); INSERT INTO a VALUES (1);", "\(folder)/0001_a.sql")
                write("-- no transaction\nCREATE INDEX CONCURRENTLY b ON a (x);\n", "\(folder)/0002_b.sql")
                let source = MigrationSource(name: "test", directory: folder)
                let migrator = Migrator(configuration, sources: [source], logger: logger)
                await #expect(throws: Migrator.Failure.self) { try await migrator.check() }
                // Several at once: one does it all.
                let applied = try await withThrowingTaskGroup(of: [String].self) { group in
                    for _ in 0..<4 { group.addTask { try await migrator.migrate() } }
                    return try await group.reduce(into: []) { $0 += $1 }
                }
                #expect(applied == ["test/0001_a", "test/0002_b"])
                #expect(try await migrator.migrate() == [])
                try await migrator.check()

                write("CREATE TABLE c (x int8); SELECT 1 / 0;", "\(folder)/0003_c.sql")
                await #expect(throws: Migrator.Failure.self) { _ = try await migrator.migrate() }
                #expect(try await database.query("SELECT 1 FROM pg_class WHERE relname = 'c'").isEmpty)
                write("COMMIT;", "\(folder)/0003_c.sql")
                await #expect(throws: Migrator.Failure.self) { _ = try await migrator.migrate() }
                unlink("\(folder)/0003_c.sql")

                // Numbers may be left out, but nothing comes in before what is applied.
                write("CREATE TABLE d (x int8);", "\(folder)/0004_d.sql")
                #expect(try await migrator.migrate() == ["test/0004_d"])
                write("CREATE TABLE c (x int8);", "\(folder)/0003_c.sql")
                await #expect(throws: Migrator.Failure.self) { _ = try await migrator.migrate() }
                unlink("\(folder)/0003_c.sql")

                write("CREATE TABLE a (x int4);", "\(folder)/0001_a.sql")
                await #expect(throws: Migrator.Failure.self) { try await migrator.check() }
                write("CREATE TABLE a (x int8); INSERT INTO a VALUES (1);", "\(folder)/0001_a.sql")
                try await migrator.check()
                unlink("\(folder)/0002_b.sql")
                await #expect(throws: Migrator.Failure.self) { _ = try await migrator.migrate() }
            }
        }
    }

    @Test func leastRecentlyUsedStatementMakesRoom() {
        var cache = StatementCache(capacity: 2)
        #expect(cache.use("a", types: []) == .missing(1, evicted: nil))
        #expect(cache.use("b", types: []) == .missing(2, evicted: nil))
        #expect(cache.use("a", types: []) == .prepared(1))
        #expect(cache.use("c", types: []) == .missing(3, evicted: 2))
        #expect(cache.use("a", types: [20]) == .missing(4, evicted: 1))
        cache.forget("a", number: 1)
        #expect(cache.use("a", types: [20]) == .prepared(4))
    }
}
