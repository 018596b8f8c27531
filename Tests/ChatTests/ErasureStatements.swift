// SPDX-License-Identifier: Apache-2.0
// The statements that erase what chat has of an account.

import Domain
import Postgres
import Serving
import Support

@testable import ChatService

extension StatementTests {
    // Somebody of whom the rows have something of everything that is looked for.
    private static let leaver = AccountID(7_000_007)

    static func addErasures(_ call: inout StatementCatalogue) {
        for rows in ErasedAccountStore.belongings {
            call("ErasedAccountStore.belongings", rows.name) { _ = try await rows.erase(leaver, in: $0) }
        }
        for rows in ErasedAccountStore.deeds {
            call("ErasedAccountStore.deeds", rows.name) { _ = try await rows.erase(leaver, in: $0) }
        }
        call("ErasedAccountStore.playgrounds(of:limit:in:)", walks: "playground_members_account") {
            _ = try await ErasedAccountStore.playgrounds(of: leaver, limit: 5, in: $0)
        }
        call("ErasedAccountStore.successor(of:in:_:)") {
            _ = try await ErasedAccountStore.successor(of: leaver, in: PlaygroundID(7), $0)
        }
        call("ErasedAccountStore.groups(of:limit:in:)", walks: "channel_members_account") {
            _ = try await ErasedAccountStore.groups(of: leaver, limit: 20, in: $0)
        }
        call("ErasedAccountStore.leaveDirectChannels(_:in:)", walks: "channel_members_account") {
            _ = try await ErasedAccountStore.leaveDirectChannels(leaver, in: $0)
        }
        call("ErasedAccountStore.messages(of:limit:in:)", walks: "messages_of_author") {
            _ = try await ErasedAccountStore.messages(of: leaver, limit: 50, in: $0)
        }
        call("ErasedAccountStore.rooms") { _ = try await ErasedAccountStore.rooms.erase(leaver, in: $0) }
        call("ErasedAccountStore.tombstones", walks: "messages_of_author") {
            _ = try await ErasedAccountStore.tombstones.erase(leaver, in: $0)
        }
        call("ErasedAccountStore.reactions(of:limit:in:)", walks: "reactions_account") {
            _ = try await ErasedAccountStore.reactions(of: leaver, limit: 100, in: $0)
        }
        call("ErasedAccountStore.naming", walks: "messages_mentioned") {
            _ = try await ErasedAccountStore.naming.erase(leaver, in: $0)
        }
        call("ErasedAccountStore.dropCovers(of:in:)", walks: "playgrounds_cover") {
            _ = try await ErasedAccountStore.dropCovers(of: leaver, in: $0)
        }
        call("ErasedAccountStore.account") {
            _ = try await ErasedAccountStore.account.erase(AccountID(7_000_008), in: $0)
        }
    }
}
