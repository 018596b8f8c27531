// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/notifications/:id/dismiss: somebody puts one of their notifications away.

import Domain
import Web

enum DismissNotification {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let id: NotificationID = try request.id()
        guard try await NotificationStore.dismiss(id, of: account.id, in: dependencies.database) else {
            throw Problem.notFound
        }
        return .empty
    }
}
