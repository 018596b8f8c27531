// SPDX-License-Identifier: Apache-2.0
// What somebody new does only so often an hour.

import Domain
import Foundation
import HTTPTypes
import Postgres
import Serving
import Support
import Testing
import Web

@testable import PostsService

@Suite struct NewAccountTests {
    private static func run(
        hours: Int = 24,
        _ body: @Sendable (GraphWorld) async throws -> Void
    ) async throws {
        var limits = Limits(popularityPatience: .zero)
        limits.newAccounts = NewAccounts(age: .seconds(hours * 3600))
        let chosen = limits
        try await withDatabase(migrations: PostsService.migrations, schema: "posts") { database, _ in
            try await body(try GraphWorld(database, limits: chosen))
        }
    }

    @Test func postsUntilItIsTooMuch() async throws {
        try await Self.run { world in
            let ann = try await world.person("ann")
            let most = NewAccountAct.post.mostInHour
            for number in 0..<most { #expect(try await world.publish("\(number)", as: ann).code == 200) }
            let refused = try await world.publish("more", as: ann)
            #expect(refused.code == 429)
            #expect(try refused.string("code") == "new-account-limit")
            let after = try #require(refused.headers[.retryAfter].flatMap { Int($0) })
            #expect((1...3600).contains(after))
            world.clock.advance(.seconds(after))
            #expect(try await world.publish("more", as: ann).code == 200)
            // An age later nobody counts.
            world.clock.advance(.seconds(24 * 3600))
            for number in 0...most { #expect(try await world.publish("\(number)", as: ann).code == 200) }
        }
    }

    @Test func linksAndNamesOfStrangersCount() async throws {
        try await Self.run { world in
            let ann = try await world.person("ann")
            let links = (0...NewAccountAct.link.mostInHour).map { "https://\($0).example/" }
            #expect(try await world.publish(links.joined(separator: " "), as: ann).code == 429)
            let few = links.dropLast().joined(separator: " ")
            let id = try await world.write(few, as: ann)
            #expect(try await world.publish(links[0], as: ann).code == 429)
            // What an edit leaves as it was counts no more.
            let edit = try await world.send(.put, "/api/v1/statuses/\(id)", as: ann, ["status": "\(few) !"])
            #expect(edit.code == 200)
            var friends: [Person] = []
            for number in 0...NewAccountAct.mention.mostInHour {
                friends.append(try await world.person("friend\(number)"))
            }
            let names = friends.map { "@\($0.username)" }.joined(separator: " ")
            #expect(try await world.publish(names, as: ann).code == 429)
            for friend in friends { try await world.follow(ann, as: friend) }
            #expect(try await world.publish(names, as: ann).code == 200)
        }
    }

    @Test func followsCountOnceEach() async throws {
        try await Self.run { world in
            let ann = try await world.person("ann")
            let most = NewAccountAct.follow.mostInHour
            var people: [Person] = []
            for number in 0...most { people.append(try await world.person("person\(number)")) }
            for person in people.dropLast() { try await world.follow(person, as: ann) }
            // Again is no other follow.
            try await world.follow(people[0], as: ann)
            let last = try #require(people.last)
            #expect(try await world.post("/api/v1/accounts/\(last.id)/follow", as: ann).code == 429)
        }
    }

    @Test func zeroHoursLiftIt() async throws {
        try await Self.run(hours: 0) { world in
            let ann = try await world.person("ann")
            for number in 0...NewAccountAct.post.mostInHour {
                #expect(try await world.publish("\(number)", as: ann).code == 200)
            }
            let rows = try await world.database.query("SELECT count(*) FROM new_account_acts").number()
            #expect(rows == 0)
        }
    }

    @Test func whatIsRefusedAtTheSameMomentIsNotCounted() async throws {
        try await Self.run { world in
            let ann = try await world.person("ann")
            let most = NewAccountAct.post.mostInHour
            let codes = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<(most + 8) {
                    group.addTask { try await world.publish("\(number)", as: ann).code }
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(codes.count { $0 == 200 } == most)
            #expect(codes.count { $0 == 429 } == 8)
        }
    }
}
