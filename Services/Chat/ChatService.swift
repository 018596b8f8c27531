// SPDX-License-Identifier: Apache-2.0
// The start of chat.

import Domain
import Foundation
import Logging
import Outbox
package import Postgres
import ServiceKit
import ServiceLifecycle
import Web

/// Playgrounds, channels, direct messages, and how far people have read.
package enum ChatService {
    /// Runs the command that the process's arguments name and returns its exit code.
    package static func main() async -> Int32 {
        await ServiceCommands(
            name: "chat",
            config: { Config(&$0) },
            serve: serve,
            commands: ["migrate": migrate, "dead-letters": showDeadLetters]
        ).main()
    }

    /// The tables of chat and of its outbox.
    package static let migrations: [MigrationSource] = [
        outboxMigrations,
        MigrationSource(name: "chat", directory: Bundle.module.bundlePath + "/Migrations"),
    ]

    @Sendable private static func serve(
        _ config: Config,
        logger: Logger,
        metrics: Metrics
    ) async throws -> [any Service] {
        try await Migrator(config.database, sources: migrations, logger: logger).check()
        guard let broker = config.broker, let verifier = config.verifier else { return [] }
        let database = Database(config.database, logger: logger)
        let dependencies = Dependencies(
            database: database,
            ids: IDGenerator(slot: config.slot, now: Timestamp.now),
            now: Timestamp.now,
            site: config.site,
            internalSecret: config.internalSecret
        )
        let exchange = EventExchange(
            service: "chat",
            database: database,
            broker: broker,
            queues: [Projections.queue(dependencies)],
            metrics: metrics,
            logger: logger
        )
        let server = WebServer(
            host: config.host,
            port: config.port,
            responder: responder(dependencies, logger: logger),
            verifier: verifier,
            // Without the broker people can read and write all the same: events wait in the outbox.
            ready: { ["postgres": await answers(database)] },
            metrics: metrics,
            logger: logger
        )
        return [database] + exchange.services + [server]
    }

    /// What answers requests, with or without a server around it.
    static func responder(
        _ dependencies: Dependencies,
        deadline: Duration = .seconds(10),
        logger: Logger
    ) -> Responder<Dependencies> {
        Responder(
            routes: Routes.all,
            dependencies: dependencies,
            internalSecret: dependencies.internalSecret,
            deadline: deadline,
            errorProblem: { error in
                guard let error = error as? PostgresError else { return nil }
                // What a text may not hold is found by the database at the latest.
                if error.isInvalidText { return .badRequest("text") }
                return error.isUnavailable ? .unavailable(cause: "\(error)") : nil
            },
            logger: logger
        )
    }

    private static func answers(_ database: Database) async -> Bool {
        (try? await database.query("SELECT 1", deadline: .seconds(2))) != nil
    }

    @Sendable private static func migrate(_ config: Config, logger: Logger, arguments: [String]) async throws {
        let applied = try await Migrator(config.database, sources: migrations, logger: logger).migrate()
        logger.info("The schema is up to date", metadata: ["applied": "\(applied.joined(separator: " "))"])
    }

    @Sendable private static func showDeadLetters(_ config: Config, logger: Logger, arguments: [String]) async throws {
        guard let broker = config.broker else { return }
        try await deadLetters(
            service: "chat",
            broker: broker,
            database: config.database,
            arguments: arguments,
            logger: logger
        )
    }
}
