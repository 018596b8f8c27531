// SPDX-License-Identifier: Apache-2.0
// Whatever a client sends to any route: numbers, dates, texts, names twice, foreign cursors. Nothing is a 5xx.

import Domain
import Foundation
import HTTPTypes
import Postgres
import Support
import Surface
import Testing
import Web

@testable import PostsService

@Suite struct FuzzTests {
    private static let numbers = [
        "-1", "0", "2147483648", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "1e400", "NaN",
        "", "1.5", "0x10", "99999999999999999999999999", "%00", "%FF", "٣",
    ]
    private static let dates = [
        "0000-01-01T00:00:00Z", "9999-12-31T23:59:60Z", "2026-02-30", "2026-01-01T00:00:00+24:00", "-1",
        "9223372036854775807",
    ]
    private static let texts = [
        "%00", "%C0%AF", "%FF%FE", "%ED%A0%80", "%E2%80%AE", "%F4%90%80%80", String(repeating: "%CC%81", count: 10_000),
        String(repeating: "a", count: 300_000), "'%3B--", "%25", "%5C", "$1", "%7B%7D",
    ]
    private static let names = [
        "id", "id[]", "limit", "max_id", "since_id", "min_id", "offset", "q", "acct", "status", "spoiler_text",
        "visibility", "language", "sensitive", "in_reply_to_id", "media_ids[]", "poll[options][]", "poll[expires_in]",
        "scheduled_at", "any[]", "all[]", "none[]", "local", "remote", "only_media", "tagged", "exclude_replies",
        "exclude_reblogs", "pinned", "duration", "notifications", "reblogs", "notify", "languages[]", "comment",
        "display_name", "note", "locked", "bot", "discoverable", "fields_attributes[0][name]",
        "fields_attributes[0][value]", "source[privacy]", "source[language]", "source[sensitive]", "avatar",
        "summary", "text", "category", "tags[]", "roles[0][name]", "roles[0][wanted]", "roles[0][id]", "place",
        "frequency",
        "starts_on", "deadline", "contact_url", "publish", "sort", "tag", "role", "as", "role_id", "message",
        "account_id",
        "following", "resolve", "book[title]", "book[authors][]", "book[isbn13]", "book[pages]", "book_id", "state",
        "rating",
        "one_line", "review", "quotes[0][text]", "started_on", "ended_on", "progress[0][day]", "progress[0][page]",
        "version", "client_id", "time_zone", "year", "month", "day", "page", "percent", "books", "since", "format",
        "favourite", "title", "writes[0][key]", "writes[0][type]",
    ]

    private static func filled(_ path: String, post: String, account: AccountID) -> String {
        let owner = path.contains("accounts/") || path.contains("follow_requests") ? account.description : post
        return path.replacing(":hashtag", with: "yard").replacing(":id", with: owner)
            .replacing(":period", with: "2026-03")
    }

