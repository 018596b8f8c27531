// SPDX-License-Identifier: Apache-2.0
// What notifications has of an account, and how it goes once the account is deleted.

import Outbox
import Serving

enum EraseAccount {
    static let steps: [ErasureStep] =
        ErasedAccountStore.Part.allCases.map { part in
            ErasureStep("entries by \(part)") {
                try await ErasedAccountStore.deleteEntries(with: $0, as: part, in: $1)
            }
        }
        + ErasedAccountStore.works.map(\.step) + ErasedAccountStore.naming.map(\.step)
        + ErasedAccountStore.belongings.map(\.step)
}
