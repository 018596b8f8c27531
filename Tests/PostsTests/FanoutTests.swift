// SPDX-License-Identifier: Apache-2.0
// Fan-out ends in the same rows however its events come.

import Domain
import Events
import HTTPTypes
import Outbox
import Postgres
import Testing
import Web

@testable import PostsService

@Suite struct FanoutTests {
    /// The same every time.
    private struct Shuffle: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }

    private func story(_ world: GraphWorld) async throws {
        var people: [Person] = []
        for name in ["ann", "bob", "cat", "dan", "eve", "fay"] { people.append(try await world.person(name)) }
        let (ann, bob, cat, dan, eve, fay) = (people[0], people[1], people[2], people[3], people[4], people[5])
        for follower in [bob, cat, dan, eve] { try await world.follow(ann, as: follower) }
        try await world.follow(bob, as: cat)
        let first = try await world.write("one", as: ann)
        let doomed = try await world.write("doomed", as: ann)
        let reply = try await world.write("re", as: bob, ["in_reply_to_id": first])
        try await world.write("secret @fay @bob", as: ann, ["visibility": "direct"])
        try await world.write("followers", as: ann, ["visibility": "private"])
        _ = try await world.act("reblog", on: reply, as: ann)
        _ = try await world.act("reblog", on: doomed, as: bob)
        _ = try await world.act("reblog", on: first, as: bob)
        _ = try await world.act("unreblog", on: first, as: bob)
        try await world.follow(ann, as: fay)
        try await world.relate("unfollow", ann, as: bob)
        try await world.relate("unfollow", ann, as: cat)
        try await world.follow(ann, as: cat)
        try await world.relate("mute", ann, as: dan)
        try await world.relate("block", eve, as: ann)
        _ = try await world.send(.delete, "/api/v1/statuses/\(doomed)", as: ann)
        let form = "application/x-www-form-urlencoded"
        _ = try await world.send(.put, "/api/v1/statuses/\(first)", as: ann, type: form, body: "status=edited")
    }

    @Test func onceTwiceReversedAndShuffledEndAlike() async throws {
        try await GraphWorld.run { world in
            try await story(world)
            let events = try await world.fanoutEvents()
            #expect(events.count > 15)
            let queue = Fanout.queue(world.dependencies)
            let own = try await world.timelineRows()
            func rows(_ order: [[UInt8]]) async throws -> [[Int64]] {
                _ = try await world.database.query("DELETE FROM timeline WHERE account_id <> author_id")
                _ = try await world.database.query("DELETE FROM inbox")
                for event in order { _ = try await queue.apply(event, in: world.database) }
                return try await world.timelineRows()
            }
            let truth = try await rows(events)
            #expect(truth.count > own.count)
            #expect(try await rows(events + events) == truth)
            #expect(try await rows(events.reversed()) == truth)
            for seed in 1...3 {
                var random = Shuffle(state: UInt64(seed))
                #expect(try await rows(events.shuffled(using: &random)) == truth, "seed \(seed)")
            }
        }
    }

    @Test func anEventCountsOnce() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            try await world.write("hello", as: ann)
            let event = try #require(try await world.fanoutEvents().last)
            let queue = Fanout.queue(world.dependencies)
            #expect(try await queue.apply(event, in: world.database))
            #expect(try await !queue.apply(event, in: world.database))
            #expect(try await world.liveUpdates().count == 1)
        }
    }

    @Test func openConnectionsAreTold() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let cat = try await world.person("cat")
            let dan = try await world.person("dan")
            try await world.follow(ann, as: bob)
            try await world.relate("block", cat, as: ann)
            try await world.relate("mute", ann, as: dan)
            let id = try await world.write("hello #Yard", as: ann)
            try await world.fanOut()
            let update = try #require(try await world.liveUpdates().last)
            #expect(update.event == "update")
            #expect(update.streams == ["user:\(ann.id)", "public", "hashtag:yard", "user:\(bob.id)"])
            #expect(Set(update.except) == [cat.id, dan.id])
            #expect(update.payload == (try await world.get("/api/v1/statuses/\(id)").text))
            let reply = try await world.write("@bob psst", as: ann, ["visibility": "direct", "in_reply_to_id": id])
            try await world.fanOut()
            let direct = try #require(try await world.liveUpdates().last)
            #expect(
                Set(direct.streams) == [
                    "user:\(ann.id)", "user:\(bob.id)", "direct:\(ann.id)", "direct:\(bob.id)",
                ]
            )
            let form = "application/x-www-form-urlencoded"
            let path = "/api/v1/statuses/\(id)"
            _ = try await world.send(.put, path, as: ann, type: form, body: "status=changed%20%23Yard")
            try await world.fanOut()
            let edited = try #require(try await world.liveUpdates().last)
            #expect(edited.event == "status.update")
            #expect(edited.streams == update.streams)
            let boost = try #require(try await world.act("reblog", on: id, as: bob).string("id"))
            try await world.fanOut()
            let boosted = try #require(try await world.liveUpdates().last)
            #expect(boosted.streams == ["user:\(bob.id)"], "boosts are for followers alone")
            _ = try await world.send(.delete, path, as: ann)
            _ = try await world.send(.delete, "/api/v1/statuses/\(reply)", as: ann)
            try await world.fanOut()
            let deletions = try await world.liveUpdates().filter { $0.event == "delete" }
            #expect(deletions.map(\.payload) == [id, boost, reply])
            #expect(deletions.first?.streams == update.streams)
            #expect(try await world.number("SELECT count(*) FROM timeline") == 0)
        }
    }

    @Test func manyFollowersAreToldInSeveralEvents() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            _ = try await world.database.query(
                """
                INSERT INTO accounts (id, username, created_at)
                SELECT n, 'reader' || n, now() FROM generate_series(1, 4500) n
                """
            )
            _ = try await world.database.query(
                "INSERT INTO follows (follower_id, followee_id, id) SELECT n, \(ann.id), n FROM generate_series(1, 4500) n"
            )
            try await world.write("to all", as: ann)
            try await world.fanOut()
            let updates = try await world.liveUpdates()
            #expect(updates.map(\.streams.count) == [2000, 2000, 502])
            #expect(updates.first?.streams.first == "user:\(ann.id)")
            #expect(Set(updates.flatMap(\.streams)).count == 4502)
            #expect(try await world.number("SELECT count(*) FROM timeline") == 4501)
        }
    }

    @Test func aNewFollowerGetsWhatIsThere() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            var newest: [String] = []
            for number in 0..<45 { newest.insert(try await world.write("\(number)", as: ann), at: 0) }
            try await world.fanOut()
            try await world.follow(ann, as: bob)
            try await world.fanOut()
            #expect(try await world.home(bob, "?limit=80") == Array(newest.prefix(40)))
        }
    }
}
