// SPDX-License-Identifier: Apache-2.0
// What every executable that owns a schema reads and can do.

package import Domain
import Logging
package import Messaging
package import Postgres
package import ServiceKit

/// The settings that every service with a schema has.
package struct StoreSettings: Sendable {
    package let site: Site
    package let host: String
    package let port: Int
    package let database: DatabaseConfiguration
    /// Nil only where the setting is bad, which stops the start.
    package let broker: BrokerConfiguration?
    /// As the user who may write to any queue: the operator gives it to `dead-letters replay`, and to nothing else.
    package let replay: BrokerConfiguration?

    /// - Parameters:
    ///   - service: the name of the executable, of its schema and of its user at the broker.
    ///   - port: where it listens when `MADANG_LISTEN` does not say.
    package init(_ settings: inout Settings, service: String, port: Int) {
        site = settings.site()
        (host, self.port) = settings.address(
            "MADANG_LISTEN",
            default: "127.0.0.1:\(port)",
            meaning: "where \(service) listens"
        )
        database = DatabaseConfiguration(
            connection: settings.string(
                "MADANG_POSTGRES",
                secret: true,
                meaning: "the database, as the role of \(service)"
            ),
            schema: service,
            applicationName: service
        )
        broker = settings.parsed(
            "MADANG_AMQP",
            secret: true,
            expected: "amqp://user:password@host:port/vhost",
            meaning: "the broker, as the user of \(service)",
            parse: { BrokerConfiguration(uri: $0, connectionName: service) }
        )
        replay = settings.optional(
            "MADANG_AMQP_REPLAY",
            secret: true,
            meaning: "the broker, as the user replay: for dead-letters replay only"
        ).flatMap { BrokerConfiguration(uri: $0, connectionName: "\(service) replay") }
    }
}

/// The settings of a service with a schema.
package protocol StoreConfig: Sendable {
    var store: StoreSettings { get }
}

extension ServiceCommands where Config: StoreConfig {
    /// The commands of a service with a schema: `serve`, `migrate`, `dead-letters`, and its own.
    ///
    /// - Parameter patience: how long `serve` waits for a database that is away: after a crash it recovers for a while.
    package init(
        name: String,
        migrations: [MigrationSource],
        config: @escaping @Sendable (inout Settings) -> Config,
        serve: @escaping Serve,
        commands: [String: Command] = [:],
        patience: Duration = .seconds(60)
    ) {
        let common: [String: Command] = [
            "migrate": { config, logger, _ in
                let migrator = migrator(config, migrations, logger)
                let applied = try await refusingWhatIsFinal { try await migrator.migrate() }
                logger.info("The schema is up to date", metadata: ["applied": "\(applied.joined(separator: " "))"])
            },
            "dead-letters": { config, logger, arguments in
                guard let broker = config.store.broker else { return }
                try await deadLetters(
                    service: name,
                    broker: broker,
                    replay: config.store.replay,
                    database: config.store.database,
                    arguments: arguments,
                    logger: logger
                )
            },
        ]
        self.init(
            name: name,
            config: config,
            serve: { config, logger, metrics in
                let migrator = migrator(config, migrations, logger)
                try await whileAway(patience, logger) { try await refusingWhatIsFinal { try await migrator.check() } }
                return try await serve(config, logger, metrics)
            },
            commands: common.merging(commands) { _, own in own }
        )
    }
}

private func migrator(_ config: some StoreConfig, _ sources: [MigrationSource], _ logger: Logger) -> Migrator {
    Migrator(config.store.database, sources: sources, release: schemaRelease, logger: logger)
}

/// Tries again and again while the database is away, a quarter of a second apart.
private func whileAway(_ patience: Duration, _ logger: Logger, _ body: () async throws -> Void) async throws {
    let end = ContinuousClock.now + patience
    var isFirst = true
    while true {
        do { return try await body() } catch let error as PostgresError where error.kind == .away {
            guard ContinuousClock.now < end else { throw error }
            if isFirst { logger.warning("Waiting for the database", metadata: ["cause": "\(error)"]) }
            isFirst = false
            try await Task.sleep(for: .milliseconds(250))
        }
    }
}

/// A schema that does not fit the program will not fit it at the next start either.
private func refusingWhatIsFinal<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch let failure as Migrator.Failure where failure.isFinal {
        throw Refusal(reason: "\(failure)")
    }
}
