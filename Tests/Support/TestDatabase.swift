// SPDX-License-Identifier: Apache-2.0
// A database for each test, copied from a migrated template.

internal import Crypto
internal import Glibc
internal import Logging
package import Postgres

/// Thrown when the servers that tests need are not named in the environment.
package struct MissingTestServer: Error, CustomStringConvertible {
    package let description: String
}

/// Runs `body` with a new migrated database, which is dropped afterwards.
///
/// The server is the one of `MADANG_TEST_POSTGRES`: a libpq connection string of a superuser, without `dbname`.
package func withDatabase<Value: Sendable>(
    migrations: [MigrationSource] = [],
    schema: String = "test",
    configure: (inout DatabaseConfiguration) -> Void = { _ in },
    _ body: @Sendable (Database, DatabaseConfiguration) async throws -> Value
) async throws -> Value {
    let server = try testServer()
    return try await Turns.database.take { try await withNewDatabase(server, migrations, schema, configure, body) }
}

private func withNewDatabase<Value: Sendable>(
    _ server: String,
    _ migrations: [MigrationSource],
    _ schema: String,
    _ configure: (inout DatabaseConfiguration) -> Void,
    _ body: @Sendable (Database, DatabaseConfiguration) async throws -> Value
) async throws -> Value {
    let template = try await migratedTemplate(server, migrations, schema)
    let name = "madang_test_\(UInt64.random(in: 0 ... .max))"
    // To copy files costs a third of writing each page to the log; with `fsync` off its checkpoints cost little.
    try await maintain(server) { try $0.execute("CREATE DATABASE \(name) TEMPLATE \(template) STRATEGY file_copy") }
    var configuration = testConfiguration(server, name, schema)
    configure(&configuration)
    let outcome: Result<Value, any Error>
    do {
        outcome = .success(try await running(configuration, body))
    } catch {
        outcome = .failure(error)
    }
    try await maintain(server) { try $0.execute("DROP DATABASE IF EXISTS \(name) WITH (FORCE)") }
    return try outcome.get()
}

/// Runs `body` with connections of their own to the database that `configuration` names.
package func running<Value: Sendable>(
    _ configuration: DatabaseConfiguration,
    _ body: @Sendable (Database, DatabaseConfiguration) async throws -> Value
) async throws -> Value {
    let database = Database(configuration, logger: quietLogger)
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await database.run() }
        defer { group.cancelAll() }
        return try await body(database, configuration)
    }
}

/// The conninfo of the server for tests.
package func testServer() throws -> String {
    guard let text = getenv("MADANG_TEST_POSTGRES").map({ String(cString: $0) }), !text.isEmpty else {
        throw MissingTestServer(
            description: "MADANG_TEST_POSTGRES must name a PostgreSQL server for tests (deploy/dev test sets it)"
        )
    }
    return text
}

/// How to reach a database of the server for tests.
package func testConfiguration(_ server: String, _ name: String, _ schema: String) -> DatabaseConfiguration {
    var configuration = DatabaseConfiguration(
        connection: "\(server) dbname=\(name)",
        schema: schema,
        applicationName: "madang-tests"
    )
    configuration.exclusive = 4
    // Other tests keep the machine busy; what is tested is hardly ever how soon.
    configuration.deadline = .seconds(60)
    configuration.patience = .seconds(60)
    return configuration
}

private let quietLogger: Logger = {
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    return logger
}()

private func maintain(_ server: String, _ body: @escaping @Sendable (Session) throws -> Void) async throws {
    try await Session.run(testConfiguration(server, "postgres", "public"), body)
}

/// The name of a database with exactly these migrations, made once and then only copied.
private func migratedTemplate(_ server: String, _ sources: [MigrationSource], _ schema: String) async throws -> String {
    var hash = SHA256()
    hash.update(data: Array(schema.utf8))
    for source in sources {
        hash.update(data: Array(source.name.utf8))
        for text in try source.texts() { hash.update(data: Array(text.utf8)) }
    }
    let digest = hash.finalize().prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let name = "madang_template_\(digest)"
    let isThere = try await Session.run(testConfiguration(server, "postgres", "public")) { session in
        try !session.rows("SELECT 1 FROM pg_database WHERE datname = $1 AND datistemplate", [name]).isEmpty
    }
    if isThere { return name }
    try await maintain(server) { session in
        _ = try session.rows("SELECT pg_advisory_lock(hashtextextended('template', 0))")
        let isMade = try session.rows("SELECT 1 FROM pg_database WHERE datname = $1 AND datistemplate", [name])
        guard isMade.isEmpty else { return }
        // What an interrupted run left is not trusted.
        try session.execute("DROP DATABASE IF EXISTS \(name) WITH (FORCE)")
        try session.execute("CREATE DATABASE \(name)")
        let migrator = Migrator(testConfiguration(server, name, schema), sources: sources, logger: quietLogger)
        _ = try migrator.migrateBlocking()
        try session.execute("ALTER DATABASE \(name) IS_TEMPLATE true")
    }
    return name
}
