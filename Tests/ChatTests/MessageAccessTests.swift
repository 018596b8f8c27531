// SPDX-License-Identifier: Apache-2.0
// Every route of messages, reading and direct channels against every kind of token.

import Domain
import HTTPTypes
import Postgres
import Surface
import Testing
import Web

@testable import ChatService

@Suite struct MessageAccessTests {
    /// What each route needs, spelled out once more: a route that is not here fails.
    private static let scopes: [String: String] = [
        "GET /api/v1/direct_channels": "read:chat",
        "POST /api/v1/direct_channels": "write:chat",
        "GET /api/v1/direct_channels/requests": "read:chat",
        "POST /api/v1/channels/:id/accept": "write:chat",
        "POST /api/v1/channels/:id/decline": "write:chat",
        "GET /api/v1/channels/:id/messages": "read:chat",
        "POST /api/v1/channels/:id/messages": "write:chat",
        "GET /api/v1/channels/:id/pins": "read:chat",
        "GET /api/v1/messages/:id": "read:chat",
        "PATCH /api/v1/messages/:id": "write:chat",
        "DELETE /api/v1/messages/:id": "write:chat",
        "GET /api/v1/messages/:id/thread": "read:chat",
        "GET /api/v1/messages/:id/reactions": "read:chat",
        "PUT /api/v1/messages/:id/reactions/:emoji": "write:chat",
        "DELETE /api/v1/messages/:id/reactions/:emoji": "write:chat",
        "POST /api/v1/messages/:id/pin": "write:chat",
        "POST /api/v1/messages/:id/unpin": "write:chat",
        "POST /api/v1/channels/:id/read": "write:chat",
        "POST /api/v1/channels/:id/unread": "write:chat",
        "GET /api/v1/channels/:id/unread": "read:chat",
        "GET /api/v1/conversations-overview": "read:chat",
        "GET /internal/rooms": "read:chat",
        "POST /internal/missed": "read:chat",
        "POST /internal/found": "read:chat",
        "GET /internal/channels/:id/messages": "internal",
        "POST /internal/channels/:id/messages": "write:chat",
        "POST /internal/messages": "internal",
        "POST /internal/positions": "internal",
    ]

    @Test func everyRouteNeedsItsScope() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let routes = Routes.directChannels + Routes.messages + Routes.reading + Routes.calls
            #expect(Set(routes.map { "\($0.method) \($0.path)" }) == Set(MessageAccessTests.scopes.keys))
            for route in routes {
                let name = "\(route.method) \(route.path)"
                let path =
                    "/"
                    + route.path.split(separator: "/").map { $0.hasPrefix(":") ? "1" : String($0) }
                    .joined(separator: "/")
                func code(_ principal: Principal?) async -> Int {
                    let request = Request(method: route.method, path: path, principal: principal)
                    return await world.responder.respond(to: request).code
                }
                let needed = try #require(MessageAccessTests.scopes[name])
                if needed == "internal" {
                    #expect(await code(try ChatWorld.principal(a)) == 404, "\(name)")
                    continue
                }
                #expect(await code(nil) == 401, "\(name)")
                #expect(await code(try ChatWorld.principal(nil)) == 422, "\(name)")
                let other = needed == "read:chat" ? "write read:statuses" : "read write:statuses"
                #expect(await code(try ChatWorld.principal(a, scopes: other)) == 403, "\(name)")
                let right = await code(try ChatWorld.principal(a, scopes: needed))
                #expect([200, 404, 422].contains(right), "\(name): \(right)")
                #expect(Scope(needed) != nil)
            }
        }
    }

    /// Somebody who signed up a moment ago can be written to and can answer, whatever has been heard of them.
    @Test func whoIsNewCanTalk() async throws {
        try await ChatWorld.run { world in
            let a = try world.stranger("ann")
            let b = try await world.person("bo")
            let opened = try await world.post("/api/v1/direct_channels", as: a, ["account_ids": [b.id.description]])
            #expect(opened.code == 201)
            let id = try #require(try opened.string("id"))
            try await world.said("hi", in: id, as: a)
            #expect(try await world.get("/api/v1/channels/\(id)/messages", as: b).list.count == 1)
        }
    }

    @Test func onlyWhoBelongsMayRead() async throws {
        try await ChatWorld.run { world in
            let a = try await world.person("ann")
            let b = try await world.person("bo")
            let c = try await world.person("cy")
            let open = try await world.room([a], outside: [b])
            let closed = try await world.room([a], type: "private", outside: [b])
            let inOpen = try await world.said("open", in: open, as: a)
            let inClosed = try await world.said("closed", in: closed, as: a)
            // Of the playground but not in the channel: sees the public one, may not speak in it.
            #expect(try await world.texts(open, as: b) == ["open"])
            #expect(try await world.say("hi", in: open, as: b).code == 403)
            #expect(try await world.put("/api/v1/messages/\(inOpen)/reactions/👍", as: b).code == 403)
            #expect(try await world.post("/api/v1/messages/\(inOpen)/pin", as: b).code == 403)
            #expect(try await world.post("/api/v1/channels/\(open)/read", as: b).code == 403)
            for (channel, message, person) in [(closed, inClosed, b), (open, inOpen, c), (closed, inClosed, c)] {
                #expect(try await world.get("/api/v1/channels/\(channel)/messages", as: person).code == 404)
                #expect(try await world.get("/api/v1/channels/\(channel)/pins", as: person).code == 404)
                #expect(try await world.get("/api/v1/channels/\(channel)/unread", as: person).code == 404)
                #expect(try await world.post("/api/v1/channels/\(channel)/read", as: person).code == 404)
                #expect(try await world.post("/api/v1/channels/\(channel)/unread?seq=1", as: person).code == 404)
                #expect(try await world.say("hi", in: channel, as: person).code == 404)
                let path = "/api/v1/messages/\(message)"
                #expect(try await world.get(path, as: person).code == 404)
                #expect(try await world.patch(path, as: person, ["text": "x"]).code == 404)
                #expect(try await world.delete(path, as: person).code == 404)
                #expect(try await world.get("\(path)/thread", as: person).code == 404)
                #expect(try await world.get("\(path)/reactions", as: person).code == 404)
                #expect(try await world.put("\(path)/reactions/👍", as: person).code == 404)
                #expect(try await world.delete("\(path)/reactions/👍", as: person).code == 404)
                #expect(try await world.post("\(path)/pin", as: person).code == 404)
                #expect(try await world.post("\(path)/unpin", as: person).code == 404)
            }
            _ = try await world.database.query("UPDATE channels SET archived_at = now()")
            #expect(try await world.say("late", in: open, as: a).string("code") == "archived")
            #expect(try await world.patch("/api/v1/messages/\(inOpen)", as: a, ["text": "x"]).code == 409)
            #expect(try await world.texts(open, as: a) == ["open"])
        }
    }
}
