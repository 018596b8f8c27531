// SPDX-License-Identifier: Apache-2.0
// Errors: only an access token that is over has the status that makes Buddy Buddy refresh.

import Domain
import NIOHTTP1
import Support
import Surface
import Testing

@testable import GatewayService

@Suite(.againstHanging) struct BuddyBuddyErrorTests {
    private typealias World = BuddyBuddyWorld

    @Test(arguments: [nil, "", "bad", "Bearer bad", "two words"]) func asksToRefresh(token: String?) async throws {
        try await World().run { (gateway) async throws in
            let answer = try await gateway.app("GET", "/v1/workspaces/11/dms", token: token)
            #expect(answer.status == 400 && answer.code == "E05")
            #expect(gateway.chat.asked.isEmpty)
        }
    }

    @Test func takesTheTokenWithAndWithoutItsScheme() async throws {
        try await World(chat: ["GET /api/v1/playgrounds?limit=200": (.ok, "[]")]).run { (gateway) async throws in
            for token in ["good-7-9", "Bearer good-7-9", "bearer  good-7-9"] {
                #expect(try await gateway.app("GET", "/v1/workspaces", token: token) == AppAnswer(200, "[]"))
            }
        }
    }

    @Test(arguments: [
        (400, "bad-request", 422, "E11"), (401, "unauthorized", 400, "E05"), (403, "missing-scope", 403, "E14"),
        (404, "not-found", 404, "E13"), (409, "already-member", 409, "E12"), (409, "owner-must-transfer", 409, "E15"),
        (410, "invite-expired", 404, "E13"), (413, "body-too-large", 413, "E11"), (422, "invalid", 422, "E11"),
        (429, "too-many-requests", 429, "E98"), (500, "internal", 500, "E99"), (503, "unavailable", 503, "E99"),
    ])
    func translates(status: Int, reason: String, expected: Int, code: String) async throws {
        let problem = World.problem(status, reason)
        let world = World(chat: [
            "GET /api/v1/playgrounds/11": (HTTPResponseStatus(statusCode: status), problem)
        ])
        try await world.run { (gateway) async throws in
            let answer = try await gateway.app("GET", "/v1/workspaces/11")
            #expect(
                answer
                    == AppAnswer(
                        expected,
                        #"{"errorCode":"\#(code)","reason":"\#(reason)","message":"Text of \#(reason)"}"#
                    )
            )
        }
    }

    @Test func speaksOfUnreadableAnswersAsFaults() async throws {
        for body in ["", "<html>", "[1]", #"{"id":11}"#] {
            try await World(chat: ["GET /api/v1/playgrounds/11": (.ok, body)]).run { (gateway) async throws in
                let answer = try await gateway.app("GET", "/v1/workspaces/11")
                #expect(answer.status == 502 && answer.code == "E99")
            }
        }
    }

    @Test func knowsItsPathsAndMethods() async throws {
        try await World().run { (gateway) async throws in
            let unknown = try await gateway.app("GET", "/v1/users/7/secrets")
            #expect(unknown.status == 404 && unknown.code == "E13")
            let method = try await gateway.app("PATCH", "/v1/workspaces")
            #expect(method.status == 405 && method.code == "E97")
            for path in ["/v1", "/v1/other", "/v1/store/items", "/v1/auth", "/v1/assets/none.png"] {
                let nowhere = try await gateway.app("GET", path)
                #expect(nowhere.status == 404 && nowhere.code == "E13", "\(path)")
            }
            #expect(try await gateway.app("GET", "/v10").code == nil)
            let picture = try await gateway.app("GET", "/v1/assets/avatar.png", token: "R")
            #expect(picture.status == 200)
        }
    }

    @Test func isRefusedByBodiesThatAreNone() async throws {
        try await World().run { (gateway) async throws in
            for body in ["{", #"{"name":{}}"#, "{\"name\":\"\u{0}\"}"] {
                let answer = try await gateway.app("POST", "/v1/workspaces/11/channels", json: body)
                #expect(answer.status == 422 && answer.code == "E11")
            }
            let json = #"{"name":"\#(String(repeating: "a", count: 61_440))"}"#
            let long = try await gateway.app("POST", "/v1/workspaces/11/channels", json: json)
            #expect(long.status == 413 && long.code == "E11")
            #expect(gateway.chat.asked.isEmpty)
        }
    }

    @Test func tellsInItsWordsThatAServiceIsAway() async throws {
        try await TestGateway.run(chat: { _ in .close }) { gateway in
            let answer = try await gateway.app("GET", "/v1/workspaces")
            #expect(answer.status == 502 && answer.code == "E99")
        }
        try await TestGateway.run(auth: { _ in .close }) { gateway in
            let answer = try await gateway.app("GET", "/v1/workspaces")
            #expect(answer.status >= 500 && answer.code == "E99")
            let refresh = try await gateway.app("GET", "/v1/auth/refresh", token: nil, "RefreshToken: x")
            #expect(refresh.status >= 500 && refresh.code == "E99")
        }
    }

    @Test(
        arguments: [
            (nil, "ko"), ("en-GB, ko;q=0.5", "en"), ("ja", "ja"), ("fr", "ko"), ("ko-KR", "ko"),
        ] as [(String?, String)]
    )
    func speaksTheLanguageOfItsPeople(accepted: String?, language: String) async throws {
        let texts = [
            "ko": ["액세스 토큰이 올바르지", "찾을 수 없습니다", "다시 로그인하세요", "파일을 올릴 수 없습니다", "name"],
            "en": ["The access token", "not found", "You have been signed out", "Files cannot be uploaded", "name"],
            "ja": ["アクセストークン", "見つかりません", "もう一度ログインしてください", "アップロードできません", "name"],
        ]
        let world = World(chat: ["GET /api/v1/playgrounds?limit=200": (.ok, "[]")])
        try await world.run { (gateway) async throws in
            let field = accepted.map { "Accept-Language: \($0)" } ?? "X-None: 1"
            _ = try await gateway.app("GET", "/v1/workspaces", field)
            #expect(gateway.chat.asked.last?.head.headers["accept-language"] == [language])
            let failures = [
                try await gateway.app("GET", "/v1/workspaces", token: "bad", field),
                try await gateway.app("GET", "/v1/nothing", field),
                try await gateway.app("GET", "/v1/auth/refresh", token: nil, field),
                try await gateway.app("POST", "/v1/workspaces/11/channels", json: #"{"image":"x"}"#, field),
                try await gateway.app("POST", "/v1/workspaces/11/channels", json: #"{"name":{}}"#, field),
            ]
            for (failure, text) in zip(failures, try #require(texts[language])) {
                #expect(failure.body.contains(text), "\(failure) without \(text)")
            }
        }
    }

    /// The list of ten rooms, their messages and their counts, each second for as long as a budget lasts.
    @Test func tenRoomsArePolledEachSecond() throws {
        let limiter = RateLimiter(RateLimits(account: 300, address: 300))
        let address = try #require(ClientAddress("192.0.2.7"))
        for second in 0..<600 {
            for request in 0..<21 {
                let now = Timestamp.startOfWindow().milliseconds + Int64(second) * 1000
                let budget = limiter.take(.poll, account: 7, address: address, now: now)
                #expect(budget?.isAllowed == true, "request \(request) of second \(second)")
            }
        }
    }

    @Test func limitsPollingMoreGenerously() async throws {
        let world = World(
            chat: ["GET /api/v1/playgrounds?limit=200": (.ok, "[]")],
            environment: ["MADANG_RATE_LIMIT_ACCOUNT": "1"]
        )
        try await world.run { (gateway) async throws in
            for _ in 0..<RateLimiter.pollFactor {
                #expect(try await gateway.app("GET", "/v1/workspaces").status == 200)
            }
            let over = try await gateway.app("GET", "/v1/workspaces")
            #expect(over.status == 429 && over.code == "E98")
        }
    }

    @Test func signUpsHaveTheirBudget() async throws {
        let world = World(
            auth: ["POST /internal/kept_sessions/join": (.ok, World.session)],
            environment: ["MADANG_RATE_LIMIT_SIGN_UP": "1"]
        )
        try await world.run { (gateway) async throws in
            #expect(try await gateway.app("POST", "/v1/users/join", token: nil, json: "{}").status == 200)
            let second = try await gateway.app("POST", "/v1/users/join", token: nil, json: "{}")
            #expect(second.status == 429 && second.code == "E98")
        }
    }
}
