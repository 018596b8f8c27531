// SPDX-License-Identifier: Apache-2.0
// POST /internal/accounts: the profile of somebody who has signed up this moment.

import Calls
import Web

/// Makes the profile before AccountRegistered arrives, so that others find the account once its owner knows of it.
enum MakeAccount {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await EnsureAccount.run(NewAccount(request.parameters()).account, dependencies)
        return .empty
    }
}
