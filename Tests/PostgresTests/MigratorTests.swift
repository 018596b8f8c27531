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
            for name in ["0001_a.sql", "0002_b.sql", "0003_c.sql", "0004_d.sql", "0020_e.sql", "0004_c.sql"] {
                unlink("\(path)/\(name)")
            }
            rmdir(path)
        }
        try await body(path)
    }

    private func write(_ text: String, _ path: String) {
        guard let file = fopen(path, "w") else { return }
        fputs(text, file)
        fclose(file)
    }

    @Test func waitsForATableAgainAndAgain() async throws {
        try await withDatabase { database, configuration in
            try await withFolder { folder in
                _ = try await database.query("CREATE TABLE a (x int8)")
                let text = "-- no transaction\nSET lock_timeout = '300ms';\nALTER TABLE a ADD y int8;\n"
                write(text, "\(folder)/0001_a.sql")
                let source = MigrationSource(name: "test", directory: folder)
                let migrator = Migrator(configuration, sources: [source], logger: logger)
                @Sendable func isWaiting() async throws -> Bool {
                    try await database.query(
                        "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'a'::regclass"
                    ).number() > 0
                }
                let applying = Task { try await migrator.migrate() }
                try await database.transaction(deadline: .seconds(300)) { transaction in
                    _ = try await transaction.query("LOCK TABLE a IN ACCESS EXCLUSIVE MODE")
                    try await eventually("it waits") { try await isWaiting() }
                    try await eventually("it lets others go first") { try await !isWaiting() }
                    try await eventually("it waits again") { try await isWaiting() }
                }
                #expect(try await applying.value == ["test/0001_a"])
            }
        }
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

                // Numbers may be left out, but not given twice or filled in afterwards.
                write("CREATE TABLE d (x int8);", "\(folder)/0004_d.sql")
                #expect(try await migrator.migrate() == ["test/0004_d"])
                write("SELECT 1;", "\(folder)/0003_c.sql")
                await #expect(throws: Migrator.Failure.self) { _ = try await migrator.migrate() }
                unlink("\(folder)/0003_c.sql")
                write("SELECT 1;", "\(folder)/0004_c.sql")
                await #expect(throws: Migrator.Failure.self) { _ = try await migrator.migrate() }
                unlink("\(folder)/0004_c.sql")

                write("CREATE TABLE a (x int4);", "\(folder)/0001_a.sql")
                await #expect(throws: Migrator.Failure.self) { try await migrator.check() }
                write("CREATE TABLE a (x int8); INSERT INTO a VALUES (1);", "\(folder)/0001_a.sql")
                try await migrator.check()
                unlink("\(folder)/0002_b.sql")
                await #expect(throws: Migrator.Failure.self) { _ = try await migrator.migrate() }
            }
        }
    }

    /// The program of a release runs on the schema of its own release and of the next one, on no other.
    @Test func aProgramRunsOnASchemaOneReleaseNewer() async throws {
        try await withDatabase { _, configuration in
            try await withFolder { folder in
                let source = MigrationSource(name: "test", directory: folder)
                func program(_ release: Int) -> Migrator {
                    Migrator(configuration, sources: [source], release: release, logger: logger)
                }
                write("CREATE TABLE a (x int8);", "\(folder)/0001_a.sql")
                #expect(try await program(1).migrate() == ["test/0001_a"])
                write("-- release 2\nALTER TABLE a ADD COLUMN y int8;", "\(folder)/0002_b.sql")
                // The new program before its migration: it must not run yet.
                await #expect { try await program(2).check() } throws: { error in
                    guard let failure = error as? Migrator.Failure, case .pending = failure else { return false }
                    return failure.isFinal && "\(failure)".contains("test/0002_b")
                }
                #expect(try await program(2).migrate() == ["test/0002_b"])
                try await program(2).check()

                // Back to the old one, whose folder does not have that file: it starts, and migrates nothing.
                unlink("\(folder)/0002_b.sql")
                try await program(1).check()
                #expect(try await program(1).migrate() == [])
                // A program of the second release that lacks its own file is not what it says.
                await #expect { try await program(2).check() } throws: { error in
                    if case Migrator.Failure.unknown("test/b")? = error as? Migrator.Failure { true } else { false }
                }

                write("-- release 2\nALTER TABLE a ADD COLUMN y int8;", "\(folder)/0002_b.sql")
                write(
                    "-- no transaction\n-- release 3\nCREATE INDEX CONCURRENTLY c ON a (x);\n",
                    "\(folder)/0003_c.sql"
                )
                #expect(try await program(3).migrate() == ["test/0003_c"])
                unlink("\(folder)/0003_c.sql")
                try await program(2).check()
                unlink("\(folder)/0002_b.sql")
                for attempt in ["check", "migrate"] {
                    do {
                        if attempt == "check" {
                            try await program(1).check()
                        } else {
                            _ = try await program(1).migrate()
                        }
                        Issue.record("\(attempt): a schema two releases newer was accepted")
                    } catch let failure as Migrator.Failure {
                        guard case .tooNew(_, 3, 1) = failure else { throw failure }
                        #expect(failure.isFinal && "\(failure)".contains("release 3"))
                    }
                }
            }
        }
    }

    /// What the first release wrote goes on, and its programs see in `migrations` what they know and nothing else.
    @Test func theTableOfTheFirstReleaseGoesOn() async throws {
        try await withDatabase { database, configuration in
            try await withFolder { folder in
                write("CREATE TABLE a (x int8);", "\(folder)/0001_a.sql")
                try await Session.run(configuration) { session in
                    try session.execute(
                        """
                        DROP SCHEMA test CASCADE;
                        CREATE SCHEMA test;
                        CREATE TABLE migrations (
                            source text NOT NULL,
                            number integer NOT NULL,
                            name text NOT NULL,
                            checksum text NOT NULL,
                            applied_at timestamptz NOT NULL DEFAULT now(),
                            PRIMARY KEY (source, number)
                        );
                        CREATE TABLE a (x int8);
                        INSERT INTO migrations (source, number, name, checksum)
                        VALUES ('test', 1, 'a', encode(sha256('CREATE TABLE a (x int8);'), 'hex'))
                        """
                    )
                }
                let source = MigrationSource(name: "test", directory: folder)
                let migrator = Migrator(configuration, sources: [source], logger: logger)
                await #expect(throws: Migrator.Failure.self) { try await migrator.check() }
                write("-- release 2\nCREATE TABLE e (x int8);", "\(folder)/0020_e.sql")
                #expect(try await migrator.migrate() == ["test/0020_e"])
                try await migrator.check()
                let seen = try await database.query("SELECT source, number, name, checksum FROM migrations").map {
                    row in
                    var columns = row.columns
                    let source: String = try columns.next()
                    let number: Int32 = try columns.next()
                    let name: String = try columns.next()
                    return "\(source)/\(number)_\(name)"
                }
                #expect(seen == ["test/1_a"])
                #expect(try await database.query("SELECT FROM applied_migrations").count == 2)
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
