// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/accounts/:id: one account.

import Domain
import Events
import Views
import Web

/// Shows an account to anyone.
enum GetAccount {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let id: AccountID = try request.id()
        // The own account is asked for right after sign-up.
        if let account = request.principal?.account, account.id == id {
            try await EnsureAccount.run(account, dependencies)
        }
        guard try await AwaitAccount.run(id, dependencies),
            let account = try await AccountStore.account(id, in: dependencies.database)
        else {
            throw Problem.notFound
        }
        return .json(AccountView(request.viewer == id ? account.asOwn : account, site: dependencies.site))
    }
}
