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
            migrations: migrations,
            config: { Config(&$0) },
            serve: serve
        ).main()
    }

    /// The tables of notifications and of its outbox.
    package static let migrations: [MigrationSource] = [
        outboxMigrations,
        MigrationSource(name: "notifications", directory: Bundle.module.bundlePath + "/Migrations"),
    ]

    /// The queues from which notifications learns what happened.
    ///
    /// - Parameter isConnected: whether somebody seems to have a live connection, so that an entry of chat need not count
    ///   at once.
    package static func queues(
        ids: IDGenerator,
        site: Site,
        now: @escaping @Sendable () -> Timestamp,
        isConnected: @escaping @Sendable (AccountID) -> Bool
    ) -> [EventQueue] {
        let retention = Retention(now: now)
        return [
            Activity(ids: ids, site: site, retention: retention).queue,
            ChatActivity(ids: ids, retention: retention, isConnected: isConnected).queue,
        ]
    }

    @Sendable private static func serve(
        _ config: Config,
        logger: Logger,
        metrics: Metrics
    ) async throws -> [any Service] {
        guard let broker = config.store.broker, let verifier = config.verifier else { return [] }
        let database = Database(config.store.database, logger: logger)
        let lease = IDLease(database, metrics: metrics, logger: logger)
        try await lease.acquire()
        let presence = Presence()
        let exchange = EventExchange(
            service: "notifications",
            database: database,
            broker: broker,
            queues: queues(
                ids: lease.ids,
                site: config.store.site,
                now: Timestamp.now,
                isConnected: presence.isConnected
            ),
            metrics: metrics,
            logger: logger
        )
        let dependencies = Dependencies(database: database, now: Timestamp.now, site: config.store.site)
        let server = WebServer(
            host: config.store.host,
            port: config.store.port,
            responder: Responder(
                routes: Routes.all,
                dependencies: dependencies,
                errorProblem: problem,
                logger: logger
            ),
            verifier: verifier,
            // Without the broker there is nothing new to tell, but everything to read.
            ready: { ["postgres": await database.isAnswering] },
            metrics: metrics,
            logger: logger
        )
        let sweeper = Sweeper(Sweeps.all(now: Timestamp.now), database: database, metrics: metrics, logger: logger)
        return [database, lease, presence.consumer(broker, logger: logger)] + exchange.services + [sweeper, server]
    }

    /// A database that is away or overloaded is a reason to come again, not a fault of this program.
    @Sendable private static func problem(for error: any Error) -> Problem? {
        guard let error = error as? PostgresError, error.isUnavailable else { return nil }
        return .unavailable(cause: String(reflecting: error), writesOnly: error.hindersWritesOnly)
    }
}
