// SPDX-License-Identifier: Apache-2.0
// The start of posts.

import Domain
import Foundation
import Outbox
package import Postgres
import Serving
import Surface
import Web
import WebPages

/// Profiles, posts, the social graph and timelines.
package enum PostsService {
    /// The tables of posts and of its outbox.
    package static let migrations = ServiceName.posts.migrationsNotingChanges(in: .module)

    static let service = StoredService(
        .posts,
        migrations: migrations,
        config: { Config(&$0) },
        dependencies: { config, store in
            Dependencies(
                database: store.database,
                ids: store.ids,
                now: store.now,
                site: store.site.showing(config.links.shown(now: store.now)),
                limits: config.limits,
                pages: try PostPages.pages(site: store.site),
                appealTokens: config.service.verifier
            )
        },
        routes: Routes.all,
        queues: { dependencies, _ in queues(dependencies) },
        tellers: { Tellers.all(now: $0.now) },
        erasing: { EraseAccount.steps($0) },
        exports: { Exports.part(site: $0.site) },
        sweeps: { Sweeps.all($0) },
        background: { dependencies, store in
            [
                FanoutWorker(dependencies: dependencies, metrics: store.metrics, logger: store.logger),
                DutyWorker(dependencies: dependencies, logger: store.logger),
                ViewWorker(dependencies: dependencies, logger: store.logger),
                ReportsWaiting(dependencies: dependencies, metrics: store.metrics, logger: store.logger),
            ]
        },
        // Somebody was deleted meanwhile.
        problem: { $0.sqlState == "23503" ? .notFound : nil },
        page: { problem, request, dependencies in dependencies.pages.answer(problem, to: request) },
        commands: ["admin": OperatorRestrictions.run]
    )

    static func queues(_ dependencies: Dependencies) -> [EventQueue] {
        [
            Accounts.queue, Files.queue, Fanout.queue(dependencies), ProjectRooms.queue(dependencies),
            ReportedThings.queue, BlockedTerms.queue, FileFlag.queue(dependencies),
        ]
    }

    /// Runs the command that the process's arguments name and returns its exit code.
    package static func main() async -> Int32 { await service.main() }
}
