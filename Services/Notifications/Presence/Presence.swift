// SPDX-License-Identifier: Apache-2.0
// Who is connected just now, heard from the gateways over a queue of this process's own.

package import Domain
import Events
package import Logging
package import Messaging
import Surface
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Keeps in memory whom the gateways have connected. Never stored: after a start it is whole within 10 seconds.
package final class Presence: Sendable {
    private let table = Mutex(PresenceTable())

    package init() {}

    package func isConnected(_ account: AccountID) -> Bool {
        table.withLock { $0.isConnected(account, at: .now) }
    }

    package func consumer(_ broker: BrokerConfiguration, logger: Logger) -> Consumer {
        var broker = broker
        broker.connectionName = "notifications presence"
        return Consumer(
            broker,
            queue: .temporary(
                prefix: "notifications.live.",
                exchange: Audience.live.rawValue,
                keys: ServiceName.notifications.hears
            ),
            prefetch: 100,
            logger: logger,
            disconnected: { self.table.withLock { $0.forget() } }
        ) { deliveries in
            for delivery in deliveries {
                do {
                    let envelope = try JSONDecoder().decode(Envelope<PresenceChanged>.self, from: Data(delivery.body))
                    self.table.withLock { $0.take(envelope.data, at: .now) }
                } catch {
                    logger.warning("a gateway's word on presence could not be read", metadata: ["error": "\(error)"])
                }
            }
            return deliveries.map { _ in .acknowledge }
        }
    }
}
