// SPDX-License-Identifier: Apache-2.0
// What is said in chat and what it leaves in people's lists.

import Domain
import Events
import Foundation
import HTTPTypes
import Outbox
import Postgres
import Support
import Testing
import Web

@testable import NotificationsService

@Suite(.serialized) struct ChatActivityTests {
    private static let chat = "types[]=chat_mention&types[]=direct_message"

    private func list(_ account: AccountID, on stage: Stage) async throws -> [String] {
        try await stage.list(account, query: ChatActivityTests.chat).map(\.summary)
    }

    private func lists(
        _ account: AccountID,
        connected: Set<AccountID> = [],
        after happen: (inout ChatWorld) -> Void
    ) async throws -> [String] {
        var world = ChatWorld()
        world.open(81, .public, "general", with: [1, 2, 3])
        world.open(83, .direct, with: [1, 2])
        world.open(84, .group, with: [1, 2, 3])
        happen(&world)
        let history = world.history
        let box = Box<[String]>([])
        try await Stage.run { stage in
            stage.connected.value = connected
            try await stage.apply(history)
            box.value = try await list(account, on: stage)
        }
        return box.value
    }

    @Test func `a mention is told to whom it names, once`() async throws {
        #expect(
            try await lists(2) { world in
                world.say(901, in: 81, by: 1, naming: [2])
                world.say(902, in: 81, by: 1, wide: .channel)
                world.say(903, in: 81, by: 1, naming: [3])
                world.say(904, in: 84, by: 2, naming: [2], wide: .channel)
            } == ["chat_mention 1 81/2", "chat_mention 1 81/1"]
        )
    }

    @Test func `here is for who is here`() async throws {
        #expect(try await lists(2) { $0.say(901, in: 81, by: 1, wide: .here) }.isEmpty)
    }

    @Test func `who seems connected gets the entry, which goes by reading`() async throws {
        #expect(
            try await lists(2, connected: [2]) { world in
                world.say(901, in: 81, by: 1, naming: [2])
                world.say(902, in: 83, by: 1)
            } == ["direct_message 1 83/1", "chat_mention 1 81/1"]
        )
        #expect(
            try await lists(2, connected: [2]) { world in
                world.say(901, in: 81, by: 1, naming: [2])
                world.say(902, in: 83, by: 1)
                world.read(83, by: 2)
                world.read(81, by: 2)
            }.isEmpty
        )
    }

    @Test func `whose gateway was killed a moment ago gets the entry`() async throws {
        try await Stage.run { stage in
            // A gateway says whom it has, and is killed within the second; for half a minute nobody knows.
            let start = ContinuousClock.now
            var table = PresenceTable()
            table.take(
                PresenceChanged(gatewayID: "a", connected: [2], disconnected: [], isWhole: true, subjectVersion: 1),
                at: start
            )
            var world = ChatWorld()
            world.open(83, .direct, with: [1, 2])
            for (id, seconds) in [(901, 1), (902, 29), (903, 31)] as [(MessageID, Int)] {
                let before = world.history.count
                stage.connected.value = table.isConnected(2, at: start + .seconds(seconds)) ? [2] : []
                #expect(stage.connected.value.isEmpty == (seconds > 30))
                world.say(id, in: 83, by: 1)
                try await stage.apply(Array(world.history[before...]))
            }
            #expect(try await list(2, on: stage) == ["direct_message 1 83/3"])
            // They come back elsewhere and read.
            stage.connected.value = [2]
            try await stage.apply(world.read(83, by: 2))
            #expect(try await list(2, on: stage).isEmpty)
        }
    }

    @Test func `direct messages are one entry a channel, which shows the newest`() async throws {
        #expect(
            try await lists(2) { world in
                world.say(901, in: 83, by: 1)
                world.say(902, in: 84, by: 1)
                world.say(903, in: 83, by: 1)
                world.say(904, in: 84, by: 3)
            } == ["direct_message 3 84/2", "direct_message 1 83/2"]
        )
    }

    @Test func `what is said in a channel to nobody by name is no entry`() async throws {
        #expect(try await lists(2) { $0.say(901, in: 81, by: 1) }.isEmpty)
    }

    @Test func `a deleted message goes, and the one before it shows again`() async throws {
        #expect(
            try await lists(2) { world in
                world.say(901, in: 83, by: 1)
                world.say(902, in: 83, by: 1)
                world.say(903, in: 81, by: 1, naming: [2])
                world.delete(902)
                world.delete(903)
            } == ["direct_message 1 83/1"]
        )
    }

    @Test func `an edit shows, drops a name and adds one`() async throws {
        try await Stage.run { stage in
            var world = ChatWorld()
            world.open(81, .public, "general", with: [1, 2, 3])
            world.say(901, in: 81, by: 1, "First", naming: [2])
            world.edit(901, "Second", naming: [3])
            try await stage.apply(world.history)
            #expect(try await list(2, on: stage).isEmpty)
            #expect(try await stage.list(3, query: ChatActivityTests.chat).map(\.message?.text) == ["Second"])
            let before = world.history.count
            world.edit(901, "Third", naming: [2])
            try await stage.apply(Array(world.history[before...]))
            #expect(try await list(2, on: stage) == ["chat_mention 1 81/1"])
            #expect(try await list(3, on: stage).isEmpty)
            let rows = try await stage.dump()
            #expect(!rows.contains { $0.contains("Second") })
        }
    }

    @Test func `reading puts away what was read, for good`() async throws {
        #expect(
            try await lists(2) { world in
                world.say(901, in: 83, by: 1)
                world.say(902, in: 83, by: 1)
                world.say(903, in: 81, by: 1, naming: [2])
                world.say(904, in: 81, by: 1, naming: [2])
                world.read(83, by: 2)
                world.read(81, by: 2, upTo: 1)
                world.read(81, by: 2, upTo: 0)
                world.read(81, by: 3)
            } == ["chat_mention 1 81/2"]
        )
    }

    @Test func `who answers has read`() async throws {
        #expect(
            try await lists(2) { world in
                world.say(901, in: 83, by: 1)
                world.say(902, in: 83, by: 2)
                world.say(903, in: 81, by: 1, naming: [2])
                world.say(904, in: 81, by: 2)
            }.isEmpty
        )
    }

    @Test func `who left hears nothing of before`() async throws {
        #expect(
            try await lists(2) { world in
                world.say(901, in: 81, by: 1, naming: [2])
                world.leave(81, by: 2)
                world.join(81, by: 2)
                world.say(902, in: 81, by: 1, naming: [2])
            } == ["chat_mention 1 81/2"]
        )
        #expect(
            try await lists(2) { world in
                world.say(901, in: 81, by: 1, naming: [2])
                world.say(902, in: 83, by: 1)
                world.leavePlayground(by: 2)
            } == ["direct_message 1 83/1"]
        )
    }

    @Test func `a deleted channel or playground takes everything along and leaves no text`() async throws {
        for closesPlayground in [false, true] {
            try await Stage.run { stage in
                var world = ChatWorld()
                world.open(81, .public, "general", with: [1, 2])
                world.say(901, in: 81, by: 1, "A secret", naming: [2])
                if closesPlayground { world.closePlayground() } else { world.close(81) }
                try await stage.apply(world.history)
                #expect(try await list(2, on: stage).isEmpty)
                let rows = try await stage.dump()
                #expect(!rows.contains { $0.contains("A secret") || $0.contains("general") })
            }
        }
    }

    @Test func `blocks both ways and mutes silence, and another's entry shows instead`() async throws {
        #expect(
            try await lists(2) { world in
                world.block(3, by: 2)
                world.say(901, in: 84, by: 1)
                world.say(902, in: 84, by: 3)
                world.say(903, in: 81, by: 3, naming: [2])
            } == ["direct_message 1 84/1"]
        )
        #expect(
            try await lists(2) { world in
                world.mute(1, by: 2)
                world.say(901, in: 83, by: 1)
                world.block(2, by: 3)
                world.say(902, in: 81, by: 3, naming: [2])
            }.isEmpty
        )
    }

    @Test func `a dismissed entry comes back with the next message only`() async throws {
        try await Stage.run { stage in
            var world = ChatWorld()
            world.open(83, .direct, with: [1, 2])
            world.say(901, in: 83, by: 1)
            world.say(902, in: 83, by: 1)
            try await stage.apply(world.history)
            let first = try await stage.list(2, query: ChatActivityTests.chat).first
            let id = try #require(first?.id)
            #expect(try await stage.respond(.post, "/api/v1/notifications/\(id)/dismiss", as: 2).status == .ok)
            #expect(try await list(2, on: stage).isEmpty)
            world.say(903, in: 83, by: 1)
            _ = try await stage.database.query("DELETE FROM inbox")
            try await stage.apply(world.history)
            #expect(try await list(2, on: stage) == ["direct_message 1 83/3"])
            #expect(try await stage.respond(.get, "/api/v1/notifications/\(id)", as: 2).status == .notFound)
        }
    }

    @Test func `a long silence keeps few rows`() async throws {
        try await Stage.run { stage in
            var world = ChatWorld()
            world.open(83, .direct, with: [1, 2])
            for id in 1...70 { world.say(MessageID(Int64(id)), in: 83, by: 1) }
            try await stage.apply(world.history)
            #expect(try await list(2, on: stage) == ["direct_message 1 83/70"])
            let rows = try await stage.dump()
            #expect(rows.count { $0.hasPrefix("notification ") } == 50)
        }
    }

    @Test func `a client that asks for nothing in particular never meets the kinds of chat`() async throws {
        try await Stage.run { stage in
            var world = ChatWorld()
            world.open(83, .direct, with: [1, 2])
            world.say(901, in: 83, by: 1, naming: [2])
            try await stage.apply(world.history)
            #expect(try await list(2, on: stage).count == 2)
            for query in ["", "exclude_types[]=mention", "limit=80", "account_id=1", "types[]=mention"] {
                #expect(try await stage.list(2, query: query).isEmpty, "\(query)")
                let answer = try await stage.respond(.get, "/api/v1/notifications/unread_count", query: query, as: 2)
                #expect(String(decoding: answer.body, as: UTF8.self) == #"{"count":0}"#, "\(query)")
            }
            let asked = try await stage.respond(
                .get,
                "/api/v1/notifications/unread_count",
                query: ChatActivityTests.chat,
                as: 2
            )
            #expect(String(decoding: asked.body, as: UTF8.self) == #"{"count":2}"#)
            // Nothing of chat goes to Mastodon streams either.
            let told = try await stage.database.query("SELECT 1 FROM outbox")
            #expect(told.isEmpty)
            #expect(try await stage.respond(.post, "/api/v1/notifications/clear", as: 2).status == .ok)
            #expect(try await list(2, on: stage).count == 2)
            let cleared = try await stage.respond(
                .post,
                "/api/v1/notifications/clear",
                query: "types[]=direct_message",
                as: 2
            )
            #expect(cleared.status == .ok)
            #expect(try await list(2, on: stage) == ["chat_mention 1 83/1"])
        }
    }

    @Test func `every event of chat that is reacted to is understood`() async throws {
        try await Stage.run { stage in
            for type in stage.chat.reactions.map(\.type) {
                let file = repositoryRoot.appendingPathComponent("Tests/Fixtures/events/\(type).json")
                // Every fixture is told under one id.
                _ = try await stage.database.query("DELETE FROM inbox")
                let applied = try await stage.chat.apply(Array(try Data(contentsOf: file)), in: stage.database)
                #expect(applied, "\(type)")
            }
        }
    }

    @Test(arguments: TestSeed.list(21...23))
    func `the same tables in whatever order events come`(seed: UInt64) async throws {
        let history = ChatWorld.random(steps: 220, seed: seed).history
        let inOrder = try await outcome(history)
        // A history that was drawn may end with everything read; those that are always tried do not.
        #expect(!(21...23).contains(seed) || inOrder.contains { $0.hasPrefix("notification") })

        #expect(try await outcome(history + history) == inOrder)
        #expect(try await outcome(history.reversed()) == inOrder)
        for shuffle in [1, 2, 3] as [UInt64] {
            var dice = TestSeed(shuffle &+ seed)
            let shuffled = history.shuffled(using: &dice)
            #expect(try await outcome(shuffled) == inOrder, "history \(seed), shuffle \(shuffle)")
        }
    }

    /// What the tables hold after these events.
    private func outcome(_ happenings: [Happening]) async throws -> [String] {
        let box = Box<[String]>([])
        try await Stage.run { stage in
            stage.connected.value = [4]
            try await stage.apply(happenings)
            box.value = try await stage.dump()
        }
        return box.value
    }
}
