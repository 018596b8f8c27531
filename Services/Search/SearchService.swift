// SPDX-License-Identifier: Apache-2.0
// The start of search.

import Foundation
import Outbox
package import Postgres
import Serving
import Surface

/// Finds things: one index of everything that can be found, and who may see it.
package enum SearchService {
    /// The tables of the index and of its outbox.
    package static let migrations = ServiceName.search.migrations(in: .module)

    static let service = StoredService(
        .search,
        migrations: migrations,
        config: { Config(&$0) },
        dependencies: { _, store in
            Dependencies(
                database: store.database,
                index: PostgresIndex(store.database),
                now: store.now,
                site: store.site
            )
        },
        routes: Routes.all,
        queues: { dependencies, store in
            dependencies.lag.measure(store.metrics)
            return queues(dependencies)
        },
        sweeps: { _ in [] }
    )

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
