// SPDX-License-Identifier: Apache-2.0
// Lists of posts and how they are paged.

import Domain
import Events
import HTTPTypes
import Outbox
import Postgres
import Support
import Testing
import Web

@testable import PostsService

@Suite struct TimelineTests {
    /// Follows the links of a list to its end, and back.
    private func expectWalks(
        _ world: GraphWorld,
        _ path: String,
        as account: Person?,
        give truth: [String]
    ) async throws {
        let first = try await world.get("\(path)limit=3", as: account)
        var next: String? = "\(path)limit=3"
        var seen: [String] = []
        while let page = next {
            let answer = try await world.get(page, as: account)
            #expect(answer.code == 200)
            seen += try answer.list.compactMap { $0["id"] as? String }
            next = try answer.pageLink("next")
        }
        #expect(seen == truth, "\(path) backward")
        // From the oldest one forward, page by page.
        let oldest = try #require(truth.last)
        let anchor = try await world.get("\(path)limit=40", as: account)
        let cursor = try #require(try anchor.pageLink("next")?.split(separator: "max_id=").last.flatMap { Int64($0) })
        var forward: [String] = [oldest]
        var previous: String? = "\(path)limit=3&min_id=\(cursor)"
        while let page = previous {
            let answer = try await world.get(page, as: account)
            forward += try answer.list.reversed().compactMap { $0["id"] as? String }
            previous = try answer.pageLink("prev")
        }
        #expect(forward == truth.reversed(), "\(path) forward")
        // since_id gives the newest page, not the next one.
        let since = try await world.ids("\(path)limit=2&since_id=\(cursor)", as: account)
        #expect(since == Array(truth.prefix(2)), "\(path) since")
        #expect(try first.list.count == min(3, truth.count))
    }

