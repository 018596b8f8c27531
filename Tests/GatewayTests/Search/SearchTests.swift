// SPDX-License-Identifier: Apache-2.0
// /api/v2/search and its older form: search finds, posts and chat show.

import Domain
import Foundation
import NIOHTTP1
import Support
import Testing

@testable import GatewayService

@Suite(.againstHanging) struct SearchTests {
    private static let everything = #"""
        {"account":[{"id":"3"},{"id":"1"}],"post":[{"id":"9","excerpt":"a <em>tea</em>"},{"id":"8","excerpt":"no"}],
        "playground":[{"id":"21"}],"channel":[{"id":"22"}],"message":[{"id":"23","excerpt":"<em>tea</em>!"}],
        "hashtag":[{"name":"tea","url":"https://x/tags/tea","history":[]}]}
        """#

    @Test func whatIsFoundIsShownByItsOwnersInTheOrderOfSearch() async throws {
        let world = SearchWorld(found: SearchTests.everything, hidden: ["8"])
        try await world.run { (gateway) async throws in
            let answer = try await gateway.joined("/api/v2/search?q=tea&limit=5&min_id=4&max_id=99&account_id=7")
            #expect(answer.status == 200, "\(answer)")
            #expect(answer.ids("accounts") == ["name-tea", "3", "1"])
            #expect(answer.ids("statuses") == ["9"])
            #expect((answer.object["hashtags"] as? [[String: Any]])?.first?["url"] as? String == "https://x/tags/tea")
            // Only of what is shown, and nothing of chat unless it is asked for.
            #expect(answer.object["highlights"] as? [String: [String: String]] == ["statuses": ["9": "a <em>tea</em>"]])
            #expect(answer.object["messages"] == nil && gateway.chat.asked.isEmpty)
            #expect(
                gateway.search.asked.map(\.body) == [
                    #"{"text":"tea","kinds":["account","post","hashtag"],"limit":5,"offset":0,"before":99,"after":4,"#
                        + #""author_id":"7"}"#
                ]
            )
            // Nobody asked, so nobody is told to keep it for themselves.
            #expect(!answer.head.contains("cache-control") && answer.head.contains("x-request-id: "))
            #expect(gateway.search.asked.allSatisfy { $0.head.headers["x-madang-principal"].isEmpty })
        }
    }

    @Test func whoAsksGoesAlong() async throws {
        try await SearchWorld(found: SearchTests.everything).run { (gateway) async throws in
            let path =
                "/api/v2/search?q=tea&type[]=statuses&type[]=messages&type[]=channels&type[]=playgrounds&offset=20"
            let answer = try await gateway.joined(path, token: "good-7-9")
            #expect(answer.status == 200, "\(answer)")
            #expect(answer.ids("statuses") == ["9", "8"] && answer.ids("accounts") == [])
            #expect(answer.ids("playgrounds") == ["21"] && answer.ids("channels") == ["22"])
            #expect(answer.ids("messages") == ["23"])
            let highlights = answer.object["highlights"] as? [String: [String: String]]
            #expect(highlights?["messages"] == ["23": "<em>tea</em>!"])
            #expect(answer.head.contains("cache-control: private, no-store"))
            for service in [gateway.search, gateway.posts, gateway.chat] {
                #expect(service.asked.allSatisfy { $0.head.headers["x-madang-principal"] == ["signed-7"] })
            }
            #expect(
                gateway.search.asked.first?.body.contains(#""kinds":["post","playground","channel","message"]"#) == true
            )
            #expect(gateway.search.asked.first?.body.contains(#""offset":20"#) == true)
        }
    }

    @Test func theOlderFormHasHashtagsAsTexts() async throws {
        try await SearchWorld(found: SearchTests.everything).run { (gateway) async throws in
            let answer = try await gateway.joined("/api/v1/search?q=tea")
            #expect(answer.object["hashtags"] as? [String] == ["tea"] && answer.ids("statuses") == ["9", "8"])
        }
    }

    /// A pasted address needs no index: also one that is written as a browser or another program writes it.
    @Test(arguments: [
        ("http://localhost:3000/@mina/115", "statuses", ["115"]),
        ("http://localhost:3000/@mina", "accounts", ["name-mina"]),
        ("  https://LOCALHOST:3000/@Mina/115/?a=b#c ", "statuses", ["115"]),
        ("http://localhost:3000/users/mina/statuses/115", "statuses", ["115"]),
        ("http://localhost:3000/users/mina", "accounts", ["name-mina"]),
        ("http://localhost:3000/%40mina", "accounts", ["name-mina"]),
    ])
    func anAddressOfOursIsResolved(text: String, kind: String, ids: [String]) async throws {
        try await SearchWorld(search: .close).run { (gateway) async throws in
            let query = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            for path in ["/api/v2/search?q=\(query)", "/api/v2/search?q=\(query)&type=\(kind)&resolve=false"] {
                let answer = try await gateway.joined(path, token: "good-7-9")
                #expect(answer.ids(kind) == ids, "\(answer)")
                #expect(["accounts", "statuses"].compactMap { answer.ids($0)?.count }.reduce(0, +) == 1)
            }
            #expect(gateway.search.asked.isEmpty)
            let other = kind == "accounts" ? "statuses" : "accounts"
            let none = try await gateway.joined("/api/v2/search?q=\(query)&type=\(other)", token: "good-7-9")
            #expect(
                none.body
                    == #"{"accounts":[],"statuses":[],"hashtags":[],"highlights":\#(other == "statuses" ? #"{"statuses":{}}"# : "{}")}"#
            )
        }
    }

    @Test func anAddressOfATagIsResolved() async throws {
        let found = #"{"hashtag":[{"name":"teapot","url":"u"},{"name":"차","url":"v"}]}"#
        try await SearchWorld(found: found).run { (gateway) async throws in
            let answer = try await gateway.joined("/api/v2/search?q=http%3A%2F%2Flocalhost%3A3000%2Ftags%2F%EC%B0%A8")
            #expect((answer.object["hashtags"] as? [[String: String]])?.map { $0["name"] } == ["차"], "\(answer)")
            #expect(gateway.search.asked.first?.body.contains(##""text":"#차","kinds":["hashtag"]"##) == true)
        }
    }

    /// Whoever is called so is found before the index knows them; nobody elsewhere is.
    @Test func aWholeNameNeedsNoIndex() async throws {
        try await SearchWorld().run { (gateway) async throws in
            for q in ["mina", "@mina", "MINA", "@mina@localhost:3000", "mina%40LOCALHOST:3000%20"] {
                let answer = try await gateway.joined(
                    "/api/v2/search?q=\(q)&type=accounts&resolve=true",
                    token: "good-7-9"
                )
                #expect(answer.ids("accounts") == ["name-mina"], "\(q): \(answer)")
            }
            let foreign = try await gateway.joined("/api/v2/search?q=@mina@elsewhere.example&type=accounts")
            #expect(foreign.ids("accounts") == [])
            // The next page does not begin with them again.
            let next = try await gateway.joined("/api/v2/search?q=mina&offset=20", token: "good-7-9")
            #expect(next.ids("accounts") == [])
        }
    }

    @Test(arguments: [
        ("", nil, 400), ("q=a&type=nothing", nil, 422), ("q=a%00", nil, 400), ("q=a&limit=x", nil, 400),
        ("q=a&max_id=x", nil, 400), ("q=a&account_id=x", nil, 400), ("q=a&following=x", nil, 400),
        ("q=a&offset=1", nil, 401), ("q=a&resolve=true", nil, 401), ("q=a&following=true", nil, 401),
        ("q=a&type=messages", nil, 401), ("q=a&type=messages", "good-7-9:read/search", 403),
        ("q=a", "good-7-9:write", 403), ("q=a", "good-7-9:read/search", 200), ("q=a&offset=1", "good-7-9:read", 200),
        ("q=%20", nil, 200), ("q=", nil, 200), ("q=a&type=", nil, 200), ("q=a&resolve=false&offset=0", nil, 200),
        ("q=a&limit=-9223372036854775808", nil, 200), ("q=a&limit=9223372036854775807", nil, 200),
        ("q=%25_%5C%22-", nil, 200), ("q=a&exclude_unreviewed=1", nil, 200), ("q[]=a", nil, 400),
    ])
    func whatIsAskedIsChecked(query: String, token: String?, status: Int) async throws {
        try await SearchWorld().run { (gateway) async throws in
            let answer = try await gateway.joined("/api/v2/search?\(query)", token: token)
            #expect(answer.status == status, "\(answer)")
            if status != 200 { #expect(answer.object["error"] is String && answer.object["request_id"] is String) }
        }
    }

    @Test func aLongQueryIsAQuery() async throws {
        try await SearchWorld().run { (gateway) async throws in
            let words = Array(repeating: "%EC%B0%A8", count: 800).joined(separator: "+")
            #expect(try await gateway.joined("/api/v2/search?q=\(words)").status == 200)
            let many = Array(repeating: "a", count: 1000).joined(separator: "+")
            #expect(try await gateway.joined("/api/v2/search?q=\(many)").status == 200)
        }
    }

    /// Whatever search does instead of answering: come again in a moment, and nothing else suffers.
    @Test(arguments: [
        FakeService.Behaviour.close, .answer(.internalServerError, [], "{}"), .answer(.ok, [], "[]"),
        .answer(.serviceUnavailable, [("retry-after", "7")], "{}"),
        .rawThenClose("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"),
    ])
    func searchThatIsAwayIsSaid(_ behaviour: FakeService.Behaviour) async throws {
        try await SearchWorld(search: behaviour).run { (gateway) async throws in
            for path in [
                "/api/v2/search?q=tea", "/api/v1/search?q=tea", "/api/v1/accounts/search?q=tea",
                "/api/v1/trends/statuses",
                "/api/v2/suggestions", "/api/v1/suggestions", "/api/v1/playgrounds/5/search?q=tea",
                "/api/v1/search/projects?q=tea", "/api/v1/search/records?q=tea",
            ] {
                let answer = try await gateway.joined(path, token: "good-7-9")
                #expect(answer.status == 503, "\(path): \(answer)")
                #expect(answer.head.contains("retry-after: "), "\(path)")
                #expect(answer.object["code"] as? String == "unavailable")
            }
            #expect(gateway.posts.asked.isEmpty && gateway.chat.asked.isEmpty)
            #expect(
                try await gateway.ask("GET", "/api/v1/timelines/home", token: "good-7-9").hasPrefix("HTTP/1.1 200 ")
            )
        }
    }

    @Test func whatAnOwnerRefusesIsPassedOn() async throws {
        let world = SearchWorld(
            found: SearchTests.everything,
            chat: .answer(.forbidden, [("content-type", "application/json")], #"{"code":"missing-scope","status":403}"#)
        )
        try await world.run { (gateway) async throws in
            let answer = try await gateway.joined("/api/v2/search?q=tea&type=messages", token: "good-7-9")
            #expect(answer.status == 403 && answer.object["code"] as? String == "missing-scope")
        }
    }

    /// The eleventh of an account at a time waits for its turn.
    @Test func searchesOfOneAccountTakeTurns() async throws {
        let gate = Gate()
        try await SearchWorld(search: .held(gate, .answer(.ok, [], "{}"))).run { (gateway) async throws in
            try await withThrowingTaskGroup(of: Int.self) { tasks in
                for _ in 0..<12 {
                    tasks.addTask { try await gateway.joined("/api/v2/search?q=tea", token: "good-7-9").status }
                }
                try await eventually("ten are under way") { gateway.search.asked.count == 10 }
                #expect(
                    try await gateway.ask("GET", "/api/v1/timelines/home", token: "good-7-9").hasPrefix("HTTP/1.1 200 ")
                )
                #expect(gateway.search.asked.count == 10)
                gate.open()
                for try await status in tasks { #expect(status == 200) }
            }
            #expect(gateway.search.asked.count == 12)
            try await eventually("no place is held") { gateway.dependencies.costly.isIdle }
        }
    }
}
