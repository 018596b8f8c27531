// SPDX-License-Identifier: Apache-2.0
// Completion of names, trends, suggestions and a playground's search; and who may ask what.

import Domain
import Foundation
import NIOHTTP1
import Support
import Surface
import Testing
import Web

@testable import GatewayService

@Suite(.againstHanging) struct JoinedTests {
    @Test func namesAreCompleted() async throws {
        try await SearchWorld(found: #"{"account":[{"id":"3"},{"id":"1"}]}"#).run { (gateway) async throws in
            let answer = try await gateway.joined(
                "/api/v1/accounts/search?q=@mi&limit=5&following=true&resolve=true",
                token: "good-7-9"
            )
            #expect(answer.ids == ["name-mi", "3", "1"], "\(answer)")
            #expect(
                gateway.search.asked.map(\.body)
                    == [#"{"text":"mi","kinds":["account"],"limit":5,"offset":0,"followed":true,"completion":true}"#]
            )
            #expect(
                gateway.posts.asked.map(\.body) == [#"{"ids":["3","1"],"name":"mi","followed":true,"limit":5}"#]
            )
            let whole = try await gateway.joined("/api/v1/accounts/search?q=mi@localhost:3000", token: "good-7-9")
            #expect(whole.ids == ["name-mi"])
            let foreign = try await gateway.joined("/api/v1/accounts/search?q=mi@elsewhere.example", token: "good-7-9")
            #expect(foreign.status == 200 && foreign.ids == [])
            #expect(gateway.search.asked.count == 1)
            let blank = try await gateway.joined("/api/v1/accounts/search?q=%20", token: "good-7-9")
            #expect(blank.body == "[]" && gateway.search.asked.count == 1)
            for (query, status) in [
                ("", 400), ("q=a%00", 400), ("q=a&limit=x", 400), ("q=a&limit=-5&offset=99999", 200),
            ] {
                let path = "/api/v1/accounts/search?\(query)"
                #expect(try await gateway.joined(path, token: "good-7-9").status == status, "\(query)")
            }
        }
    }

    @Test func whatManyThinkMuchOfIsShown() async throws {
        try await SearchWorld(trending: #"{"ids":["5","9","6"]}"#, hidden: ["9"]).run { (gateway) async throws in
            let answer = try await gateway.joined("/api/v1/trends/statuses?limit=3&offset=2")
            #expect(answer.ids == ["5", "6"])
            #expect(gateway.search.asked.map(\.head.uri) == ["/internal/trends/posts?limit=3&offset=2"])
        }
    }

