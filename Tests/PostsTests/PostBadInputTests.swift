// SPDX-License-Identifier: Apache-2.0
// Nothing that a client sends is the server's fault.

import Domain
import Events
import HTTPTypes
import Outbox
import Postgres
import Testing
import Web

@testable import PostsService

@Suite struct PostBadInputTests {
    @Test func numbersAndCursorsOfEveryKind() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let id = try await world.write("hello", as: ann)
            let numbers = [
                "0", "-1", "1", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
                "99999999999999999999999", "1e9", "abc", "", "%00", "%FF%FE", "1%27", "0x10", "٣",
            ]
            let lists = [
                "/api/v1/timelines/home", "/api/v1/timelines/public", "/api/v1/timelines/tag/a",
                "/api/v1/accounts/\(ann.id)/statuses", "/api/v1/favourites", "/api/v1/bookmarks",
                "/api/v1/statuses/\(id)/favourited_by", "/api/v1/statuses/\(id)/reblogged_by",
            ]
            for list in lists {
                for name in ["limit", "max_id", "since_id", "min_id"] {
                    for number in numbers {
                        let code = try await world.get("\(list)?\(name)=\(number)", as: ann).code
                        #expect(code < 500, "\(list) \(name)=\(number)")
                    }
                }
            }
            for number in numbers where !number.isEmpty {
                for path in ["", "/context", "/history", "/source", "/favourited_by"] {
                    let code = try await world.get("/api/v1/statuses/\(number)\(path)", as: ann).code
                    #expect((400..<500).contains(code), "\(number)\(path)")
                }
                #expect(try await world.get("/api/v1/statuses?id[]=\(number)", as: ann).code < 500)
                let reply = try await world.post(
                    "/api/v1/statuses",
                    as: ann,
                    form: "status=x&in_reply_to_id=\(number)"
                )
                #expect(reply.code < 500)
            }
        }
    }

    @Test func textsAndTagsOfEveryKind() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let bodies = [
                #"{"status":{"a":1}}"#, #"{"status":["a"]}"#, #"{"status":"a\u0000b"}"#, #"{"status":null}"#, #"[]"#,
                #"{"status":"x","language":"\u0000"}"#, #"{"status":"x","visibility":7}"#, #"{"status":"x","poll":3}"#,
                #"{"status":"x","media_ids":"7"}"#, #"{"status":"x","spoiler_text":"\u0000"}"#, "{", "",
                String(repeating: "[", count: 100_000), #"{"status":"\#(String(repeating: "가", count: 501))"}"#,
            ]
            for body in bodies {
                let code = try await world.post("/api/v1/statuses", as: ann, json: body).code
                #expect((400..<500).contains(code), "\(body.prefix(60))")
            }
            for tag in ["%00", "%FF", "a%00b", "%27%3B", String(repeating: "a", count: 5000)] {
                #expect(try await world.get("/api/v1/timelines/tag/\(tag)").code < 500, "\(tag.prefix(20))")
                #expect(try await world.get("/api/v1/timelines/tag/x?any[]=\(tag)&none[]=\(tag)").code < 500)
                #expect(try await world.get("/api/v1/accounts/\(ann.id)/statuses?tagged=\(tag)").code < 500)
            }
            let longest = String(repeating: "가", count: 500)
            #expect(try await world.publish(longest, as: ann).code == 200)
            #expect(try await world.publish("a", as: ann, key: "k\u{1F600}").code < 500)
        }
    }

    @Test func aLimitAboveTheMostIsCut() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            for number in 0..<45 { try await world.write("\(number)", as: ann) }
            #expect(try await world.ids("/api/v1/timelines/public?limit=1000").count == 40)
            #expect(try await world.ids("/api/v1/timelines/public").count == 20)
            #expect(try await world.home(ann, "?limit=9223372036854775807").count == 40)
        }
    }
}
