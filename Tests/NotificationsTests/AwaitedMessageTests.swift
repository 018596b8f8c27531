// SPDX-License-Identifier: Apache-2.0
// What is said in a channel of which people asked to hear everything, and what it leaves in their lists.

import Domain
import Events
import HTTPTypes
import Support
import Testing
import Web

@Suite(.serialized) struct AwaitedMessageTests {
    private static let chat = "types[]=chat_mention&types[]=direct_message&types[]=channel_message"

    private func list(_ account: AccountID, on stage: Stage) async throws -> [String] {
        try await stage.list(account, query: AwaitedMessageTests.chat).map(\.summary)
    }

    private func lists(_ account: AccountID, after happen: (inout ChatWorld) -> Void) async throws -> [String] {
        var world = ChatWorld()
        world.open(81, .public, "general", with: [1, 2, 3])
        world.open(83, .direct, with: [1, 2])
        happen(&world)
        let history = world.history
        let box = Box<[String]>([])
        try await Stage.run { stage in
            try await stage.apply(history)
            box.value = try await list(account, on: stage)
        }
        return box.value
    }

    @Test func `who asked for everything has one entry a channel, and no second of a mention`() async throws {
        #expect(
            try await lists(2) { world in
                world.say(901, in: 81, by: 1, awaitedBy: [2, 3])
                world.say(902, in: 81, by: 3, awaitedBy: [1, 2, 3])
                world.say(903, in: 81, by: 2, awaitedBy: [2, 3])
            }.isEmpty,
            "who answers has read"
        )
        #expect(
            try await lists(2) { world in
                world.say(901, in: 81, by: 1, awaitedBy: [2])
                world.say(902, in: 81, by: 3, awaitedBy: [2])
                world.say(903, in: 81, by: 1, naming: [2], awaitedBy: [2, 3])
                world.say(904, in: 83, by: 1)
            } == ["direct_message 1 83/1", "chat_mention 1 81/3", "channel_message 3 81/2"]
        )
        #expect(try await lists(3) { $0.say(901, in: 81, by: 1, awaitedBy: [2]) }.isEmpty)
    }

    @Test func `what is awaited goes as direct messages do`() async throws {
        #expect(
            try await lists(2) { world in
                world.say(901, in: 81, by: 1, awaitedBy: [2])
                world.say(902, in: 81, by: 1, awaitedBy: [2])
                world.delete(902)
            } == ["channel_message 1 81/1"]
        )
        #expect(
            try await lists(2) { world in
                world.say(901, in: 81, by: 1, awaitedBy: [2])
                world.read(81, by: 2)
                world.say(902, in: 81, by: 1, awaitedBy: [2])
                world.leave(81, by: 2)
            }.isEmpty
        )
        #expect(
            try await lists(2) { world in
                world.say(901, in: 81, by: 1, awaitedBy: [2])
                world.block(3, by: 2)
                world.say(902, in: 81, by: 3, awaitedBy: [2])
            } == ["channel_message 1 81/1"]
        )
        #expect(
            try await lists(2) { world in
                world.say(901, in: 81, by: 1, awaitedBy: [2])
                world.close(81)
            }.isEmpty
        )
    }

    @Test func `an awaited message that was put away comes back with the next one only`() async throws {
        try await Stage.run { stage in
            var world = ChatWorld()
            world.open(81, .public, "general", with: [1, 2])
            for id in 1...60 { world.say(MessageID(Int64(id)), in: 81, by: 1, awaitedBy: [2]) }
            try await stage.apply(world.history)
            #expect(try await list(2, on: stage) == ["channel_message 1 81/60"])
            #expect(try await stage.dump().count { $0.hasPrefix("notification ") } == 50)
            let id = try #require(try await stage.list(2, query: AwaitedMessageTests.chat).first?.id)
            #expect(try await stage.respond(.post, "/api/v1/notifications/\(id)/dismiss", as: 2).status == .ok)
            #expect(try await list(2, on: stage).isEmpty)
            let before = world.history.count
            world.say(61, in: 81, by: 1, awaitedBy: [2])
            try await stage.apply(Array(world.history[before...]))
            #expect(try await list(2, on: stage) == ["channel_message 1 81/61"])
            #expect(try await stage.list(2).isEmpty, "only who asks for it meets it")
        }
    }
}
