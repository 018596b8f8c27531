// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/accounts/verify_credentials: the own account.

import Domain
import Web

/// Shows the asking account to itself.
enum VerifyCredentials {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        // Apps that only want to know who somebody is ask for `profile` alone.
        guard let scopes = request.principal?.scopes, scopes.allows("read:accounts") || scopes.allows("profile") else {
            throw Problem.forbidden(scope: "read:accounts")
        }
        return try await Credentials.require(account, dependencies).answer(to: account, dependencies)
    }
}
