// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/accounts/lookup?acct=: the account of a username.

import Domain
import Views
import Web

/// Shows the account that a name means: `name`, `@name` or `name@domain` with this server's domain.
enum LookUpAccount {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        guard let acct = try request.parameters().string("acct") else { throw Problem.badRequest("acct") }
        guard let username = Username(acct: acct, domain: dependencies.site.domain),
            let account = try await AccountStore.account(username, in: dependencies.database)
        else { throw Problem.notFound }
        return .json(AccountView(account, site: dependencies.site))
    }
}
