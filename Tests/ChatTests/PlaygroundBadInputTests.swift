// SPDX-License-Identifier: Apache-2.0
// Nothing that a client sends about playgrounds and channels is the server's fault.

import Domain
import Foundation
import HTTPTypes
import Surface
import Testing
import Web

@testable import ChatService

@Suite struct PlaygroundBadInputTests {
    private static let numbers = [
        "0", "-1", "1", "9223372036854775807", "-9223372036854775808", "9223372036854775808",
        "99999999999999999999999", "1e9", "abc", "%00", "%FF%FE", "1%27", "0x10", "٣", "%E0%A4%A",
    ]

    @Test func pathsOfEveryKind() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let id = try await world.playground(of: ann)
            let general = try await world.general(of: id, as: ann)
            for route in Routes.playgrounds + Routes.channels where route.path.contains(":") {
                for number in PlaygroundBadInputTests.numbers {
                    var path = route.path
                    // All of it bad, then only the last part.
                    for name in [":account_id", ":code", ":id"] {
                        path = path.replacingOccurrences(of: name, with: number)
                    }
                    let code = try await world.send(route.method, path, as: ann, ["role": "admin", "name": "x"]).code
                    #expect((400..<500).contains(code), "\(route.method) \(path): \(code)")
                    let place = route.path.hasPrefix("/api/v1/channels") ? general : id
                    path = route.path.replacingOccurrences(of: ":id", with: place)
                    guard path.contains(":") else { continue }
                    path = path.replacingOccurrences(of: ":account_id", with: number)
                        .replacingOccurrences(of: ":code", with: number)
                    let inner = try await world.send(route.method, path, as: ann, ["role": "admin"]).code
                    #expect(inner < 500, "\(route.method) \(path): \(inner)")
                }
            }
        }
    }

    @Test func numbersAndCursorsOfEveryKind() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let id = try await world.playground(of: ann)
            let general = try await world.general(of: id, as: ann)
            let lists = [
                "/api/v1/playgrounds", "/api/v1/playgrounds/\(id)/members", "/api/v1/playgrounds/\(id)/bans",
                "/api/v1/channels/\(general)/members",
            ]
            for list in lists {
                for name in ["limit", "max_id", "since_id", "min_id", "q"] {
                    for number in PlaygroundBadInputTests.numbers + [""] {
                        let code = try await world.get("\(list)?\(name)=\(number)", as: ann).code
                        #expect(code < 500, "\(list)?\(name)=\(number)")
                    }
                }
            }
            let path = "/api/v1/playgrounds/\(id)/invites"
            let wrong: [[String: any Sendable]] = [
                ["expires_in": 0], ["expires_in": -1], ["expires_in": Int64.max], ["expires_in": "soon"],
                ["max_uses": 0], ["max_uses": -5], ["max_uses": Int64.max], ["max_uses": 1.5], ["max_uses": [1]],
                ["expires_in": ["a": 1]],
            ]
            for body in wrong {
                let code = try await world.post(path, as: ann, body).code
                #expect(code == 422 || code == 400, "\(body)")
            }
        }
    }

    @Test func bodiesOfEveryKind() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let id = try await world.playground(of: ann)
            let general = try await world.general(of: id, as: ann)
            let bodies = [
                #"{"name":{"a":1}}"#, #"{"name":["a"]}"#, #"{"name":"a\u0000b"}"#, #"{"name":null}"#, "[]", "{", "",
                #"{"name":"   "}"#, #"{"name":"\u202e\u2066"}"#, #"{"name":"\n\t\r"}"#, #"{"name":"\ud800"}"#,
                #"{"name":"\#(String(repeating: "가", count: 81))"}"#,
                #"{"name":"\#(String(repeating: "a", count: 200_000))"}"#,
                #"{"name":"a\#(String(repeating: "\u{0301}", count: 700))"}"#,
                #"{"name":"x","description":"\#(String(repeating: "a", count: 1001))"}"#,
                #"{"name":"x","description":"\u0000"}"#, #"{"name":"x","open":"maybe"}"#, #"{"name":"x","open":[]}"#,
                #"{"name":"x","cover_id":"x"}"#, #"{"name":"x","cover_id":"9"}"#, #"{"name":"x","cover_id":{}}"#,
                String(repeating: "[", count: 100_000), String(repeating: #"{"name":"#, count: 20_000),
            ]
            for body in bodies {
                let answer = try await world.send(
                    .post,
                    "/api/v1/playgrounds",
                    as: ann,
                    type: "application/json",
                    body: body
                )
                #expect((400..<500).contains(answer.code), "\(body.prefix(60)): \(answer.code)")
            }
            for body in bodies.prefix(15) where body != "" && body != "[]" && !body.contains("null") {
                for path in ["/api/v1/playgrounds/\(id)", "/api/v1/channels/\(general)"] {
                    let code = try await world.send(.patch, path, as: ann, type: "application/json", body: body).code
                    #expect((400..<500).contains(code), "\(path) \(body.prefix(60)): \(code)")
                }
            }
            let people: [any Sendable] = ["x", "", "-1", "99999999999999999999", ["a"], [[String]](), 1.5, ["1"], true]
            for value in people {
                let body = ["account_id": value, "account_ids": value]
                for path in [
                    "playgrounds/\(id)/transfer", "playgrounds/\(id)/bans", "channels/\(general)/transfer",
                    "channels/\(general)/members",
                ] {
                    let code = try await world.post("/api/v1/\(path)", as: ann, body).code
                    #expect((400..<500).contains(code), "\(path) \(value): \(code)")
                }
                let role = try await world.put("/api/v1/playgrounds/\(id)/members/\(ann.id)", as: ann, ["role": value])
                #expect((400..<500).contains(role.code))
            }
            let many = (1...101).map { String($0) }
            let added = try await world.post("/api/v1/channels/\(general)/members", as: ann, ["account_ids": many])
            #expect(added.code == 422)
            let unknown = try await world.post("/api/v1/playgrounds", as: ann, ["name": "ok", "nonsense": [1, 2]])
            #expect(unknown.code == 201)
            let longest = String(repeating: "가", count: 80)
            #expect(try await world.post("/api/v1/playgrounds", as: ann, ["name": longest]).string("name") == longest)
        }
    }

    @Test func whatIsKeptIsClean() async throws {
        try await ChatWorld.run { world in
            let ann = try await world.person("ann")
            let hidden = "\u{200F}\u{202E}yard\u{2069}\u{0008}\u{FEFF}\u{0085}\u{001B}[31m"
            let made = try await world.post("/api/v1/playgrounds", as: ann, ["name": hidden, "description": hidden])
            #expect(try made.string("name") == "yard[31m")
            #expect(try made.string("description") == "yard[31m")
            let lines = try await world.post(
                "/api/v1/playgrounds",
                as: ann,
                ["name": "a\nb", "description": " 1\n\t2 "]
            )
            #expect(try lines.string("name") == "a b")
            #expect(try lines.string("description") == "1\n\t2")
        }
    }
}
