// SPDX-License-Identifier: Apache-2.0
// POST /internal/accounts: the profile of somebody who has signed up this moment.

import Calls
import Domain
import Web

/// Makes the profile before AccountRegistered arrives, so that others find the account once its owner knows of it.
enum MakeAccount {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let new = try NewAccount(request.parameters())
        try await EnsureAccount.run(new.account, dependencies)
        var draft = ProfileDraft()
        draft.pictures[.avatar] = new.avatar
        draft.pictures[.header] = new.header
        if !draft.isEmpty { _ = try await UpdateCredentials.change(new.account.id, by: draft, dependencies) }
        return .empty
    }
}
