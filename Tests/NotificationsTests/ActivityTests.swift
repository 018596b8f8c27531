// SPDX-License-Identifier: Apache-2.0
// Each event and what it leaves in people's lists.

import Domain
import Events
import HTTPTypes
import Postgres
import Support
import Testing
import Web

@Suite(.serialized) struct ActivityTests {
    private func lists(
        _ account: AccountID,
        after happen: (inout World) -> Void
    ) async throws -> [String] {
        var world = World()
        happen(&world)
        let history = world.history
        let box = Box<[String]>([])
        try await Stage.run { stage in
            try await stage.apply(history)
            box.value = try await stage.list(account).map(\.summary)
        }
        return box.value
    }

    @Test func `a favourite is told to the author`() async throws {
        #expect(
            try await lists(1) { world in
                world.post(901, by: 1)
                world.like(901, by: 2)
            } == ["favourite 2 901"]
        )
    }

    @Test func `a boost is told to the author`() async throws {
        #expect(
            try await lists(1) { world in
                world.post(901, by: 1)
                world.boost(901, by: 2)
            } == ["reblog 2 901"]
        )
    }

    @Test func `a mention is told to whom it names`() async throws {
        #expect(try await lists(2) { $0.post(901, by: 1, mentioning: [2]) } == ["mention 1 901"])
    }

    @Test func `a reply is told to the author of what it answers, once`() async throws {
        #expect(
            try await lists(1) { world in
                world.post(901, by: 1)
                world.post(902, by: 2, answering: 901)
                world.post(903, by: 3, mentioning: [1, 1], answering: 901)
            } == ["mention 3 903", "mention 2 902"]
        )
    }

    @Test func `a reply for others is not shown to the author of what it answers`() async throws {
        #expect(
            try await lists(1) { world in
                world.post(901, by: 1)
                world.post(902, by: 2, mentioning: [3], answering: 901, visibility: .direct)
                world.post(903, by: 2, answering: 901, visibility: .private)
                world.post(904, by: 2, mentioning: [1], answering: 901, visibility: .direct)
            } == ["mention 2 904"]
        )
    }

    @Test func `a follow and a request are told to the followed`() async throws {
        #expect(
            try await lists(1) { world in
                world.follow(1, by: 2)
                world.requestToFollow(1, by: 3)
            } == ["follow_request 3", "follow 2"]
        )
    }

    @Test func `nobody is told of their own acts`() async throws {
        #expect(
            try await lists(1) { world in
                world.post(901, by: 1, mentioning: [1])
                world.post(902, by: 1, answering: 901)
                world.like(901, by: 1)
                world.boost(901, by: 1)
            }.isEmpty
        )
    }

    @Test func `a post is told to those who asked to hear of its author`() async throws {
        try await Stage.run { stage in
            var world = World()
            world.post(901, by: 2)
            world.announce("status", 901, to: [1, 2, 3])
            try await stage.apply(world.history)
            #expect(try await stage.list(1).map(\.summary) == ["status 2 901"])
            #expect(try await stage.list(3).map(\.summary) == ["status 2 901"])
            #expect(try await stage.list(2).isEmpty, "nobody hears of their own posts")
            #expect(try await stage.list(1, query: "types[]=status").count == 1)
            #expect(try await stage.list(1, query: "exclude_types[]=status").isEmpty)
            let told = try await stage.notified()
            #expect(told.map(\.type) == ["status", "status"])
            #expect(Set(told.map(\.accountID)) == [1, 3])
            let payload = String(decoding: told.first?.update.payload ?? [], as: UTF8.self)
            #expect(payload.contains(#""type":"status""#) && payload.contains(#""id":"901""#), "\(payload)")
            // Once, however often the event comes, and not with the post gone.
            _ = try await stage.database.query("DELETE FROM inbox")
            try await stage.apply(world.history)
            #expect(try await stage.list(1).count == 1)
            world.delete(901)
            try await stage.apply(world.history)
            #expect(try await stage.list(1).isEmpty)
        }
    }

    @Test func `an edit is told to those who boosted, each time anew and once a post`() async throws {
        try await Stage.run { stage in
            var world = World()
            world.post(901, by: 1)
            world.boost(901, by: 2)
            world.edit(901, "Changed")
            let announced = world.announce("update", 901, to: [2])
            try await stage.apply(world.history)
            let before = try await stage.list(2)
            #expect(before.map(\.summary) == ["update 1 901"])
            #expect(before.first?.status?.content.contains("Changed") == true)
            #expect(before.first?.status?.reblogged == true)
            let id = try #require(before.first?.id)
            #expect(try await stage.respond(.post, "/api/v1/notifications/\(id)/dismiss", as: 2).status == .ok)
            world.edit(901, "Changed again")
            let again = world.announce("update", 901, to: [2])
            try await stage.apply(world.history)
            let after = try await stage.list(2)
            #expect(after.map(\.summary) == ["update 1 901"])
            #expect(after.first?.id != id)
            // An earlier edit that comes late takes nothing's place.
            _ = try await stage.database.query("DELETE FROM inbox")
            try await stage.apply(try #require(again), try #require(announced))
            #expect(try await stage.list(2) == after)
        }
    }

    @Test func `who does not want to hear of somebody is not told of their posts either`() async throws {
        try await Stage.run { stage in
            var world = World()
            world.mute(2, by: 1)
            world.block(3, by: 2)
            world.post(901, by: 2)
            world.announce("status", 901, to: [1, 3, 4])
            try await stage.apply(world.history)
            for account in [1, 3] as [AccountID] { #expect(try await stage.list(account).isEmpty) }
            #expect(try await stage.list(4).map(\.summary) == ["status 2 901"])
            #expect(try await stage.notified().map(\.accountID) == [4])
        }
    }

    @Test func `what is taken back is withdrawn`() async throws {
        #expect(
            try await lists(1) { world in
                world.post(901, by: 1)
                world.like(901, by: 2)
                world.boost(901, by: 2)
                world.follow(1, by: 2)
                world.requestToFollow(1, by: 3)
                world.unlike(901, by: 2)
                world.unboost(901, by: 2)
                world.unfollow(1, by: 2)
                world.closeRequest(to: 1, by: 3)
            }.isEmpty
        )
    }

    @Test func `what is taken back and done again is told again`() async throws {
        #expect(
            try await lists(1) { world in
                world.post(901, by: 1)
                world.like(901, by: 2)
                world.unlike(901, by: 2)
                world.like(901, by: 2)
            } == ["favourite 2 901"]
        )
    }

    @Test func `a deleted post takes its notifications along and leaves no text`() async throws {
        try await Stage.run { stage in
            var world = World()
            world.post(901, by: 1, "A secret", mentioning: [3])
            world.like(901, by: 2)
            world.delete(901)
            try await stage.apply(world.history)
            #expect(try await stage.list(1).isEmpty)
            #expect(try await stage.list(3).isEmpty)
            let rows = try await stage.dump()
            #expect(!rows.contains { $0.contains("A secret") })
        }
    }

    @Test func `an edit shows at once, and a name that it drops is withdrawn`() async throws {
        try await Stage.run { stage in
            var world = World()
            world.post(901, by: 1, "First", mentioning: [2, 3])
            world.edit(901, "Second", mentioning: [3, 4])
            try await stage.apply(world.history)
            #expect(try await stage.list(2).isEmpty)
            #expect(try await stage.list(3).first?.status?.content == "<p>Second</p>")
            #expect(try await stage.list(4).map(\.summary) == ["mention 1 901"])
        }
    }

    @Test func `a block sweeps away, silences both ways, and ends`() async throws {
        try await Stage.run { stage in
            var world = World()
            world.post(901, by: 1)
            world.post(902, by: 2)
            world.like(901, by: 2)
            world.like(902, by: 1)
            world.block(2, by: 1)
            try await stage.apply(world.history)
            #expect(try await stage.list(1).isEmpty)
            #expect(try await stage.list(2).isEmpty)

            let blocked = world.history.count
            world.boost(901, by: 2)
            world.boost(902, by: 1)
            try await stage.apply(Array(world.history[blocked...]))
            #expect(try await stage.list(1).isEmpty)
            #expect(try await stage.list(2).isEmpty)

            let before = world.history.count
            world.unblock(2, by: 1)
            world.post(903, by: 2, mentioning: [1])
            try await stage.apply(Array(world.history[before...]))
            #expect(try await stage.list(1).map(\.summary) == ["mention 2 903"])
        }
    }

    @Test func `an unblock that overtakes its block wins`() async throws {
        try await Stage.run { stage in
            var world = World()
            world.post(901, by: 1)
            let block = world.block(2, by: 1)
            let unblock = world.unblock(2, by: 1)
            let liked = world.like(901, by: 2)
            let like = try #require(liked)
            try await stage.apply(unblock, like, block)
            #expect(try await stage.list(1).map(\.summary) == ["favourite 2 901"])
        }
    }

    @Test func `a mute silences one way, if it is of notifications, until it ends`() async throws {
        #expect(
            try await lists(1) { world in
                world.post(901, by: 1)
                world.post(902, by: 1)
                world.post(903, by: 1)
                world.like(901, by: 2)
                world.mute(2, by: 1)
                world.like(902, by: 2)
                world.unmute(2, by: 1)
                world.like(903, by: 2)
                world.mute(3, by: 1, notifications: false)
                world.like(901, by: 3)
                world.mute(4, by: 1, expires: world.now + .milliseconds(1500))
                world.like(901, by: 4)
                world.like(902, by: 4)
            } == ["favourite 4 902", "favourite 3 901", "favourite 2 903"]
        )
    }

    @Test func `a mute is nothing to the muted`() async throws {
        #expect(
            try await lists(2) { world in
                world.mute(2, by: 1)
                world.post(901, by: 2)
                world.like(901, by: 1)
            } == ["favourite 1 901"]
        )
    }

    @Test func `the newest profile is shown`() async throws {
        try await Stage.run { stage in
            var world = World()
            world.post(901, by: 1)
            world.like(901, by: 2)
            let changed = world.changeProfile(2)
            try await stage.apply([changed] + world.history)
            let answer = try await stage.respond(.get, "/api/v1/notifications", as: 1)
            #expect(String(decoding: answer.body, as: UTF8.self).contains(#""statuses_count":1,"#))
        }
    }

    @Test func `own favourites and boosts are marked`() async throws {
        try await Stage.run { stage in
            var world = World()
            world.post(901, by: 1, mentioning: [2])
            world.like(901, by: 2)
            world.boost(901, by: 2)
            try await stage.apply(world.history)
            let status = try await stage.list(2).first?.status
            #expect(status?.favourited == true)
            #expect(status?.reblogged == true)
        }
    }

    @Test func `what is told live is what the list shows`() async throws {
        try await Stage.run { stage in
            var world = World()
            world.post(901, by: 1)
            world.mute(3, by: 1)
            world.like(901, by: 3)
            world.like(901, by: 2)
            try await stage.apply(world.history)
            let messages = try await recordedEvents(in: stage.database)
            #expect(messages.count == 1)
            let update = try Envelope<NotificationCreated>(message: try #require(messages.first)).data.update
            let listed = try await stage.respond(.get, "/api/v1/notifications", as: 1)
            #expect("[\(update.text)]" == String(decoding: listed.body, as: UTF8.self))
            #expect(update.streams == ["user:1", "user:notification:1"])
        }
    }
}
