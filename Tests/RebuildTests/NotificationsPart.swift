// SPDX-License-Identifier: Apache-2.0
// Notifications in process, as one that keeps what others own.

import Domain
import Logging
import Outbox
import Postgres
import Support
import Web

@testable import NotificationsService

struct NotificationsPart: Sendable {
    let database: Database
    let responder: Responder<Dependencies>
    let queues: [EventQueue]

    static let migrations = NotificationsService.migrations

    init(_ database: Database, ids: IDGenerator) {
        self.database = database
        responder = Responder(
            routes: Routes.all,
            dependencies: Dependencies(database: database, now: Timestamp.now, site: Part.site, ids: ids),
            deadline: .seconds(60),
            logger: Logger(label: "notifications")
        )
        queues = NotificationsService.queues(
            ids: ids,
            site: Part.site,
            now: Timestamp.now,
            isConnected: { _ in false }
        )
    }
}