    @Test func everyParameterOfEveryRoute() async throws {
        try await GraphWorld.run { world in
            var random = TestSeed()
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let form = "application/x-www-form-urlencoded"
            let values = Self.numbers + Self.dates + Self.texts
            for route in Routes.all where !route.path.hasPrefix("/internal") {
                let post = try await world.write("target", as: ann)
                let path = Self.filled(route.path, post: post, account: bob.id)
                for round in 0..<40 {
                    let pairs = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                        let name = Self.names.randomElement(using: &random) ?? "id"
                        return "\(name)=\(values.randomElement(using: &random) ?? "")"
                    }
                    let text = pairs.joined(separator: "&")
                    let isQuery = route.method == .get || round.isMultiple(of: 5)
                    let answer = try await world.send(
                        route.method,
                        isQuery ? "\(path)?\(text)" : path,
                        as: ann,
                        type: isQuery ? nil : form,
                        body: isQuery ? "" : text
                    )
                    #expect(answer.code < 500, "\(route.method) \(path) \(text.prefix(200)) seed \(random.seed)")
                }
                for number in Self.numbers + Self.texts where route.path.contains(":") && !number.isEmpty {
                    let path = route.path.replacing(":hashtag", with: number).replacing(":id", with: number)
                        .replacing(":period", with: number)
                    let code = try await world.send(route.method, path, as: ann).code
                    #expect(code < 500, "\(route.method) \(path.prefix(100))")
                }
            }
        }
    }

    /// What a scanner for injected SQL sends: errors, truths against untruths, pauses, second statements. A parameter
    /// is safe when the true and the false form of a condition are answered alike and nothing runs. One for each
    /// parameter of each route, all of them with `MADANG_TEST_SCALE=12`.
    @Test func noParameterIsSQL() async throws {
        try await GraphWorld.run { world in
            var random = TestSeed()
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            _ = try await world.database.query("CREATE TABLE injected (n bigint)")
            let tails = [
                ("' OR '1'='1", "' OR '1'='2"), ("1) OR (1=1", "1) OR (1=2"), ("1 AND 1=1", "1 AND 1=2"),
                ("' UNION SELECT NULL--", "' UNION SELECT NUL--"), ("1;SELECT 1--", "1;SELEC 1--"),
                ("'||(SELECT 'a')||'", "'||(SELEC 'a')||'"), ("\\' OR 1=1--", "\\' OR 1=2--"),
                ("');INSERT INTO injected VALUES (1)--", "');INSERT INTO missing VALUES (1)--"),
                ("1;INSERT INTO injected VALUES (1)--", "1;INSERT INTO missing VALUES (1)--"),
                ("$1", "$9"), ("{1}", "{2"), ("%' AND 1=1 AND '%'='", "%' AND 1=2 AND '%'='"),
                ("1 AND 1=(SELECT 1 FROM pg_sleep(0))", "1 AND 1=(SELECT 2 FROM pg_sleep(0))"),
            ]
            func encoded(_ text: String) -> String {
                text.utf8.map { byte in "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
            }
            for route in Routes.all where route.method == .get && !route.path.hasPrefix("/internal") {
                let post = try await world.write("target", as: ann)
                let path = Self.filled(route.path, post: post, account: bob.id)
                for name in Self.names {
                    for (yes, no) in tails.shuffled(using: &random).prefix(TestScale.of(1, atMost: tails.count)) {
                        let answers = [
                            try await world.get("\(path)?\(name)=\(encoded(yes))", as: ann),
                            try await world.get("\(path)?\(name)=\(encoded(no))", as: ann),
                        ]
                        #expect(answers[0].code == answers[1].code && answers[0].code < 500, "\(path) \(name) \(yes)")
                        if answers[0].code == 200 {
                            #expect(answers[0].body == answers[1].body, "\(path) \(name) \(yes)")
                        }
                    }
                }
                for (yes, no) in tails where route.path.contains(":") {
                    let direct = [yes, no].map {
                        route.path.replacing(":hashtag", with: encoded($0)).replacing(":id", with: encoded($0))
                            .replacing(":period", with: encoded($0))
                    }
                    let codes = [
                        try await world.get(direct[0], as: ann).code, try await world.get(direct[1], as: ann).code,
                    ]
                    #expect(codes[0] == codes[1] && codes[0] < 500, "\(direct[0])")
                }
            }
            let form = "application/x-www-form-urlencoded"
            for route in Routes.all where route.method != .get && !route.path.hasPrefix("/internal") {
                let post = try await world.write("target", as: ann)
                let path = Self.filled(route.path, post: post, account: bob.id)
                for name in Self.names {
                    for (yes, _) in tails.shuffled(using: &random).prefix(TestScale.of(1, atMost: tails.count)) {
                        let one = "\(name)=\(encoded(yes))"
                        let code = try await world.send(route.method, path, as: ann, type: form, body: one).code
                        #expect(code < 500, "\(route.method) \(path) \(one)")
                    }
                }
            }
            #expect(try await world.number("SELECT count(*) FROM injected") == 0)
        }
    }

    @Test func jsonOfEveryShape() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            let post = try await world.write("target", as: ann)
            let values = [
                "null", "true", "[]", "{}", "-1", "1e400", "9223372036854775808", #""\u0000""#, #""\ud800""#,
                #"[[["a"]]]"#,
                #"{"a":{"b":[1]}}"#, #"["\u0000",null,7]"#, "[" + String(repeating: "1,", count: 3000) + "1]",
                #""\#(String(repeating: "x", count: 100_000))""#,
            ]
            let members = [
                "status", "spoiler_text", "visibility", "language", "sensitive", "in_reply_to_id", "media_ids", "poll",
                "duration", "notifications", "reblogs", "languages", "comment", "display_name", "note", "locked",
                "title", "text", "tags", "roles", "starts_on", "deadline", "contact_url", "role_id", "message",
                "account_id",
                "fields_attributes", "source", "avatar", "id", "book", "state", "rating", "quotes", "progress",
                "ended_on",
                "writes", "version", "books", "day", "page",
            ]
            for route in Routes.all where route.method != .get && !route.path.hasPrefix("/internal") {
                let path = Self.filled(route.path, post: post, account: bob.id)
                for member in members {
                    for value in values {
                        let body = #"{"status":"x","\#(member)":\#(value),"\#(member)":\#(value)}"#
                        let answer = try await world.send(
                            route.method,
                            path,
                            as: ann,
                            type: "application/json",
                            body: body
                        )
                        #expect(answer.code < 500, "\(route.method) \(path) \(body.prefix(120))")
                    }
                }
                for depth in [160, 511, 512, 100_000] {
                    for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
                        let nested =
                            String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
                        let answer = try await world.send(
                            route.method,
                            path,
                            as: ann,
                            type: "application/json",
                            body: #"{"source":\#(nested)}"#
                        )
                        #expect(answer.code < 500)
                    }
                }
            }
        }
    }

    /// A cursor is a number: from another list, of another's entry or of a deleted one it only says where to go on.
    @Test func foreignCursorsGiveNobodyElsesEntries() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bob = try await world.person("bob")
            var posts: [String] = []
            for number in 0..<6 { posts.append(try await world.write("\(number)", as: bob)) }
            let secret = try await world.write("secret", as: bob, ["visibility": "direct"])
            for id in posts.prefix(3) { _ = try await world.act("favourite", on: id, as: ann) }
            for id in posts.suffix(3) { _ = try await world.act("favourite", on: id, as: bob) }
            _ = try await world.send(.delete, "/api/v1/statuses/\(posts[1])", as: bob)
            let cursors = posts + [secret, "1", ann.id.description, "9223372036854775807"]
            for name in ["max_id", "min_id", "since_id"] {
                for cursor in cursors {
                    let marked = try await world.ids("/api/v1/favourites?\(name)=\(cursor)", as: ann)
                    #expect(Set(marked).isSubset(of: [posts[0], posts[2]]))
                    let list = try await world.ids("/api/v1/timelines/public?\(name)=\(cursor)", as: ann)
                    #expect(!list.contains(secret) && !list.contains(posts[1]))
                }
            }
        }
    }

    @Test func theLastOfANameWinsAndTheBodyOverTheQuery() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let form = "application/x-www-form-urlencoded"
            let twice = try await world.post("/api/v1/statuses?status=query", as: ann, form: "status=first&status=last")
            #expect(try twice.string("content") == "<p>last</p>")
            let json = try await world.post("/api/v1/statuses", as: ann, json: #"{"status":"first","status":"last"}"#)
            #expect(try json.string("content") == "<p>last</p>")
            let query = try await world.send(.post, "/api/v1/statuses?status=query", as: ann, type: form)
            #expect(try query.string("content") == "<p>query</p>")
        }
    }
}
