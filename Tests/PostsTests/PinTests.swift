// SPDX-License-Identifier: Apache-2.0
// Posts on top of a profile.

import Domain
import HTTPTypes
import Support
import Testing
import Web

@testable import PostsService

@Suite struct PinTests {
    private func pinned(_ world: GraphWorld, of person: Person, as viewer: Person? = nil) async throws -> [String] {
        try await world.ids("/api/v1/accounts/\(person.id)/statuses?pinned=true", as: viewer)
    }

    @Test func onesOwnPostsStandOnTopTheNewestPinFirst() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let first = try await world.write("one", as: ann)
            let second = try await world.write("two", as: ann)
            let third = try await world.write("three", as: ann)
            #expect(try await pinned(world, of: ann) == [])
            for id in [second, first] {
                let answer = try await world.act("pin", on: id, as: ann)
                #expect(answer.code == 200)
                #expect(try answer.bool("pinned") == true)
                #expect(try await world.act("pin", on: id, as: ann).bool("pinned") == true)
            }
            #expect(try await pinned(world, of: ann) == [first, second])
            #expect(try await pinned(world, of: ann, as: bob) == [first, second])
            // The other list is as it was.
            #expect(try await world.ids("/api/v1/accounts/\(ann.id)/statuses") == [third, second, first])
            let unpinned = try await world.act("unpin", on: first, as: ann)
            #expect(try unpinned.bool("pinned") == false)
            #expect(try await world.act("unpin", on: first, as: ann).code == 200)
            #expect(try await pinned(world, of: ann) == [second])
            #expect(try await world.send(.delete, "/api/v1/statuses/\(second)", as: ann).code == 200)
            #expect(try await pinned(world, of: ann) == [])
        }
    }

    /// It stands on one's own posts, and says nothing of anybody else's.
    @Test func onlyTheAuthorIsToldWhetherAPostIsPinned() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let written = try await world.publish("one", as: ann)
            #expect(try written.bool("pinned") == false)
            let id = try #require(try written.string("id"))
            #expect(try await world.status(id, as: ann)["pinned"] as? Bool == false)
            #expect(try await world.act("pin", on: id, as: ann).code == 200)
            for viewer in [bob, nil] { #expect(try await world.status(id, as: viewer)["pinned"] == nil) }
            // Around a post of one's own, too, and not on the boost itself.
            let boost = try await world.act("reblog", on: id, as: ann).object
            #expect(boost["pinned"] == nil)
            #expect((boost["reblog"] as? [String: Any])?["pinned"] as? Bool == true)
            let direct = try await world.publish("@bob psst", as: ann, ["visibility": "direct"])
            #expect(try direct.object["pinned"] == nil)
        }
    }

    @Test func whatCannotBePinnedIsRefusedAndSaysWhy() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let own = try await world.write("one", as: ann)
            let foreign = try await world.write("two", as: bob)
            let hidden = try await world.write("three", as: bob, ["visibility": "private"])
            let direct = try await world.write("@bob psst", as: ann, ["visibility": "direct"])
            let boost = try #require(try await world.act("reblog", on: own, as: ann).string("id"))
            for (id, why) in [(foreign, "of your own"), (direct, "only those it names"), (boost, "boost")] {
                let answer = try await world.act("pin", on: id, as: ann)
                #expect(answer.code == 422, "\(answer.text)")
                #expect(try answer.string("error")?.contains(why) == true, "\(answer.text)")
            }
            for id in [hidden, "1"] { #expect(try await world.act("pin", on: id, as: ann).code == 404) }
            #expect(try await world.act("unpin", on: foreign, as: ann).code == 200)
            for number in 0..<5 {
                let id = try await world.write("\(number)", as: ann, ["visibility": number == 0 ? "private" : "public"])
                #expect(try await world.act("pin", on: id, as: ann).code == 200)
            }
            let tooMany = try await world.act("pin", on: own, as: ann)
            #expect(tooMany.code == 422 && tooMany.text.contains("At most 5"))
            // One for followers is shown to followers.
            #expect(try await pinned(world, of: ann, as: bob).count == 4)
            try await world.follow(ann, as: bob)
            #expect(try await pinned(world, of: ann, as: bob).count == 5)
        }
    }

    /// The second counts what the first has pinned, though the first is not through yet.
    @Test func whoeverPinsLaterWaitsToCount() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            var posts: [String] = []
            for number in 0..<6 { posts.append(try await world.write("\(number)", as: ann)) }
            for id in posts.prefix(4) { #expect(try await world.act("pin", on: id, as: ann).code == 200) }
            let fifth = try #require(PostID(posts[4]))
            let sixth = posts[5]
            try await world.whileOpen { transaction in
                try await PinStore.lock(ann.id, in: transaction)
                #expect(try await PinStore.candidate(fifth, of: ann.id, in: transaction)?.pinned == 4)
                PinStore.pin(fifth, as: fifth, in: transaction)
            } _: {
                let answer = try await world.act("pin", on: sixth, as: ann)
                #expect(answer.code == 422)
            }
            #expect(try await pinned(world, of: ann).count == 5)
        }
    }

    /// Many at once, and never more than there is room for.
    @Test func noTwoTakeTheLastPlace() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            var posts: [String] = []
            for number in 0..<12 { posts.append(try await world.write("\(number)", as: ann)) }
            let codes = try await withThrowingTaskGroup(of: Int.self) { group in
                for id in posts { group.addTask { try await world.act("pin", on: id, as: ann).code } }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(codes.sorted() == Array(repeating: 200, count: 5) + Array(repeating: 422, count: 7))
            #expect(try await pinned(world, of: ann).count == 5)
        }
    }
}
