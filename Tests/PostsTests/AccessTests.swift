// SPDX-License-Identifier: Apache-2.0
// What is no longer for somebody's eyes is in none of their lists, and no answer tells why something is not there.

import Domain
import Events
import HTTPTypes
import Outbox
import Postgres
import Support
import Surface
import Testing
import Web

@testable import PostsService

@Suite struct AccessTests {
    @Test func favouritesAndBookmarksForgetWhatAFormerFollowerMayNotSee() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            try await world.follow(ann, as: bob)
            let secret = try await world.write("for followers", as: ann, ["visibility": "private"])
            let open = try await world.write("for all", as: ann)
            for id in [secret, open] {
                for action in ["favourite", "bookmark"] {
                    #expect(try await world.act(action, on: id, as: bob).code == 200)
                }
            }
            for list in ["favourites", "bookmarks"] {
                #expect(try await world.ids("/api/v1/\(list)", as: bob) == [open, secret])
            }
            try await world.relate("unfollow", ann, as: bob)
            for list in ["favourites", "bookmarks"] {
                #expect(try await world.ids("/api/v1/\(list)", as: bob) == [open], "\(list)")
                #expect(try await world.ids("/api/v1/\(list)?min_id=1", as: bob) == [open], "\(list) forward")
            }
            try await world.relate("block", bob, as: ann)
            for list in ["favourites", "bookmarks"] {
                #expect(try await world.ids("/api/v1/\(list)", as: bob).isEmpty, "\(list)")
                #expect(try await world.ids("/api/v1/\(list)?min_id=1", as: bob).isEmpty, "\(list) forward")
            }
        }
    }

    @Test func aBlockClearsBothTimelines() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            try await world.follow(ann, as: bob)
            try await world.follow(bob, as: ann)
            // A direct post does not go with a follow that ends: the block itself must take it out, on both sides.
            for (person, other) in [(ann, "bob"), (bob, "ann")] {
                try await world.write("mine", as: person)
                try await world.write("psst @\(other)", as: person, ["visibility": "direct"])
            }
            try await world.fanOut()
            #expect(try await world.number("SELECT count(*) FROM timeline WHERE account_id <> author_id") == 4)
            try await world.relate("block", bob, as: ann)
            try await world.fanOut()
            #expect(try await world.number("SELECT count(*) FROM timeline WHERE account_id <> author_id") == 0)
            #expect(try await world.timelineRows().count == 4)
        }
    }

    /// S34: neither new posts nor boosts of somebody with a block reach anybody concerned, in rows, lists or streams.
    @Test func postsOfBlockedPeopleNeverAppear() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let cat = try await world.person("cat")
            for person in [ann, bob] {
                try await world.follow(cat, as: person)
                try await world.follow(person, as: cat)
            }
            try await world.relate("block", bob, as: ann)
            let post = try await world.write("of bob @ann #yard", as: bob)
            let boost = try #require(try await world.act("reblog", on: post, as: cat).string("id"))
            let reply = try await world.write("re", as: bob, ["in_reply_to_id": try await world.write("root", as: cat)])
            try await world.fanOut()
            let hidden = [post, boost, reply]
            let paths = [
                "timelines/home", "timelines/public", "timelines/tag/yard", "accounts/\(cat.id)/statuses",
                "accounts/\(bob.id)/statuses",
            ]
            for path in paths {
                #expect(try await world.ids("/api/v1/\(path)", as: ann).allSatisfy { !hidden.contains($0) }, "\(path)")
            }
            for update in try await world.liveUpdates() where hidden.contains(where: update.text.contains) {
                #expect(!update.streams.contains("user:\(ann.id)"), "\(update.event)")
                let isShared = update.streams.contains { $0 == "public" || $0.hasPrefix("hashtag:") }
                #expect(!isShared || update.except.contains(ann.id), "\(update.streams)")
            }
        }
    }

    /// S2: another's private post, a deleted one and none at all are answered alike, whatever is asked.
    @Test func absentPostsAreAllAlike() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let secret = try await world.write("secret", as: ann, ["visibility": "direct"])
            let deleted = try await world.write("deleted", as: ann)
            #expect(try await world.send(.delete, "/api/v1/statuses/\(deleted)", as: ann).code == 200)
            for route in Routes.posts where route.path.contains(":id") {
                for reader in [bob, nil] {
                    if reader == nil, case .account = route.access { continue }
                    let answers = try await [secret, deleted, "12345"].asyncMap { id in
                        try await world.send(route.method, route.path.replacing(":id", with: id), as: reader)
                    }
                    let first = try #require(answers.first)
                    #expect((400..<500).contains(first.code), "\(route.method) \(route.path)")
                    for answer in answers {
                        #expect(answer.code == first.code, "\(route.method) \(route.path)")
                        #expect(answer.text == first.text, "\(route.method) \(route.path)")
                        #expect(answer.headers == first.headers, "\(route.method) \(route.path)")
                    }
                }
            }
        }
    }
}

extension Sequence {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
