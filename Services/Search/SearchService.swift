// SPDX-License-Identifier: Apache-2.0
// The start of search.

import Domain
import Foundation
import Outbox
package import Postgres
import ServiceLifecycle
import Serving
import Surface
import Web

/// Finds things: one index of everything that can be found, and who may see it.
package enum SearchService {
    /// The tables of the index and of its outbox.
    package static let migrations = ServiceName.search.migrations(in: .module)

    static let service = StoredService(
        .search,
        migrations: migrations,
        config: { Config(&$0) },
        dependencies: { config, store in
            var dependencies = Dependencies(
                database: store.database,
                index: PostgresIndex(store.database),
                now: store.now,
                site: store.site.showing(config.links.shown(now: store.now))
            )
            dependencies.books = BookCatalogue(config.books, metrics: store.metrics, logger: store.logger)
            dependencies.usage = config.countsUsage ? UsageLog() : nil
            return dependencies
        },
        routes: Routes.all,
        queues: { dependencies, store in
            dependencies.lag.measure(store.metrics)
            return queues(dependencies)
        },
        erasing: { EraseAccount.steps($0.index) },
        exports: { _ in Exports.part },
        sweeps: {
            Sweeps.all(now: $0.now) + BookSweeps.all($0) + UsageSweeps.all(now: $0.now) + [ShelfWalk.sweep($0.index)]
        },
        background: { dependencies, store in
            [
                dependencies.queries.writer(to: store.database, now: store.now, logger: store.logger),
                IndexSize(store.database, metrics: store.metrics, logger: store.logger),
            ] + usage(dependencies, store)
        },
        commands: ["usage": { try await usage($0, $1, $2) }]
    )

    /// What counts how apps are used, where that is done.
    private static func usage(_ dependencies: Dependencies, _ store: Store) -> [any Service] {
        guard let usage = dependencies.usage else { return [] }
        return [
            usage.writer(to: store.database, logger: store.logger),
            UsageSeries(store.database, now: store.now, metrics: store.metrics, logger: store.logger),
        ]
    }

    /// The queues from which search learns what happened.
    static func queues(_ dependencies: Dependencies) -> [EventQueue] {
        [
            Indexing(
                index: dependencies.index,
                site: dependencies.site,
                now: dependencies.now,
                lag: dependencies.lag
            ).queue
        ]
    }

    /// Runs the command that the process's arguments name and returns its exit code.
    package static func main() async -> Int32 { await service.main() }
}
