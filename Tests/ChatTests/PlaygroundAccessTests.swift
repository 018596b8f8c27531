// SPDX-License-Identifier: Apache-2.0
// Every route of playgrounds and channels against every kind of token and of person.

import Domain
import Foundation
import HTTPTypes
import Surface
import Testing
import Web

@testable import ChatService

/// One playground that nobody comes into by themselves, and everybody there can be.
private struct Cast {
    let owner: Somebody
    let admin: Somebody
    let member: Somebody
    let outsider: Somebody
    /// A member upon whom the others act.
    let target: Somebody
    let playground: String
    /// Made by a member; `target` is in it.
    let channel: String
    let hidden: String
    let code: String

    init(_ world: ChatWorld) async throws {
        let owner = try await world.person("owner")
        let people = try await ["admin", "member", "target", "keeper"].async { try await world.person($0) }
        let keeper = people[3]
        (self.owner, admin, member, target) = (owner, people[0], people[1], people[2])
        outsider = try await world.person("outsider")
        playground = try await world.playground(of: owner)
        for person in people { try await world.enter(playground, person) }
        let path = "/api/v1/playgrounds/\(playground)"
        _ = try await world.put("\(path)/members/\(admin.id)", as: owner, ["role": "admin"])
        _ = try await world.put("\(path)/members/\(keeper.id)", as: owner, ["role": "admin"])
        channel = try await world.channel("talk", in: playground, by: keeper)
        try await world.join(channel, target)
        hidden = try await world.channel("hidden", in: playground, by: keeper, type: "private")
        let added = try await world.post(
            "/api/v1/channels/\(hidden)/members",
            as: keeper,
            [
                "account_ids": [target.id.description]
            ]
        )
        try #require(added.code == 200)
        _ = try await world.patch(path, as: owner, ["open": false])
        code = try #require(try await world.post("\(path)/invites", as: owner).string("code"))
    }

    func path(_ route: Route<Dependencies>, channel: String) -> String {
        let isChannel = route.path.hasPrefix("/api/v1/channels/")
        return route.path.replacingOccurrences(of: ":account_id", with: target.id.description)
            .replacingOccurrences(of: ":code", with: code)
            .replacingOccurrences(of: ":id", with: isChannel ? channel : playground)
    }

    func body(_ route: Route<Dependencies>) -> [String: any Sendable] {
        let id = target.id.description
        return [
            "name": "New", "description": "d", "role": "admin", "account_id": id, "account_ids": [id], "q": "t",
            "notify": "none",
        ]
    }
}

extension Array {
    fileprivate func async<Value>(_ body: (Element) async throws -> Value) async throws -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}

@Suite struct PlaygroundAccessTests {
    private static let routes = Routes.playgrounds + Routes.channels

    /// Outsider, member, admin, owner. A route that is not here fails.
    private static let codes: [String: [Int]] = [
        "GET /api/v1/playgrounds": [200, 200, 200, 200],
        "POST /api/v1/playgrounds": [201, 201, 201, 201],
        "GET /api/v1/playgrounds/:id": [404, 200, 200, 200],
        "PATCH /api/v1/playgrounds/:id": [404, 403, 200, 200],
        "DELETE /api/v1/playgrounds/:id": [404, 403, 403, 200],
        "POST /api/v1/playgrounds/:id/join": [404, 200, 200, 200],
        "POST /api/v1/playgrounds/:id/leave": [404, 200, 200, 409],
        "GET /api/v1/playgrounds/:id/members": [404, 200, 200, 200],
        "PUT /api/v1/playgrounds/:id/members/:account_id": [404, 403, 403, 200],
        "DELETE /api/v1/playgrounds/:id/members/:account_id": [404, 403, 200, 200],
        "POST /api/v1/playgrounds/:id/transfer": [404, 403, 403, 200],
        "GET /api/v1/playgrounds/:id/bans": [404, 403, 200, 200],
        "POST /api/v1/playgrounds/:id/bans": [404, 403, 200, 200],
        "DELETE /api/v1/playgrounds/:id/bans/:account_id": [404, 403, 200, 200],
        "GET /api/v1/playgrounds/:id/invites": [404, 403, 200, 200],
        "POST /api/v1/playgrounds/:id/invites": [404, 403, 201, 201],
        "DELETE /api/v1/playgrounds/:id/invites/:code": [404, 403, 200, 200],
        "GET /api/v1/invites/:code": [200, 200, 200, 200],
        "POST /api/v1/invites/:code/accept": [200, 200, 200, 200],
        "GET /api/v1/playgrounds/:id/channels": [404, 200, 200, 200],
        "POST /api/v1/playgrounds/:id/channels": [404, 201, 201, 201],
        "GET /api/v1/channels/:id": [404, 200, 200, 200],
        "PATCH /api/v1/channels/:id": [404, 403, 200, 200],
        "DELETE /api/v1/channels/:id": [404, 403, 403, 200],
        "POST /api/v1/channels/:id/archive": [404, 403, 200, 200],
        "POST /api/v1/channels/:id/unarchive": [404, 403, 200, 200],
        "POST /api/v1/channels/:id/join": [404, 200, 200, 200],
        "POST /api/v1/channels/:id/leave": [404, 200, 200, 200],
        "GET /api/v1/channels/:id/members": [404, 200, 200, 200],
        "POST /api/v1/channels/:id/members": [404, 403, 200, 200],
        "PUT /api/v1/channels/:id/members/:account_id": [404, 403, 403, 200],
        "DELETE /api/v1/channels/:id/members/:account_id": [404, 403, 200, 200],
        "POST /api/v1/channels/:id/transfer": [404, 403, 403, 200],
        "PUT /api/v1/channels/:id/notifications": [404, 403, 403, 403],
    ]

