// SPDX-License-Identifier: Apache-2.0
// Search while it is rebuilt, and where it comes to what was there before.

import Domain
import HTTPTypes
import Postgres
import Support
import Synchronization
import Testing
import Web

@testable import SearchService

/// How often somebody asked while something went on.
private final class Watch: Sendable {
    private let state = Mutex((asked: 0, isOver: false))

    var asked: Int { state.withLock { $0.asked } }
    var isOver: Bool { state.withLock { $0.isOver } }
    func ask() { state.withLock { $0.asked += 1 } }
    func end() { state.withLock { $0.isOver = true } }
}

@Suite(.serialized) struct SearchRebuildTests {
    /// People, what they wrote and where they talk; the ids of the posts that hold 마당, the newest first.
    private static func town(_ here: Neighbourhood) async throws -> [Int64] {
        var posts: [Int64] = []
        for person in here.people {
            let profile = ["discoverable": true]
            try await here.send("posts", .patch, "/api/v1/accounts/update_credentials", as: person, profile)
        }
        for number in 0..<60 {
            let author = here.people[number % here.people.count]
            let text = ["status": "우리 마당 이야기 \(number) #여행"]
            let made = try await here.send("posts", .post, "/api/v1/statuses", as: author, text)
            posts.append(try #require(here.text(made, "id").flatMap { Int64($0) }))
        }
        return posts.reversed()
    }

    @Test func `who asks while the index is rebuilt finds all the while what is there`() async throws {
        try await Neighbourhood.run(people: 3) { here in
            let posts = try await Self.town(here)
            try await here.carry()
            let reader = here.people[0].id
            #expect(try await here.search.found("마당 ", for: reader) == posts)
            // Damage besides what is asked for: what is damaged cannot be found before it is told of.
            _ = try await here.search.database.query(
                "UPDATE documents SET source = 'damaged' WHERE kind = 2 AND id % 2 = 0"
            )
            _ = try await here.search.database.query("DELETE FROM names")
            let watch = Watch()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    while !watch.isOver {
                        let found = try await here.search.found("마당 이야기 ", for: reader)
                        #expect(found == posts)
                        let tagged = try await here.search.found("#여행 ", for: nil)
                        #expect(tagged == posts)
                        watch.ask()
                    }
                }
                try await eventually("somebody asks") { watch.asked > 2 }
                try await here.rebuild("search")
                watch.end()
                try await group.waitForAll()
            }
            #expect(watch.asked > 10)
            #expect(try await here.search.named("per", for: reader).count == 3)
            #expect(
                try await here.search.database.query("SELECT count(*) FROM documents WHERE source = 'damaged'").number()
                    == 0
            )
        }
    }

    @Test func `posts that were there before search was are found after a rebuild`() async throws {
        try await Neighbourhood.run(people: 3) { here in
            let posts = try await Self.town(here)
            // Nobody kept what was told then.
            for database in [here.posts.database, here.chat.database] {
                _ = try await database.query("DELETE FROM outbox")
            }
            let reader = here.people[0].id
            #expect(try await here.search.found("마당 ", for: reader) == [])
            try await here.rebuild("search")
            #expect(try await here.search.found("마당 ", for: reader) == posts)
            #expect(try await here.search.found("마당 ", for: nil) == posts)
            #expect(try await here.search.named("person1", for: reader).contains("account \(here.people[1].id)"))
        }
    }

    @Test func `projects, records and books that were there before search was are found after a rebuild`()
        async throws
    {
        try await Neighbourhood.run(people: 2) { here in
            let (one, other) = (here.people[0], here.people[1])
            let profile = ["discoverable": true]
            try await here.send("posts", .patch, "/api/v1/accounts/update_credentials", as: one, profile)
            func make(_ path: String, _ json: [String: any Sendable]) async throws -> Int64 {
                let made = try await here.send("posts", .post, path, as: one, json)
                return try #require(here.text(made, "id").flatMap { Int64($0) })
            }
            func project(_ title: String, publish: Bool) async throws -> Int64 {
                let roles: [[String: any Sendable]] = [["name": "iOS"]]
                return try await make("/api/v1/projects", ["title": title, "publish": publish, "roles": roles])
            }
            func record(_ title: String, _ visibility: String) async throws -> Int64 {
                let book: [String: any Sendable] = ["title": title]
                return try await make("/api/v1/shelf/records", ["book": book, "visibility": visibility])
            }
            let (open, draft) = (
                try await project("마당 앱", publish: true), try await project("마당 비밀", publish: false)
            )
            let closed = try await project("마당 모임", publish: true)
            try await here.send("posts", .post, "/api/v1/projects/\(closed)/close", as: one, [:])
            let (shown, hidden) = (try await record("마당 책", "public"), try await record("마당 비밀", "followers"))
            _ = try await record("마당 일기", "private")
            // Nobody kept what was told then.
            _ = try await here.posts.database.query("DELETE FROM outbox")
            try await here.rebuild("search")
            #expect(try await here.search.found("마당 ", .project, for: one.id) == [closed, draft, open])
            #expect(try await here.search.found("마당 ", .project, for: other.id) == [closed, open])
            #expect(try await here.search.found("마당 ", .reading, for: one.id) == [hidden, shown])
            #expect(try await here.search.found("마당 ", .reading, for: other.id) == [shown])
            #expect(try await here.search.found("마당 ", .book, for: other.id) == [shown])
            #expect(try await here.search.named("ㅁㄷㅊ", for: nil) == ["book \(shown)"])
            // A rebuild that finds all in its place writes nothing.
            func rows() async throws -> [String] {
                try await here.search.database.query(
                    "SELECT concat_ws(' ', kind, id, xmin) FROM documents WHERE kind > 6 ORDER BY 1"
                ).all { try $0.next() }
            }
            let before = try await rows()
            try await here.rebuild("search")
            #expect(try await rows() == before)
        }
    }

    @Test func `a hashtag that no post has any more goes with a rebuild, and a dismissed suggestion stays`()
        async throws
    {
        try await Neighbourhood.run(people: 2) { here in
            let (author, other) = (here.people[0], here.people[1])
            let made = try await here.send("posts", .post, "/api/v1/statuses", as: author, ["status": "#left #kept"])
            let id = try #require(here.text(made, "id"))
            try await here.carry()
            try await here.send("posts", .put, "/api/v1/statuses/\(id)", as: author, ["status": "only #kept"])
            try await here.carry()
            _ = try await here.search.database.query(
                "INSERT INTO ties (kind, account_id, target_id, version, active) VALUES (5, \(other.id), \(author.id), 1, true)"
            )
            let tags: SQL = "SELECT source FROM documents WHERE kind = 3 AND NOT gone ORDER BY source"
            #expect(try await here.search.database.query(tags).all { try $0.next(String.self) } == ["kept", "left"])
            try await here.rebuild("search")
            #expect(try await here.search.database.query(tags).all { try $0.next(String.self) } == ["kept"])
            #expect(try await here.search.database.query("SELECT count(*) FROM ties WHERE kind = 5").number() == 1)
        }
    }
}
