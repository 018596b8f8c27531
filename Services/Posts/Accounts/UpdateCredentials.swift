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
            try await Attachments.wait(for: Array(draft.pictures.values), dependencies)
            credentials = try await change(account.id, by: draft, dependencies)
        }
        return credentials.answer(to: account, dependencies)
    }

    /// Changes what the draft gives, and tells of it.
    static func change(
        _ account: AccountID,
        by draft: ProfileDraft,
        _ dependencies: Dependencies
    ) async throws -> Credentials {
        try await dependencies.database.transaction { transaction in
            let term = try await BlockedTerms.check(draft.texts, dependencies, in: transaction)
            var draft = draft
            if !draft.pictures.isEmpty { PictureStore.hold(account, in: transaction) }
            try await draft.takePictures(of: account, dependencies, transaction)
            let changed = try await AccountStore.update(account, with: draft, in: transaction).found()
            try transaction.record(ProfileUpdated(account: changed.account))
            try await FileFlag.run(term, on: KeptThing(changed.account), dependencies, in: transaction)
            return changed
        }
    }
}
