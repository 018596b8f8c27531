// SPDX-License-Identifier: Apache-2.0
// No answer tells why a project or an application is not there, and nothing that a client sends is the server's fault.

import Domain
import Events
import Foundation
import HTTPTypes
import Postgres
import Support
import Surface
import Testing
import Web

@testable import PostsService

@Suite struct ProjectAccessTests {
    /// S2: another's draft, a deleted project, one of somebody who blocks and none at all are answered alike.
    @Test func absentProjectsAreAllAlike() async throws {
        try await GraphWorld.run { world in
            let (ann, bob) = (try await world.person("ann"), try await world.person("bob"))
            let foe = try await world.person("foe")
            let draft = try await world.project(by: ann, ["publish": false]).id
            let deleted = try await world.project(by: ann).id
            #expect(try await world.send(.delete, "/api/v1/projects/\(deleted)", as: ann).code == 200)
            let blocked = try await world.project(by: foe).id
            try await world.relate("block", bob, as: foe)
            for route in Routes.projects where route.path.hasPrefix("/api/v1/projects/:id") {
                for reader in [bob, nil] {
                    if reader == nil, case .account = route.access { continue }
                    var answers: [Answer] = []
                    let absent = reader == nil ? [draft, deleted, "12345"] : [draft, deleted, blocked, "12345"]
                    for id in absent {
                        let path = route.path.replacing(":id", with: id).replacing(":account_id", with: "\(ann.id)")
                        let body = #"{"title":"x","role_id":"7","account_id":"\#(ann.id)"}"#
                        answers.append(
                            try await world.send(route.method, path, as: reader, type: "application/json", body: body)
                        )
                    }
                    let first = try #require(answers.first)
                    #expect((400..<500).contains(first.code), "\(route.method) \(route.path)")
                    for answer in answers {
                        #expect(answer.code == first.code, "\(route.method) \(route.path)")
                        #expect(answer.text == first.text, "\(route.method) \(route.path)")
                        #expect(answer.headers == first.headers, "\(route.method) \(route.path)")
                    }
                }
            }
        }
    }

