// SPDX-License-Identifier: Apache-2.0
// The statements that erase what notifications has of an account.

import Domain
import Postgres
import Serving
import Support

@testable import NotificationsService

extension StatementTests {
    // Somebody of whom the rows have something of everything that is looked for.
    private static let leaver = AccountID(7_000_007)

    static func erasures(_ call: inout StatementCatalogue) {
        for rows in ErasedAccountStore.belongings {
            call("ErasedAccountStore.belongings", rows.name) { _ = try await rows.erase(leaver, in: $0) }
        }
        for part in ErasedAccountStore.Part.allCases {
            call("ErasedAccountStore.deleteEntries(with:as:in:)", "\(part)") {
                _ = try await ErasedAccountStore.deleteEntries(with: leaver, as: part, in: $0)
            }
        }
        for rows in ErasedAccountStore.works {
            call("ErasedAccountStore.works", rows.name) { _ = try await rows.erase(leaver, in: $0) }
        }
        for rows in ErasedAccountStore.naming {
            let index = rows.name.hasPrefix("posts") ? "posts_mentioned" : "messages_named"
            call("ErasedAccountStore.naming", rows.name, walks: index) { _ = try await rows.erase(leaver, in: $0) }
        }
    }
}