    @Test func everyRouteKnowsWhoMay() async throws {
        let names = PlaygroundAccessTests.routes.map { "\($0.method) \($0.path)" }
        #expect(Set(names) == Set(PlaygroundAccessTests.codes.keys))
        #expect(Set(names).count == names.count)
        try await ChatWorld.run { world in
            for route in PlaygroundAccessTests.routes {
                let name = "\(route.method) \(route.path)"
                let expected = try #require(PlaygroundAccessTests.codes[name], "\(name)")
                for (place, code) in expected.enumerated() {
                    let cast = try await Cast(world)
                    let person = [cast.outsider, cast.member, cast.admin, cast.owner][place]
                    let path = cast.path(route, channel: cast.channel)
                    let answer = try await world.send(route.method, path, as: person, cast.body(route))
                    #expect(answer.code == code, "\(name) as number \(place): \(answer.text)")
                }
            }
        }
    }

    @Test func nobodyButItsMembersKnowsAPrivateChannel() async throws {
        try await ChatWorld.run { world in
            let cast = try await Cast(world)
            let before = try await world.events().count
            for route in PlaygroundAccessTests.routes where route.path.hasPrefix("/api/v1/channels/") {
                for person in [cast.outsider, cast.member, cast.admin, cast.owner] {
                    let path = cast.path(route, channel: cast.hidden)
                    let answer = try await world.send(route.method, path, as: person, cast.body(route))
                    #expect(answer.code == 404, "\(route.method) \(route.path)")
                }
            }
            for person in [cast.owner, cast.admin, cast.member] {
                let list = try await world.get("/api/v1/playgrounds/\(cast.playground)/channels", as: person)
                #expect(try list.strings("name") == ["general", "talk"])
                let found: [String: any Sendable] = [
                    "playground_id": "\(cast.playground)", "name": "hidden", "channels": ["\(cast.hidden)"],
                ]
                let shown = try await world.post("/internal/found", as: person, found)
                #expect(try shown.object["channels"] as? [String] == [])
            }
            let list = try await world.get("/api/v1/playgrounds/\(cast.playground)/channels", as: cast.target)
            #expect(try list.strings("name") == ["general", "hidden", "talk"])
            #expect(try await world.events().count == before)
        }
    }

    @Test func everyRouteNeedsItsToken() async throws {
        try await ChatWorld.run { world in
            let cast = try await Cast(world)
            for route in PlaygroundAccessTests.routes {
                let name = "\(route.method) \(route.path)"
                let path = cast.path(route, channel: cast.channel)
                func code(_ principal: Principal?) async -> Int {
                    await world.responder.respond(to: Request(method: route.method, path: path, principal: principal))
                        .code
                }
                guard case .account(let scope?) = route.access else {
                    // Only what an invitation leads to is shown to everybody.
                    #expect(name == "GET /api/v1/invites/:code")
                    #expect(await code(nil) == 200)
                    continue
                }
                #expect(Scope(scope.text) != nil)
                #expect(await code(nil) == 401, "\(name)")
                #expect(await code(try ChatWorld.principal(nil)) == 422, "\(name)")
                let other = scope.text == "read:chat" ? "write read:statuses" : "read write:statuses"
                #expect(await code(try ChatWorld.principal(cast.owner, scopes: other)) == 403, "\(name)")
                #expect(scope.text == (route.method == .get ? "read:chat" : "write:chat"), "\(name)")
            }
        }
    }

    /// An expired principal is none: the verifier gives nothing for it.
    @Test func anExpiredPrincipalIsNobody() throws {
        let key = Data((0..<32).map { UInt8($0) }).base64EncodedString()
        let signer = try #require(PrincipalSigner(privateKey: key))
        let account = Somebody(id: AccountID(1), username: try #require(Username("a")))
        let value = try signer.sign(try ChatWorld.principal(account))
        let during = PrincipalVerifier(publicKey: signer.publicKey, now: { ChatWorld.start })
        #expect(during?.principal(value)?.account?.id == AccountID(1))
        let after = ChatWorld.start + .seconds(301)
        #expect(PrincipalVerifier(publicKey: signer.publicKey, now: { after })?.principal(value) == nil)
    }

    /// An open playground is seen by everybody and entered by the banned by nobody.
    @Test func anOpenPlaygroundIsSeen() async throws {
        try await ChatWorld.run { world in
            let owner = try await world.person("owner")
            let guest = try await world.person("guest")
            let id = try await world.playground(of: owner)
            let path = "/api/v1/playgrounds/\(id)"
            let answer = try await world.get(path, as: guest)
            #expect(answer.code == 200)
            #expect(try answer.object["role"] is NSNull)
            for inner in ["members", "channels", "bans", "invites"] {
                #expect(try await world.get("\(path)/\(inner)", as: guest).code == 403, "\(inner)")
            }
            #expect(try await world.post("\(path)/leave", as: guest).code == 403)
            let banned = try await world.post("\(path)/bans", as: owner, ["account_id": guest.id.description])
            #expect(banned.code == 200)
            let refused = try await world.post("\(path)/join", as: guest)
            #expect(refused.code == 403)
            #expect(try refused.string("code") == "banned")
            let code = try #require(try await world.post("\(path)/invites", as: owner).string("code"))
            #expect(try await world.post("/api/v1/invites/\(code)/accept", as: guest).string("code") == "banned")
            #expect(try await world.delete("\(path)/bans/\(guest.id)", as: owner).code == 200)
            #expect(try await world.post("\(path)/join", as: guest).string("role") == "member")
        }
    }
}
