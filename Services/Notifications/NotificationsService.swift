// SPDX-License-Identifier: Apache-2.0
// The start of notifications.

package import Domain
import Foundation
import Logging
package import Outbox
package import Postgres
import ServiceKit
import ServiceLifecycle
import Web

/// Tells people what concerns them.
package enum NotificationsService {
    /// Runs the command that the process's arguments name and returns its exit code.
    package static func main() async -> Int32 {
        await ServiceCommands(
            name: "notifications",
            config: { Config(&$0) },
            serve: serve,
            commands: ["migrate": migrate, "dead-letters": showDeadLetters]
        ).main()
    }

    /// The tables of notifications and of its outbox.
    package static let migrations: [MigrationSource] = [
        outboxMigrations,
        MigrationSource(name: "notifications", directory: Bundle.module.bundlePath + "/Migrations"),
    ]

    /// The queues from which notifications learns what happened.
    ///
    /// - Parameter isConnected: whether somebody has a live connection, so that chat reaches them without a notification.
    package static func queues(
        ids: IDGenerator,
        site: Site,
        isConnected: @escaping @Sendable (AccountID) -> Bool
    ) -> [EventQueue] {
        [Activity(ids: ids, site: site).queue, ChatActivity(ids: ids, isConnected: isConnected).queue]
    }

    @Sendable private static func serve(
        _ config: Config,
        logger: Logger,
        metrics: Metrics
    ) async throws -> [any Service] {
        try await Migrator(config.database, sources: migrations, logger: logger).check()
        guard let broker = config.broker, let verifier = config.verifier else { return [] }
        let database = Database(config.database, logger: logger)
        let presence = Presence()
        let exchange = EventExchange(
            service: "notifications",
            database: database,
            broker: broker,
            queues: queues(
                ids: IDGenerator(slot: config.slot, now: Timestamp.now),
                site: config.site,
                isConnected: presence.isConnected
            ),
            metrics: metrics,
            logger: logger
        )
        let dependencies = Dependencies(database: database, now: Timestamp.now, site: config.site)
        let server = WebServer(
            host: config.host,
            port: config.port,
            responder: Responder(
                routes: Routes.all,
                dependencies: dependencies,
                errorProblem: problem,
                logger: logger
            ),
            verifier: verifier,
            ready: { ["postgres": await answers(database)] },
            metrics: metrics,
            logger: logger
        )
        return [database, presence.consumer(broker, logger: logger)] + exchange.services + [server]
    }

    /// Without the broker there is nothing new to tell, but everything to read: it does not count.
    private static func answers(_ database: Database) async -> Bool {
        (try? await database.query("SELECT 1", deadline: .seconds(2))) != nil
    }

    /// A database that is away or overloaded is a reason to come again, not a fault of this program.
    @Sendable private static func problem(for error: any Error) -> Problem? {
        guard let error = error as? PostgresError, error.isUnavailable else { return nil }
        return .unavailable(cause: String(reflecting: error))
    }

    @Sendable private static func migrate(_ config: Config, logger: Logger, arguments: [String]) async throws {
        let applied = try await Migrator(config.database, sources: migrations, logger: logger).migrate()
        logger.info("The schema is up to date", metadata: ["applied": "\(applied.joined(separator: " "))"])
    }

    @Sendable private static func showDeadLetters(_ config: Config, logger: Logger, arguments: [String]) async throws {
        guard let broker = config.broker else { return }
        try await deadLetters(
            service: "notifications",
            broker: broker,
            database: config.database,
            arguments: arguments,
            logger: logger
        )
    }
}
