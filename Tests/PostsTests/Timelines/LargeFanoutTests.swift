// SPDX-License-Identifier: Apache-2.0
// What is told to many followers: in steps, each bounded, and none in the way of another.

import Domain
import Events
import HTTPTypes
import Logging
import Postgres
import ServiceKit
import Support
import Testing

@testable import PostsService

@Suite struct LargeFanoutTests {
    private static let form = "application/x-www-form-urlencoded"
    private static let followers = 2600

    /// Somebody with many followers, who does something of which all of them are to be told.
    private static func someone(_ name: String, in world: GraphWorld) async throws -> Person {
        let person = try await world.person(name)
        try await world.fill(followers)
        try await world.followAll(person, followers)
        _ = try await world.database.query("UPDATE accounts SET followers_count = \(followers) WHERE id = \(person.id)")
        return person
    }

    /// Lets fan-out do its work and counts whom each transaction tells of `event`.
    ///
    /// - Returns: everybody who was told, as often as they were.
    private static func steps(
        of event: String,
        about payload: String? = nil,
        in world: GraphWorld,
        largeAccount: Int
    ) async throws -> [String] {
        let limits = world.dependencies.limits
        func told() async throws -> [String] {
            try await world.liveUpdates()
                .filter { $0.event == event && (payload == nil || $0.text == payload) }
                .flatMap(\.streams).filter { $0.hasPrefix("user:") }
        }
        let already = try await told().count
        try await world.fanOut(largeAccount: largeAccount, finish: false)
        var before = try await told().count
        #expect(
            before - already <= limits.followersAtOnce + 2,
            "\(event) to \(before - already) in the transaction of its event"
        )
        while try await world.goOn(largeAccount: largeAccount) {
            let now = try await told().count
            #expect(now - before <= limits.followersInStep, "\(event)")
            before = now
        }
        return Array(try await told().dropFirst(already))
    }

    /// Both kinds of authors: those whose posts are fanned out, and those whose posts are read at read time.
    @Test(arguments: [100, 5000]) func editsAndDeletionsAreToldInSteps(largeAccount: Int) async throws {
        try await GraphWorld.run { world in
            let ann = try await Self.someone("ann", in: world)
            let everybody = Set((1...Self.followers).map { "user:\($0)" } + ["user:\(ann.id)"])
            let id = try await world.write("to many", as: ann)
            try await world.fanOut(largeAccount: largeAccount)
            let path = "/api/v1/statuses/\(id)"
            _ = try await world.send(.put, path, as: ann, type: Self.form, body: "status=changed")
            let edited = try await Self.steps(of: "status.update", in: world, largeAccount: largeAccount)
            #expect(edited.count == Self.followers + 1, "everybody is told once")
            #expect(Set(edited) == everybody)
            _ = try await world.send(.delete, path, as: ann)
            let deleted = try await Self.steps(of: "delete", in: world, largeAccount: largeAccount)
            #expect(deleted.count == Self.followers + 1, "everybody is told once")
            #expect(Set(deleted) == everybody)
            #expect(try await world.number("SELECT count(*) FROM timeline") == 0)
            #expect(try await world.number("SELECT count(*) FROM fanouts") == 0)
        }
    }

    @Test(arguments: [100, 5000]) func boostsAreTakenBackInSteps(largeAccount: Int) async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await Self.someone("bob", in: world)
            let id = try await world.write("boosted", as: ann)
            for _ in 1...2 {
                _ = try await world.act("reblog", on: id, as: bob)
                try await world.fanOut(largeAccount: largeAccount)
                _ = try await world.act("unreblog", on: id, as: bob)
                let told = try await Self.steps(of: "delete", in: world, largeAccount: largeAccount)
                #expect(told.count == Self.followers + 1)
                #expect(Set(told).count == Self.followers + 1)
            }
            // The booster's followers are told when the post itself goes, too.
            let boost = try #require(try await world.act("reblog", on: id, as: bob).string("id"))
            try await world.fanOut(largeAccount: largeAccount)
            _ = try await world.send(.delete, "/api/v1/statuses/\(id)", as: ann)
            let told = try await Self.steps(of: "delete", about: boost, in: world, largeAccount: largeAccount)
            #expect(told.count == Self.followers + 1)
            #expect(Set(told).count == Self.followers + 1)
            #expect(try await world.number("SELECT count(*) FROM timeline") == 0)
        }
    }

    @Test func aDeletionWithManyBoostsIsToldOnce() async throws {
        try await GraphWorld.run { world in
            let ann = try await Self.someone("ann", in: world)
            let id = try #require(PostID(try await world.write("hot", as: ann)))
            try await world.fanOut(largeAccount: 100)
            _ = try await world.database.query(
                """
                INSERT INTO posts (id, account_id, text, visibility, conversation_id, boost_of_id, created_at)
                SELECT 100000 + n, n, '', 'public', \(id), \(id), now() FROM generate_series(1, 250) n
                """
            )
            _ = try await world.database.query("UPDATE accounts SET posts_count = 1 WHERE id <= 250")
            _ = try await world.send(.delete, "/api/v1/statuses/\(id)", as: ann)
            try await world.fanOutUntilQuiet()
            let told = try await world.liveUpdates().filter { $0.event == "delete" && $0.text == "\(id)" }
                .flatMap(\.streams)
            #expect(told.filter { $0 == "user:\(ann.id)" }.count == 1)
            #expect(told.filter { $0 == "public" }.count == 1)
            #expect(told.filter { $0 == "user:17" }.count == 1)
            #expect(Set(told).count == Self.followers + 2)
        }
    }

    @Test func aStepThatFailsHoldsNobodyUp() async throws {
        try await GraphWorld.run { world in
            let ann = try await Self.someone("ann", in: world)
            let bad = try #require(PostID(try await world.write("cannot be told", as: ann)))
            let good = try #require(PostID(try await world.write("can", as: ann)))
            try await world.fanOut(finish: false)
            _ = try await world.database.query(
                """
                CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN RAISE EXCEPTION 'not this one'; END $$
                """
            )
            let trigger = """
                CREATE TRIGGER refuse BEFORE INSERT ON timeline FOR EACH ROW WHEN (NEW.post_id = {id})
                EXECUTE FUNCTION refuse()
                """
            _ = try await world.database.query(
                SQL(stringLiteral: trigger.replacing("{id}", with: "\(bad)"))
            )
            let waiting = "SELECT count(*) FROM fanouts WHERE post_id = \(bad) AND reason LIKE '%not this one%'" as SQL
            while try await world.goOn() {}
            let tries = "SELECT attempts FROM fanouts WHERE post_id = \(bad)" as SQL
            var before = try await world.number(tries)
            #expect(before >= 1)
            for _ in 1...5 {
                #expect(try await world.number(waiting) == 1)
                _ = try await world.database.query("UPDATE fanouts SET due_at = now()")
                #expect(try await world.goOn())
                let now = try await world.number(tries)
                #expect(now == before + 1)
                before = now
            }
            #expect(
                try await world.number("SELECT count(*) FROM timeline WHERE post_id = \(good)") == Self.followers + 1
            )
            let backlog = try await FanoutWorker.backlog(world.dependencies)
            #expect(backlog.waiting == 1)
            #expect(backlog.failing == 1)
            _ = try await world.database.query("UPDATE fanouts SET since = now() - interval '1 hour'")
            #expect(try await FanoutWorker.backlog(world.dependencies).age >= 3600)
            // Whoever mends the cause has nothing else to do.
            _ = try await world.database.query("DROP TRIGGER refuse ON timeline")
            _ = try await world.database.query("UPDATE fanouts SET due_at = now()")
            while try await world.goOn() {}
            #expect(
                try await world.number("SELECT count(*) FROM timeline WHERE post_id = \(bad)") == Self.followers + 1
            )
            #expect(try await FanoutWorker.backlog(world.dependencies) == (0, 0, 0))
        }
    }

    @Test func whatWaitsIsAMetric() async throws {
        try await GraphWorld.run { world in
            let ann = try await Self.someone("ann", in: world)
            try await world.write("to many", as: ann)
            try await world.fanOut(finish: false)
            // Nobody may be at it, so that it stays waiting.
            _ = try await world.database.query("UPDATE fanouts SET due_at = 'infinity', attempts = 5")
            let metrics = Metrics()
            let fanouts = FanoutWorker(
                dependencies: world.dependencies,
                metrics: metrics,
                logger: Logger(label: "posts")
            )
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await fanouts.run() }
                try await eventually("the gauges tell it") {
                    let text = metrics.exposition()
                    return text.contains("madang_fanouts_waiting 1\n") && text.contains("madang_fanouts_failing 1\n")
                        && text.contains("madang_fanouts_age_seconds ")
                }
                group.cancelAll()
            }
        }
    }
}