    @Test func everyListWalksBothWays() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let cat = try await world.person("cat")
            try await world.follow(ann, as: bob)
            try await world.follow(cat, as: bob)
            var all: [String] = []
            var anns: [String] = []
            for number in 0..<11 {
                let author = number % 3 == 0 ? cat : ann
                let id = try await world.write("number \(number) #count", as: author)
                all.insert(id, at: 0)
                if number % 3 != 0 { anns.insert(id, at: 0) }
                #expect(try await world.act("favourite", on: id, as: bob).code == 200)
                #expect(try await world.act("bookmark", on: id, as: bob).code == 200)
            }
            try await world.fanOut()
            try await expectWalks(world, "/api/v1/timelines/home?", as: bob, give: all)
            try await expectWalks(world, "/api/v1/timelines/public?", as: nil, give: all)
            try await expectWalks(world, "/api/v1/timelines/tag/Count?", as: nil, give: all)
            try await expectWalks(world, "/api/v1/accounts/\(ann.id)/statuses?", as: nil, give: anns)
            try await expectWalks(world, "/api/v1/favourites?", as: bob, give: all)
            try await expectWalks(world, "/api/v1/bookmarks?", as: bob, give: all)
        }
    }

    @Test func aPageIsFullEvenWhenMostIsHidden() async throws {
        try await GraphWorld.run { world in
            let bob = try await world.person("bob")
            let friend = try await world.person("friend")
            try await world.follow(friend, as: bob)
            var wanted: [String] = []
            for round in 0..<5 {
                wanted.insert(try await world.write("\(round)", as: friend), at: 0)
                for number in 0..<9 {
                    let noisy = try await world.person("noisy\(round)\(number)")
                    try await world.follow(noisy, as: bob)
                    try await world.write("noise", as: noisy)
                }
            }
            try await world.fanOut()
            for round in 0..<5 {
                for number in 0..<9 {
                    let noisy = try #require(Username("noisy\(round)\(number)"))
                    _ = try await world.database.query(
                        """
                        INSERT INTO mutes (account_id, target_id, id)
                        SELECT \(bob.id), id, id FROM accounts WHERE username = \(noisy)
                        """
                    )
                }
            }
            #expect(try await world.home(bob, "?limit=5") == wanted)
            #expect(try await world.ids("/api/v1/timelines/public?limit=5", as: bob) == wanted)
        }
    }

    @Test func popularAccountsAreReadAtReadTime() async throws {
        try await GraphWorld.run(limits: Limits(largeAccount: 3, popularityPatience: .zero)) { world in
            let star = try await world.person("star")
            let small = try await world.person("small")
            var fans: [Person] = []
            for number in 0..<4 {
                let fan = try await world.person("fan\(number)")
                try await world.follow(star, as: fan)
                fans.append(fan)
            }
            try await world.follow(small, as: fans[0])
            try await world.fanOut()
            var all: [String] = []
            for number in 0..<6 {
                all.insert(try await world.write("\(number)", as: number % 2 == 0 ? star : small), at: 0)
            }
            let secret = try await world.write("@fan1 only you", as: star, ["visibility": "direct"])
            try await world.fanOut()
            let copies = try await world.number(
                "SELECT count(*) FROM timeline WHERE author_id = \(star.id) AND account_id <> \(star.id)"
            )
            #expect(copies == 1, "only the direct post was brought to somebody")
            try await expectWalks(world, "/api/v1/timelines/home?", as: fans[0], give: all)
            #expect(try await world.home(fans[1]).first == secret)
            #expect(try await !world.home(fans[2]).contains(secret))
            try await world.relate("mute", star, as: fans[2])
            #expect(try await world.home(fans[2]).isEmpty)
            let streams = try await world.liveUpdates().filter { $0.event == "update" }.flatMap(\.streams)
            #expect(streams.contains("user:\(fans[3].id)"), "open connections hear of it all the same")
        }
    }

    @Test func anAccountsPostsCanBeFiltered() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let other = try await world.write("other", as: bob)
            let own = try await world.write("own #Tag", as: ann)
            let toSelf = try await world.write("to myself", as: ann, ["in_reply_to_id": own])
            let reply = try await world.write("to bob", as: ann, ["in_reply_to_id": other])
            let boost = try #require(try await world.act("reblog", on: other, as: ann).string("id"))
            let path = "/api/v1/accounts/\(ann.id)/statuses"
            #expect(try await world.ids(path) == [boost, reply, toSelf, own])
            #expect(try await world.ids("\(path)?exclude_replies=true") == [boost, toSelf, own])
            #expect(try await world.ids("\(path)?exclude_reblogs=1") == [reply, toSelf, own])
            #expect(try await world.ids("\(path)?tagged=tag") == [own])
            #expect(try await world.ids("\(path)?pinned=true").isEmpty)
            #expect(try await world.ids("\(path)?only_media=true").isEmpty)
            #expect(try await world.get("/api/v1/accounts/77/statuses").code == 404)
        }
    }

    @Test func tagsCombine() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let one = try await world.write("#one", as: ann)
            let two = try await world.write("#two", as: ann)
            let both = try await world.write("#one #two #three", as: ann)
            let path = "/api/v1/timelines/tag/one"
            #expect(try await world.ids(path) == [both, one])
            #expect(try await world.ids("\(path)?any[]=Two") == [both, two, one])
            #expect(try await world.ids("\(path)?all[]=two") == [both])
            #expect(try await world.ids("\(path)?none[]=three") == [one])
            #expect(try await world.ids("/api/v1/timelines/public?remote=true").isEmpty)
            #expect(try await world.ids("/api/v1/timelines/public?local=true").count == 3)
            #expect(try await world.ids("/api/v1/timelines/public?only_media=true").isEmpty)
        }
    }

    /// A tag with a long past costs so many rows a request and no more; the links lead through all of it.
    @Test(arguments: ["none[]=spam", "any[]=two&none[]=spam"])
    func aTagsPastIsReadInParts(_ filter: String) async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let oldest = try await world.write("#one #rare", as: ann)
            try await world.fill(1200, of: ann, tags: ["one", "two", "spam"])
            let newest = try await world.write("#one", as: ann)
            #expect(try await world.ids("/api/v1/timelines/tag/one?all[]=rare") == [oldest], "the rarest tag is walked")
            #expect(try await world.ids("/api/v1/timelines/tag/rare?all[]=one") == [oldest])
            let path = "/api/v1/timelines/tag/one?\(filter)&limit=3"
            let pages = try await world.walk(path, "next")
            #expect(pages.flatMap(\.self) == [newest, oldest])
            #expect((3...5).contains(pages.count), "\(pages.count) pages of 500 entries each")
            let cursor = try #require(Int64(oldest)) - 1
            let forward = try await world.walk("\(path)&min_id=\(cursor)", "prev")
            #expect(forward.flatMap(\.self) == [oldest, newest])
        }
    }

    @Test func anAccountsPastIsReadInParts() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let oldest = try await world.write("#one", as: ann)
            try await world.fill(2300, of: ann, tags: ["other"])
            let path = "/api/v1/accounts/\(ann.id)/statuses?tagged=one"
            let pages = try await world.walk(path, "next")
            #expect(pages.flatMap(\.self) == [oldest])
            #expect(pages.count == 4, "1,000 posts are looked at for each, and none are behind the last")
            let cursor = try #require(Int64(oldest)) - 1
            #expect(try await world.walk("\(path)&min_id=\(cursor)", "prev").flatMap(\.self) == [oldest])
        }
    }

    @Test func homeTimelinesAreTrimmed() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let cat = try await world.person("cat")
            try await world.follow(ann, as: bob)
            var posts: [String] = []
            for number in 0..<9 { posts.insert(try await world.write("\(number)", as: ann), at: 0) }
            try await world.fanOut()
            try await world.fill(7100, of: ann, tags: [], intoHomeOf: cat)
            var dependencies = world.dependencies
            dependencies.limits.home = 5
            let sweep = Sweeps.timelines(dependencies)
            let removed = try await sweep.finish(in: world.database)
            #expect(removed == 4 + 4 + 7095, "of the one who follows, of the author, of the one with many")
            #expect(try await sweep.finish(in: world.database) == 0)
            #expect(try await world.home(bob) == Array(posts.prefix(5)))
        }
    }

    @Test func repliesReachThoseWhoFollowBothSides() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let both = try await world.person("both")
            let one = try await world.person("one")
            for followee in [ann, bob] { try await world.follow(followee, as: both) }
            try await world.follow(bob, as: one)
            try await world.follow(bob, as: ann)
            let post = try await world.write("question", as: ann)
            let reply = try await world.write("answer", as: bob, ["in_reply_to_id": post])
            let thread = try await world.write("and more", as: bob, ["in_reply_to_id": reply])
            try await world.fanOut()
            #expect(try await world.home(both) == [thread, reply, post])
            #expect(try await world.home(one) == [thread], "to a stranger, not; to oneself, yes")
            #expect(try await world.home(ann) == [thread, reply, post])
            #expect(try await world.home(bob) == [thread, reply])
        }
    }

    @Test func threadsSurviveDeletedParents() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let a = try await world.write("a", as: ann)
            let b = try await world.write("b", as: ann, ["in_reply_to_id": a])
            let c = try await world.write("c", as: ann, ["in_reply_to_id": b])
            let d = try await world.write("d", as: ann, ["in_reply_to_id": a])
            let e = try await world.write("e", as: ann, ["in_reply_to_id": c])
            func context(_ id: String, _ part: String) async throws -> [String] {
                let object = try await world.get("/api/v1/statuses/\(id)/context").object
                return try #require(object[part] as? [[String: Any]]).compactMap { $0["id"] as? String }
            }
            #expect(try await context(a, "descendants") == [b, c, e, d])
            #expect(try await context(e, "ancestors") == [a, b, c])
            #expect(try await world.send(.delete, "/api/v1/statuses/\(b)", as: ann).code == 200)
            #expect(try await context(e, "ancestors") == [a, c])
            #expect(Set(try await context(a, "descendants")) == [c, d, e])
            #expect(try await world.get("/api/v1/statuses/\(b)/context").code == 404)
        }
    }

    @Test func longThreadsAreCutForThoseNotSignedIn() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            var last = try await world.write("0", as: ann)
            let first = last
            for number in 1...50 { last = try await world.write("\(number)", as: ann, ["in_reply_to_id": last]) }
            for number in 0..<70 { try await world.write("wide \(number)", as: ann, ["in_reply_to_id": first]) }
            func count(_ id: String, _ part: String, as account: Person?) async throws -> Int {
                let object = try await world.get("/api/v1/statuses/\(id)/context", as: account).object
                return try #require(object[part] as? [[String: Any]]).count
            }
            #expect(try await count(last, "ancestors", as: nil) == 40)
            #expect(try await count(last, "ancestors", as: ann) == 50)
            #expect(try await count(first, "descendants", as: nil) == 60)
            #expect(try await count(first, "descendants", as: ann) == 120)
        }
    }
}
