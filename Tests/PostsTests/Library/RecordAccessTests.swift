// SPDX-License-Identifier: Apache-2.0
// Who sees whose reading, and what is told of it.

import Domain
import Events
import Foundation
import HTTPTypes
import Outbox
import Postgres
import Support
import Surface
import Testing
import Web

@testable import PostsService

@Suite struct RecordAccessTests {
    /// The reader, and everybody in another relation to them.
    private struct Cast {
        let reader: Person
        let others: [(name: String, person: Person?, sees: Set<String>)]
    }

    private static func cast(_ world: GraphWorld) async throws -> Cast {
        let reader = try await world.person("reader")
        let follower = try await world.person("follower")
        let stranger = try await world.person("stranger")
        let blocked = try await world.person("blocked")
        let blocking = try await world.person("blocking")
        for person in [follower, blocked, blocking] { try await world.follow(reader, as: person) }
        try await world.relate("block", blocked, as: reader)
        try await world.relate("block", reader, as: blocking)
        return Cast(
            reader: reader,
            others: [
                ("the reader", reader, ["private", "followers", "public"]),
                ("a follower", follower, ["followers", "public"]),
                ("a stranger", stranger, ["public"]), ("nobody", nil, ["public"]), ("the blocked", blocked, []),
                ("the blocking", blocking, []),
            ]
        )
    }

    @Test func aRecordIsSeenByThoseItIsFor() async throws {
        try await GraphWorld.run { world in
            let cast = try await Self.cast(world)
            var ids: [String: String] = [:]
            for visibility in ["private", "followers", "public"] {
                ids[visibility] = try await world.shelve(visibility, as: cast.reader, ["visibility": visibility])
            }
            let list = "/api/v1/accounts/\(cast.reader.id)/records"
            for (name, person, sees) in cast.others {
                // The own list shows, as to everybody, what is shown.
                let shown = name == "the reader" ? ["followers", "public"] : sees
                #expect(Set(try await world.titles(list, as: person)) == shown, "\(name)")
                #expect(Set(try await world.titles("\(list)?min_id=1", as: person)) == shown, "\(name)")
                for (visibility, id) in ids {
                    let answer = try await world.get("/api/v1/records/\(id)", as: person)
                    #expect(answer.code == (sees.contains(visibility) ? 200 : 404), "\(visibility) by \(name)")
                }
            }
            // What is hidden again is gone for others at once.
            let id = try #require(ids["public"])
            let path = "/api/v1/shelf/records/\(id)"
            try await world.ask(.put, path, as: cast.reader, ["visibility": "private"])
            #expect(try await world.get("/api/v1/records/\(id)").code == 404)
            try await world.ask(.get, "/api/v1/accounts/12345/records", as: nil, code: 404)
        }
    }

    /// Another's record, a deleted one and none at all are answered alike, whatever is asked.
    @Test func absentRecordsAreAllAlike() async throws {
        try await GraphWorld.run { world in
            let mina = try await world.person("mina")
            let jun = try await world.person("jun")
            let others = try await world.shelve("secret", as: mina)
            let deleted = try await world.shelve("gone", as: jun)
            try await world.ask(.delete, "/api/v1/shelf/records/\(deleted)", as: jun)
            let book = try #require(try await world.ids("/api/v1/shelf", as: mina).first)
            for route in Routes.library where route.path.contains(":id") {
                let ids = route.path.contains("/books/") ? [book, "12345"] : [others, deleted, "12345"]
                let answers = try await ids.map { route.path.replacing(":id", with: $0) }.asyncMap { path in
                    let body = #"{"title":"x","day":"2026-01-01","page":1,"state":"reading"}"#
                    let isRead = route.method == .get
                    return try await world.send(
                        route.method,
                        path,
                        as: jun,
                        type: isRead ? nil : "application/json",
                        body: isRead ? "" : body
                    )
                }
                guard route.path != "/api/v1/accounts/:id/records" else { continue }
                for answer in answers {
                    #expect(answer.code == 404, "\(route.method) \(route.path)")
                    #expect(answer.body == answers[0].body && answer.headers == answers[0].headers, "\(route.path)")
                }
            }
            #expect(try await world.titles("/api/v1/shelf", as: mina) == ["secret"])
        }
    }

    @Test func eachRouteAsksForItsScope() async throws {
        try await GraphWorld.run { world in
            let mina = try await world.person("mina")
            for route in Routes.library {
                guard case .account(let scope?) = route.access else { continue }
                let path = route.path.replacing(":id", with: "1").replacing(":period", with: "2026")
                let other = scope.text.hasPrefix("read") ? "write:library" : "read:library"
                #expect(try await world.send(route.method, path, as: mina, scopes: other).code == 403, "\(path)")
                #expect(try await world.send(route.method, path).code == 401, "\(path)")
                #expect(try await world.send(route.method, path, as: mina, scopes: scope.text).code != 403, "\(path)")
            }
        }
    }

