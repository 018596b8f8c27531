// SPDX-License-Identifier: Apache-2.0
// The start of posts.

import Domain
import Foundation
import Logging
import Outbox
package import Postgres
import ServiceKit
import ServiceLifecycle
import Web

/// Profiles, posts, the social graph and timelines.
package enum PostsService {
    /// Runs the command that the process's arguments name and returns its exit code.
    package static func main() async -> Int32 {
        await ServiceCommands(
            name: "posts",
            migrations: migrations,
            config: { Config(&$0) },
            serve: serve
        ).main()
    }

    /// The tables of posts and of its outbox.
    package static let migrations: [MigrationSource] = [
        outboxMigrations,
        MigrationSource(name: "posts", directory: Bundle.module.bundlePath + "/Migrations"),
    ]

    @Sendable private static func serve(
        _ config: Config,
        logger: Logger,
        metrics: Metrics
    ) async throws -> [any Service] {
        guard let broker = config.store.broker, let verifier = config.verifier else { return [] }
        let database = Database(config.store.database, logger: logger)
        let lease = IDLease(database, metrics: metrics, logger: logger)
        try await lease.acquire()
        let dependencies = Dependencies(
            database: database,
            ids: lease.ids,
            now: Timestamp.now,
            site: config.store.site,
            limits: config.limits,
            internalSecret: config.internalSecret
        )
        let exchange = EventExchange(
            service: "posts",
            database: database,
            broker: broker,
            queues: [Accounts.queue, Fanout.queue(dependencies)],
            metrics: metrics,
            logger: logger
        )
        let server = WebServer(
            host: config.store.host,
            port: config.store.port,
            responder: responder(dependencies, logger: logger),
            verifier: verifier,
            // Without the broker people are served all the same: events wait in the outbox.
            ready: { ["postgres": await database.isAnswering] },
            metrics: metrics,
            logger: logger
        )
        let sweeper = Sweeper(Sweeps.all(dependencies), database: database, metrics: metrics, logger: logger)
        let fanouts = LargeFanouts(dependencies: dependencies, metrics: metrics, logger: logger)
        return [database, lease] + exchange.services + [fanouts, sweeper, server]
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
                return error.isUnavailable ? .unavailable(cause: "\(error)", writesOnly: error.hindersWritesOnly) : nil
            },
            logger: logger
        )
    }
}
