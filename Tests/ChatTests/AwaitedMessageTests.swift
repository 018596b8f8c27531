// SPDX-License-Identifier: Apache-2.0
// Who is told of each message of a channel because they asked for it.

import Domain
import Events
import Outbox
import Postgres
import Support
import Testing

@testable import ChatService

@Suite struct AwaitedMessageTests {
    @Test func whoAskedForEverythingHearsOfEachMessageInAChannel() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let (b, c, d) = (
                try await world.person("bo"), try await world.person("cy"), try await world.person("di")
            )
            let room = try await world.room([a, b, c, d])
            let path = "/api/v1/channels/\(room)/notifications"
            func heard(_ text: String, by author: Somebody) async throws -> [AccountID] {
                let before = try await world.recorded(MessageAwaited.self).count
                try await world.said(text, in: room, as: author)
                let sent = try #require(try await world.recorded(MessageSent.self).last)
                #expect(sent.recipientIDs.isEmpty)
                let told = try await world.recorded(MessageAwaited.self).dropFirst(before)
                #expect(told.allSatisfy { $0.message.id == sent.message.id && $0.channel.type == .public })
                return told.flatMap(\.recipientIDs).sorted()
            }
            // Everybody begins with `all`, and nobody asked for it.
            #expect(try await heard("hello", by: a).isEmpty)
            for person in [a, b, c, d] { #expect(try await world.put(path, as: person, ["notify": "all"]).code == 200) }
            #expect(try await heard("hello", by: a) == [b.id, c.id, d.id].sorted())
            // Who is named is told that.
            #expect(try await heard("hello @cy", by: a) == [b.id, d.id].sorted())
            #expect(try await heard("hello @here @cy", by: a) == [b.id, d.id].sorted())
            #expect(try await heard("hello @channel", by: a).isEmpty)
            _ = try await world.put(path, as: b, ["mute_for": 60])
            _ = try await world.put(path, as: c, ["notify": "mentions"])
            try await world.block(d, a, version: 1)
            #expect(try await heard("hello", by: a).isEmpty)
            #expect(try await heard("hello", by: c) == [a.id, d.id].sorted())
            world.clock.advance(.seconds(61))
            #expect(try await heard("hello", by: a) == [b.id])
        }
    }

    @Test func whatIsToldAgainOfAMessageNamesThoseWhoAskedForEverything() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let (b, c) = (try await world.person("bo"), try await world.person("cy"))
            let room = try await world.room([a, b, c])
            for person in [a, b, c] {
                _ = try await world.put("/api/v1/channels/\(room)/notifications", as: person, ["notify": "all"])
            }
            for text in ["hello", "hello @cy", "hello @channel"] { try await world.said(text, in: room, as: a) }
            let rows = try await RetoldStore.messages(
                after: Teller.Place(limit: 10),
                in: world.database
            )
            #expect(rows.map(\.listeners) == [[b.id, c.id].sorted(), [b.id], []])
            #expect(rows.map(\.mentioned) == [[], [c.id], [b.id, c.id].sorted()])
            #expect(rows.allSatisfy { $0.recipients.isEmpty })
        }
    }

    @Test func manyWhoAskedForEverythingAreSeveralEvents() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let room = try await world.room([a])
            let channel = try #require(ChannelID(room))
            _ = try await world.database.query(
                """
                INSERT INTO channel_members (channel_id, account_id, role, joined_at, version, notify_chosen)
                SELECT \(channel), 1000000000000000000 + n, 'member', now(), 1, true FROM generate_series(1, 1200) n
                """
            )
            try await world.said(String(repeating: "\"", count: 4000), in: room, as: a)
            let told = try await world.recorded(MessageAwaited.self)
            #expect(told.map(\.recipientIDs.count) == [500, 500, 200])
            #expect(Set(told.flatMap(\.recipientIDs)).count == 1200)
        }
    }
}
