// SPDX-License-Identifier: Apache-2.0
// The statements that erase what search has of an account.

import Domain
import Postgres
import Serving
import Support

@testable import SearchService

extension StatementTests {
    // Somebody of whom the rows have something of everything that is looked for.
    private static let leaver = AccountID(7_000_007)

    static func erasures(_ call: inout StatementCatalogue) {
        call("ErasedAccountStore.documents(of:in:)", walks: "documents_author") {
            _ = try await ErasedAccountStore.documents(of: leaver, in: $0)
        }
        call("ErasedAccountStore.deletePopularity(of:in:)") {
            ErasedAccountStore.deletePopularity(of: [7_000_011], in: $0)
        }
        call("ErasedAccountStore.unname(_:in:)", walks: "documents_people") {
            _ = try await ErasedAccountStore.unname(leaver, in: $0)
        }
        call("ErasedAccountStore.takeRecords(of:in:)") {
            _ = try await ErasedAccountStore.takeRecords(of: leaver, in: $0)
        }
        for rows in ErasedAccountStore.belongings {
            call("ErasedAccountStore.belongings", rows.name) { _ = try await rows.erase(leaver, in: $0) }
        }
    }
}
