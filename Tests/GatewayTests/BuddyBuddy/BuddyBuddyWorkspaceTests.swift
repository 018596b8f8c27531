// SPDX-License-Identifier: Apache-2.0
// Workspaces and channels, as Buddy Buddy asks for them.

import NIOHTTP1
import Support
import Testing

@testable import GatewayService

@Suite(.againstHanging) struct BuddyBuddyWorkspaceTests {
    private typealias World = BuddyBuddyWorld

    @Test func listsShowsAndChangesWorkspaces() async throws {
        let world = World(chat: [
            "GET /api/v1/playgrounds?limit=200": (.ok, "[\(World.playground)]"),
            "GET /api/v1/playgrounds/11": (.ok, World.playground),
            "GET /api/v1/playgrounds/11/channels": (.ok, "[\(World.channel())]"),
            "GET /api/v1/playgrounds/11/members?limit=200": (.ok, "[\(World.person("8", "jun", role: "member"))]"),
            "GET /api/v1/playgrounds/12": (
                .ok, World.playground.replacing(#""11""#, with: #""12""#).replacing(#""owner","#, with: "null,")
            ),
            "POST /api/v1/playgrounds": (.created, World.playground),
            "PATCH /api/v1/playgrounds/11": (.ok, World.playground),
            "DELETE /api/v1/playgrounds/11": (.ok, "{}"),
            "POST /api/v1/playgrounds/11/transfer": (.ok, "{}"),
            "POST /api/v1/playgrounds/11/leave": (.ok, "{}"),
        ])
        try await world.run { (gateway) async throws in
            for path in ["/v1/workspaces", "/v1/workspaces/", "//v1/workspaces/"] {
                #expect(try await gateway.app("GET", path) == AppAnswer(200, "[\(World.workspace)]"))
            }
            let whole = AppAnswer(200, World.workspace(containing: [World.channelOut + "}"], [World.user("8", "jun")]))
            #expect(try await gateway.app("GET", "/v1/workspaces/11") == whole)
            // Who is not in an open one is told that there is nothing rather than nothing at all.
            let outside = World.workspace(containing: [], []).replacing(#""11""#, with: #""12""#)
            #expect(try await gateway.app("GET", "/v1/workspaces/12") == AppAnswer(200, outside))
            let fields = [("name", "Yard"), ("description", "A \"place\"")]
            #expect(try await gateway.form("POST", "/v1/workspaces", fields) == AppAnswer(200, World.workspace))
            #expect(gateway.chat.asked.last?.body == #"{"name":"Yard","description":"A \"place\""}"#)
            let edited = try await gateway.form(
                "PUT",
                "/v1/workspaces/11",
                [("name", "N")],
                type: "multipart/form-data"
            )
            #expect(edited == AppAnswer(200, World.workspace))
            #expect(gateway.chat.asked.last?.body == #"{"name":"N"}"#)
            let transfer = "/v1/workspaces/11/transfer/ownership"
            #expect(try await gateway.app("PUT", transfer, json: #"{"owner_id":"8"}"#) == whole)
            #expect(gateway.chat.asked("/api/v1/playgrounds/11/transfer").first?.body == #"{"account_id":"8"}"#)
            #expect(try await gateway.app("GET", "/v1/workspaces/11/exit") == AppAnswer(200, "[\(World.workspace)]"))
            #expect(try await gateway.app("DELETE", "/v1/workspaces/11") == AppAnswer(200, "{}"))
            #expect(gateway.chat.asked.allSatisfy { $0.head.headers["x-madang-principal"] == ["signed-7"] })
        }
    }

    @Test func refusesAPictureOfAChannelInWords() async throws {
        try await World().run { (gateway) async throws in
            let path = "/v1/workspaces/11/channels"
            let answer = try await gateway.form("POST", path, [("name", "Yard")], file: "image")
            #expect(answer.status == 422 && answer.code == "E11" && answer.body.contains("uploads-not-available"))
            #expect(gateway.chat.asked.isEmpty)
        }
    }

    @Test func keepsTheOwner() async throws {
        let world = World(chat: [
            "POST /api/v1/playgrounds/11/leave": (.conflict, World.problem(409, "owner-must-transfer"))
        ])
        try await world.run { (gateway) async throws in
            let answer = try await gateway.app("GET", "/v1/workspaces/11/exit")
            #expect(answer.status == 409 && answer.code == "E15")
        }
    }

    @Test func listsMembersAndInvitesByCodeOnly() async throws {
        let world = World(
            chat: [
                "GET /api/v1/playgrounds/11": (.ok, World.playground),
                "GET /api/v1/playgrounds/11/members?limit=200": (
                    .ok, "[\(World.person("7", "mina", role: "owner")),{\"account\":\(World.person("8", "jun"))}]"
                ),
            ]
        )
        try await world.run { (gateway) async throws in
            #expect(
                try await gateway.app("GET", "/v1/workspaces/11/members")
                    == AppAnswer(200, "[\(World.user("7", "mina")),\(World.user("8", "jun"))]")
            )
            let invited = try await gateway.app("POST", "/v1/workspaces/11/members", json: #"{"email":"jun@x.yz"}"#)
            #expect(invited.status == 422 && invited.body.contains("mail-invitations-not-available"))
            #expect(gateway.auth.asked("/internal/emails").isEmpty)
        }
    }

    @Test func searches() async throws {
        var world = World(chat: [
            "GET /api/v1/playgrounds/11": (.ok, World.playground),
            "POST /internal/found": (
                .ok,
                #"{"playgrounds":[],"channels":[\#(World.channel())],"members":[\#(World.person("8", "jun"))],"messages":[]}"#
            ),
        ])
        world.search = ["POST /internal/search": (.ok, #"{"channel":[{"id":"21"}],"account":[{"id":"8"}]}"#)]
        try await world.run { (gateway) async throws in
            let answer = try await gateway.app("GET", "/v1/workspaces/11/search?keyword=%EC%A4%80%20%26")
            #expect(
                answer
                    == AppAnswer(
                        200,
                        World.workspace(containing: [World.channelOut + "}"], [World.user("8", "jun")])
                    )
            )
            #expect(
                gateway.search.asked.last?.body
                    == #"{"text":"준 &","kinds":["channel","account"],"limit":50,"offset":0,"place":11}"#
            )
            #expect(gateway.chat.asked.last?.body.contains(#""channels":["21"],"members":["8"]"#) == true)
        }
        // Search that is away is a fault that passes, in the app's words.
        world.search = [:]
        world.search["POST /internal/search"] = (.internalServerError, "{}")
        try await world.run { (gateway) async throws in
            let answer = try await gateway.app("GET", "/v1/workspaces/11/search?keyword=a")
            #expect(answer.status == 503 && answer.code == "E99", "\(answer)")
        }
    }

    @Test func listsShowsAndChangesChannels() async throws {
        let list = "[\(World.channel()),\(World.channel("22", member: false))]"
        let world = World(chat: [
            "GET /api/v1/playgrounds/11/channels": (.ok, list),
            "POST /api/v1/playgrounds/11/channels": (.created, World.channel()),
            "GET /api/v1/channels/21": (.ok, World.channel()),
            "GET /api/v1/channels/23": (.ok, World.channel("23", playground: "12")),
            "GET /api/v1/channels/21/members?limit=200": (.ok, "[\(World.person("8", "jun", role: "member"))]"),
            "PATCH /api/v1/channels/21": (.ok, World.channel()),
            "POST /api/v1/channels/21/leave": (.ok, "{}"),
            "POST /api/v1/channels/21/transfer": (.ok, "{}"),
            "DELETE /api/v1/channels/21": (.ok, "{}"),
        ])
        try await world.run { (gateway) async throws in
            let base = "/v1/workspaces/11"
            let mine = AppAnswer(200, "[\(World.channelOut)}]")
            #expect(try await gateway.app("GET", base + "/my-channels") == mine)
            #expect(try await gateway.app("GET", base + "/channels").body.contains(#""channel_id":"22""#))
            let json = #"{"name":"general","description":"for all"}"#
            #expect(
                try await gateway.app("POST", base + "/channels", json: json)
                    == AppAnswer(200, World.channelOut + "}")
            )
            #expect(
                gateway.chat.asked.last?.body == #"{"name":"general","description":"for all","type":"public"}"#
            )
            #expect(
                try await gateway.app("GET", base + "/channels/21")
                    == AppAnswer(200, World.channelOut + #","channelMembers":[\#(World.user("8", "jun"))]}"#)
            )
            #expect(
                try await gateway.app("GET", base + "/channels/21/members")
                    == AppAnswer(200, "[\(World.user("8", "jun"))]")
            )
            #expect(
                try await gateway.form("PUT", base + "/channels/21", [("description", "d")])
                    == AppAnswer(200, World.channelOut + "}")
            )
            #expect(gateway.chat.asked.last?.body == #"{"description":"d"}"#)
            #expect(
                try await gateway.app("PUT", base + "/channels/21/transfer/ownership", json: #"{"owner_id":"8"}"#)
                    == AppAnswer(200, World.channelOut + "}")
            )
            #expect(try await gateway.app("GET", base + "/channels/21/exit") == mine)
            #expect(try await gateway.app("DELETE", base + "/channels/21") == AppAnswer(200, "{}"))
            // A channel of another workspace is none of this one.
            #expect(try await gateway.app("GET", base + "/channels/23").code == "E13")
            #expect(try await gateway.app("DELETE", base + "/channels/23").code == "E13")
            #expect(gateway.chat.asked("/api/v1/channels/23").allSatisfy { $0.head.method == .GET })
        }
    }
}
