// SPDX-License-Identifier: Apache-2.0
// The start of chat.

import Domain
import Foundation
import Outbox
import Serving
import Surface
import Web

/// Playgrounds, channels, direct messages, and how far people have read.
package enum ChatService {
    /// The tables of chat and of its outbox.
    package static let migrations = ServiceName.chat.migrationsNotingChanges(in: .module)

    static let service = StoredService(
        .chat,
        migrations: migrations,
        config: { Config(&$0) },
        dependencies: { config, store in
            Dependencies(
                database: store.database,
                ids: store.ids,
                now: store.now,
                site: store.site.showing(config.links.shown(now: store.now)),
                limits: Limits(newAccounts: config.newAccounts),
                principals: config.service.verifier,
                logger: store.logger
            )
        },
        routes: Routes.all,
        queues: { dependencies, _ in queues(dependencies) },
        tellers: { _ in Tellers.all },
        erasing: { EraseAccount.steps($0) },
        exports: { _ in Exports.part },
        sweeps: { Sweeps.all(now: $0.now) }
    )

    static func queues(_ dependencies: Dependencies) -> [EventQueue] {
        [Projections.queue(dependencies), ProjectLists.queue(dependencies), Moderation.queue(dependencies)]
    }

    /// Runs the command that the process's arguments name and returns its exit code.
    package static func main() async -> Int32 { await service.main() }
}
