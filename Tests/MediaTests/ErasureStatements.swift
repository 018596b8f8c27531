// SPDX-License-Identifier: Apache-2.0
// The statements that erase what media has of an account.

import Domain
import Postgres
import Serving
import Support

@testable import MediaService

extension StatementTests {
    // Somebody of whom the rows have something of everything that is looked for.
    private static let leaver = AccountID(7_000_007)

    static func erasures(_ call: inout StatementCatalogue) {
        call("ErasedAccountStore.uploads(of:in:)", walks: "uploads_owner") {
            _ = try await ErasedAccountStore.uploads(of: leaver, in: $0)
        }
        call("ErasedAccountStore.files(of:in:)") {
            _ = try await ErasedAccountStore.files(of: [MediaID(7_000_011)], in: $0)
        }
        call("ErasedAccountStore.disownGifs(of:in:)", walks: "gifs_importer") {
            _ = try await ErasedAccountStore.disownGifs(of: leaver, in: $0)
        }
        for rows in ErasedAccountStore.marks {
            call("ErasedAccountStore.marks", rows.name) { _ = try await rows.erase(leaver, in: $0) }
        }
    }
}
