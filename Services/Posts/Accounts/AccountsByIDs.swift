// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/accounts?id[]=: several accounts.

import Domain
import Views
import Web

/// Shows those of the asked accounts that exist.
enum AccountsByIDs {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let ids = try request.parameters().accounts(limit: dependencies.limits.ids).filter { $0 != AccountID(0) }
        let accounts = try await AccountStore.accounts(ids, in: dependencies.database)
        return .json(array: accounts.map { AccountView($0, site: dependencies.site) })
    }
}
