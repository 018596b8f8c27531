// SPDX-License-Identifier: Apache-2.0
// PATCH /api/v1/accounts/update_credentials: somebody edits their profile.

import Domain
import Events
import Outbox
import Postgres
import Web

/// Changes the asking account's profile and the defaults of its new posts.
enum UpdateCredentials {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let draft = try ProfileDraft(try request.parameters(), limits: dependencies.limits)
        var credentials = try await Credentials.require(account, dependencies)
        if !draft.isEmpty {
            credentials = try await dependencies.database.transaction { transaction in
                let changed = try await AccountStore.update(account.id, with: draft, in: transaction).found()
                try transaction.record(ProfileUpdated(account: changed.account))
                return changed
            }
        }
        return credentials.answer(to: account, dependencies)
    }
}
