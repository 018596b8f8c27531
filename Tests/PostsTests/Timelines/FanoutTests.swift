// SPDX-License-Identifier: Apache-2.0
// Fan-out ends in the same rows however its events come.

import Domain
import Events
import HTTPTypes
import Outbox
import Postgres
import Support
import Testing
import Web

@testable import PostsService

@Suite struct FanoutTests {
    /// What a naive account of the specification expects, whatever happens between the acts and their events.
    @Test(arguments: TestSeed.list(1...4)) func timelinesAreAsTheModelSays(seed: UInt64) async throws {
        try await GraphWorld.run { world in
            var random = TestSeed(seed)
            var model = try await TimelineModel(world, people: 5)
            let queue = Fanout.queue(world.dependencies)
            var handled = 0
            for step in 0..<80 {
                try await model.step(&random)
                let events = try await world.fanoutEvents()
                for event in events.dropFirst(handled) { _ = try await queue.apply(event, in: world.database) }
                handled = events.count
                guard step % 8 == 7 else { continue }
                #expect(try await world.timelineRows() == model.timelinesInOrder(), "seed \(seed), step \(step)")
                for (number, person) in model.people.enumerated() {
                    let home = Array(model.home(number).prefix(40))
                    #expect(try await world.home(person, "?limit=40") == home, "seed \(seed), step \(step), \(number)")
                }
            }
        }
    }

