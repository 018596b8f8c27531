// SPDX-License-Identifier: Apache-2.0
// Pictures as Buddy Buddy sends and fetches them.

import Domain
import NIOHTTP1
import Support
import Surface
import Testing

@testable import GatewayService

@Suite struct BuddyBuddyFileTests {
    private typealias World = BuddyBuddyWorld

    private static let message = "/api/v1/messages/31"
    private static let shown = BuddyBuddyMessageTests.message().replacing(
        #""attachments":[]"#,
        with: #""attachments":[{"id":"5","url":"http://localhost:3000/media/x/abc/def/5.jpg","state":"ready"},"#
            + #"{"id":"6","url":null,"state":"processing"}]"#
    )

    /// A world in which media takes every form and has one file.
    private static func world(_ taken: String = "", chat: World.Answers = [:], posts: World.Answers = [:]) -> World {
        World(
            auth: ["POST /internal/identity": (.ok, World.identity)],
            posts: posts,
            chat: chat,
            search: [
                "POST /internal/forms?fields=files:attachment:5": (.ok, taken),
                "POST /internal/forms?fields=image:attachment:1": (.ok, taken),
                "POST /internal/forms?fields=image:avatar:1": (.ok, taken),
                "GET /media/x/abc/def/5.jpg": (.ok, "JPEG"),
                "GET /media/o/abc/7.jpg": (.ok, "FACE"),
            ]
        )
    }

    @Test func aMessageCarriesPictures() async throws {
        let chat: World.Answers = [
            "GET /api/v1/channels/21": (.ok, World.channel()),
            "POST /api/v1/channels/21/messages": (.created, Self.shown),
        ]
        try await Self.world("content=%EC%95%88%EB%85%95&files%5B%5D=5&files%5B%5D=6", chat: chat).run { gateway in
            let path = "/v1/workspaces/11/channels/21/chats"
            for type in ["multipart/form-data; boundary=alamofire.boundary", "multipart/form-data", "application/json"]
            {
                let sent = try await gateway.form("POST", path, [("content", "안녕")], file: "files", type: type)
                #expect(
                    sent.status == 200
                        && sent.body.contains(#""files":["/media/messages/31/5","/media/messages/31/6"]"#),
                    "\(sent)"
                )
                let asked = try #require(gateway.media.asked.last)
                #expect(asked.head.headers["content-type"].first?.contains("alamofire.boundary") == true)
                #expect(asked.head.headers["x-madang-principal"] == ["signed-7"])
                #expect(gateway.chat.asked.last?.body == #"{"text":"안녕","attachment_ids":["5","6"]}"#)
            }
        }
    }

    @Test func aPictureMayBeAloneAndLarge() async throws {
        let chat: World.Answers = ["POST /api/v1/channels/51/messages": (.created, Self.shown)]
        try await Self.world("files%5B%5D=5", chat: chat).run { gateway in
            let body =
                "--x\r\nContent-Disposition: form-data; name=\"files\"; filename=\"1.jpg\"\r\n\r\n"
                + String(repeating: "p", count: 3 << 20) + "\r\n--x--\r\n"
            let client = try await gateway.client()
            try await client.send(
                "POST /v1/workspaces/11/dms/51/chats HTTP/1.1\r\nHost: m\r\nAuthorization: good-7-9\r\n"
                    + "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: \(body.utf8.count)\r\n"
                    + "Connection: close\r\n\r\n" + body
            )
            let answer = AppAnswer(try await client.untilClosed())
            await client.close()
            #expect(answer.status == 200, "\(answer)")
            #expect(gateway.media.asked.map(\.bytes) == [body.utf8.count])
            #expect(gateway.chat.asked.last?.body == #"{"text":"","attachment_ids":["5"]}"#)
        }
    }

    @Test func coversAndProfilesHavePictures() async throws {
        let chat: World.Answers = [
            "POST /api/v1/playgrounds": (.created, World.playground),
            "PATCH /api/v1/playgrounds/11": (.ok, World.playground),
        ]
        let posts: World.Answers = ["PATCH /api/v1/accounts/update_credentials": (.ok, World.profile)]
        try await Self.world("name=Yard&image=5", chat: chat, posts: posts).run { gateway in
            #expect(try await gateway.form("POST", "/v1/workspaces", [("name", "Yard")], file: "image").status == 200)
            #expect(gateway.chat.asked.last?.body == #"{"name":"Yard","cover_id":"5"}"#)
            #expect(try await gateway.form("PUT", "/v1/workspaces/11", [], file: "image").status == 200)
            #expect(gateway.chat.asked.last?.head.method == .PATCH)
            let image = try await gateway.form("PUT", "/v1/users/me/image", [], file: "image")
            #expect(image.status == 200 && image.body.contains(#""profileImage":"/assets/avatar.png""#), "\(image)")
            #expect(gateway.posts.asked.last?.body == #"{"avatar":"5"}"#)
            let nothing = try await gateway.form("PUT", "/v1/users/me/image", [("other", "x")])
            #expect(nothing.status == 422 && nothing.code == "E11")
        }
    }

