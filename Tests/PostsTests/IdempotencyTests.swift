// SPDX-License-Identifier: Apache-2.0
// A request with an Idempotency-Key has one effect.

import Domain
import Events
import HTTPTypes
import Outbox
import Postgres
import Support
import Testing
import Web

@testable import PostsService

@Suite struct IdempotencyTests {
    @Test func fiftyAtOnceAreOne() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<50 { group.addTask { try await world.publish("once", as: ann, key: "k1") } }
                return try await group.reduce(into: [Answer]()) { $0.append($1) }
            }
            #expect(answers.allSatisfy { $0.code == 200 })
            #expect(Set(answers.map(\.text)).count == 1)
            #expect(try await world.number("SELECT count(*) FROM posts") == 1)
            #expect(try await world.events().filter { $0.type == "posts.PostCreated.v1" }.count == 1)
            #expect(try await world.number("SELECT posts_count FROM accounts WHERE id = \(ann.id)") == 1)
        }
    }

    @Test func aKeyBelongsToOneRequestOfOneAccount() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let first = try await world.publish("mine", as: ann, key: "k")
            #expect(try await world.publish("other", as: ann, key: "k").code == 422)
            #expect(try await world.publish("mine", as: ann, key: "k").text == first.text)
            let other = try await world.publish("mine", as: bob, key: "k")
            #expect(other.code == 200)
            #expect(try other.string("id") != first.string("id"))
            #expect(try await world.publish("x", as: ann, key: String(repeating: "k", count: 256)).code == 422)
        }
    }

    @Test func aRefusedRequestLeavesTheKeyFree() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            #expect(try await world.publish("x", as: ann, ["in_reply_to_id": "5"], key: "k").code == 404)
            #expect(try await world.publish("x", as: ann, key: "k").code == 200)
        }
    }

    @Test func keysAreForgottenAfterADay() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let first = try await world.publish("again", as: ann, key: "k")
            _ = try await world.publish("kept", as: ann, key: "other")
            world.clock.advance(.seconds(23 * 3600))
            #expect(try await world.publish("again", as: ann, key: "k").string("id") == first.string("id"))
            world.clock.advance(.seconds(2 * 3600))
            #expect(try await world.publish("again", as: ann, key: "k").string("id") != first.string("id"))
            let sweeps = Sweeps.all(world.dependencies).filter { $0.table == "idempotency_keys" }
            #expect(sweeps.count == 1)
            for sweep in sweeps { try await sweep.finish(in: world.database) }
            #expect(try await world.number("SELECT count(*) FROM idempotency_keys") == 1)
        }
    }
}
