// SPDX-License-Identifier: Apache-2.0
// What search has of an account, and how it goes once the account is deleted.

import Outbox
import Serving

/// Words that nobody else has written go with the walk that forgets words; who asked what is kept as numbers, for a week.
enum EraseAccount {
    static let steps: [ErasureStep] =
        [
            ErasureStep("documents") { account, transaction in
                let documents = try await ErasedAccountStore.documents(of: account, in: transaction)
                guard !documents.isEmpty else { return 0 }
                let posts = documents.filter { $0.kind == .post }.map(\.id)
                ErasedAccountStore.deletePopularity(of: posts, in: transaction)
                NameStore.clear(documents, in: transaction)
                DocumentStore.forget(documents, in: transaction)
                return documents.count
            },
            ErasureStep("documents that name it") { try await ErasedAccountStore.unname($0, in: $1) },
        ]
        + ErasedAccountStore.belongings.map(\.step)
}
