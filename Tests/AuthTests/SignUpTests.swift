// SPDX-License-Identifier: Apache-2.0
// Signing up.

import Domain
import Foundation
import HTTPTypes
import Postgres
import Support
import Testing
import Web

@testable import AuthService

@Suite struct SignUpTests {
    @Test func givesATokenThatWorksAtOnce() async throws {
        try await AuthWorld.run { world in
            let app = try await world.app()
            let token = try await world.appToken(app)
            let answer = try await world.send(
                .post,
                "/api/v1/accounts",
                json: #"""
                    {"username": "Minji", "email": " Minji@Example.com ", "password": "다섯 마리 고양이 tea",
                    "agreement": true, "locale": "ko-KR", "reason": "hello"}
                    """#,
                token: token
            )
            #expect(answer.status == .ok)
            #expect(Set(answer.object.keys) == ["access_token", "token_type", "scope", "created_at"])
            #expect(answer.object["token_type"] as? String == "Bearer")
            #expect(answer.headers[.registered]?.hasSuffix(" minji") == true)
            #expect(answer.object["scope"] as? String == "read write")
            #expect(answer.object["created_at"] as? Int == Int(world.clock.now.seconds))
            let principal = try #require(try await world.principal(try answer.text("access_token")))
            #expect(principal.account?.username.text == "minji")
            #expect(principal.appName == "A test")
            let event = try #require(try await world.recorded("auth.AccountRegistered.v1").first)
            let data = try #require(event["data"] as? [String: Any])
            #expect(data["username"] as? String == "minji")
            #expect(data["language"] as? String == "ko")
            #expect(data["account_id"] as? String == principal.account?.id.description)
            #expect(try await world.count("SELECT count(*) FROM accounts WHERE email = 'minji@example.com'") == 1)
        }
    }

    @Test func saysWhatIsWrong() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            let token = try await world.appToken(try await world.app())
            func faults(_ field: String, _ changes: [String: String]) async throws -> [String] {
                let form = AuthWorld.fields("jisoo").map { ($0.0, changes[$0.0] ?? $0.1) }
                let answer = try await world.send(.post, "/api/v1/accounts", form: form, token: token)
                #expect(answer.status == .unprocessableContent)
                #expect(answer.error?.hasPrefix("Validation failed: ") == true)
                return answer.faults(field)
            }
            #expect(try await faults("username", ["username": "MINJI"]) == ["ERR_TAKEN"])
            #expect(try await faults("username", ["username": ""]) == ["ERR_BLANK"])
            #expect(try await faults("username", ["username": "a b"]) == ["ERR_INVALID"])
            #expect(try await faults("username", ["username": "аdmin"]) == ["ERR_INVALID"])
            #expect(try await faults("username", ["username": "admin"]) == ["ERR_RESERVED"])
            #expect(try await faults("username", ["username": String(repeating: "a", count: 31)]) == ["ERR_TOO_LONG"])
            #expect(try await faults("email", ["email": "MINJI@example.com"]) == ["ERR_TAKEN"])
            #expect(try await faults("email", ["email": ""]) == ["ERR_BLANK"])
            #expect(try await faults("email", ["email": "a%b@c.kr"]) == ["ERR_INVALID"])
            #expect(try await faults("password", ["password": ""]) == ["ERR_BLANK"])
            #expect(try await faults("password", ["password": "x7#kQ"]) == ["ERR_TOO_SHORT"])
            #expect(try await faults("password", ["password": "password1"]) == ["ERR_COMPROMISED"])
            #expect(
                try await faults("password", ["password": String(repeating: "xyzzy", count: 300)]) == ["ERR_TOO_LONG"]
            )
            #expect(try await faults("agreement", ["agreement": "false"]) == ["ERR_ACCEPTED"])
            let empty = try await world.send(.post, "/api/v1/accounts", json: "{}", token: token)
            let details = try #require(empty.object["details"] as? [String: Any])
            #expect(Set(details.keys) == ["username", "email", "password", "agreement"])
            let korean = try await world.send(
                .post,
                "/api/v1/accounts",
                form: AuthWorld.fields("minji"),
                headers: [("Accept-Language", "ko")],
                token: token
            )
            #expect(korean.error?.contains("이미 사용 중") == true)
            #expect(try await world.count("SELECT count(*) FROM accounts") == 1)
        }
    }

    @Test func hasOneWinner() async throws {
        try await AuthWorld.run { world in
            let token = try await world.appToken(try await world.app())
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for index in 0..<50 {
                    group.addTask {
                        var form = AuthWorld.fields("minji")
                        form[1].1 = "minji\(index)@example.com"
                        return try await world.send(.post, "/api/v1/accounts", form: form, token: token).status.code
                    }
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(statuses.filter { $0 == 200 }.count == 1)
            #expect(statuses.filter { $0 == 422 }.count == 49)
            #expect(try await world.count("SELECT count(*) FROM accounts") == 1)
            #expect(try await world.recorded("auth.AccountRegistered.v1").count == 1)
        }
    }

    @Test func isRefusedWhenClosed() async throws {
        try await AuthWorld.run(registrations: .closed) { world in
            let token = try await world.appToken(try await world.app())
            let answer = try await world.send(
                .post,
                "/api/v1/accounts",
                form: AuthWorld.fields("minji"),
                token: token
            )
            #expect(answer.status == .forbidden)
            #expect(answer.error == PageText.text("registrations_closed", .english))
            var browser = TestBrowser(world)
            #expect(try await browser.get("/auth/sign_up").status == .forbidden)
            #expect(try await browser.post("/auth/sign_up", AuthWorld.fields("minji")).status == .forbidden)
            #expect(try await !browser.get("/auth/sign_in").page.contains("/auth/sign_up"))
            #expect(try await world.count("SELECT count(*) FROM accounts") == 0)
        }
    }

    @Test func survivesBadInput() async throws {
        try await AuthWorld.run { world in
            let token = try await world.appToken(try await world.app())
            let long = String(repeating: "가", count: 200_000)
            let bodies: [[UInt8]] = [
                Array(#"{"username": "a\u0000b"}"#.utf8), [0x7B, 0x22, 0xFF, 0xFE], Array("[[[[".utf8),
                Array((String(repeating: "[", count: 100_000)).utf8), Array("null".utf8),
                Array(#"{"username": {}}"#.utf8),
                Array(#"{"username": 99999999999999999999999999999999, "email": true}"#.utf8),
                Array(
                    #"{"username": "\#(long)", "email": "\#(long)", "password": "\#(long)", "reason": "\#(long)"}"#.utf8
                ),
                Array(#"{"reason": "a\u0000b", "locale": "\u0000\u0000"}"#.utf8),
            ]
            for body in bodies {
                for path in [
                    "/api/v1/accounts", "/api/v1/apps", "/oauth/token", "/oauth/revoke", "/api/v1/sessions",
                    "/api/v1/sessions/refresh", "/auth/sign_in", "/auth/sign_up", "/oauth/authorize",
                ] {
                    let answer = try await world.send(
                        .post,
                        path,
                        body: body,
                        headers: [("Content-Type", "application/json")],
                        token: path == "/api/v1/accounts" ? token : nil
                    )
                    #expect((400..<500).contains(answer.status.code), "\(path) \(answer.status) \(body.prefix(20))")
                }
            }
            for query in [
                "%00", "%FF%FE", "a=%00", "client_id=%00&redirect_uri=%00", "code=%00&lang=%00&return_to=%00",
            ] {
                for path in ["/oauth/authorize", "/oauth/authorize/native", "/auth/sign_in", "/auth/sign_up"] {
                    let answer = try await world.send(.get, "\(path)?\(query)")
                    #expect(answer.status.code < 500, "\(path)?\(query)")
                }
            }
        }
    }
}
