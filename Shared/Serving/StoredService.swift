// SPDX-License-Identifier: Apache-2.0
// A service that owns a schema, answers requests and reacts to events.

public import Domain
public import Foundation
public import Logging
public import Messaging
public import Outbox
public import Postgres
public import ServiceKit
public import ServiceLifecycle
public import Surface
public import Web

/// What every service is given at its start.
public struct Store: Sendable {
    public let database: Database
    public let ids: IDGenerator
    public let now: @Sendable () -> Timestamp
    public let site: Site
    public let broker: BrokerConfiguration
    public let metrics: Metrics
    public let logger: Logger

    public init(
        database: Database,
        ids: IDGenerator,
        now: @escaping @Sendable () -> Timestamp,
        site: Site,
        broker: BrokerConfiguration,
        metrics: Metrics,
        logger: Logger
    ) {
        self.database = database
        self.ids = ids
        self.now = now
        self.site = site
        self.broker = broker
        self.metrics = metrics
        self.logger = logger
    }
}

extension ServiceName {
    /// The tables of the service, in the resources of its module, and those of its outbox.
    public func migrations(in bundle: Bundle) -> [MigrationSource] {
        [outboxMigrations, ownMigrations(in: bundle)]
    }

    /// The same with what notes the changes of its tables: of a service that keeps answers.
    public func migrationsNotingChanges(in bundle: Bundle) -> [MigrationSource] {
        [outboxMigrations, changeMigrations, ownMigrations(in: bundle)]
    }

    private func ownMigrations(in bundle: Bundle) -> MigrationSource {
        MigrationSource(name: rawValue, directory: bundle.bundlePath + "/Migrations")
    }
}

/// A service that owns a schema: what is its own, from which everything that all have is made.
public struct StoredService<Config: ServiceConfig, Dependencies: Sendable>: Sendable {
    public typealias Commands = [String: ServiceCommands<Config>.Command]

    public let name: ServiceName
    public let migrations: [MigrationSource]
    private let config: @Sendable (inout Settings) -> Config
    private let dependencies: @Sendable (Config, Store) async throws -> Dependencies
    private let routes: [Route<Dependencies>]
    private let queues: @Sendable (Dependencies, Store) -> [EventQueue]
    private let tellers: @Sendable (Dependencies) -> [Teller]
    private let erasing: @Sendable (Dependencies) -> [ErasureStep]
    private let exports: @Sendable (Dependencies) -> ExportPart?
    private let sweeps: @Sendable (Dependencies) -> [Sweep]
    private let background: @Sendable (Dependencies, Store) -> [any Service]
    private let problem: @Sendable (PostgresError) -> Problem?
    private let page: @Sendable (Problem, Request, Dependencies) -> Answer?
    private let commands: Commands
    private let patience: Duration

    /// - Parameters:
    ///   - queues: where it hears of what others did.
    ///   - tellers: what of its own it tells again to others whose projections are rebuilt.
    ///   - erasing: what it has of an account, and how that goes once the account is deleted.
    ///   - exports: what it hands over of somebody who asks for everything that is theirs.
    ///   - sweeps: what it forgets.
    ///   - background: what else runs as long as it does.
    ///   - problem: what a client is told of an error of the database, where that is not the same for all services.
    ///   - page: a problem as somebody at a browser sees it, on the service's pages.
    ///   - commands: what its executable can do besides serving and what all can.
    ///   - patience: how long it waits at its start for a database that is away: after a crash it recovers for a while.
    public init(
        _ name: ServiceName,
        migrations: [MigrationSource],
        config: @escaping @Sendable (inout Settings) -> Config,
        dependencies: @escaping @Sendable (Config, Store) async throws -> Dependencies,
        routes: [Route<Dependencies>],
        queues: @escaping @Sendable (Dependencies, Store) -> [EventQueue] = { _, _ in [] },
        tellers: @escaping @Sendable (Dependencies) -> [Teller] = { _ in [] },
        erasing: @escaping @Sendable (Dependencies) -> [ErasureStep] = { _ in [] },
        exports: @escaping @Sendable (Dependencies) -> ExportPart? = { _ in nil },
        sweeps: @escaping @Sendable (Dependencies) -> [Sweep],
        background: @escaping @Sendable (Dependencies, Store) -> [any Service] = { _, _ in [] },
        problem: @escaping @Sendable (PostgresError) -> Problem? = { _ in nil },
        page: @escaping @Sendable (Problem, Request, Dependencies) -> Answer? = { _, _, _ in nil },
        commands: Commands = [:],
        patience: Duration = .seconds(60)
    ) {
        self.name = name
        self.migrations = migrations
        self.config = config
        self.dependencies = dependencies
        self.routes = routes
        self.queues = queues
        self.tellers = tellers
        self.erasing = erasing
        self.exports = exports
        self.sweeps = sweeps
        self.background = background
        self.problem = problem
        self.page = page
        self.commands = commands
        self.patience = patience
    }

