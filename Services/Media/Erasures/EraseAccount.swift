// SPDX-License-Identifier: Apache-2.0
// What media has of an account, and how it goes once the account is deleted.

import Domain
import Outbox
import Postgres
import Serving

/// Everything that the account uploaded goes, shown or not, with its files at once. A GIF that it gave to everybody stays, and nobody
/// is said to have given it.
enum EraseAccount {
    static func steps(_ dependencies: Dependencies) -> [ErasureStep] {
        [
            ErasureStep("gifs") { try await ErasedAccountStore.disownGifs(of: $0, in: $1) },
            ErasureStep("uploads") { account, transaction in
                let uploads = try await ErasedAccountStore.uploads(of: account, in: transaction)
                guard !uploads.isEmpty else { return 0 }
                let files = try await ErasedAccountStore.files(of: uploads, in: transaction)
                try await EndUploads.run(uploads, at: dependencies.now(), in: transaction)
                let gone = try await FileStore.settle(files, in: transaction)
                // Before the commit: whoever makes the same file again meanwhile waits for it, and puts it there anew.
                await dependencies.storage.remove(gone.map(\.name))
                for upload in uploads { await dependencies.storage.forget(upload) }
                return uploads.count
            },
            ErasureStep("exports") { try await EndExports.erase(of: $0, at: dependencies.now(), in: $1) },
        ] + ErasedAccountStore.marks.map(\.step)
    }
}
