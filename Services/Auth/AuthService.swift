// SPDX-License-Identifier: Apache-2.0
// The start of auth.

import Foundation
import Outbound
import Outbox
package import Postgres
import Serving
import Surface
import Web
import WebPages

/// Credentials, OAuth apps, sessions and tokens.
package enum AuthService {
    private struct NoSigner: Error {}

    /// The tables of auth and of its outbox.
    package static let migrations = ServiceName.auth.migrations(in: .module)

    static let service = StoredService(
        .auth,
        migrations: migrations,
        config: { Config(&$0) },
        dependencies: { config, store in
            guard let signer = config.signer else { throw NoSigner() }
            return Dependencies(
                database: store.database,
                ids: store.ids,
                now: store.now,
                randomBytes: Dependencies.systemRandomBytes,
                site: store.site,
                limits: config.limits,
                registrations: config.registrations,
                passwords: try await PasswordHashing(
                    threads: config.passwordThreads,
                    queue: config.limits.passwordQueue,
                    memory: UInt32(config.passwordMemory)
                ),
                signer: signer,
                browserKey: BrowserKey(config.browserKey),
                pages: try PageText.pages(site: store.site),
                issuers: Issuers(
                    config.issuers,
                    seal: Seal(config.issuersKey),
                    now: store.now,
                    metrics: store.metrics,
                    asking: IssuerQuestion.asking(by: OutboundClient())
                ),
                vapidKey: config.vapidKey,
                logger: store.logger,
                mail: config.mail,
                deliver: { message, time in
                    guard let server = config.mail?.server else { return .later(reason: "no server") }
                    return await server.deliver(message, within: time)
                }
            )
        },
        routes: Routes.all,
        queues: { dependencies, _ in queues(dependencies) },
        tellers: { _ in Tellers.all },
        exports: { _ in Exports.part },
        sweeps: { Sweeps.all($0) },
        background: { dependencies, store in
            [
                RevocationWorker(dependencies: dependencies),
                DepartureWorker(dependencies: dependencies, metrics: store.metrics),
                MailWorker(dependencies: dependencies, metrics: store.metrics),
            ]
        },
        problem: problem,
        page: { problem, request, dependencies in dependencies.pages.answer(problem, to: request) },
        commands: ["first-party-app": FirstPartyApp.create, "audit": PrintAudit.run, "admin": Administration.run]
    )

    static func queues(_ dependencies: Dependencies) -> [EventQueue] { [Decisions.queue(dependencies)] }

    /// Runs the command that the process's arguments name and returns its exit code.
    package static func main() async -> Int32 { await service.main() }

    /// What is referred to has ended meanwhile: an app that was swept, an account that was deleted.
    @Sendable static func problem(of error: PostgresError) -> Problem? {
        guard error.sqlState == "23503" else { return nil }
        return error.constraint?.contains("app_id") == true ? OAuthFailure.invalidClient.problem : .unauthorized
    }
}
