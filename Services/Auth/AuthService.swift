// SPDX-License-Identifier: Apache-2.0
// The start of auth.

import Domain
import Foundation
import Logging
import Outbox
package import Postgres
import ServiceKit
import ServiceLifecycle
import Web

/// Credentials, OAuth apps, sessions and tokens.
package enum AuthService {
    /// Runs the command that the process's arguments name and returns its exit code.
    package static func main() async -> Int32 {
        await ServiceCommands(
            name: "auth",
            migrations: migrations,
            config: { Config(&$0) },
            serve: serve,
            commands: ["first-party-app": FirstPartyApp.create, "audit": PrintAudit.run]
        ).main()
    }

    /// The tables of auth and of its outbox.
    package static let migrations: [MigrationSource] = [
        outboxMigrations,
        MigrationSource(name: "auth", directory: Bundle.module.bundlePath + "/Migrations"),
    ]

    /// The templates of the pages.
    static let pages = Bundle.module.bundlePath + "/Pages"

    @Sendable private static func serve(
        _ config: Config,
        logger: Logger,
        metrics: Metrics
    ) async throws -> [any Service] {
        guard let broker = config.store.broker, let signer = config.signer, let verifier = config.verifier else {
            return []
        }
        let database = Database(config.store.database, logger: logger)
        let lease = IDLease(database, metrics: metrics, logger: logger)
        try await lease.acquire()
        let dependencies = Dependencies(
            database: database,
            ids: lease.ids,
            now: Timestamp.now,
            randomBytes: Dependencies.systemRandomBytes,
            site: config.store.site,
            limits: config.limits,
            registrations: config.registrations,
            passwords: try await PasswordHashing(threads: config.passwordThreads, queue: config.limits.passwordQueue),
            signer: signer,
            browserKey: config.browserKey,
            pages: try Pages(directory: pages, site: config.store.site),
            logger: logger
        )
        let exchange = EventExchange(
            service: "auth",
            database: database,
            broker: broker,
            queues: [],
            metrics: metrics,
            logger: logger
        )
        let server = WebServer(
            host: config.store.host,
            port: config.store.port,
            responder: Responder(
                routes: Routes.all,
                dependencies: dependencies,
                internalSecret: config.internalSecret,
                errorProblem: problem,
                logger: logger
            ),
            verifier: verifier,
            ready: { ["postgres": await database.isAnswering] },
            metrics: metrics,
            logger: logger
        )
        let sweeper = Sweeper(Sweeps.all(dependencies), database: database, metrics: metrics, logger: logger)
        return [database, lease] + exchange.services + [sweeper, server]
    }

    /// What a client is told of an error of the database.
    @Sendable static func problem(for error: any Error) -> Problem? {
        guard let error = error as? PostgresError else { return nil }
        // What a text may not hold is found by the database at the latest.
        if error.isInvalidText { return .badRequest("text") }
        // What is referred to has ended meanwhile: an app that was swept, an account that was deleted.
        if error.sqlState == "23503" {
            return error.constraint?.contains("app_id") == true ? OAuthFailure.invalidClient.problem : .unauthorized
        }
        guard error.isUnavailable else { return nil }
        return .unavailable(cause: String(describing: error), writesOnly: error.hindersWritesOnly)
    }
}