    @Test func whatIsRefusedIsSaidInTheAppsWords() async throws {
        let refusal = World.problem(422, "media-unsupported")
        var world = World()
        world.search["POST /internal/forms?fields=files:attachment:5"] = (.unprocessableEntity, refusal)
        try await world.run { gateway in
            let path = "/v1/workspaces/11/channels/21/chats"
            let answer = try await gateway.form("POST", path, [], file: "files")
            #expect(answer.status == 422 && answer.code == "E11" && answer.body.contains("Text of media-unsupported"))
            #expect(gateway.media.asked.first?.head.headers["accept-language"] == ["ko"])
            #expect(gateway.chat.asked.isEmpty)
        }
    }

    @Test func readersOfAMessageSeeItsFiles() async throws {
        try await Self.world(chat: ["GET \(Self.message)": (.ok, Self.shown)]).run { gateway in
            let path = "/v1/media/messages/31/5"
            let seen = try await gateway.app(
                "GET",
                path,
                token: "good-7-9",
                "If-None-Match: \"5.jpg\"",
                "Range: bytes=0-1"
            )
            #expect(seen == AppAnswer(200, "JPEG"))
            let asked = try #require(gateway.media.asked.last)
            #expect(asked.head.uri == "/media/x/abc/def/5.jpg")
            #expect(
                asked.head.headers["if-none-match"] == ["\"5.jpg\""] && asked.head.headers["range"] == ["bytes=0-1"]
            )
            #expect(gateway.chat.asked(Self.message).first?.head.headers["x-madang-principal"] == ["signed-7"])
            #expect(try await gateway.app("GET", path, token: "Bearer good-7-9") == AppAnswer(200, "JPEG"))
            // Not ready, not of this message, not a file.
            for other in ["31/6", "31/7", "31/x", "x/5", "32/5"] {
                let answer = try await gateway.app("GET", "/v1/media/messages/\(other)")
                #expect(answer.status == 404 && answer.code == "E13", "\(other)")
            }
            let nobody = try await gateway.app("GET", path, token: nil)
            #expect(nobody.status == 400 && nobody.code == "E05")
        }
    }

    @Test func theRefreshTokenWillDoForFilesAndNothingElse() async throws {
        var world = Self.world(chat: ["GET \(Self.message)": (.ok, Self.shown)])
        world.auth["POST /internal/kept_sessions/refresh"] = (.ok, #"{"access_token":"good-8-9","expires_in":3600}"#)
        try await world.run { gateway in
            let path = "/v1/media/messages/31/5"
            for _ in 0..<3 { #expect(try await gateway.app("GET", path, token: "R.T") == AppAnswer(200, "JPEG")) }
            #expect(
                gateway.chat.asked(Self.message).allSatisfy { $0.head.headers["x-madang-principal"] == ["signed-8"] }
            )
            let asked = gateway.auth.asked("/internal/kept_sessions/refresh")
            // Once for each event loop at most.
            #expect((1...2).contains(asked.count) && asked.first?.body == #"{"refresh_token":"R.T"}"#)
            let elsewhere = try await gateway.app("GET", "/v1/workspaces", token: "R.T")
            #expect(elsewhere.status == 400 && elsewhere.code == "E05")
        }
    }

    @Test func aTokenThatIsNoneIsRefused() async throws {
        var world = Self.world(chat: ["GET \(Self.message)": (.ok, Self.shown)])
        world.auth["POST /internal/kept_sessions/refresh"] = (.badRequest, World.problem(400, "invalid-grant"))
        try await world.run { gateway in
            let answer = try await gateway.app("GET", "/v1/media/messages/31/5", token: "R.T")
            #expect(answer.status == 400 && answer.code == "E05")
            #expect(gateway.chat.asked.isEmpty && gateway.media.asked.isEmpty)
        }
    }

    @Test func whatEverybodySeesNeedsNoToken() async throws {
        try await Self.world().run { gateway in
            #expect(try await gateway.app("GET", "/v1/media/o/abc/7.jpg", token: nil) == AppAnswer(200, "FACE"))
            let missing = try await gateway.app("GET", "/v1/media/o/abc/8.jpg", token: nil)
            #expect(
                missing.status == 404 && missing.code == "E13",
                "also what media has not is told in the app's words"
            )
            #expect(try await gateway.app("GET", "/v1/media/o/abc/..%2F8.jpg").status == 404)
        }
    }
}
