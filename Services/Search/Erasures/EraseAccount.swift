// SPDX-License-Identifier: Apache-2.0
// What search has of an account, and how it goes once the account is deleted.

import Outbox
import Serving

/// Words that nobody else has written go with the walk that forgets words; who asked what is kept as numbers, for a week.
enum EraseAccount {
    static func steps(_ index: any SearchIndex) -> [ErasureStep] {
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
            ErasureStep("records") { account, transaction in
                // Nobody changes what books there are meanwhile.
                TurnStore.take(in: transaction)
                let taken = try await ErasedAccountStore.takeRecords(of: account, in: transaction)
                guard !taken.isEmpty else { return 0 }
                let books = Set(taken.map(\.book)).sorted()
                let changes = try await ShelvedBooks.changes(of: books, taken.map(\.record), in: transaction)
                _ = try await index.put(changes.documents, again: [], in: transaction)
                try await index.forget(changes.gone, in: transaction)
                return taken.count
            },
        ]
            + ErasedAccountStore.belongings.map(\.step)
    }
}
