// SPDX-License-Identifier: Apache-2.0
// Every route: what it answers, to whom, and what it refuses.

import Domain
import Foundation
import HTTPTypes
import NotificationsService
import Surface
import Testing
import Web

@Suite(.serialized) struct RoutesTests {
    /// Account 1 has a favourite, a boost, a mention, a follow and a request to follow, all of account 2.
    private static var busy: [Happening] {
        var world = World()
        world.post(901, by: 1)
        world.like(901, by: 2)
        world.boost(901, by: 2)
        world.post(902, by: 2, mentioning: [1], answering: 901)
        world.follow(1, by: 2)
        world.requestToFollow(1, by: 3)
        return world.history
    }

    @Test func `the list by type, without types, by account`() async throws {
        try await Stage.run { stage in
            try await stage.apply(RoutesTests.busy)
            #expect(
                try await stage.list(1).map(\.type) == ["follow_request", "follow", "mention", "reblog", "favourite"]
            )
            #expect(
                try await stage.list(1, query: "types[]=mention&types[]=follow").map(\.type) == ["follow", "mention"]
            )
            #expect(try await stage.list(1, query: "types[]=poll").isEmpty)
            #expect(try await stage.list(1, query: "exclude_types[]=mention&exclude_types[]=follow").count == 3)
            #expect(try await stage.list(1, query: "account_id=3").map(\.type) == ["follow_request"])
            #expect(try await stage.list(1, query: "limit=100&include_filtered=true").count == 5)
        }
    }

    @Test func `pages by max_id, since_id and min_id`() async throws {
        try await Stage.run { stage in
            try await stage.apply(RoutesTests.busy)
            let ids = try await stage.list(1).map(\.id)
            #expect(try await stage.list(1, query: "limit=2").map(\.id) == Array(ids[0..<2]))
            #expect(try await stage.list(1, query: "limit=2&max_id=\(ids[1])").map(\.id) == Array(ids[2..<4]))
            #expect(try await stage.list(1, query: "limit=2&since_id=\(ids[4])").map(\.id) == Array(ids[0..<2]))
            #expect(try await stage.list(1, query: "limit=2&min_id=\(ids[4])").map(\.id) == Array(ids[2..<4]))
            let answer = try await stage.respond(
                .get,
                "/api/v1/notifications",
                query: "limit=2&max_id=\(ids[1])",
                as: 1
            )
            let name = try #require(HTTPField.Name("Link"))
            let link = try #require(answer.headers[name])
            #expect(link.contains("max_id=\(ids[3])"))
            #expect(link.contains("min_id=\(ids[2])"))
            #expect(link.contains("limit=2"))
        }
    }

    @Test func `dismissing one and clearing all`() async throws {
        try await Stage.run { stage in
            try await stage.apply(RoutesTests.busy)
            let first = try await stage.list(1).first
            let id = try #require(first?.id)
            #expect(try await stage.respond(.post, "/api/v1/notifications/\(id)/dismiss", as: 1).status == .ok)
            #expect(try await stage.respond(.post, "/api/v1/notifications/\(id)/dismiss", as: 1).status == .notFound)
            #expect(try await stage.respond(.get, "/api/v1/notifications/\(id)", as: 1).status == .notFound)
            #expect(try await stage.list(1).count == 4)
            #expect(try await stage.respond(.post, "/api/v1/notifications/clear", as: 1).status == .ok)
            #expect(try await stage.list(1).isEmpty)
            #expect(try await stage.respond(.post, "/api/v1/notifications/clear", as: 1).status == .ok)
        }
    }

    @Test func `unread since the marker`() async throws {
        try await Stage.run { stage in
            try await stage.apply(RoutesTests.busy)
            func unread(_ query: String = "") async throws -> String {
                let answer = try await stage.respond(.get, "/api/v1/notifications/unread_count", query: query, as: 1)
                return String(decoding: answer.body, as: UTF8.self)
            }
            #expect(try await unread() == #"{"count":5}"#)
            #expect(try await unread("limit=3") == #"{"count":3}"#)
            #expect(try await unread("types[]=mention") == #"{"count":1}"#)
            let ids = try await stage.list(1).map(\.id)
            let saved = try await stage.respond(
                .post,
                "/api/v1/markers",
                form: "notifications[last_read_id]=\(ids[1])",
                as: 1
            )
            #expect(saved.status == .ok)
            #expect(try await unread() == #"{"count":1}"#)
        }
    }

    @Test func `a marker that changed meanwhile is a conflict, and then none is saved`() async throws {
        try await Stage.run { stage in
            func save(_ form: String) async throws -> HTTPResponse.Status {
                try await stage.respond(.post, "/api/v1/markers", form: form, as: 1).status
            }
            #expect(try await save("home[last_read_id]=5") == .ok)
            #expect(try await save("home[last_read_id]=6&home[version]=1") == .ok)
            #expect(try await save("home[last_read_id]=7&home[version]=1&notifications[last_read_id]=8") == .conflict)
            let markers = try await stage.respond(
                .get,
                "/api/v1/markers",
                query: "timeline[]=home&timeline[]=notifications",
                as: 1
            )
            #expect(
                String(decoding: markers.body, as: UTF8.self)
                    == #"{"home":{"last_read_id":"6","version":2,"updated_at":"2026-03-01T12:00:00.000Z"}}"#
            )
            let other = try await stage.respond(.get, "/api/v1/markers", query: "timeline[]=home", as: 2)
            #expect(String(decoding: other.body, as: UTF8.self) == "{}")
        }
    }

    @Test func `every route refuses strangers, other scopes and other accounts`() async throws {
        try await Stage.run { stage in
            try await stage.apply(RoutesTests.busy)
            let ids = try await stage.list(1).map(\.id)
            let id = try #require(ids.first)
            for route in Routes.all {
                let path = route.path.replacingOccurrences(of: ":id", with: id)
                #expect(try await stage.respond(route.method, path, as: nil).status == .unauthorized, "\(path)")
                let other = try await stage.respond(route.method, path, as: 1, scopes: "read:lists write:lists profile")
                #expect(other.status == .forbidden, "\(path)")
                let crossed = route.method == .get ? "write" : "read"
                let wrong = try await stage.respond(route.method, path, as: 1, scopes: crossed)
                #expect(wrong.status == .forbidden, "\(path)")
                var request = Request(method: route.method, path: path)
                request.principal = Stage.principal(nil, scopes: try #require(ScopeSet("read write")))
                let app = await stage.responder.respond(to: request)
                #expect((400..<500).contains(app.status.code), "\(path)")
                let stranger = try await stage.respond(route.method, path, as: 4)
                if route.path.contains(":id") { #expect(stranger.status == .notFound, "\(path)") }
                #expect(!String(decoding: stranger.body, as: UTF8.self).contains("minji"), "\(path)")
            }
            #expect(try await stage.list(1).map(\.id) == ids)
        }
    }

    @Test func `a bad parameter is refused or means nothing`() async throws {
        let queries = [
            "limit=-1", "limit=9223372036854775808", "limit=1e400", "limit=NaN", "max_id=-1", "max_id=x", "max_id=",
            "max_id=99999999999999999999", "min_id=%00", "since_id=1;2", "account_id=me", "account_id=%ff",
        ]
        try await Stage.run { stage in
            for query in queries {
                for path in ["/api/v1/notifications", "/api/v1/notifications/unread_count"] {
                    let answer = try await stage.respond(.get, path, query: query, as: 1)
                    #expect([200, 400, 422].contains(answer.status.code), "\(path)?\(query) \(answer.status)")
                }
            }
        }
    }

    @Test func `an odd parameter never breaks anything`() async throws {
        let queries = [
            "types[]=%00", "types[]=%ff", "types[]=", "exclude_types[]=nothing", "types=mention", "limit=0", "max_id=0",
            "limit=2147483648", "limit=9223372036854775807", "max_id=9223372036854775807", "timeline[]=%00",
            "min_id=9223372036854775807", "since_id=9223372036854775807", "timeline[]=elsewhere",
        ]
        try await Stage.run { stage in
            for query in queries {
                for path in ["/api/v1/notifications", "/api/v1/notifications/unread_count", "/api/v1/markers"] {
                    let answer = try await stage.respond(.get, path, query: query, as: 1)
                    #expect(answer.status.code < 500, "\(path)?\(query) \(answer.status)")
                }
            }
        }
    }

    @Test func `a bad marker is refused`() async throws {
        let forms = [
            "home[last_read_id]=x", "home[last_read_id]=", "home[last_read_id]=-1", "home=1", "home[version]=1",
            "home[last_read_id]=99999999999999999999", "notifications[last_read_id]=1&notifications[version]=1.5",
        ]
        try await Stage.run { stage in
            for form in forms {
                let answer = try await stage.respond(.post, "/api/v1/markers", form: form, as: 1)
                #expect([400, 422].contains(answer.status.code), "\(form) \(answer.status)")
            }
        }
    }

    @Test func `an unknown notification is not found`() async throws {
        try await Stage.run { stage in
            for id in ["0", "x", "9223372036854775807", "99999999999999999999", "-1", "%00", "1%2F2"] {
                let shown = try await stage.respond(.get, "/api/v1/notifications/\(id)", as: 1)
                #expect(shown.status == .notFound, "\(id)")
                let dismissed = try await stage.respond(.post, "/api/v1/notifications/\(id)/dismiss", as: 1)
                #expect(dismissed.status == .notFound, "\(id)")
            }
        }
    }
}