    @Test func absentApplicationsAreAllAlike() async throws {
        try await GraphWorld.run { world in
            let (ann, bob, cat) = (
                try await world.person("ann"), try await world.person("bob"), try await world.person("cat")
            )
            let application = try #require(
                try await world.apply(to: try await world.project(by: ann), as: bob).string("id")
            )
            for route in Routes.projects where route.path.hasPrefix("/api/v1/applications/:id") {
                let answers = [
                    try await world.send(route.method, route.path.replacing(":id", with: application), as: cat),
                    try await world.send(route.method, route.path.replacing(":id", with: "12345"), as: cat),
                ]
                #expect(answers[0].code == 404 && answers[0].text == answers[1].text, "\(route.method) \(route.path)")
                #expect(answers[0].headers == answers[1].headers)
            }
        }
    }

    /// What only a leader may do is refused to everybody else who sees the project, and changes nothing.
    @Test func onlyTheLeaderLeads() async throws {
        try await GraphWorld.run { world in
            let (ann, bob, cat) = (
                try await world.person("ann"), try await world.person("bob"), try await world.person("cat")
            )
            let made = try await world.project(by: ann)
            let id = try made.id
            try await world.join(made, as: bob, leader: ann)
            let before = try await world.get("/api/v1/projects/\(id)").text
            let told = try await world.events().count
            let asks: [(HTTPRequest.Method, String)] = [
                (.patch, ""), (.delete, ""), (.post, "/publish"), (.post, "/close"), (.post, "/reopen"),
                (.post, "/finish"), (.post, "/transfer"), (.get, "/applications"), (.delete, "/members/\(ann.id)"),
            ]
            for (method, tail) in asks {
                for person in [bob, cat] {
                    let body = #"{"title":"mine","account_id":"\#(person.id)"}"#
                    let path = "/api/v1/projects/\(id)\(tail)"
                    let answer = try await world.send(method, path, as: person, type: "application/json", body: body)
                    #expect(answer.code == 403, "\(method) \(path)")
                }
            }
            #expect(try await world.get("/api/v1/projects/\(id)").text == before)
            #expect(try await world.events().count == told)
        }
    }

    /// Members that the server alone decides on are not the client's to set.
    @Test func whatTheServerDecidesIsNotTaken() async throws {
        try await GraphWorld.run { world in
            let (ann, bob) = (try await world.person("ann"), try await world.person("bob"))
            let made = try await world.project(
                by: ann,
                [
                    "id": "5", "state": "finished", "leader_id": "\(bob.id)", "applications_count": 99,
                    "views_count": 99, "playground_id": "7", "channel_id": "8", "version": 1000,
                    "published_at": "2020-01-01T00:00:00Z", "members_count": 50,
                ]
            )
            #expect(try made.id != "5" && made.state == "recruiting")
            #expect(made["applications_count"] as? Int == 0 && made["views_count"] as? Int == 0)
            #expect(made["playground_id"] is NSNull && made["members_count"] as? Int == 1)
            #expect(made["published_at"] as? String == "2026-01-02T03:04:05.678Z")
            let path = "/api/v1/projects/\(try made.id)/applications"
            let answer = try await world.send(
                .post,
                path,
                as: bob,
                [
                    "role_id": try world.role("iOS", of: made), "state": "accepted", "account_id": "\(ann.id)",
                    "note": "x",
                ]
            )
            #expect(try answer.string("state") == "open" && answer.string("note")?.isEmpty == true)
            let account = try #require(try answer.object["account"] as? [String: Any])
            #expect(account["id"] as? String == bob.id.description)
        }
    }

    @Test func nothingSentIsOurFault() async throws {
        try await GraphWorld.run { world in
            let ann = try await world.person("ann")
            let made = try await world.project(by: ann)
            let id = try made.id
            let bodies = [
                #"{"title":{"a":1}}"#, #"{"title":["a"]}"#, #"{"title":"a\u0000b"}"#, #"[]"#, "{", "",
                #"{"title":"x","text":"\u0000"}"#, #"{"title":"x","roles":{"a":1}}"#, #"{"title":"x","roles":[7]}"#,
                #"{"title":"x","roles":[{"name":"a","wanted":9223372036854775807}]}"#,
                #"{"title":"x","roles":[{"name":"a","wanted":-1}]}"#, #"{"title":"x","tags":[{"a":1}]}"#,
                #"{"title":"x","tags":"\u0000"}"#, #"{"title":"x","deadline":"9999-99-99T00:00:00Z"}"#,
                #"{"title":"x","starts_on":"٢٠٢٦-٠١-٠١"}"#, #"{"title":"x","contact_url":"\u0000"}"#,
                #"{"title":"x","text":"\#(String(repeating: "가", count: 5001))"}"#,
                #"{"title":"x","text":"\#(String(repeating: "\\u0001", count: 4999))"}"#,
                #"{"title":"x","language":"\u0000"}"#, #"{"title":"x","media_ids":["7"]}"#,
                #"{"title":"x","roles":\#(String(repeating: "[", count: 400))}"#,
            ]
            for body in bodies {
                for (method, path) in [(HTTPRequest.Method.post, ""), (.patch, "/\(id)")] {
                    let answer = try await world.send(
                        method,
                        "/api/v1/projects\(path)",
                        as: ann,
                        type: "application/json",
                        body: body
                    )
                    let isNothing = body.isEmpty || body == "[]"
                    #expect((isNothing && method == .patch) || (400..<500).contains(answer.code), "\(body.prefix(80))")
                }
            }
            // As much as is allowed.
            let whole = try await world.send(
                .post,
                "/api/v1/projects",
                as: ann,
                [
                    "title": String(repeating: "👩‍👩‍👧‍👦", count: 10), "text": String(repeating: "가", count: 5000),
                    "publish": true,
                    "roles": (0..<10).map { ["name": "role \($0)", "wanted": 9] } as [[String: any Sendable]],
                    "deadline": "9999-12-31T23:59:59Z", "starts_on": "9999-12-31",
                ]
            )
            #expect(whole.code == 200, "\(whole.text.prefix(300))")
            let numbers = ["0", "-1", "9223372036854775808", "1e9", "abc", "", "%00", "%FF", "٣"]
            for number in numbers {
                for list in ["projects", "projects/bookmarks", "applications", "accounts/\(ann.id)/projects"] {
                    for name in ["limit", "max_id", "min_id", "since_id", "state", "sort", "tag", "as"] {
                        let code = try await world.get("/api/v1/\(list)?\(name)=\(number)", as: ann).code
                        #expect(code < 500, "\(list) \(name)=\(number)")
                    }
                }
                for tail in ["publish", "leave", "bookmark", "members/\(number)", "applications"] where !number.isEmpty
                {
                    let code = try await world.send(.post, "/api/v1/projects/\(number)/\(tail)", as: ann).code
                    #expect((400..<500).contains(code), "\(number)/\(tail)")
                }
            }
        }
    }
}
