// SPDX-License-Identifier: Apache-2.0
// The start of media.

import Domain
import Foundation
package import MediaWork
import Outbox
import Postgres
import ServiceKit
import Serving
import Surface
import Web

/// Uploads, and the files made of them.
package enum MediaService {
    /// The tables of media and of its outbox.
    static let migrations = ServiceName.media.migrations(in: .module)

    /// Runs the command that the process's arguments name and returns its exit code.
    ///
    /// - Parameter makeRenditions: makes the files that are kept of an upload, in a process of its own.
    package static func main(
        makeRenditions: @escaping @Sendable (WorkOrder) async throws -> WorkReport
    ) async -> Int32 {
        await service(makeRenditions).main()
    }

    static func queues(_ dependencies: Dependencies) -> [EventQueue] {
        [
            Uses.queue(dependencies), Links.queue(dependencies), Moderation.queue(dependencies),
            ExportParts.queue(dependencies), Restrictions.queue,
        ]
    }

    static func service(
        _ makeRenditions: @escaping @Sendable (WorkOrder) async throws -> WorkReport
    ) -> StoredService<Config, Dependencies> {
        StoredService(
            .media,
            migrations: migrations,
            config: { Config(&$0) },
            dependencies: { config, store in
                Dependencies(
                    database: store.database,
                    ids: store.ids,
                    now: store.now,
                    site: store.site.showing(config.links.shown(now: store.now)),
                    links: config.links,
                    storage: try config.storage(now: store.now),
                    makeRenditions: makeRenditions,
                    limits: config.limits,
                    gifs: config.gifs,
                    workers: config.workers,
                    previews: config.previews,
                    upstreams: GifUpstreams(config.gifProviders, metrics: store.metrics, logger: store.logger),
                    covers: Covers(metrics: store.metrics, logger: store.logger),
                    exports: config.exports
                )
            },
            routes: Routes.all,
            queues: { dependencies, _ in queues(dependencies) },
            tellers: { _ in Tellers.all },
            erasing: { EraseAccount.steps($0) },
            sweeps: { Sweeps.all($0) },
            background: { dependencies, store in
                [
                    JobWorker(dependencies: dependencies, metrics: store.metrics, logger: store.logger),
                    LinkWorker(dependencies: dependencies, metrics: store.metrics, logger: store.logger),
                    DailyCollection(dependencies: dependencies, logger: store.logger),
                    ExportWorker(dependencies: dependencies, metrics: store.metrics, logger: store.logger),
                ]
            },
            commands: [
                "gc": { config, logger, _ in try await collect(config, logger) },
                "import-gifs": { config, logger, arguments in
                    try await importGifs(config, logger, arguments, makeRenditions)
                },
            ]
        )
    }
}