    @Test func suggestionsSayWhy() async throws {
        let suggested = #"""
            {"people":[{"id":"5","sources":["friends_of_friends","most_followed"]},{"id":"9","sources":["most_followed"]},
            {"id":"6","sources":["most_interactions"]}]}
            """#
        try await SearchWorld(suggested: suggested, hidden: ["9"]).run { (gateway) async throws in
            let answer = try await gateway.joined("/api/v2/suggestions?limit=10", token: "good-7-9")
            #expect(
                answer.body == #"[{"source":"past_interactions","sources":["friends_of_friends","most_followed"],"#
                    + #""account":{"id":"5","of":"account"}},{"source":"global","sources":["most_interactions"],"#
                    + #""account":{"id":"6","of":"account"}}]"#
            )
            let older = try await gateway.joined("/api/v1/suggestions", token: "good-7-9")
            #expect(older.ids == ["5", "6"])
            #expect(
                gateway.search.asked.map(\.head.uri) == [
                    "/internal/suggestions?limit=10&offset=0", "/internal/suggestions?limit=40&offset=0",
                ]
            )
        }
    }

    @Test func aPlaygroundIsSearched() async throws {
        let found =
            #"{"channel":[{"id":"22"}],"account":[{"id":"7"}],"message":[{"id":"23","excerpt":"<em>차</em>"},{"id":"24"}]}"#
        try await SearchWorld(found: found, hidden: ["24"]).run { (gateway) async throws in
            let answer = try await gateway.joined("/api/v1/playgrounds/5/search?q=%EC%B0%A8&limit=9", token: "good-7-9")
            #expect(
                answer.body == #"{"channels":[{"id":"22","of":"channels"}],"members":[{"id":"7","of":"members"}],"#
                    + #""messages":[{"id":"23","of":"messages"}],"highlights":{"messages":{"23":"<em>차</em>"}}}"#
            )
            #expect(
                gateway.search.asked.map(\.body)
                    == [#"{"text":"차","kinds":["channel","account","message"],"limit":9,"offset":0,"place":5}"#]
            )
            #expect(
                gateway.chat.asked.map(\.body) == [
                    #"{"playground_id":"5","name":"차","playgrounds":[],"channels":["22"],"members":["7"],"messages":["23","24"]}"#
                ]
            )
            // Whether it is there for them is chat's to say, also when nothing is looked for.
            for query in ["", "?q=", "?q=%20"] {
                let blank = try await gateway.joined("/api/v1/playgrounds/5/search\(query)", token: "good-7-9")
                #expect(blank.ids("messages") == [], "\(blank)")
            }
            #expect(gateway.search.asked.count == 1 && gateway.chat.asked.count == 4)
            #expect(try await gateway.joined("/api/v1/playgrounds/x/search?q=a", token: "good-7-9").status == 404)
        }
        let gone = FakeService.Behaviour.answer(.notFound, [], #"{"code":"not-found","status":404,"error":"Gone"}"#)
        try await SearchWorld(found: found, chat: gone).run { (gateway) async throws in
            let answer = try await gateway.joined("/api/v1/playgrounds/5/search?q=a", token: "good-7-9")
            #expect(answer.status == 404 && answer.body == #"{"code":"not-found","status":404,"error":"Gone"}"#)
        }
    }

    @Test(arguments: [("projects", "project"), ("records", "record")])
    func projectsAndRecordsAreSearched(name: String, kind: String) async throws {
        let found =
            #"{"\#(kind)":[{"id":"22","excerpt":"<em>차</em>"},{"id":"24","excerpt":"x"},{"id":"23"}],"next":"9.1.2.0"}"#
        try await SearchWorld(found: found, hidden: ["24"]).run { (gateway) async throws in
            let path = "/api/v1/search/\(name)"
            let answer = try await gateway.joined("\(path)?q=%EC%B0%A8&limit=9&cursor=8.1.2.0&account_id=7&max_id=99")
            #expect(
                answer.body == #"{"\#(name)":[{"id":"22","of":"\#(kind)"},{"id":"23","of":"\#(kind)"}],"#
                    + #""highlights":{"\#(name)":{"22":"<em>차</em>"}},"next_cursor":"9.1.2.0"}"#
            )
            #expect(
                gateway.search.asked.map(\.body) == [
                    #"{"text":"차","kinds":["\#(kind)"],"limit":9,"offset":0,"before":99,"author_id":"7","cursor":"8.1.2.0"}"#
                ]
            )
            #expect(gateway.posts.asked.map(\.body) == [#"{"ids":["22","24","23"]}"#])
            for (query, status) in [("", 400), ("?q=a%00", 400), ("?q=a&limit=x", 400), ("?q=a&max_id=x", 400)] {
                #expect(try await gateway.joined(path + query).status == status, "\(query)")
            }
            let blank = try await gateway.joined("\(path)?q=%20")
            #expect(blank.status == 200 && blank.ids(name) == [] && blank.object["next_cursor"] is NSNull)
            #expect(try await gateway.joined("\(path)?q=a", token: "good-7-9:read/statuses").status == 403)
        }
        try await SearchWorld().run { (gateway) async throws in
            let answer = try await gateway.joined("/api/v1/search/\(name)?q=a")
            #expect(answer.ids(name) == [] && gateway.posts.asked.isEmpty)
        }
    }

    /// What a service checks of its own endpoints, the gateway checks of these.
    @Test(arguments: JoinedEndpoint.allCases) func nobodyAsksWhoMayNot(_ endpoint: JoinedEndpoint) async throws {
        try await SearchWorld().run { (gateway) async throws in
            let path = endpoint.path("5") + "?q=a"
            func ask(_ token: String?) async throws -> JoinedAnswer { try await gateway.joined(path, token: token) }
            #expect(try await ask("bad").status == 401)
            switch endpoint.endpoint.access {
            case .anyone: #expect(try await ask(nil).status == 200)
            case .account(let scope):
                let scope = try #require(scope)
                #expect(try await ask(nil).status == 401)
                let refused = try await ask("good-7-9:write+read/blocks")
                #expect(refused.status == 403 && refused.head.contains("insufficient_scope"), "\(refused)")
                #expect(try await ask("good-7-9:\(scope.text.replacing(":", with: "/"))").status == 200)
            case .app, .moderator, .internal: Issue.record("there is no test of this access")
            }
            let method = JoinedAnswer(try await gateway.ask("POST", path, "Content-Length: 0"))
            #expect(method.status == 405)
            #expect(try await gateway.ask("HEAD", path, token: "good-7-9").hasPrefix("HTTP/1.1 200 "))
        }
    }
}
