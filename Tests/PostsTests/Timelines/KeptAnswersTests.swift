// SPDX-License-Identifier: Apache-2.0
// Lists that a process keeps are at every moment those that a process reads which has just started.

import Domain
import Foundation
import HTTPTypes
import Postgres
import Serving
import Support
import Testing
import Web

@testable import PostsService

/// Four people who do anything to each other, one after the other.
private struct Village {
    let world: GraphWorld
    let people: [Person]
    var chance: TestSeed
    var posts: [String] = []
    private var cards: Int64 = 0

    init(_ world: GraphWorld, _ people: [Person], _ chance: TestSeed) {
        self.world = world
        self.people = people
        self.chance = chance
    }

    private mutating func somebody() throws -> Person { try #require(people.randomElement(using: &chance)) }

    private mutating func pair() throws -> (Person, Person) {
        let one = try somebody()
        let other = try #require(people.filter { $0.id != one.id }.randomElement(using: &chance))
        return (one, other)
    }

    /// - Returns: what was done.
    mutating func act() async throws -> String {
        let (one, other) = try pair()
        let post = posts.randomElement(using: &chance)
        let kinds = [
            "write", "write", "answer", "answer", "favourite", "unfavourite", "reblog", "unreblog", "bookmark",
            "unbookmark",
            "mute", "unmute", "pin", "unpin", "edit", "delete", "restore", "follow", "unfollow", "quiet follow",
            "block",
            "unblock", "mute account", "unmute account", "rename", "suspend", "lift", "card", "erase", "fan out",
        ]
        let kind = try #require(kinds.randomElement(using: &chance))
        switch kind {
        case "write", "answer":
            let visibility = try #require(["public", "unlisted", "private", "direct"].randomElement(using: &chance))
            let words = [
                "hello", "#tag", "@\(other.username.text)",
                "https://a.example/\(Int.random(in: 0..<3, using: &chance))",
            ]
            var more: [String: any Sendable] = ["visibility": visibility]
            if kind == "answer", let post { more["in_reply_to_id"] = post }
            let text = words.shuffled(using: &chance).prefix(2).joined(separator: " ")
            let answer = try await world.publish(text, as: one, more)
            if answer.code == 200 { posts.append(try #require(try answer.string("id"))) }
        case "edit":
            guard let post else { break }
            let text = Bool.random(using: &chance) ? "status=changed" : "status=for+@\(other.username.text)"
            _ = try await world.send(
                .put,
                "/api/v1/statuses/\(post)",
                as: one,
                type: "application/x-www-form-urlencoded",
                body: text
            )
        case "delete":
            if let post { _ = try await world.send(.delete, "/api/v1/statuses/\(post)", as: one) }
        case "restore":
            guard let post = post.flatMap({ PostID($0) }) else { break }
            _ = try await world.database.transaction { try await RemovedStore.restore(post, in: $0) }
        case "erase":
            // Boosts go altogether a day after they were taken back.
            _ = try await world.database.query(
                "DELETE FROM posts WHERE boost_of_id IS NOT NULL AND deleted_at IS NOT NULL"
            )
        case "follow", "unfollow", "block", "unblock": _ = try await relate(kind, one, other)
        case "quiet follow":
            _ = try await world.post("/api/v1/accounts/\(other.id)/follow", as: one, form: "reblogs=false")
        case "mute account": _ = try await relate("mute", one, other)
        case "unmute account": _ = try await relate("unmute", one, other)
        case "rename":
            _ = try await world.send(
                .patch,
                "/api/v1/accounts/update_credentials",
                as: one,
                type: "application/x-www-form-urlencoded",
                body: "display_name=\(Int.random(in: 0..<1000, using: &chance))"
            )
        case "suspend": try await world.restrict(.suspended, other)
        case "lift": for person in people { try await world.lift(.suspended, person) }
        case "card":
            let number = Int.random(in: 0..<3, using: &chance)
            cards += 1
            try await world.hear(CardTests.news("https://a.example/\(number)", "card \(cards)", version: cards))
        case "fan out": try await world.fanOut()
        default: if let post { _ = try await world.act(kind, on: post, as: one) }
        }
        return "\(kind) by \(one.username.text) of \(other.username.text) or \(post ?? "none")"
    }

    private func relate(_ action: String, _ one: Person, _ other: Person) async throws -> Answer {
        try await world.post("/api/v1/accounts/\(other.id)/\(action)", as: one)
    }

    /// Something to read, and who reads.
    mutating func look() throws -> (path: String, viewer: Person?) {
        let viewer = Int.random(in: 0..<5, using: &chance) == 0 ? nil : try somebody()
        let account = try somebody().id
        var paths = [
            "/api/v1/accounts/\(account)/statuses", "/api/v1/accounts/\(account)/statuses?limit=2",
            "/api/v1/accounts/\(account)/statuses?exclude_reblogs=true",
            "/api/v1/accounts/\(account)/statuses?tagged=tag",
            "/api/v1/accounts/\(account)/statuses?pinned=true",
        ]
        if let post = posts.suffix(12).randomElement(using: &chance) {
            paths.append("/api/v1/statuses/\(post)/context")
        }
        if viewer != nil { paths += ["/api/v1/timelines/home", "/api/v1/timelines/home?limit=3"] }
        return (try #require(paths.randomElement(using: &chance)), viewer)
    }
}

@Suite struct KeptAnswersTests {
    /// With every fourth seed, whoever posts to a follower is popular; all posts go by the queue there.
    @Test(arguments: TestSeed.list([1, 2, 3, 4])) func whatIsKeptIsWhatIsThere(seed: UInt64) async throws {
        var limits = Limits(popularityPatience: .zero)
        let somebodyIsPopular = seed.isMultiple(of: 4)
        if somebodyIsPopular { (limits.largeAccount, limits.followersInPosting) = (0, -1) }
        try await GraphWorld.run(limits: limits) { [limits] world in
            var people: [Person] = []
            for name in ["ann", "bob", "cat", "dan"] { people.append(try await world.person(name)) }
            var village = Village(world, people, TestSeed(seed))
            if somebodyIsPopular {
                try await world.follow(people[0], as: people[1])
                village.posts.append(try await world.write("hello", as: people[0]))
                try await world.fanOut()
            }
            var done: [String] = []
            for _ in 0..<250 {
                done.append(try await village.act())
                for _ in 0..<10 {
                    let (path, viewer) = try village.look()
                    let kept = try await world.send(.get, path, as: viewer)
                    // Another process, which has kept nothing yet.
                    let fresh = try await GraphWorld(world.database, slot: 1, limits: limits)
                        .send(.get, path, as: viewer)
                    try #require(
                        kept.code == fresh.code && kept.text == fresh.text
                            && kept.headers[.link] == fresh.headers[.link],
                        "\(path) for \(viewer?.username.text ?? "nobody") after \(done.suffix(6))"
                    )
                }
            }
            let popular = try await world.number("SELECT count(*) FROM popular_accounts")
            #expect((popular > 0) == somebodyIsPopular)
        }
    }

    /// What no trigger notes is not found: so the lists above are read from what is kept.
    @Test(
        arguments: ["/api/v1/timelines/home", "/api/v1/accounts/ID/statuses", "/api/v1/statuses/POST/context"],
        [false, true]
    )
    func itIsKeptIndeed(path: String, somebodyIsPopular: Bool) async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            if somebodyIsPopular {
                let star = try await world.person("star")
                _ = try await world.database.query("INSERT INTO popular_accounts (account_id) VALUES (\(star.id))")
            }
            let post = try await world.write("hello", as: ann)
            let answer = try await world.write("again", as: ann, ["in_reply_to_id": post])
            let path = path.replacing("ID", with: "\(ann.id)").replacing("POST", with: post)
            #expect(try await world.send(.get, path, as: ann).text.contains("again"))
            _ = try await world.database.query("ALTER TABLE posts DISABLE TRIGGER USER")
            _ = try await world.database.query(
                "UPDATE posts SET text = 'other' WHERE id = \(try #require(PostID(answer)))"
            )
            #expect(try await world.send(.get, path, as: ann).text.contains("again"))
            _ = try await world.database.query("ALTER TABLE posts ENABLE TRIGGER USER")
            _ = try await world.database.query(
                "UPDATE posts SET text = 'third' WHERE id = \(try #require(PostID(answer)))"
            )
            #expect(try await world.send(.get, path, as: ann).text.contains("third"))
        }
    }

    @Test func theFirstPopularAccountIsReadThoughNobodyWasWhenTheListWasMade() async throws {
        let limits = Limits(largeAccount: 0, popularityPatience: .seconds(60), followersInPosting: -1)
        try await GraphWorld.run(limits: limits) { world in
            let star = try await world.person("star")
            let fan = try await world.person("fan")
            try await world.follow(star, as: fan)
            try await world.fanOut()
            #expect(try await world.home(fan) == [])
            let post = try await world.write("hello", as: star)
            try await world.fanOut()
            #expect(try await world.home(fan) == [], "nobody is taken to be popular yet")
            world.clock.advance(.seconds(60))
            #expect(try await world.home(fan) == [post])
        }
    }

    @Test func aMuteThatEndsBringsBackWhatItHid() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            try await world.follow(ann, as: bob)
            let post = try await world.write("hello", as: ann)
            try await world.fanOut()
            try await world.relate("mute", ann, as: bob)
            #expect(try await world.home(bob) == [])
            _ = try await world.database.query(
                "INSERT INTO timeline (account_id, post_id, author_id) VALUES (\(bob.id), \(try #require(PostID(post))), \(ann.id)) ON CONFLICT DO NOTHING"
            )
            _ = try await world.database.query(
                "UPDATE mutes SET expires_at = statement_timestamp() + interval '200 ms'"
            )
            #expect(try await world.home(bob) == [])
            try await eventually("the mute has ended") { try await world.home(bob) == [post] }
        }
    }
}
