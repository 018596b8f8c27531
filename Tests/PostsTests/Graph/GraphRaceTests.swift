// SPDX-License-Identifier: Apache-2.0
// Changes of the graph at the same time: counts and rows agree afterwards.

import Domain
import Events
import Postgres
import Support
import Testing
import Web

@testable import PostsService

@Suite struct GraphRaceTests {
    @Test func fiftyFollowsAtOnceAreOne() async throws {
        try await GraphWorld.run { world in
            let a = try await world.person("a")
            let b = try await world.person("b")
            let codes = try await world.atOnce(50) { _ in
                try await world.post("/api/v1/accounts/\(b.id)/follow", as: a).code
            }
            #expect(codes == Array(repeating: 200, count: 50))
            #expect(try await world.counts(a) == [0, 1])
            #expect(try await world.counts(b) == [1, 0])
            let types = try await world.events().map(\.type)
            #expect(types.filter { $0 == "posts.AccountFollowed.v1" }.count == 1)
        }
    }

    @Test func fiftyFollowersAtOnceAreCounted() async throws {
        try await GraphWorld.run { world in
            let star = try await world.person("star")
            let people = try (0..<50).map { try world.stranger("fan\($0)") }
            let codes = try await world.atOnce(50) { index in
                try await world.post("/api/v1/accounts/\(star.id)/follow", as: people[index]).code
            }
            #expect(codes == Array(repeating: 200, count: 50))
            #expect(try await world.counts(star) == [50, 0])
        }
    }

    @Test func whateverHappensCountsAndRowsAgree() async throws {
        try await GraphWorld.run { world in
            var people: [Principal.Account] = []
            for name in ["a", "b", "c", "d"] { people.append(try await world.person(name)) }
            let everyone = people
            let actions = ["follow", "follow", "unfollow", "block", "unblock", "remove_from_followers"]
            let codes = try await world.atOnce(240) { index in
                let actor = everyone[index % 4]
                let target = everyone[(index % 4 + 1 + index / 4 % 3) % 4]
                let action = actions[index / 12 % actions.count]
                return try await world.post("/api/v1/accounts/\(target.id)/\(action)", as: actor).code
            }
            #expect(codes.allSatisfy { $0 == 200 || $0 == 403 })
            let wrong = try await world.database.query(
                """
                SELECT id FROM accounts
                WHERE followers_count <> (SELECT count(*) FROM follows WHERE followee_id = accounts.id)
                    OR following_count <> (SELECT count(*) FROM follows WHERE follower_id = accounts.id)
                """
            )
            #expect(wrong.isEmpty)
            let impossible = try await world.database.query(
                """
                SELECT 1 FROM follows f
                JOIN blocks b ON (b.account_id, b.target_id) IN ((follower_id, followee_id), (followee_id, follower_id))
                """
            )
            #expect(impossible.isEmpty)
            // Told in order, the events of each pair end where the rows end.
            var following: Set<String> = []
            for event in try await world.events().sorted(by: { $0.version < $1.version }) {
                if event.type == AccountFollowed.type { #expect(following.insert(event.subject).inserted) }
                if event.type == AccountUnfollowed.type { #expect(following.remove(event.subject) != nil) }
            }
            let rows = try await world.database.query("SELECT follower_id || '-' || followee_id FROM follows")
            let pairs: [String] = try rows.map { row in
                var columns = row.columns
                return try columns.next()
            }
            #expect(following == Set(pairs))
        }
    }
}

extension GraphWorld {
    /// Runs `body` many times at the same time; results in the order of the numbers.
    func atOnce<Value: Sendable>(
        _ count: Int,
        _ body: @escaping @Sendable (Int) async throws -> Value
    ) async throws -> [Value] {
        try await withThrowingTaskGroup(of: (Int, Value).self) { group in
            for index in 0..<count { group.addTask { (index, try await body(index)) } }
            var results: [(Int, Value)] = []
            for try await result in group { results.append(result) }
            return results.sorted { $0.0 < $1.0 }.map(\.1)
        }
    }
}
