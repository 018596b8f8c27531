// SPDX-License-Identifier: Apache-2.0
// Messages, rooms and counts, as Buddy Buddy asks for them.

import NIOHTTP1
import Support
import Testing

@testable import GatewayService

@Suite(.againstHanging) struct BuddyBuddyChatTests {
    private typealias World = BuddyBuddyWorld

    private static func message(_ id: String, channel: String = "21", type: String = "public") -> String {
        BuddyBuddyMessageTests.message(id: id, channel: channel, type: type, text: "hi \(id)")
    }
    private static func chat(_ id: String) -> String {
        #"{"channel_id":"21","channelName":"general","chat_id":"\#(id)","content":"hi \#(id)","#
            + #""createdAt":"2026-11-21T05:00:00.123Z","files":[],"user":\#(user)}"#
    }
    private static func dm(_ id: String) -> String {
        #"{"dm_id":"\#(id)","room_id":"51","content":"hi \#(id)","createdAt":"2026-11-21T05:00:00.123Z","files":[],"#
            + #""user":\#(user)}"#
    }
    private static let user =
        #"{"user_id":"7","email":"","nickname":"미나","profileImage":"/assets/avatar.png"}"#
    private static let after = "after=2026-11-21T05%3A00%3A00.000Z"

    @Test func readsAndSendsInAChannel() async throws {
        let messages = "/api/v1/channels/21/messages"
        let world = World(chat: [
            "GET /api/v1/channels/21": (.ok, World.channel()),
            "GET \(messages)?limit=200": (.ok, "[\(Self.message("32")),\(Self.message("31"))]"),
            "GET \(messages)?limit=200&\(Self.after)": (.ok, "[\(Self.message("31")),\(Self.message("32"))]"),
            "POST \(messages)": (.created, Self.message("33")),
            "GET /api/v1/channels/21/unread?\(Self.after)": (.ok, #"{"channel_id":"21","unread_count":3}"#),
            "GET /api/v1/channels/21/unread": (.ok, #"{"channel_id":"21","unread_count":5}"#),
        ])
        try await world.run { (gateway) async throws in
            let base = "/v1/workspaces/11/channels/21"
            let both = AppAnswer(200, "[\(Self.chat("31")),\(Self.chat("32"))]")
            // Oldest first, with and without a cursor, however its plus sign and zone are written.
            for query in [
                "", "?cursor_date=", "?cursor_date=2026-11-21T05:00:00.000Z",
                "?cursor_date=2026-11-21T14%3A00%3A00.000%2B09:00", "?cursor_date=2026-11-21T14:00:00.000+09:00",
                "?cursor_date=never",
            ] {
                #expect(try await gateway.app("GET", base + "/chats" + query) == both)
            }
            let sent = try await gateway.form("POST", base + "/chats", [("content", "안녕 \"너\"")])
            #expect(sent == AppAnswer(200, Self.chat("33")))
            let asked = try #require(gateway.chat.asked.last)
            #expect(asked.body == #"{"text":"안녕 \"너\""}"#)
            #expect(asked.head.headers["idempotency-key"] == asked.head.headers["x-request-id"])
            let unread = "/unreads?after=2026-11-21T05:00:00.000Z"
            #expect(
                try await gateway.app("GET", base + unread)
                    == AppAnswer(200, #"{"channel_id":"21","name":"general","count":3}"#)
            )
            #expect(try await gateway.app("GET", base + "/unreads").body.contains(#""count":5"#))
            #expect(gateway.chat.asked.allSatisfy { !$0.head.uri.hasSuffix("/join") })
        }
    }

    @Test func joinsAPublicChannelByOpeningIt() async throws {
        let world = World(chat: [
            "GET /api/v1/channels/21": (.ok, World.channel(member: false)),
            "POST /api/v1/channels/21/join": (.ok, "{}"),
            "GET /api/v1/channels/21/messages?limit=200": (.ok, "[]"),
        ])
        try await world.run { (gateway) async throws in
            #expect(try await gateway.app("GET", "/v1/workspaces/11/channels/21/chats") == AppAnswer(200, "[]"))
            #expect(gateway.chat.asked.contains { $0.head.uri == "/api/v1/channels/21/join" })
        }
    }

    @Test func refusesWhatIsTooLong() async throws {
        try await World().run { (gateway) async throws in
            let path = "/v1/workspaces/11/channels/21/chats"
            let head = "POST \(path) HTTP/1.1\nHost: m\nAuthorization: good-7-9\nContent-Type: application/json\n"
            let text = String(repeating: "x", count: 70_000)
            let long = AppAnswer(try await gateway.ask(head + "Content-Length: 70000\n\n" + text))
            #expect(long.status == 413 && long.code == "E11")
            let chunked = try await gateway.ask(
                head + "Transfer-Encoding: chunked\n\n\(String(70_000, radix: 16))\n\(text)\n"
            )
            #expect(AppAnswer(chunked).status == 413)
            #expect(gateway.chat.asked.isEmpty && gateway.media.asked.isEmpty)
        }
    }

    @Test func opensListsAndUsesRooms() async throws {
        let messages = "/api/v1/channels/51/messages"
        let world = World(chat: [
            "GET /api/v1/direct_channels?playground_id=11&limit=200": (
                .ok, "[\(World.room),\(World.room.replacing("\"direct\"", with: "\"group\""))]"
            ),
            "POST /api/v1/direct_channels": (.created, World.room),
            "POST /api/v1/channels/52/leave": (.ok, "{}"),
            "POST /api/v1/channels/51/leave": (.forbidden, World.problem(403, "forbidden")),
            "GET \(messages)?limit=200": (.ok, "[\(Self.message("41", channel: "51", type: "direct"))]"),
            "POST \(messages)": (.created, Self.message("42", channel: "51", type: "direct")),
            "GET /api/v1/channels/51/unread?\(Self.after)": (.ok, #"{"channel_id":"51","unread_count":1}"#),
        ])
        try await world.run { (gateway) async throws in
            let base = "/v1/workspaces/11/dms"
            #expect(try await gateway.app("GET", base) == AppAnswer(200, "[\(World.roomOut)]"))
            #expect(
                try await gateway.app("POST", base, json: #"{"opponent_id":"8"}"#) == AppAnswer(200, World.roomOut)
            )
            #expect(gateway.chat.asked.last?.body == #"{"account_ids":["8"],"playground_id":"11"}"#)
            #expect(
                try await gateway.app("GET", base + "/51/chats?cursor_date=") == AppAnswer(200, "[\(Self.dm("41"))]")
            )
            let sent = try await gateway.form("POST", base + "/51/chats", [("content", "hi")])
            #expect(sent == AppAnswer(200, Self.dm("42")))
            #expect(
                try await gateway.app("GET", base + "/51/unreads?after=2026-11-21T05:00:00.000Z")
                    == AppAnswer(200, #"{"room_id":"51","count":1}"#)
            )
            #expect(try await gateway.app("GET", base + "/52/exit") == AppAnswer(200, "[\(World.roomOut)]"))
            #expect(try await gateway.app("GET", base + "/51/exit").code == "E14")
        }
    }
}
