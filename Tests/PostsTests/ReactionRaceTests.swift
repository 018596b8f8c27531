// SPDX-License-Identifier: Apache-2.0
// Counts stay exact whatever happens at once.

import Domain
import Events
import HTTPTypes
import Outbox
import Postgres
import Support
import Synchronization
import Testing
import Web

@testable import PostsService

private final class Next: Sendable { let number = Atomic(0) }

@Suite struct ReactionRaceTests {
    @Test func fiftyFavouritesOfFiftyPeople() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let id = try await world.write("hot", as: ann)
            var people: [Person] = []
            for number in 0..<50 { people.append(try await world.person("p\(number)")) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for person in people {
                    group.addTask {
                        for action in ["favourite", "reblog"] {
                            let code = try await world.act(action, on: id, as: person).code
                            #expect(code == 200)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let status = try await world.status(id)
            #expect(status["favourites_count"] as? Int == 50)
            #expect(status["reblogs_count"] as? Int == 50)
            let told = try await world.events().filter { $0.subject == id && $0.type != TimelineUpdated.type }
            #expect(Set(told.map(\.version)).count == told.count, "every change has a version of its own")
        }
    }

    @Test func oneAccountTogglingFromManyPlaces() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let id = try await world.write("toggled", as: ann)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<60 {
                    let action = ["favourite", "unfavourite", "reblog", "unreblog"][number % 4]
                    group.addTask {
                        let code = try await world.act(action, on: id, as: ann).code
                        #expect(code == 200)
                    }
                }
                try await group.waitForAll()
            }
            let status = try await world.status(id)
            #expect(status["favourites_count"] as? Int == (try await world.number("SELECT count(*) FROM favourites")))
            let boosts = try await world.number(
                "SELECT count(*) FROM posts WHERE boost_of_id IS NOT NULL AND deleted_at IS NULL"
            )
            #expect(status["reblogs_count"] as? Int == boosts)
            #expect(try await world.number("SELECT posts_count FROM accounts WHERE id = \(ann.id)") == 1 + boosts)
            let types = try await world.events().map(\.type)
            func told(_ type: String) -> Int { types.filter { $0 == "posts.\(type).v1" }.count }
            #expect(told("PostLiked") - told("PostUnliked") == status["favourites_count"] as? Int)
            #expect(told("PostReposted") - told("PostUnreposted") == boosts)
        }
    }

    /// Everybody makes a post a favourite while some change their minds again and again. 500 people in the suite, 50,000
    /// with `MADANG_TEST_SCALE=100`, and 1,000 changes of mind of each of 50.
    @Test func aHotPostCountsEverybody() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let id = try await world.write("hot", as: ann)
            let people = TestScale.of(500, atMost: 50_000)
            try await world.fill(people)
            var undecided: [Person] = []
            for index in 0..<50 { undecided.append(try await world.person("p\(index)")) }
            let crowd = undecided
            let changes = TestScale.of(10, atMost: 1000)
            let next = Next()
            let began = ContinuousClock.now
            let took = try await world.atOnce(70) { index in
                var took: [Duration] = []
                func act(_ action: String, _ person: Person) async throws {
                    let before = ContinuousClock.now
                    let code = try await world.act(action, on: id, as: person).code
                    took.append(ContinuousClock.now - before)
                    #expect(code == 200)
                }
                if index < 50 {
                    // They end with a favourite.
                    for round in 0...changes {
                        try await act(round.isMultiple(of: 2) ? "favourite" : "unfavourite", crowd[index])
                    }
                    return took
                }
                while true {
                    let number = next.number.add(1, ordering: .relaxed).newValue
                    guard number <= people, let name = Username("reader\(number)") else { return took }
                    try await act("favourite", Person(id: AccountID(Int64(number)), username: name))
                }
            }.flatMap { $0 }.sorted()
            let late = took[took.count * 99 / 100]
            print("hot post: \(took.count) acts in \(ContinuousClock.now - began), 70 at once, p99 \(late)")
            #expect(try await world.status(id)["favourites_count"] as? Int == people + 50)
            #expect(try await world.number("SELECT count(*) FROM favourites") == people + 50)
            let deadlocks = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()" as SQL
            #expect(try await world.number(deadlocks) == 0)
        }
    }

    @Test func deletionAgainstEverythingElse() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            for _ in 0..<8 {
                let id = try await world.write("doomed", as: ann)
                let path = "/api/v1/statuses/\(id)"
                let form = "application/x-www-form-urlencoded"
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        let code = try await world.send(.delete, path, as: ann).code
                        #expect(code == 200)
                    }
                    group.addTask {
                        let code = try await world.send(.put, path, as: ann, type: form, body: "status=edited").code
                        #expect(code == 200 || code == 404)
                    }
                    for action in ["favourite", "reblog"] {
                        group.addTask {
                            let code = try await world.act(action, on: id, as: bob).code
                            #expect(code == 200 || code == 404)
                        }
                    }
                    group.addTask {
                        let code = try await world.publish("late", as: bob, ["in_reply_to_id": id]).code
                        #expect(code == 200 || code == 404)
                    }
                    try await group.waitForAll()
                }
                #expect(try await world.get(path, as: ann).code == 404)
            }
            for person in [ann, bob] {
                let counted = try await world.number("SELECT posts_count FROM accounts WHERE id = \(person.id)")
                let truth = try await world.number(
                    "SELECT count(*) FROM posts WHERE account_id = \(person.id) AND deleted_at IS NULL"
                )
                #expect(counted == truth)
            }
            let orphans = try await world.number(
                """
                SELECT count(*) FROM posts b JOIN posts p ON p.id = b.boost_of_id
                WHERE b.deleted_at IS NULL AND p.deleted_at IS NOT NULL
                """
            )
            #expect(orphans == 0)
            let deletions = try await world.events().filter { $0.type == "posts.PostDeleted.v1" }
            #expect(deletions.count == 8)
            for deletion in deletions {
                let versions = try await world.events().filter { $0.subject == deletion.subject }.map(\.version)
                #expect(deletion.version == versions.max(), "a deletion is the newest of all")
            }
        }
    }
}
