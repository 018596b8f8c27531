// SPDX-License-Identifier: Apache-2.0
// What notifications has of an account, and how it goes once the account is deleted.

import Outbox

enum EraseAccount {
    static let steps: [ErasureStep] =
        ErasedAccountStore.Part.allCases.map { part in
            ErasureStep("entries by \(part)") {
                try await ErasedAccountStore.deleteEntries(with: $0, as: part, in: $1)
            }
        }
        + ErasedAccountStore.Works.allCases.map { works in
            ErasureStep("\(works)") { try await ErasedAccountStore.bury(works, of: $0, in: $1) }
        }
        + [
            ErasureStep("posts that name it") { try await ErasedAccountStore.unnameInPosts($0, in: $1) },
            ErasureStep("messages that name it") { try await ErasedAccountStore.unnameInMessages($0, in: $1) },
        ]
        + ErasedAccountStore.Belongings.allCases.map { belongings in
            ErasureStep("\(belongings)") { try await ErasedAccountStore.delete(belongings, of: $0, in: $1) }
        }
}