    /// What the executable can do: `serve`, `migrate`, `dead-letters`, `rebuild`, and the service's own commands.
    public var executable: ServiceCommands<Config> {
        let common: Commands = [
            "migrate": { config, logger, _ in
                let migrator = migrator(config, logger)
                let applied = try await refusingWhatIsFinal { try await migrator.migrate() }
                logger.info("The schema is up to date", metadata: ["applied": "\(applied.joined(separator: " "))"])
            },
            "dead-letters": { config, logger, arguments in
                guard let broker = config.service.broker else { return }
                try await deadLetters(
                    service: name.rawValue,
                    broker: broker,
                    replay: config.service.replay,
                    database: config.service.database,
                    arguments: arguments,
                    logger: logger
                )
            },
            "rebuild": { config, logger, arguments in
                try await rebuild(
                    service: name.rawValue,
                    database: config.service.database,
                    arguments: arguments,
                    logger: logger
                )
            },
        ]
        return ServiceCommands(
            name: name.rawValue,
            config: config,
            serve: serve,
            commands: common.merging(commands) { _, own in own }
        )
    }

    /// Runs the command that the process's arguments name and returns its exit code.
    public func main() async -> Int32 { await executable.main() }

    /// What it answers.
    public var endpoints: [Endpoint] { routes.map(\.endpoint) }

    /// What it tells and hears.
    public func exchange(_ dependencies: Dependencies, _ store: Store) -> EventExchange {
        EventExchange(
            service: name.rawValue,
            database: store.database,
            broker: store.broker,
            queues: queues(dependencies, store),
            tellers: tellers(dependencies),
            erasing: erasing(dependencies),
            exports: exports(dependencies),
            metrics: store.metrics,
            logger: store.logger
        )
    }

    private func migrator(_ config: Config, _ logger: Logger) -> Migrator {
        Migrator(config.service.database, sources: migrations, release: schemaRelease, logger: logger)
    }

    /// What answers requests, with or without a server around it.
    public func responder(
        _ dependencies: Dependencies,
        internalSecret: String,
        deadline: Duration = .seconds(10),
        logger: Logger
    ) -> Responder<Dependencies> {
        Responder(
            routes: routes,
            dependencies: dependencies,
            internalSecret: internalSecret,
            deadline: deadline,
            errorProblem: { [problem] error in
                guard let error = error as? PostgresError else { return nil }
                return problem(error) ?? Problem(of: error)
            },
            problemPage: page,
            logger: logger
        )
    }

    @Sendable private func serve(_ config: Config, logger: Logger, metrics: Metrics) async throws -> [any Service] {
        let migrator = migrator(config, logger)
        try await whileAway(patience, logger) { try await refusingWhatIsFinal { try await migrator.check() } }
        guard let broker = config.service.broker, let verifier = config.service.verifier else { return [] }
        let database = Database(config.service.database, logger: logger)
        measure(database, metrics)
        let lease = IDLease(database, metrics: metrics, logger: logger)
        try await lease.acquire()
        let store = Store(
            database: database,
            ids: lease.ids,
            now: Timestamp.now,
            site: config.service.site,
            broker: broker,
            metrics: metrics,
            logger: logger
        )
        let dependencies = try await dependencies(config, store)
        let server = WebServer(
            host: config.service.host,
            port: config.service.port,
            eventLoops: config.service.eventLoops,
            responder: responder(dependencies, internalSecret: config.service.internalSecret, logger: logger),
            verifier: verifier,
            // Without the broker people are served all the same: events wait in the outbox.
            ready: { ["postgres": await database.isAnswering] },
            metrics: metrics,
            logger: logger
        )
        let sweeper = Sweeper(sweeps(dependencies), database: database, metrics: metrics, logger: logger)
        let (exchange, background) = (exchange(dependencies, store).services, background(dependencies, store))
        return [database, lease] + exchange + background + [sweeper, server]
    }
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

/// A schema that does not fit the program will not fit it at the next start either, nor will a bad password be a good one.
private func refusingWhatIsFinal<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch let failure as Migrator.Failure where failure.isFinal {
        throw Refusal(reason: "\(failure)")
    } catch let error as PostgresError where error.isRefusedLogin {
        throw Refusal(reason: "MADANG_POSTGRES is refused by the database: \(error)")
    }
}

extension Problem {
    /// What a client is told of an error of the database; nil for a fault of ours.
    public init?(of error: PostgresError) {
        // What a text may not hold is found by the database at the latest.
        if error.isInvalidText {
            self = .badRequest("text")
        } else {
            // A database that is away or overloaded is a reason to come again, not a fault of this program.
            guard error.isUnavailable else { return nil }
            self = .unavailable(cause: "\(error)", writesOnly: error.hindersWritesOnly)
        }
    }
}