    @Test func onlyWhatOthersMaySeeIsTold() async throws {
        try await GraphWorld.run { world in
            let mina = try await world.person("mina")
            let book: [String: any Sendable] = ["authors": ["작가"], "description": "of the book"]
            let id = try await world.shelve(
                "제목",
                as: mina,
                [
                    "one_line": "secret line", "quotes": [["text": "secret quote"]],
                    "progress": [["day": "2026-01-01", "page": "1"]],
                ],
                book: book
            )
            let path = "/api/v1/shelf/records/\(id)"
            func told() async throws -> [String] {
                try await world.events().map(\.type).filter { $0.contains("Record") }
            }
            try await world.ask(.put, path, as: mina, ["review": "secret review", "state": "finished"])
            #expect(try await told() == [])
            try await world.ask(.put, path, as: mina, ["one_line": "", "review": "", "visibility": "public"])
            try await world.ask(.put, path, as: mina, ["one_line": "for all", "visibility": "followers"])
            // What others do not see is no news.
            try await world.ask(.post, "\(path)/progress", as: mina, ["day": "2026-01-02", "page": "2"])
            try await world.ask(.put, path, as: mina, ["visibility": "private"])
            try await world.ask(.put, path, as: mina, ["one_line": "secret again"])
            try await world.ask(.put, path, as: mina, ["visibility": "public"])
            try await world.ask(.delete, path, as: mina)
            #expect(
                try await told() == [
                    RecordPublished.type, RecordUpdated.type, RecordWithdrawn.type, RecordPublished.type,
                    RecordWithdrawn.type,
                ]
            )
            let texts = try await recordedEvents(in: world.database).map { String(decoding: $0, as: UTF8.self) }
            for secret in ["secret line", "secret quote", "secret review", "of the book"] {
                #expect(!texts.contains { $0.contains(secret) }, "\(secret)")
            }
            // Of events of one record the later has the higher version.
            let versions = try await world.events().filter { $0.type.contains("Record") }.map(\.version)
            #expect(zip(versions, versions.dropFirst()).allSatisfy(<), "\(versions)")
        }
    }

    @Test func aRecordIsSharedWithThoseWhoMaySeeIt() async throws {
        try await GraphWorld.run { world in
            let mina = try await world.person("mina")
            let book: [String: any Sendable] = [
                "authors": ["생텍쥐페리"], "publisher": "열린책들", "link": "https://books.example/1",
            ]
            let id = try await world.shelve("어린 왕자", as: mina, ["one_line": "다시 읽음"], book: book)
            let path = "/api/v1/shelf/records/\(id)"
            try await world.ask(.post, "\(path)/share", as: mina, code: 422)
            try await world.ask(.put, path, as: mina, ["visibility": "followers"])
            for visibility in ["public", "unlisted", "direct"] {
                try await world.ask(.post, "\(path)/share", as: mina, ["visibility": visibility], code: 422)
            }
            let shared = try await world.ask(.post, "\(path)/share", as: mina).object
            #expect(shared["visibility"] as? String == "private")
            #expect(shared["content"] as? String == "<p>다시 읽음</p>")
            let card = try #require(shared["card"] as? [String: Any])
            #expect(card["title"] as? String == "어린 왕자")
            #expect(card["url"] as? String == "https://books.example/1")
            #expect(card["author_name"] as? String == "생텍쥐페리")
            // Every list shows it so, beside the preview that a link would have.
            let status = try #require(shared["id"] as? String)
            #expect(
                (try await world.status(status, as: mina)["card"] as? [String: Any])?["title"] as? String == "어린 왕자"
            )
            try await world.ask(.put, path, as: mina, ["visibility": "public"])
            let said: [String: any Sendable] = ["status": "see https://elsewhere.example/", "visibility": "public"]
            let open = try await world.ask(.post, "\(path)/share", as: mina, said).object
            #expect((open["card"] as? [String: Any])?["title"] as? String == "어린 왕자")
            // The post is gone with its text, and its card with it.
            let post = try #require(open["id"] as? String)
            try await world.ask(.delete, "/api/v1/statuses/\(post)", as: mina)
            _ = try await world.database.query("DELETE FROM outbox")
            world.clock.advance(Sweeps.graceOfDeleted + .seconds(1))
            _ = try await Sweeps.deletedPosts(world.dependencies).finish(in: world.database)
            #expect(try await world.number("SELECT count(*) FROM posts WHERE card IS NOT NULL") == 1)
        }
    }

    @Test func sharingIsRepeatable() async throws {
        try await GraphWorld.run { world in
            let mina = try await world.person("mina")
            let ids = [
                try await world.shelve("a", as: mina, ["visibility": "public"]),
                try await world.shelve("b", as: mina, ["visibility": "public"]),
            ]
            let headers: HTTPFields = [try #require(HTTPField.Name("Idempotency-Key")): "k"]
            func share(_ id: String) async throws -> Answer {
                let (type, body) = ("application/json", #"{"status":"x"}"#)
                let path = "/api/v1/shelf/records/\(id)/share"
                return try await world.send(.post, path, as: mina, type: type, body: body, headers: headers)
            }
            let first = try await share(ids[0])
            #expect(try await share(ids[0]).string("id") == first.string("id"))
            #expect(try await share(ids[1]).code == 422)
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
