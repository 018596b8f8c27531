// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/notifications: somebody reads their notifications.

import Domain
import Serving
import Views
import Web

enum ListNotifications {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount().id
        let parameters = try request.parameters()
        let page = try parameters.page(default: 40, maximum: 80)
        let filter = try NotificationFilter(parameters)
        return try await dependencies.answers.answer(to: request, in: dependencies.database) {
            let found = try await NotificationStore.page(page, of: account, filter, in: dependencies.database)
            let listed = found.compactMap(\.notification)
            let rows = try await dependencies.snapshots.rows(of: listed, in: dependencies.database)
            let answer = Answer.json(array: rows.map { $0.view(site: dependencies.site) })
                .linked(
                    request,
                    site: dependencies.site,
                    newest: listed.first?.id.rawValue,
                    oldest: listed.last?.id.rawValue
                )
            let isLasting = rows.allSatisfy { $0.post?.isLasting ?? true }
            return Shown(answer, subjects: isLasting ? [account.rawValue] + Set(found.flatMap(\.subjects)) : nil)
        }
    }
}

extension NotificationFilter {
    /// `types[]`, `exclude_types[]` and `account_id`. A type that Madang does not know is one that it does not have.
    init(_ parameters: Parameters) throws {
        self.init()
        if let types = try parameters.strings("types") {
            kinds = types.compactMap(NotificationKind.init(rawValue:))
        }
        if let excluded = try parameters.strings("exclude_types") {
            kinds.removeAll { excluded.contains($0.rawValue) }
        }
        actor = try parameters.id("account_id")
    }
}
