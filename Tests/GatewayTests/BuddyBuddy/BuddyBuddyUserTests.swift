// SPDX-License-Identifier: Apache-2.0
// Joining, signing in, refreshing and profiles, as Buddy Buddy asks for them.

import NIOHTTP1
import Support
import Surface
import Testing

@testable import GatewayService

@Suite(.againstHanging) struct BuddyBuddyUserTests {
    private typealias World = BuddyBuddyWorld

    private static func me(_ nickname: String, more: String = "") -> String {
        #"{"user_id":"7","email":"mina@example.com","nickname":"\#(nickname)","profileImage":"/assets/avatar.png","#
            + #""phone":"","provider":null,"sesacCoin":0,"createdAt":"2026-11-21T03:00:00.000Z"\#(more)}"#
    }
    private static let token = #","token":{"accessToken":"good-7-9","refreshToken":"R"}"#

    @Test func joins() async throws {
        let world = World(
            auth: ["POST /internal/kept_sessions/join": (.ok, World.session)],
            posts: ["PATCH /api/v1/accounts/update_credentials": (.ok, World.profile)]
        )
        try await world.run { (gateway) async throws in
            let answer = try await gateway.app(
                "POST",
                "/v1/users/join",
                token: nil,
                json: #"{"email":"mina@example.com","password":"Sesac12345!","nickname":"미나","phone":"010","#
                    + #""deviceToken":"d"}"#,
                "Accept-Language: ko-KR"
            )
            #expect(answer == AppAnswer(200, Self.me("미나", more: Self.token)))
            let joined = try #require(gateway.auth.asked("/internal/kept_sessions/join").first)
            #expect(joined.head.headers["x-madang-internal"] == ["inner"])
            #expect(joined.head.headers["x-forwarded-for"] == ["127.0.0.1"])
            #expect(
                joined.body
                    == #"{"email":"mina@example.com","password":"Sesac12345!","nickname":"미나","device_token":"d","#
                    + #""locale":"ko"}"#
            )
            let named = try #require(gateway.posts.asked.first)
            #expect(named.head.headers["x-madang-principal"] == ["signed-7"])
            #expect(named.head.headers["x-madang-internal"].isEmpty)
            #expect(named.body == #"{"display_name":"미나"}"#)
        }
    }

    @Test func saysThatAnAddressIsTaken() async throws {
        let taken = World.problem(422, "invalid", fields: #"[{"name":"email","code":"taken","detail":"x"}]"#)
        let world = World(auth: [
            "POST /internal/kept_sessions/join": (.unprocessableEntity, taken),
            "POST /internal/emails/check": (.unprocessableEntity, taken),
        ])
        try await world.run { (gateway) async throws in
            let joined = try await gateway.app("POST", "/v1/users/join", token: nil, json: #"{"email":"a@b.cc"}"#)
            #expect(
                joined == AppAnswer(409, #"{"errorCode":"E12","reason":"invalid","message":"Text of invalid"}"#)
            )
            let path = "/v1/users/validation/email"
            let checked = try await gateway.app("POST", path, token: nil, json: #"{"email":"a@b.cc"}"#)
            #expect(checked.status == 409 && checked.code == "E12")
        }
    }

    @Test func signsIn() async throws {
        let world = World(
            auth: ["POST /internal/kept_sessions": (.ok, World.session)],
            posts: ["GET /api/v1/accounts/verify_credentials": (.ok, World.profile)]
        )
        try await world.run { (gateway) async throws in
            // Old versions of the app name no type of their JSON, or a form's.
            for type in ["", "Content-Type: application/x-www-form-urlencoded\n"] {
                let body = #"{"email":"mina@example.com","password":"pw"}"#
                let answer = AppAnswer(
                    try await gateway.ask(
                        "POST /v1/users/login HTTP/1.1\nHost: m\nContent-Length: \(body.utf8.count)\n\(type)\n\(body)"
                    )
                )
                #expect(answer == AppAnswer(200, Self.me("미나", more: Self.token)))
            }
            let named = #"{"email":"mina@example.com","password":"pw","deviceToken":"phone"}"#
            #expect(try await gateway.app("POST", "/v1/users/login", token: nil, json: named).status == 200)
            let asked = gateway.auth.asked("/internal/kept_sessions").map(\.body)
            #expect(asked.last == #"{"email":"mina@example.com","password":"pw","device_token":"phone"}"#)
            #expect(asked.first == #"{"email":"mina@example.com","password":"pw"}"#)
        }
    }

    @Test func signsInWithoutPosts() async throws {
        try await World(auth: ["POST /internal/kept_sessions": (.ok, World.session)]).run { (gateway) async throws in
            let answer = try await gateway.app("POST", "/v1/users/login", token: nil, json: #"{"email":"a"}"#)
            #expect(answer == AppAnswer(200, Self.me("mina_12345", more: Self.token)))
        }
    }

    @Test func refusesAWrongPassword() async throws {
        let wrong = World.problem(401, "wrong-password")
        try await World(auth: ["POST /internal/kept_sessions": (.unauthorized, wrong)]).run { (gateway) async throws in
            let answer = try await gateway.app("POST", "/v1/users/login", token: nil, json: #"{"email":"a"}"#)
            #expect(answer.status == 401 && answer.code == "E03")
        }
    }

    @Test(arguments: ["/v1/users/login/apple", "/v1/users/login/kakao"]) func saysWhichSignInsAreNotSetUp(path: String)
        async throws
    {
        let unnamed = World.problem(404, "issuer-not-named")
        try await World(auth: ["POST /internal/kept_sessions/issuer": (.notFound, unnamed)]).run {
            (gateway) async throws in
            let answer = try await gateway.app("POST", path, token: nil, json: #"{"idToken":"x","nickname":"y"}"#)
            #expect(answer.status == 422 && answer.code == "E11")
            #expect(answer.body.contains("social-sign-in-not-available"))
            let empty = try await gateway.app("POST", path, token: nil, json: #"{"nickname":"y"}"#)
            #expect(empty.status == 422 && empty.code == "E11")
            #expect(gateway.auth.asked("/internal/kept_sessions/issuer").count == 1)
        }
    }

    @Test(arguments: [("apple", "idToken"), ("kakao", "oauthToken")]) func signsInWithOthers(
        issuer: String,
        member: String
    ) async throws {
        let new = World.session.dropLast() + #","new":true}"#
        for session in [World.session, String(new)] {
            let world = World(
                auth: ["POST /internal/kept_sessions/issuer": (.ok, session)],
                posts: [
                    "GET /api/v1/accounts/verify_credentials": (.ok, World.profile),
                    "PATCH /api/v1/accounts/update_credentials": (.ok, World.profile),
                ]
            )
            try await world.run { (gateway) async throws in
                let answer = try await gateway.app(
                    "POST",
                    "/v1/users/login/\(issuer)",
                    token: nil,
                    json: #"{"\#(member)":"a.b.c","nickname":"미나","deviceToken":"d"}"#,
                    "Accept-Language: ko-KR"
                )
                #expect(answer == AppAnswer(200, Self.me("미나", more: Self.token)))
                let asked = gateway.auth.asked("/internal/kept_sessions/issuer").map(\.body)
                #expect(
                    asked == [
                        #"{"issuer":"\#(issuer)","id_token":"a.b.c","nickname":"미나","device_token":"d","locale":"ko"}"#
                    ]
                )
                // Only somebody new is called what the app says.
                let called = gateway.posts.asked.filter { $0.head.method == .PATCH }
                #expect(called.count == (session == World.session ? 0 : 1))
            }
        }
    }

    @Test func passesOnWhatAppleGaveTheApp() async throws {
        let world = World(
            auth: ["POST /internal/kept_sessions/issuer": (.ok, World.session)],
            posts: ["GET /api/v1/accounts/verify_credentials": (.ok, World.profile)]
        )
        try await world.run { (gateway) async throws in
            let answer = try await gateway.app(
                "POST",
                "/v1/users/login/apple",
                token: nil,
                json: #"{"idToken":"a.b.c","nickname":"미나","authorizationCode":"c0de"}"#
            )
            #expect(answer.status == 200)
            let asked = gateway.auth.asked("/internal/kept_sessions/issuer").map(\.body)
            #expect(asked.count == 1 && asked[0].contains(#""authorization_code":"c0de""#), "\(asked)")
        }
    }

    @Test func refusesATokenThatIsNoneOfAnIssuer() async throws {
        let refused = World.problem(401, "issuer-token-refused")
        try await World(auth: ["POST /internal/kept_sessions/issuer": (.unauthorized, refused)]).run {
            (gateway) async throws in
            let path = "/v1/users/login/apple"
            let answer = try await gateway.app("POST", path, token: nil, json: #"{"idToken":"x"}"#)
            #expect(answer.status == 401 && answer.code == "E03")
        }
    }

    @Test(arguments: [
        "RefreshToken: the-token", "Refresh: the-token", "refreshtoken: Bearer the-token",
    ]) func refreshes(field: String) async throws {
        try await World(auth: ["POST /internal/kept_sessions/refresh": (.ok, #"{"access_token":"A2"}"#)]).run {
            gateway in
            let answer = try await gateway.app("GET", "/v1/auth/refresh", token: "over", field)
            #expect(answer == AppAnswer(200, #"{"accessToken":"A2"}"#))
            #expect(gateway.auth.asked.map(\.body) == [#"{"refresh_token":"the-token"}"#])
        }
    }

    @Test func sendsToSignInWhenRefreshingFails() async throws {
        let over = World.problem(400, "invalid-grant")
        try await World(auth: ["POST /internal/kept_sessions/refresh": (.badRequest, over)]).run {
            (gateway) async throws in
            let answer = try await gateway.app("GET", "/v1/auth/refresh/", token: "the-token")
            #expect(answer.status == 400 && answer.code == "E06")
            let missing = try await gateway.app("GET", "/v1/auth/refresh", token: nil)
            #expect(missing.status == 400 && missing.code == "E06")
            let empty = try await gateway.app("GET", "/v1/auth/refresh", token: "", "RefreshToken: ")
            #expect(empty.status == 400 && empty.code == "E06")
        }
    }

    @Test func showsAndNamesMe() async throws {
        let world = World(
            auth: ["POST /internal/identity": (.ok, World.identity)],
            posts: [
                "GET /api/v1/accounts/verify_credentials": (.ok, World.profile),
                "PATCH /api/v1/accounts/update_credentials": (.ok, World.profile),
            ]
        )
        try await world.run { (gateway) async throws in
            #expect(try await gateway.app("GET", "/v1/users/me") == AppAnswer(200, Self.me("미나")))
            #expect(gateway.auth.asked("/internal/identity").first?.body == #"{"session_id":"9"}"#)
            let edited = try await gateway.app("PUT", "/v1/users/me", json: #"{"nickname":"새","phone":"1"}"#)
            #expect(edited == AppAnswer(200, Self.me("미나")))
            #expect(gateway.posts.asked.last?.body == #"{"display_name":"새"}"#)
        }
    }

    @Test func showsOthersWithoutTheirAddress() async throws {
        let other = #"{"id":"8","username":"jun","display_name":"준","avatar":"http://x/assets/a.png","created_at":"x"}"#
        try await World(posts: ["GET /api/v1/accounts/8": (.ok, other)]).run { (gateway) async throws in
            #expect(try await gateway.app("GET", "/v1/users/8") == AppAnswer(200, World.user("8", "준")))
            let unknown = try await gateway.app("GET", "/v1/users/9")
            #expect(unknown.status == 404 && unknown.code == "E13")
            for bad in ["x", "8%2F..", "-1", "99999999999999999999"] {
                #expect(try await gateway.app("GET", "/v1/users/\(bad)").code == "E13")
            }
        }
    }

    @Test func goesOnWithoutPush() async throws {
        try await World().run { (gateway) async throws in
            let (path, body) = ("/v1/users/deviceToken", #"{"deviceToken":"d"}"#)
            #expect(try await gateway.app("POST", path, json: body) == AppAnswer(200, #"{"registered":false}"#))
            #expect(try await gateway.app("POST", path, token: nil, json: body).code == "E05")
            // 400 would have the app refresh its token and ask again without end.
            for empty in [#"{"deviceToken":""}"#, "{}"] {
                let answer = try await gateway.app("POST", path, json: empty)
                #expect(answer.status == 422 && answer.code == "E11")
            }
        }
    }

    /// What notifications was asked to register, and by whom.
    private static func registered(_ gateway: TestGateway) -> [String] {
        gateway.notifications.asked("/api/v1/devices").map {
            "\($0.head.headers["x-madang-principal"].joined()) \($0.body)"
        }
    }

    @Test(arguments: [
        ("join", #"{"email":"mina@example.com","password":"pw","nickname":"미나","deviceToken":"TOKEN"}"#),
        ("login", #"{"email":"mina@example.com","password":"pw","deviceToken":"TOKEN"}"#),
        ("login/apple", #"{"idToken":"a.b.c","nickname":"미나","deviceToken":"TOKEN"}"#),
        ("login/kakao", #"{"oauthToken":"a.b.c","deviceToken":"TOKEN"}"#),
    ])
    func registersTheDeviceThatSignsIn(path: String, body: String) async throws {
        let apple = String(repeating: "0aF3", count: 16)
        let taken: World.Answers = ["POST /api/v1/devices": (.ok, "{}")]
        for (answers, environment) in [(taken, "production"), (taken, "sandbox"), ([:], "sandbox")] {
            let world = World(
                auth: [
                    "POST /internal/kept_sessions/join": (.ok, World.session),
                    "POST /internal/kept_sessions": (.ok, World.session),
                    "POST /internal/kept_sessions/issuer": (.ok, World.session),
                ],
                posts: [
                    "GET /api/v1/accounts/verify_credentials": (.ok, World.profile),
                    "PATCH /api/v1/accounts/update_credentials": (.ok, World.profile),
                ],
                search: answers,
                environment: ["MADANG_APNS_DEFAULT_ENVIRONMENT": environment]
            )
            try await world.run { (gateway) async throws in
                for token in [apple, "firebase:token", ""] {
                    let answer = try await gateway.app(
                        "POST",
                        "/v1/users/\(path)",
                        token: nil,
                        json: body.replacing("TOKEN", with: token)
                    )
                    #expect(answer == AppAnswer(200, Self.me("미나", more: Self.token)))
                }
                #expect(
                    Self.registered(gateway) == [
                        "signed-7 "
                            + #"{"platform":"apple","token":"\#(apple)","environment":"\#(environment)","language":"ko"}"#,
                        #"signed-7 {"platform":"firebase","token":"firebase:token","language":"ko"}"#,
                    ]
                )
            }
        }
    }

    @Test(arguments: ["GET", "POST"]) func signsOut(method: String) async throws {
        try await World(auth: ["DELETE /api/v1/sessions/9": (.ok, "{}")]).run { (gateway) async throws in
            #expect(try await gateway.app(method, "/v1/users/logout") == AppAnswer(200, "{}"))
            let asked = try #require(gateway.auth.asked("/api/v1/sessions").first)
            #expect(asked.head.headers["x-madang-principal"] == ["signed-7"])
            #expect(asked.head.headers["authorization"].isEmpty && asked.head.headers["sesackey"].isEmpty)
        }
    }
}
