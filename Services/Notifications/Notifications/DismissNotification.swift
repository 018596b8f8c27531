// SPDX-License-Identifier: Apache-2.0
// POST /api/v1/notifications/:id/dismiss: somebody puts one of their notifications away.

import Domain
import Postgres
import Web

enum DismissNotification {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let id: NotificationID = try request.id()
        let session = request.principal?.sessionID
        let isDismissed = try await dependencies.database.transaction { transaction in
            let isDismissed = try await NotificationStore.dismiss(id, of: account.id, in: transaction)
            if isDismissed {
                dependencies.deliveries(badgesOf: account.id, after: .notifications(by: session), in: transaction)
            }
            return isDismissed
        }
        guard isDismissed else { throw Problem.notFound }
        return .empty
    }
}
