// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/accounts/verify_credentials: the own account.

import Domain
import Views
import Web

/// Shows the asking account to itself.
enum VerifyCredentials {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        // Apps that only want to know who somebody is ask for `profile` alone.
        guard let scopes = request.principal?.scopes, scopes.allows("read:accounts") || scopes.allows("profile") else {
            throw Problem.forbidden(scope: "read:accounts")
        }
        let credentials = try await requireCredentials(account, dependencies)
        return .json(
            CredentialAccountView(credentials.account, source: credentials.source, site: dependencies.site)
        )
    }

    /// The asking account's row, made when it is missing.
    static func requireCredentials(
        _ account: Principal.Account,
        _ dependencies: Dependencies
    ) async throws -> Credentials {
        try await EnsureAccount.run(account, dependencies)
        guard let credentials = try await AccountStore.credentials(account.id, in: dependencies.database) else {
            throw Problem.notFound
        }
        return credentials
    }
}
