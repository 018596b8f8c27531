// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/notifications/:id: somebody looks at one of their notifications.

import Domain
import Web

enum ShowNotification {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let id: NotificationID = try request.id()
        let listed = try await NotificationStore.notification(id, of: account.id, in: dependencies.database)
        guard let row = try await dependencies.snapshots.row(of: listed, in: dependencies.database) else {
            throw Problem.notFound
        }
        return .json(row.view(site: dependencies.site))
    }
}
