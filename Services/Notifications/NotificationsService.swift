// SPDX-License-Identifier: Apache-2.0
// The start of notifications.

package import Domain
import Foundation
package import Outbox
import Serving
import Surface
import Web

/// Tells people what concerns them.
package enum NotificationsService {
    /// The tables of notifications and of its outbox.
    package static let migrations = ServiceName.notifications.migrationsNotingChanges(in: .module)

    static let service = StoredService(
        .notifications,
        migrations: migrations,
        config: { Config(&$0) },
        dependencies: { config, store in
            let senders = Senders(config.senders, now: store.now)
            senders.measure(store.metrics)
            return Dependencies(
                database: store.database,
                now: store.now,
                site: store.site.showing(config.links.shown(now: store.now)),
                ids: store.ids,
                senders: senders.byPlatform,
                serverKey: senders.serverKey,
                topic: config.topic
            )
        },
        routes: Routes.all,
        queues: { dependencies, store in
            queues(
                ids: store.ids,
                site: dependencies.site,
                now: store.now,
                isConnected: dependencies.presence.isConnected,
                deliveries: dependencies.deliveries
            )
        },
        erasing: { _ in EraseAccount.steps },
        exports: { _ in Exports.part },
        sweeps: { Sweeps.all(now: $0.now) },
        background: { dependencies, store in
            [
                dependencies.presence.consumer(store.broker, logger: store.logger),
                DeliveryWorker(dependencies: dependencies, metrics: store.metrics, logger: store.logger),
            ]
        }
    )

    /// Runs the command that the process's arguments name and returns its exit code.
    package static func main() async -> Int32 { await service.main() }

    /// The queues from which notifications learns what happened.
    ///
    /// - Parameters:
    ///   - isConnected: whether somebody seems to have a live connection, so that an entry of chat need not count at once.
    ///   - deliveries: has devices told.
    package static func queues(
        ids: IDGenerator,
        site: Site,
        now: @escaping @Sendable () -> Timestamp,
        isConnected: @escaping @Sendable (AccountID) -> Bool,
        deliveries: MakeDeliveries = .none
    ) -> [EventQueue] {
        let retention = Retention(now: now)
        return [
            Activity(ids: ids, site: site, retention: retention, deliveries: deliveries).queue,
            ChatActivity(ids: ids, retention: retention, deliveries: deliveries, isConnected: isConnected).queue,
            ProjectActivity(ids: ids, site: site, retention: retention, deliveries: deliveries).queue,
            SessionEnds(retention: retention).queue,
            ModerationActivity(ids: ids, site: site, retention: retention, deliveries: deliveries).queue,
        ]
    }
}
