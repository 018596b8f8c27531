// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/notifications/unread_count: how many notifications came since the marker.

import Domain
import Views
import Web

enum CountUnread {
    private struct CountView: ObjectView {
        let count: Int

        func writeMembers(to json: inout JSONWriter) { json.member("count", count) }
    }

    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let parameters = try request.parameters()
        let count = try await NotificationStore.unread(
            of: account.id,
            NotificationFilter(parameters),
            limit: parameters.page(default: 100, maximum: 1000).limit,
            at: dependencies.now(),
            in: dependencies.database
        )
        return .json(CountView(count: count))
    }
}
