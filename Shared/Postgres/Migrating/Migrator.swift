// SPDX-License-Identifier: Apache-2.0
// Brings a schema to its newest form.

internal import Glibc
public import Logging
internal import Threads

/// Applies each migration once, in order, each in a transaction, under an advisory lock.
///
/// A file whose first line is `-- no transaction` runs outside one, statement by statement; each of its statements
/// ends with a semicolon at the end of a line and can be run again after a failure.
public struct Migrator: Sendable {
    public enum Failure: Error, Sendable, CustomStringConvertible {
        /// A file that was applied has another checksum now.
        case edited(String)
        /// A number is missing or given twice.
        case numbering(String)
        /// The database has a migration of this program's release, or of an earlier one, that this program does not have.
        case unknown(String)
        /// The database has a migration of a release later than the next one.
        case tooNew(String, release: Int, known: Int)
        case failed(String, String)
        /// `check()` found a migration that is not applied yet.
        case pending(String)

        public var description: String {
            switch self {
            case .edited(let name): "the migration \(name) was applied with another content"
            case .numbering(let name): "the number of the migration \(name) is given twice, too low or no number"
            case .unknown(let name): "the schema has the migration \(name), which this program should know and does not"
            case .tooNew(let name, let release, let known):
                "the schema is of release \(release) (\(name)), this program of release \(known): it runs on \(known) and "
                    + "\(known + 1) only"
            case .failed(let name, let reason): "the migration \(name) failed: \(reason)"
            case .pending(let name):
                "the schema is older than this program: \(name) is not applied; run its `migrate` first"
            }
        }

        /// Whether another try cannot end otherwise.
        public var isFinal: Bool { if case .failed = self { false } else { true } }
    }

    private let configuration: DatabaseConfiguration
    private let sources: [MigrationSource]
    private let release: Int?
    private let logger: Logger
    /// How long another migrator may hold the lock.
    private let patience: Duration = .seconds(300)

    /// - Parameter release: the program's own; that of its newest migration if it does not say.
    public init(
        _ configuration: DatabaseConfiguration,
        sources: [MigrationSource],
        release: Int? = nil,
        logger: Logger
    ) {
        self.configuration = configuration
        self.release = release
        self.sources = sources
        self.logger = logger
    }

    /// - Returns: the names of the migrations that were applied now, such as `posts/0001_init`.
    public func migrate() async throws -> [String] {
        try await onThread(named: "migrate") { try migrateBlocking() }
    }

    /// Migrates on the calling thread, which must not be one of the cooperative pool.
    public func migrateBlocking() throws -> [String] {
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

    /// Throws unless every migration is applied and what is unknown is of the next release: what a service checks at its
    /// start.
    public func check() async throws {
        try await Session.run(configuration) { session in
            let hasTable = try session.rows("SELECT to_regclass('applied_migrations')").first?.first ?? nil
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
        // Programs of the first release look into `migrations` and refuse what they do not know: they see a view without it.
        try session.execute(
            """
            DO $$
            BEGIN
                IF to_regclass('applied_migrations') IS NOT NULL THEN
                    RETURN;
                END IF;
                SET LOCAL lock_timeout = '2s';
                IF to_regclass('migrations') IS NOT NULL THEN
                    ALTER TABLE migrations RENAME TO applied_migrations;
                ELSE
                    CREATE TABLE applied_migrations (
                        source text NOT NULL,
                        number integer NOT NULL,
                        name text NOT NULL,
                        checksum text NOT NULL,
                        applied_at timestamptz NOT NULL DEFAULT now(),
                        PRIMARY KEY (source, number)
                    );
                END IF;
                ALTER TABLE applied_migrations ADD COLUMN release integer NOT NULL DEFAULT 1;
                CREATE VIEW migrations AS
                SELECT source, number, name, checksum, applied_at FROM applied_migrations WHERE release = 1;
            END
            $$
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
        let applied = try session.rows(
            "SELECT source, number, name, checksum, release FROM applied_migrations ORDER BY source, number"
        )
        return try pendingMigrations(
            files,
            applied: applied.compactMap { row in
                guard row.count == 5, let source = row[0], let number = row[1].flatMap({ Int($0) }), let name = row[2],
                    let checksum = row[3], let release = row[4].flatMap({ Int($0) })
                else { return nil }
                return AppliedMigration(
                    source: source,
                    number: number,
                    name: name,
                    checksum: checksum,
                    release: release
                )
            },
            release: release ?? files.map(\.0.release).max() ?? 1
        )
    }

    private func apply(_ file: MigrationFile, _ checksum: String, _ session: Session) throws {
        let record = """
            INSERT INTO applied_migrations (source, number, name, checksum, release)
            VALUES ($1, $2::int, $3, $4, $5::int)
            """
        let values = [file.source, String(file.number), file.title, checksum, String(file.release)]
        if file.isOutsideTransaction {
            for statement in file.statements { try patiently { try session.execute(statement) } }
            _ = try session.rows(record, values)
            return
        }
        try patiently {
            do {
                try session.execute("BEGIN")
                try session.execute("SET LOCAL lock_timeout = '2s'")
                try session.execute(file.text)
                guard session.isInTransaction else {
                    throw Failure.failed(file.name, "a migration must not end its transaction")
                }
                _ = try session.rows(record, values)
                try session.execute("COMMIT")
            } catch {
                try? session.execute("ROLLBACK")
                throw error
            }
        }
    }

    /// Tries again when somebody held a table for longer than we may hold up everybody else: let them finish.
    private func patiently(_ body: () throws -> Void) throws {
        for attempt in 1... {
            do {
                return try body()
            } catch let error as PostgresError where error.sqlState == "55P03" && attempt < 10 {
                usleep(500_000)
            }
        }
    }
}
