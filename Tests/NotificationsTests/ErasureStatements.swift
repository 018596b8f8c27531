// SPDX-License-Identifier: Apache-2.0
// The statements that erase what notifications has of an account.

import Domain
import Postgres
import Support

@testable import NotificationsService

extension StatementTests {
    // Somebody of whom the rows have something of everything that is looked for.
    private static let leaver = AccountID(7_000_007)

    static func erasures(_ call: inout StatementCatalogue) {
        for belongings in ErasedAccountStore.Belongings.allCases {
            call("ErasedAccountStore.delete(_:of:in:)", "\(belongings)") {
                _ = try await ErasedAccountStore.delete(belongings, of: leaver, in: $0)
            }
        }
        for part in ErasedAccountStore.Part.allCases {
            call("ErasedAccountStore.deleteEntries(with:as:in:)", "\(part)") {
                _ = try await ErasedAccountStore.deleteEntries(with: leaver, as: part, in: $0)
            }
        }
        for works in ErasedAccountStore.Works.allCases {
            call("ErasedAccountStore.bury(_:of:in:)", "\(works)") {
                _ = try await ErasedAccountStore.bury(works, of: leaver, in: $0)
            }
        }
        call("ErasedAccountStore.unnameInPosts(_:in:)", walks: "posts_mentioned") {
            _ = try await ErasedAccountStore.unnameInPosts(leaver, in: $0)
        }
        call("ErasedAccountStore.unnameInMessages(_:in:)", walks: "messages_named") {
            _ = try await ErasedAccountStore.unnameInMessages(leaver, in: $0)
        }
    }
}
