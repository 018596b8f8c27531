// SPDX-License-Identifier: Apache-2.0
// POST /internal/accounts: the profile of somebody who has signed up this moment.

import Domain
import Web

/// Makes the profile before AccountRegistered arrives, so that others find the account once its owner knows of it.
enum MakeAccount {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let parameters = try request.parameters()
        guard let id: AccountID = try parameters.id("id") else { throw Problem.badRequest("id") }
        guard let username = try parameters.string("username").flatMap({ Username($0) }) else {
            throw Problem.badRequest("username")
        }
        try await EnsureAccount.run(Principal.Account(id: id, username: username), dependencies)
        return .empty
    }
}