    @Test(arguments: TestSeed.list(11...13)) func onceTwiceReversedAndShuffledEndAlike(seed: UInt64) async throws {
        try await GraphWorld.run { world in
            var random = TestSeed(seed)
            var model = try await TimelineModel(world, people: 6)
            for _ in 0..<80 { try await model.step(&random) }
            let events = try await world.allFanoutEvents()
            let truth = model.timelines()
            #expect(truth.count > 20)
            let queue = Fanout.queue(world.dependencies)
            func rows(_ order: [[UInt8]]) async throws -> [[Int64]] {
                _ = try await world.database.query("DELETE FROM timeline WHERE account_id <> author_id")
                _ = try await world.database.query("DELETE FROM inbox")
                for event in order { _ = try await queue.apply(event, in: world.database) }
                return try await world.timelineRows()
            }
            #expect(try await rows(events) == truth)
            #expect(try await rows(events + events) == truth)
            #expect(try await rows(events.reversed()) == truth)
            for _ in 1...3 { #expect(try await rows(events.shuffled(using: &random)) == truth, "seed \(seed)") }
        }
    }

    /// Told bit by bit while things happen, and told anew from the beginning: the same rows. 300 acts in the suite,
    /// 50,000 with `MADANG_TEST_SCALE=200`.
    @Test(arguments: TestSeed.list([21, 5_344_900]), [250, -1])
    func bitByBitAndAnewEndTheSame(seed: UInt64, followersInPosting: Int) async throws {
        let limits = Limits(popularityPatience: .zero, followersInPosting: followersInPosting)
        try await GraphWorld.run(limits: limits) { world in
            var random = TestSeed(seed)
            var model = try await TimelineModel(world, people: 8)
            let queue = Fanout.queue(world.dependencies)
            let types = queue.reactions.map(\.type)
            let audiences = queue.audiences.map(\.rawValue)
            let acts = TestScale.of(300, atMost: 50_000)
            var last = Int64(0)
            for _ in 1...acts {
                try await model.step(&random)
                let news = try await world.database.query(
                    """
                    SELECT id, envelope FROM outbox
                    WHERE id > \(last) AND type = ANY (\(types)) AND audience = ANY (\(audiences))
                    ORDER BY id
                    """
                )
                for row in news {
                    var columns = row.columns
                    last = try columns.next()
                    _ = try await queue.apply(try columns.next([UInt8].self), in: world.database)
                }
                while try await world.goOn() {}
            }
            let rows = try await world.timelineRows()
            #expect(rows == model.timelinesInOrder(), "seed \(seed)")
            #expect(!rows.isEmpty)
            _ = try await world.database.query("DELETE FROM timeline WHERE account_id <> author_id")
            _ = try await world.database.query("DELETE FROM inbox")
            let events = try await world.allFanoutEvents()
            for event in events { _ = try await queue.apply(event, in: world.database) }
            while try await world.goOn() {}
            #expect(try await world.timelineRows() == model.timelines(), "seed \(seed)")
            print("replay: \(acts) acts, \(events.count) events, \(rows.count) entries, seed \(seed)")
        }
    }

    @Test func anEventCountsOnce() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            try await world.write("hello https://madang.example", as: ann)
            let event = try #require(try await world.fanoutEvents().last)
            let queue = Fanout.queue(world.dependencies)
            #expect(try await queue.apply(event, in: world.database))
            #expect(try await !queue.apply(event, in: world.database))
            #expect(try await world.liveUpdates().count == 1)
        }
    }

    @Test func fewFollowersAreReachedByTheTransactionThatStoresAPost() async throws {
        try await GraphWorld.run(limits: Limits(popularityPatience: .zero, followersInPosting: 2)) { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            for follower in [bob, try await world.person("cat")] { try await world.follow(ann, as: follower) }
            try await world.fanOut()
            func audience(of id: String) async throws -> String? {
                try await world.database.query(
                    "SELECT audience FROM outbox WHERE subject = \(id) AND type IN (\(PostCreated.type), \(ReplyCreated.type))"
                ).one { try $0.next() }
            }
            let post = try await world.write("at once", as: ann)
            let reply = try await world.write("at once", as: ann, ["in_reply_to_id": post])
            #expect(try await world.home(bob) == [reply, post])
            for id in [post, reply] { #expect(try await audience(of: id) == "reached") }
            let updates = try await world.liveUpdates()
            #expect(updates.map(\.event) == ["update", "update"])
            #expect(updates.allSatisfy { $0.streams.contains("user:\(bob.id)") })
            let withLink = try await world.write("https://madang.example", as: ann)
            let direct = try await world.write("@bob only you", as: ann, ["visibility": "direct"])
            #expect(try await audience(of: withLink) == "events")
            #expect(try await audience(of: direct) == "plain")
            try await world.follow(ann, as: try await world.person("dan"))
            let more = try await world.write("of more", as: ann)
            #expect(try await audience(of: more) == "plain")
            #expect(try await world.home(bob) == [reply, post])
            try await world.fanOut()
            #expect(try await world.home(bob) == [more, direct, withLink, reply, post])
            #expect(try await world.liveUpdates().count { $0.event == "update" } == 5)
        }
    }

    @Test(arguments: [250, -1]) func openConnectionsAreTold(followersInPosting: Int) async throws {
        let limits = Limits(popularityPatience: .zero, followersInPosting: followersInPosting)
        try await GraphWorld.run(limits: limits) { world in
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
            #expect(update.text == (try await world.get("/api/v1/statuses/\(id)").text))
            let reply = try await world.write("@bob psst", as: ann, ["visibility": "direct", "in_reply_to_id": id])
            try await world.fanOut()
            let direct = try await world.liveUpdates().suffix(3)
            #expect(Set(direct.map(\.event)) == ["update", "conversation"])
            #expect(
                direct.first { $0.event == "update" }.map { Set($0.streams) } == ["user:\(ann.id)", "user:\(bob.id)"]
            )
            #expect(
                Set(direct.filter { $0.event == "conversation" }.flatMap(\.streams))
                    == ["direct:\(ann.id)", "direct:\(bob.id)"]
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
            #expect(deletions.map(\.text) == [id, boost, reply])
            #expect(deletions.first?.streams == update.streams)
            #expect(try await world.number("SELECT count(*) FROM timeline") == 0)
        }
    }

    /// As one would have had it, had one followed before.
    @Test func whoFollowsLaterGetsADirectAnswerToSomebodyElseThatNamesThem() async throws {
        try await GraphWorld.run { world in
            let (ann, bob, cat) = (
                try await world.person("ann"), try await world.person("bob"), try await world.person("cat")
            )
            let said = try await world.write("hello", as: cat)
            let toBob = try await world.write("@bob", as: ann, ["visibility": "direct", "in_reply_to_id": said])
            try await world.write("for those who follow cat", as: ann, ["in_reply_to_id": said])
            try await world.fanOut()
            try await world.follow(ann, as: bob)
            try await world.fanOut()
            #expect(try await world.home(bob, "") == [toBob])
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
            #expect(updates.map(\.streams.count) == [502, 2000, 2000])
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
