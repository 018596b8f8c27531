// SPDX-License-Identifier: Apache-2.0
// What is kept of posts between pages never outlives them.

import Domain
import Foundation
import HTTPTypes
import Support
import Testing
import Web

@testable import PostsService

@Suite struct KeptStatusesTests {
    /// Expects each entry of a list to be what the post is when it is asked for by itself, of which nothing is kept.
    private func expectTrue(_ path: String, as viewer: Person?, _ world: GraphWorld, after change: String) async throws
    {
        let shown = try await world.get(path, as: viewer).list
        #expect(!shown.isEmpty, "\(path) after \(change)")
        for status in shown {
            let id = try #require(status["id"] as? String)
            let alone = try await world.status(id, as: viewer)
            #expect(NSDictionary(dictionary: status) == NSDictionary(dictionary: alone), "\(path) after \(change)")
        }
    }

    @Test func everyListShowsPostsAsTheyAreAfterEveryChange() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let cat = try await world.person("cat")
            try await world.follow(ann, as: bob)
            let post = try await world.write("hello #tag @bob", as: ann)
            let secret = try await world.write("for some", as: ann, ["visibility": "private"])
            try await world.fanOut()
            let changes: [(String, () async throws -> Answer)] = [
                ("nothing", { try await world.get("/api/v1/statuses/\(post)", as: bob) }),
                ("a favourite", { try await world.act("favourite", on: post, as: bob) }),
                ("a favourite of somebody else", { try await world.act("favourite", on: post, as: cat) }),
                ("the end of a favourite", { try await world.act("unfavourite", on: post, as: bob) }),
                ("a bookmark", { try await world.act("bookmark", on: post, as: bob) }),
                ("a boost", { try await world.act("reblog", on: post, as: bob) }),
                ("a pin", { try await world.act("pin", on: post, as: ann) }),
                ("an answer", { try await world.publish("yes", as: cat, ["in_reply_to_id": post]) }),
                ("an edit", { try await world.put("/api/v1/statuses/\(post)", as: ann, form: "status=changed") }),
                ("a muted conversation", { try await world.act("mute", on: post, as: bob) }),
                ("a name", { try await world.rename(ann, to: "Ann of the hill") }),
                ("another name", { try await world.rename(bob, to: "Bob") }),
                ("a follower", { try await world.post("/api/v1/accounts/\(ann.id)/follow", as: cat) }),
                ("a favourite of what few see", { try await world.act("favourite", on: secret, as: bob) }),
            ]
            for (change, act) in changes {
                let answer = try await act()
                #expect(answer.code == 200, "\(change): \(answer.text)")
                try await world.fanOut()
                for viewer in [ann, bob] {
                    try await expectTrue("/api/v1/timelines/home", as: viewer, world, after: change)
                    try await expectTrue("/api/v1/accounts/\(ann.id)/statuses", as: viewer, world, after: change)
                }
                try await expectTrue("/api/v1/timelines/public", as: nil, world, after: change)
                try await expectTrue("/api/v1/accounts/\(ann.id)/statuses", as: cat, world, after: change)
            }
            #expect(try await world.act("unfavourite", on: secret, as: bob).code == 200)
        }
    }

    @Test func whoIsBlockedOrNoFollowerAnyMoreIsShownNothingThatIsKept() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let list = "/api/v1/accounts/\(ann.id)/statuses"
            try await world.follow(ann, as: bob)
            let open = try await world.write("for all", as: ann)
            let secret = try await world.write("for some", as: ann, ["visibility": "private"])
            #expect(try await world.ids(list, as: bob) == [secret, open])
            try await world.relate("unfollow", ann, as: bob)
            #expect(try await world.ids(list, as: bob) == [open])
            try await world.relate("block", bob, as: ann)
            #expect(try await world.ids(list, as: bob) == [])
            #expect(try await world.ids(list, as: nil) == [open])
        }
    }

    @Test func aDeletedPostIsGoneFromEveryList() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let post = try await world.write("hello", as: ann)
            #expect(try await world.home(ann) == [post])
            #expect(try await world.send(.delete, "/api/v1/statuses/\(post)", as: ann).code == 200)
            #expect(try await world.home(ann) == [])
            #expect(try await world.ids("/api/v1/timelines/public") == [])
        }
    }

    @Test func moreThanIsKeptIsShownAllTheSame() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            var posts: [PostID] = []
            for number in 0..<5 {
                posts.append(try #require(PostID(try await world.write("number \(number)", as: ann))))
            }
            let kept = KeptStatuses(capacity: 2)
            for _ in 0..<3 {
                let listed = try await TimelineStore.everyones(
                    viewer: nil,
                    page: Page(limit: 20),
                    in: world.dependencies.database
                )
                #expect(try await kept.shown(listed, world.dependencies).map(\.entryID) == posts.reversed())
            }
        }
    }
}

extension GraphWorld {
    fileprivate func rename(_ account: Person, to name: String) async throws -> Answer {
        let form = "display_name=\(name.replacing(" ", with: "+"))"
        return try await send(
            .patch,
            "/api/v1/accounts/update_credentials",
            as: account,
            type: "application/x-www-form-urlencoded",
            body: form
        )
    }

    fileprivate func put(_ path: String, as account: Person, form: String) async throws -> Answer {
        try await send(.put, path, as: account, type: "application/x-www-form-urlencoded", body: form)
    }
}
