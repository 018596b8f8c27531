// SPDX-License-Identifier: Apache-2.0
// Two copies of the process at once: what is taken out stays out, and versions count up.

import Domain
import Events
import HTTPTypes
import Outbox
import Postgres
import Support
import Testing
import Web

@testable import PostsService

@Suite struct FanoutRaceTests {
    private static func told(_ type: String, in world: GraphWorld) async throws -> [UInt8] {
        try #require(try await recordedEvents(in: world.database).last { try TestEvent($0).type == type })
    }

    @Test(arguments: [false, true]) func aDeletionDoesNotOvertakeAFanOut(ofBoost: Bool) async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let cat = try await world.person("cat")
            try await world.follow(ann, as: cat)
            try await world.follow(bob, as: cat)
            let id = try await world.write("soon gone", as: ann)
            var entry = try #require(PostID(id))
            var author = ann.id
            if ofBoost {
                try await world.fanOut()
                let boost = try #require(try await world.act("reblog", on: id, as: bob).string("id"))
                entry = try #require(PostID(boost))
                author = bob.id
            }
            let (moved, by) = (entry, author)
            try await world.whileOpen { transaction in
                FanoutStore.hold(sharing: [by], in: transaction)
                _ = try await SpreadStore.spread(
                    [SpreadStore.Entry(id: moved, author: by, version: nil)],
                    .all,
                    limit: 100,
                    largeAccount: 5000,
                    in: transaction
                )
            } _: {
                #expect(try await world.send(.delete, "/api/v1/statuses/\(id)", as: ann).code == 200)
                let deletion = try await Self.told(PostDeleted.type, in: world)
                _ = try await Fanout.queue(world.dependencies).apply(deletion, in: world.database)
            }
            let left = try await world.number("SELECT count(*) FROM timeline WHERE account_id = \(cat.id)")
            #expect(left == 0, "a ghost in a timeline")
        }
    }

    @Test func aFanOutDoesNotOvertakeAnUnfollow() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            try await world.follow(ann, as: bob)
            try await world.write("https://for.example followers", as: ann, ["visibility": "private"])
            let creation = try await Self.told(PostCreated.type, in: world)
            try await world.whileOpen { transaction in
                FanoutStore.hold(alone: [ann.id], in: transaction)
                _ = try await transaction.query("DELETE FROM follows WHERE follower_id = \(bob.id)")
                HomeStore.clear([Follow(follower: bob.id, followee: ann.id)], in: transaction)
                // Asked for an answer, so that it has run before the fan-out begins.
                _ = try await transaction.query("SELECT 1")
            } _: {
                _ = try await Fanout.queue(world.dependencies).apply(creation, in: world.database)
            }
            #expect(try await world.number("SELECT count(*) FROM timeline WHERE account_id = \(bob.id)") == 0)
        }
    }

    /// Two that had an author with each other, and then both wanted them alone, would wait for each other.
    @Test(arguments: [false, true]) func aBatchWaitsForAnAuthorWithoutHavingThem(ofBoost: Bool) async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            try await world.follow(ann, as: bob)
            let id = try await world.write("soon gone", as: ann)
            _ = try await world.act("reblog", on: id, as: bob)
            try await world.fanOut()
            let author = ofBoost ? bob : ann
            try await world.write("https://new.example", as: author)
            let creation = try await Self.told(PostCreated.type, in: world)
            #expect(try await world.send(.delete, "/api/v1/statuses/\(id)", as: ann).code == 200)
            let deletion = try await Self.told(PostDeleted.type, in: world)
            let batch = try await world.database.transaction { transaction in
                FanoutStore.hold(sharing: [author.id], in: transaction)
                _ = try await transaction.query("SELECT 1")
                let batch = Task {
                    try await Fanout.queue(world.dependencies).apply([creation, deletion], in: world.database)
                }
                try await eventually("the batch waits") {
                    let waiting = "SELECT count(*) FROM (\(Self.waiting)) w" as SQL
                    return try await world.number(waiting) == 1
                }
                let had = """
                    SELECT count(*) FROM pg_locks h
                    JOIN (\(Self.waiting)) w ON (w.pid, w.classid, w.objid) = (h.pid, h.classid, h.objid)
                    WHERE h.granted AND h.locktype = 'advisory'
                    """ as SQL
                #expect(try await world.number(had) == 0)
                return batch
            }
            #expect(try await batch.value == 2)
        }
    }

    private static let waiting: SQL = """
        SELECT l.pid, l.classid, l.objid FROM pg_locks l
        JOIN pg_stat_activity a USING (pid)
        WHERE NOT l.granted AND l.locktype = 'advisory' AND a.datname = current_database()
        """

    @Test(arguments: ["follow", "unfollow", "mute", "block"])
    func whatChangesBetweenTwoWhileAPostIsStoredComesAfterIt(action: String) async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            if action != "follow" { try await world.follow(ann, as: bob) }
            try await world.fanOut()
            let request = Request(method: .post, path: "/", query: "status=new")
            let draft = try Post.Draft(request.parameters(), limits: world.dependencies.limits)
            let id = try world.dependencies.ids.next() as PostID
            let post = NewPost(id: id, author: ann.id, draft: draft, mentions: [], tags: [], app: nil)
            try await world.whileOpen { transaction in
                let command = CreatePost.Command(post: post, key: nil, card: nil)
                _ = try await CreatePost.create([command], world.dependencies, transaction)
            } _: {
                try await world.relate(action, ann, as: bob)
                try await world.fanOut()
            }
            let isThere = try await world.timelineRows().contains([bob.id.rawValue, id.rawValue, ann.id.rawValue])
            #expect(isThere == (action == "follow"))
        }
    }

    @Test func versionsOfPairsRiseWhateverClocksSay() async throws {
        try await GraphWorld.run { world in
            let late = try GraphWorld(world.database, slot: 1, start: GraphWorld.start + .seconds(-3600))
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let steps = ["follow", "unfollow", "mute", "unmute", "block", "unblock", "follow", "mute", "block"]
            for (index, action) in steps.enumerated() {
                try await (index.isMultiple(of: 2) ? world : late).relate(action, bob, as: ann)
            }
            _ = try await late.send(
                .patch,
                "/api/v1/accounts/update_credentials",
                as: bob,
                type: "application/json",
                body: #"{"locked":true}"#
            )
            try await late.relate("unblock", bob, as: ann)
            for (index, action) in ["follow", "unfollow", "follow", "unfollow"].enumerated() {
                try await (index.isMultiple(of: 2) ? late : world).relate(action, bob, as: ann)
            }
            let versions = try await world.events().filter { $0.subject == "\(ann.id)-\(bob.id)" }.map(\.version)
            #expect(versions.count == 15)
            #expect(zip(versions, versions.dropFirst()).allSatisfy { $0 < $1 }, "\(versions)")
        }
    }

    /// Two consumers of two processes take the events from each other, in any order.
    @Test(arguments: TestSeed.list(1...3)) func twoConsumersEndAsOne(seed: UInt64) async throws {
        try await GraphWorld.run { world in
            var random = TestSeed(seed)
            let twin = try GraphWorld(world.database, slot: 1, start: GraphWorld.start + .seconds(-5))
            var model = try await TimelineModel(world, people: 5)
            for _ in 0..<60 { try await model.step(&random) }
            var events = try await world.allFanoutEvents()
            events += events
            events.shuffle(using: &random)
            let halves = [Array(events.prefix(events.count / 2)), Array(events.dropFirst(events.count / 2))]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (half, copy) in zip(halves, [world, twin]) {
                    group.addTask {
                        let queue = Fanout.queue(copy.dependencies)
                        for event in half { _ = try await queue.apply(event, in: copy.database) }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await world.timelineRows() == model.timelines(), "seed \(seed)")
        }
    }
}
