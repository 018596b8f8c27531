// SPDX-License-Identifier: Apache-2.0
// What somebody caused whom nobody may see any more: in no list, of no number, on no device.

import Domain
import Events
import Foundation
import Support
import Testing
import Web

@testable import NotificationsService

@Suite(.serialized) struct RestrictionTests {
    private static func told(_ restrictions: [Restriction], of account: AccountID, version: Int64) -> Happening {
        let event = AccountRestricted(accountID: account, restrictions: restrictions, subjectVersion: version)
        return Happening(event, at: Stage.now, number: 0xA000 + Int(version))
    }

    /// Account 2 and account 3 like a post of account 1, and name them.
    private static func acts() -> [Happening] {
        var world = World()
        world.post(901, by: 1)
        world.like(901, by: 2)
        world.like(901, by: 3)
        world.post(902, by: 2, mentioning: [1])
        return world.history
    }

    @Test func `entries of a hidden person are gone, and there again afterwards`() async throws {
        try await Stage.run { stage in
            try await stage.apply(Self.acts())
            let all = try await stage.list(1).map(\.summary)
            #expect(all == ["mention 2 902", "favourite 3 901", "favourite 2 901"])
            try await stage.apply(Self.told([.suspended], of: 2, version: 1))
            #expect(try await stage.list(1).map(\.summary) == ["favourite 3 901"])
            try await stage.apply(Self.told([.limited], of: 2, version: 3))
            #expect(try await stage.list(1).map(\.summary) == all)
            // What comes late does not count.
            try await stage.apply(Self.told([.leaving], of: 2, version: 2))
            #expect(try await stage.list(1).map(\.summary) == all)
        }
    }

    @Test func `nobody is pushed what a hidden person caused, before or after it was heard of`() async throws {
        let sender = RecordingSender()
        try await Stage.push(sender) { stage in
            try await stage.register("phone", of: 1)
            let acts = Self.acts()
            try await stage.apply(Array(acts.dropLast()))
            try await stage.apply(Self.told([.suspended], of: 2, version: 1))
            try await stage.apply(Array(acts.suffix(1)))
            try await stage.worker.finish()
            #expect(sender.pushes.compactMap { $0.alert }.count == 1)
            #expect(sender.pushes.map(\.badge).allSatisfy { $0 == 1 })
        }
    }
}
