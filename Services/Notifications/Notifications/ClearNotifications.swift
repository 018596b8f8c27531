// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/notifications/clear: somebody puts all of their notifications away,
// or those of the kinds in `types[]`.

import Domain
import Postgres
import Web

enum ClearNotifications {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let filter = try NotificationFilter(request.parameters())
        let session = request.principal?.sessionID
        try await dependencies.database.transaction { transaction in
            try await NotificationStore.dismissAll(of: account.id, filter.kinds, in: transaction)
            dependencies.deliveries(badgesOf: account.id, after: .notifications(by: session), in: transaction)
        }
        return .empty
    }
}
