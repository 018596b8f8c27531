// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/accounts/lookup?acct=: the account of a username.

import Domain
import Views
import Web

/// Shows the account that a name means: `name`, `@name` or `name@domain` with this server's domain.
enum LookUpAccount {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        guard let acct = try request.parameters().string("acct") else { throw Problem.badRequest("acct") }
        guard let username = username(acct, domain: dependencies.site.domain),
            let account = try await AccountStore.account(username, in: dependencies.database)
        else { throw Problem.notFound }
        return .json(AccountView(account, site: dependencies.site))
    }

    /// Nil for a name that is none here.
    static func username(_ acct: String, domain: String) -> Username? {
        let parts = acct.drop(while: { $0 == "@" }).split(
            separator: "@",
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard let name = parts.first else { return nil }
        if parts.count == 2, let host = parts.last, host.lowercased() != domain.lowercased() { return nil }
        return Username(name)
    }
}
