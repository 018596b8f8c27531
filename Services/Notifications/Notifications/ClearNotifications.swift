// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/notifications/clear: somebody puts all of their notifications away,
// or those of the kinds in `types[]`.

import Domain
import Web

enum ClearNotifications {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let filter = try NotificationFilter(request.parameters())
        try await NotificationStore.dismissAll(of: account.id, filter.kinds, in: dependencies.database)
        return .empty
    }
}
