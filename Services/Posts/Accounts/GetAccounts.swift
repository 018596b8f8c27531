// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/accounts?id[]=: several accounts.

import Domain
import Views
import Web

/// Shows those of the asked accounts that exist.
enum GetAccounts {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let ids: [AccountID] = try request.parameters().accounts(limit: dependencies.limits.ids)
        let accounts = try await AccountStore.accounts(ids, in: dependencies.database)
        return .json(array: accounts.map { AccountView($0, site: dependencies.site) })
    }
}

extension Parameters {
    /// The ids of `id[]`, each once, at most `limit`.
    func accounts(limit: Int) throws -> [AccountID] {
        var seen: Set<AccountID> = []
        let ids: [AccountID] = try ids("id") ?? []
        return Array(ids.filter { seen.insert($0).inserted }.prefix(limit))
    }
}
