// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/notifications/clear: somebody puts all of their notifications away.

import Domain
import Web

enum ClearNotifications {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        try await NotificationStore.dismissAll(of: account.id, in: dependencies.database)
        return .empty
    }
}
