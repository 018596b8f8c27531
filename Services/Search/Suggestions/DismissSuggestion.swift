// SPDX-License-Identifier: Apache-2.0
// DELETE /api/v1/suggestions/:account_id: somebody wants to hear no more of an account.

import Domain
import Postgres
import Web

enum DismissSuggestion {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let viewer = try request.requireAccount().id
        let account: AccountID = try request.id("account_id")
        let version = dependencies.now().milliseconds
        try await dependencies.database.transaction {
            PeopleStore.keep(
                [Tie(.dismissal, by: viewer, of: account, version: version, isActive: true)],
                in: $0
            )
        }
        return .empty
    }
}
