// SPDX-License-Identifier: Apache-2.0
// Brings a schema to its newest form.

internal import Glibc
package import Logging

/// Applies each migration once, in order, each in a transaction, under an advisory lock.
///
/// A file whose first line is `-- no transaction` runs outside one, statement by statement; each of its statements
/// ends with a semicolon at the end of a line and can be run again after a failure.
package struct Migrator: Sendable {
    package enum Failure: Error, Sendable {
        /// A file that was applied has another checksum now.
        case edited(String)
        /// A number is missing or given twice.
        case numbering(String)
        /// The database has migrations that this program does not know: it is newer than the program.
        case unknown(String)
        case failed(String, String)
        /// `check()` found a migration that is not applied yet.
        case pending(String)
    }

    private let configuration: DatabaseConfiguration
    private let sources: [MigrationSource]
    private let logger: Logger
    /// How long another migrator may hold the lock.
    private let patience: Duration = .seconds(300)

    package init(_ configuration: DatabaseConfiguration, sources: [MigrationSource], logger: Logger) {
        self.configuration = configuration
        self.sources = sources
        self.logger = logger
    }

    /// - Returns: the names of the migrations that were applied now, such as `posts/0001_init`.
    package func migrate() async throws -> [String] {
        try await onThread { try migrateBlocking() }
    }

    /// Migrates on the calling thread, which must not be one of the cooperative pool.
    package func migrateBlocking() throws -> [String] {
        let session = try Session(configuration)
        try lock(session)
        try createTable(session)
        var names: [String] = []
        for (file, checksum) in try pending(session) {
            do {
                try apply(file, checksum, session)
            } catch let error as PostgresError {
                throw Failure.failed(file.name, "\(error)")
            }
            logger.info("applied a migration", metadata: ["migration": "\(file.name)"])
            names.append(file.name)
        }
        return names
    }

    /// Throws unless every migration is applied and none is unknown: what a service checks at its start.
    package func check() async throws {
        try await Session.run(configuration) { session in
            let hasTable = try session.rows("SELECT to_regclass('migrations')").first?.first ?? nil
            if hasTable == nil {
                if let first = try sources.lazy.flatMap({ try $0.files() }).first { throw Failure.pending(first.name) }
                return
            }
            if let first = try pending(session).first { throw Failure.pending(first.0.name) }
        }
    }

    /// Polls rather than waits in the server: a waiting session would hold up an index built concurrently.
    private func lock(_ session: Session) throws {
        let end = monotonicNow() + patience.nanoseconds
        let statement = "SELECT pg_try_advisory_lock(hashtextextended('migrations of ' || $1, 0))::int"
        while try session.rows(statement, [configuration.schema]).first?.first != "1" {
            guard monotonicNow() < end else { throw Failure.failed("lock", "another migrator does not end") }
            usleep(50_000)
        }
    }

    private func createTable(_ session: Session) throws {
        let schema = configuration.schema.split(separator: "\"", omittingEmptySubsequences: false).joined(
            separator: "\"\""
        )
        let exists = try session.rows("SELECT 1 FROM pg_namespace WHERE nspname = $1", [configuration.schema])
        if exists.isEmpty { try session.execute("CREATE SCHEMA \"\(schema)\"") }
        try session.execute(
            """
            CREATE TABLE IF NOT EXISTS migrations (
                source text NOT NULL,
                number integer NOT NULL,
                name text NOT NULL,
                checksum text NOT NULL,
                applied_at timestamptz NOT NULL DEFAULT now(),
                PRIMARY KEY (source, number)
            )
            """
        )
    }

    private func pending(_ session: Session) throws -> [(MigrationFile, checksum: String)] {
        var files: [(MigrationFile, checksum: String)] = []
        for file in try sources.flatMap({ try $0.files() }) {
            let rows = try session.rows("SELECT encode(sha256(convert_to($1, 'UTF8')), 'hex')", [file.text])
            guard let checksum = rows.first?.first ?? nil else { throw Failure.failed(file.name, "no checksum") }
            files.append((file, checksum))
        }
        let applied = try session.rows("SELECT source, number, name, checksum FROM migrations ORDER BY source, number")
        return try pendingMigrations(
            files,
            applied: applied.compactMap { row in
                guard row.count == 4, let source = row[0], let number = row[1].flatMap({ Int($0) }), let name = row[2],
                    let checksum = row[3]
                else { return nil }
                return AppliedMigration(source: source, number: number, name: name, checksum: checksum)
            }
        )
    }

    private func apply(_ file: MigrationFile, _ checksum: String, _ session: Session) throws {
        let record = "INSERT INTO migrations (source, number, name, checksum) VALUES ($1, $2::int, $3, $4)"
        let values = [file.source, String(file.number), file.title, checksum]
        if file.isOutsideTransaction {
            for statement in file.statements { try session.execute(statement) }
            _ = try session.rows(record, values)
            return
        }
        for attempt in 1... {
            do {
                try session.execute("BEGIN")
                try session.execute("SET LOCAL lock_timeout = '2s'")
                try session.execute(file.text)
                guard session.isInTransaction else {
                    throw Failure.failed(file.name, "a migration must not end its transaction")
                }
                _ = try session.rows(record, values)
                try session.execute("COMMIT")
                return
            } catch {
                try? session.execute("ROLLBACK")
                // Somebody held a table for longer than we may hold up everybody else: let them finish, try again.
                guard (error as? PostgresError)?.sqlState == "55P03", attempt < 10 else { throw error }
                usleep(500_000)
            }
        }
    }
}
