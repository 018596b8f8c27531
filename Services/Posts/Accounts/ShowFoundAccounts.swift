// SPDX-License-Identifier: Apache-2.0
// POST /internal/found/accounts: those accounts that search found, and whoever is called as was asked.

import Calls
import Views
import Web

/// Shows accounts in the order in which they were found, without those that have a block with who asks.
enum ShowFoundAccounts {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let found = try FoundAccounts(request.parameters())
        let accounts = try await AccountStore.found(found, viewer: request.viewer, in: dependencies.database)
        return .json(array: accounts.map { AccountView($0, site: dependencies.site) })
    }
}
