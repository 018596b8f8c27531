// SPDX-License-Identifier: Apache-2.0
// Attacks on sign-in, sign-up and OAuth, by their numbers in the list of reliability tests.

import Domain
import Foundation
import HTTPTypes
import Postgres
import Support
import Surface
import Testing
import Web

@testable import AuthService

@Suite struct AttackTests {
    private static let attempts = 60

    /// B1–B5 for the routes of auth: nothing that a client sends is answered with a fault of ours.
    @Test func noFormMakesAFault() async throws {
        var seed = TestSeed()
        var requests: [(method: HTTPRequest.Method, target: String, headers: [(String, String)], body: [UInt8])] = []
        let fields = [
            "username", "email", "password", "agreement", "locale", "reason", "client_name", "redirect_uris", "scopes",
            "website", "client_id", "client_secret", "redirect_uri", "response_type", "scope", "state", "code",
            "code_challenge", "code_challenge_method", "code_verifier", "grant_type", "token", "refresh_token",
            "device_name", "device_token", "old_password", "new_password", "decision", "form_token", "return_to",
            "lang",
            "force", "force_login", "nickname", "session_id", "audiences",
        ]
        let values = [
            "", "a", "minji", "minji@example.com", AuthWorld.password, "true", "ko", "read write", "code", "S256",
            "authorization_code", "refresh_token", "client_credentials", "approve", "madang", "buddy-buddy",
            RedirectURI.outOfBand, AuthWorld.callback, "-1", "9223372036854775807", "9223372036854775808", "1e999",
            "\u{0}", "a\u{0}b", "\u{202E}x", "\r\nSet-Cookie: x=y", "' OR 1=1 --", "{{7}}", "<script>", "../../etc",
            "\u{FFFD}\u{FFFF}", "%00%FF", String(repeating: "가", count: 3000), String(repeating: "a", count: 9000),
            String(repeating: "a", count: 86), String(repeating: "a", count: 43), "👨‍👩‍👧‍👦", "e\u{301}\u{301}",
        ]
        let places: [(HTTPRequest.Method, String)] = Routes.all.map { ($0.method, $0.path) }
        for (method, path) in places {
            for _ in 0..<Self.attempts {
                let chosen = (0..<Int.random(in: 0...8, using: &seed)).map { _ in
                    (fields.randomElement(using: &seed) ?? "", values.randomElement(using: &seed) ?? "")
                }
                let form = chosen.map { "\($0.0)=\($0.1.percentEncoded)" }.joined(separator: "&")
                var target = path.replacing(":id", with: values.randomElement(using: &seed)?.percentEncoded ?? "1")
                var (body, type) = (Array(form.utf8), "application/x-www-form-urlencoded")
                switch Int.random(in: 0..<6, using: &seed) {
                case 0: (target, body) = ("\(target)?\(form)", [])
                case 1:
                    let object = Dictionary(chosen) { $1 }
                    (body, type) = (Array(try JSONSerialization.data(withJSONObject: object)), "application/json")
                case 2:
                    let object = Dictionary(chosen.map { ($0.0, [[$0.1: NSNull()], 7, true]) }) { $1 }
                    (body, type) = (Array(try JSONSerialization.data(withJSONObject: object)), "application/json")
                case 3:
                    for _ in 0..<4 where !body.isEmpty {
                        body[Int.random(in: body.indices, using: &seed)] = UInt8.random(in: 0...255, using: &seed)
                    }
                    type = seed.chance(1, in: 2) ? "application/json" : type
                case 4:
                    (body, type) = (
                        Array("--b\r\nContent-Disposition: form-data; name=\"\(chosen.first?.0 ?? "")\"\r\n\r\n".utf8)
                            + Array((chosen.first?.1 ?? "").utf8) + Array("\r\n--b--".utf8),
                        "multipart/form-data; boundary=b"
                    )
                default: break
                }
                var headers = [("Content-Type", type)]
                if seed.chance(1, in: 3) { headers.append(("X-Madang-Internal", AuthWorld.secret)) }
                if seed.chance(1, in: 6) { headers.append(("Authorization", "Basic \(form.prefix(60))")) }
                if seed.chance(1, in: 6) {
                    headers.append(("Cookie", "madang_session=\(form.prefix(90)); madang_device=.."))
                }
                if seed.chance(1, in: 6) { headers.append(("X-Forwarded-For", "1.2.3.4, ::ffff:999.1.1.1%eth0")) }
                requests.append((method, target, headers, body))
            }
        }
        let all = requests
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            let tokens = [try await world.session("minji").access, try await world.appToken(try await world.app())]
            for (index, request) in all.enumerated() {
                // Those that end sessions would end the one that asks.
                let token = index % 3 < 2 && request.method != .delete ? tokens[index % 3] : nil
                let answer = try await world.send(
                    request.method,
                    request.target,
                    body: request.body,
                    headers: request.headers,
                    token: token
                )
                #expect(
                    answer.status.code < 500,
                    "\(request.method) \(request.target.prefix(300)) \(String(decoding: request.body.prefix(300), as: UTF8.self))"
                )
            }
        }
    }

    /// S7: near misses of a registered address lead nowhere.
    @Test func noNearMissOfAnAddressIsTaken() throws {
        for registered in [AuthWorld.callback, "https://app.example/", "app.own:/cb", "http://127.0.0.1/cb"] {
            let own = try #require(RedirectURI(registered))
            var near: Set<String> = [
                registered + "/", registered + "x", registered + "?", registered + "?x=y", registered + "%2f",
            ]
            near.formUnion([registered.uppercased(), registered + "/../cb", registered + "#", registered + ":"])
            near.formUnion(registered.indices.map { registered[..<$0] + "x" + registered[$0...] }.map { String($0) })
            near.formUnion(
                registered.indices.map { index in
                    var text = registered
                    text.remove(at: index)
                    return text
                }
            )
            near.remove(registered)
            for text in near {
                guard let other = RedirectURI(text) else { continue }
                #expect(!own.accepts(other), "\(registered) took \(text)")
            }
        }
    }

    /// S36: what mail systems read differently is refused, or has one form; lists of hosts are not got around.
    @Test func noMailAddressIsTwo() {
        let marks = [
            "\"", "(", ")", "<", ">", "[", "]", ",", ";", ":", "\\", "%", "!", " ", "\t", "\r", "\n", "\u{0}", "/", "|",
            "`",
        ]
        let dots = [
            "\u{3002}", "\u{FF0E}", "\u{FF61}", "\u{2024}", "\u{FE52}", "\u{200B}", "\u{AD}", "\u{202E}", "\u{FEFF}",
        ]
        var count = 0
        for mark in marks + dots {
            for text in [
                "mi\(mark)nji@banned.example", "minji@ban\(mark)ned.example",
                "minji@free.example\(mark)@banned.example",
                "minji\(mark)@banned.example@free.example", "\(mark)minji\(mark)@banned.example",
                "minji@banned.example\(mark).free.example",
            ] {
                count += 1
                #expect(EmailAddress(text) == nil, "\(text.escaped())")
            }
        }
        #expect(count >= 100)
        for text in ["MINJI@BANNED.Example", " minji@banned.example\t", "minji@Banned.EXAMPLE\r\n"] {
            #expect(EmailAddress(text)?.text == "minji@banned.example")
        }
    }

    /// S35: a name or a link is what it looks like.
    @Test(arguments: [
        "a\u{202E}b", "a\u{200B}b", "a\u{200D}b", "a\u{2060}b", "\u{FEFF}a", "a\u{200E}", "a\u{200F}b", "a\u{061C}b",
        "a\u{2066}b", "a\u{2069}b", "a\u{AD}b", "\u{3164}", "a\u{115F}", "\u{2800}", "a\u{E0041}b", "a\u{180E}b",
        "a\u{7F}b", "a\u{9B}b", "a\u{2028}b", "a\nb", "a\u{FFF9}b",
    ])
    func noNameTurnsOrHides(_ name: String) async throws {
        try await AuthWorld.run { world in
            let app = try await world.send(
                .post,
                "/api/v1/apps",
                form: [("client_name", name), ("redirect_uris", "app:/cb")]
            )
            // A line break becomes a space; what only looks like one is refused.
            #expect(app.faults("name") == (name == "a\nb" ? [] : ["ERR_INVALID"]))
            let session = try await world.send(
                .post,
                "/api/v1/sessions",
                form: [("username", "minji"), ("password", "x"), ("device_name", name)]
            )
            #expect(session.status == .unprocessableContent)
        }
    }

    @Test func namesMayHaveWhatIsSeen() async throws {
        try await AuthWorld.run { world in
            for name in ["마당 앱", "Minji’s iPhone", "家族 👨‍👩‍👧‍👦", "🏳️‍🌈 pride", "ไทย", "हिन्दी", "a–b…"] {
                let app = try await world.send(
                    .post,
                    "/api/v1/apps",
                    form: [("client_name", name), ("redirect_uris", "app:/cb")]
                )
                #expect(app.status == .ok, "\(name)")
            }
            for website in ["https://madang.example@evil.example", "https://mаdang.example", "https://", "https:///x"] {
                let app = try await world.send(
                    .post,
                    "/api/v1/apps",
                    form: [("client_name", "x"), ("redirect_uris", "app:/cb"), ("website", website)]
                )
                #expect(app.faults("website") == ["ERR_INVALID"], "\(website)")
            }
        }
    }

    /// S32: fifty at once redeem one code; one is given a token, which is taken back, because somebody has the code too.
    @Test func fiftyRedeemOneCode() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            let app = try await world.app()
            var browser = TestBrowser(world)
            _ = try await browser.signIn("minji")
            let query =
                "response_type=code&client_id=\(app.id)&redirect_uri=\(AuthWorld.callback.percentEncoded)&scope=read"
            let code = try #require(try await browser.decide(query).redirected("code"))
            let form = [
                ("grant_type", "authorization_code"), ("code", code), ("client_id", app.id),
                ("client_secret", app.secret), ("redirect_uri", AuthWorld.callback),
            ]
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<50 {
                    group.addTask { try await world.send(.post, "/oauth/token", form: form).status.code }
                }
                return try await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
            }
            #expect(statuses == [200: 1, 400: 49])
            #expect(
                try await world.count(
                    "SELECT count(*) FROM sessions s JOIN apps a ON a.id = s.app_id WHERE a.client_id = \(app.id)"
                ) == 0
            )
        }
    }

    /// A password is changed because somebody may know it: what they began with it ends too.
    @Test func aChangeOfThePasswordKillsUnusedCodes() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            let own = try await world.session("minji")
            let app = try await world.app()
            var browser = TestBrowser(world)
            _ = try await browser.signIn("minji")
            let query =
                "response_type=code&client_id=\(app.id)&redirect_uri=\(AuthWorld.callback.percentEncoded)&scope=read"
            let code = try #require(try await browser.decide(query).redirected("code"))
            let changed = try await world.send(
                .post,
                "/api/v1/accounts/change_password",
                form: [("old_password", AuthWorld.password), ("new_password", "umbrella-otter-9")],
                token: own.access
            )
            #expect(changed.status == .ok)
            let redeemed = try await world.send(
                .post,
                "/oauth/token",
                form: [
                    ("grant_type", "authorization_code"), ("code", code), ("client_id", app.id),
                    ("client_secret", app.secret), ("redirect_uri", AuthWorld.callback),
                ]
            )
            #expect(redeemed.error == "invalid_grant")
        }
    }

    @Test func onlyAppsOfOurOwnSeeWhereSomebodyIsSignedIn() async throws {
        try await AuthWorld.run { world in
            let foreign = try await world.signUp("minji")
            let own = try await world.session("minji")
            let id = try #require(try await world.principal(own.access)?.sessionID)
            #expect(try await world.send(.get, "/api/v1/sessions", token: foreign).status == .forbidden)
            #expect(try await world.send(.delete, "/api/v1/sessions/\(id)", token: foreign).status == .forbidden)
            #expect(try await world.send(.delete, "/api/v1/sessions", token: foreign).status == .forbidden)
            #expect(try await world.principal(own.access) != nil)
            #expect(try await world.send(.get, "/api/v1/sessions", token: own.access).list.count == 2)
        }
    }
}
