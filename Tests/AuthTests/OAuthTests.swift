// SPDX-License-Identifier: Apache-2.0
// Apps, codes and tokens.

import Crypto
import Domain
import Foundation
import HTTPTypes
import Postgres
import Support
import Testing
import Web

@testable import AuthService

@Suite struct OAuthTests {
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    static let challenge = "code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"

    static func query(
        _ app: AuthWorld.RegisteredApp,
        _ more: String = "",
        redirect: String = AuthWorld.callback
    ) -> String {
        "response_type=code&client_id=\(app.id)&redirect_uri=\(redirect.percentEncoded)&scope=read%20write"
            + (more.isEmpty ? "" : "&" + more)
    }

    static func redeem(
        _ code: String,
        _ app: AuthWorld.RegisteredApp,
        verifier: String? = nil,
        redirect: String = AuthWorld.callback,
        _ world: AuthWorld
    ) async throws -> Answer {
        var form = [
            ("grant_type", "authorization_code"), ("code", code), ("client_id", app.id), ("client_secret", app.secret),
            ("redirect_uri", redirect),
        ]
        if let verifier { form.append(("code_verifier", verifier)) }
        return try await world.send(.post, "/oauth/token", form: form)
    }

    /// A browser in which somebody is signed in.
    static func browser(_ name: String, _ world: AuthWorld) async throws -> TestBrowser {
        _ = try await world.signUp(name)
        var browser = TestBrowser(world)
        #expect(try await browser.signIn(name).status == .seeOther)
        return browser
    }

    @Test func registersAppsInEveryForm() async throws {
        try await AuthWorld.run { world in
            let json = try await world.send(
                .post,
                "/api/v1/apps",
                json: #"""
                    {"client_name": "마당 앱", "redirect_uris": ["https://a.example/cb", "app:/cb"], "scopes": "read write:statuses",
                    "website": "https://a.example"}
                    """#
            )
            #expect(json.status == .ok)
            #expect(
                Set(json.object.keys) == [
                    "id", "name", "website", "scopes", "redirect_uri", "redirect_uris", "client_id", "client_secret",
                    "client_secret_expires_at",
                ]
            )
            #expect(json.object["redirect_uris"] as? [String] == ["https://a.example/cb", "app:/cb"])
            #expect(json.object["redirect_uri"] as? String == "https://a.example/cb\napp:/cb")
            #expect(json.object["scopes"] as? [String] == ["read", "write:statuses"])
            #expect(json.object["client_secret_expires_at"] as? Int == 0)
            let form = try await world.send(
                .post,
                "/api/v1/apps",
                form: [("client_name", "x"), ("redirect_uris", "urn:ietf:wg:oauth:2.0:oob\nhttps://a.example/cb")]
            )
            #expect(form.object["redirect_uris"] as? [String] == ["urn:ietf:wg:oauth:2.0:oob", "https://a.example/cb"])
            #expect(form.object["scopes"] as? [String] == ["read"])
            #expect(form.object["website"] is NSNull)
            let query = try await world.send(
                .post,
                "/api/v1/apps?client_name=x&redirect_uris=app%3A%2F%2Fcb&scopes=read+write+follow+push"
            )
            #expect(query.object["scopes"] as? [String] == ["read", "write", "follow", "push"])
            #expect(try await world.count("SELECT count(*) FROM apps WHERE octet_length(secret_hash) = 32") == 3)
        }
    }

    @Test(arguments: [
        ("name", "redirect_uris=app:/cb", "ERR_BLANK"),
        ("name", "redirect_uris=app:/cb&client_name=" + String(repeating: "x", count: 61), "ERR_TOO_LONG"),
        ("name", "redirect_uris=app:/cb&client_name=a%E2%80%AEb", "ERR_INVALID"),
        ("redirect_uri", "client_name=x", "ERR_BLANK"),
        ("redirect_uri", "client_name=x&redirect_uris=javascript:x", "ERR_INVALID"),
        ("redirect_uri", "client_name=x&redirect_uris=http://app.example/cb", "ERR_INVALID"),
        ("scopes", "client_name=x&redirect_uris=app:/cb&scopes=read+sudo", "ERR_INVALID"),
        ("website", "client_name=x&redirect_uris=app:/cb&website=javascript:x", "ERR_INVALID"),
    ])
    func refusesBadApps(_ field: String, _ query: String, _ code: String) async throws {
        try await AuthWorld.run { world in
            let answer = try await world.send(.post, "/api/v1/apps?" + query)
            #expect(answer.status == .unprocessableContent)
            #expect(answer.faults(field) == [code])
        }
    }

    @Test func verifiesApps() async throws {
        try await AuthWorld.run { world in
            let token = try await world.appToken(try await world.app())
            let answer = try await world.send(.get, "/api/v1/apps/verify_credentials", token: token)
            #expect(
                Set(answer.object.keys)
                    == ["id", "name", "website", "scopes", "redirect_uri", "redirect_uris"]
            )
            #expect(answer.object["name"] as? String == "A test")
        }
    }

    @Test func leadsFromTheAppAndBack() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            let app = try await world.app()
            var browser = TestBrowser(world)
            let query = Self.query(app, "state=%26%3Dx&" + Self.challenge)
            let first = try await browser.get("/oauth/authorize?" + query)
            #expect(first.status == .seeOther)
            let returnTo = try #require(first.redirected("return_to"))
            #expect(first.location.hasPrefix("/auth/sign_in?"))
            let signedIn = try await browser.signIn("minji", returnTo: returnTo)
            #expect(signedIn.location == returnTo)
            let consent = try await browser.get(returnTo)
            #expect(consent.status == .ok)
            #expect(consent.page.contains("A test would like to:"))
            #expect(consent.page.contains("@minji"))
            #expect(
                consent.headers[.contentSecurityPolicy]?.contains("form-action 'self' https://app.example;") == true
            )
            #expect(consent.headers[.contentSecurityPolicy]?.contains("frame-ancestors 'none'") == true)
            let back = try await browser.decide(query)
            #expect(back.status == .seeOther)
            #expect(back.location.hasPrefix(AuthWorld.callback + "?code="))
            #expect(back.redirected("state") == "&=x")
            #expect(back.redirected("iss") == "http://localhost:3000")
            let token = try await Self.redeem(
                try #require(back.redirected("code")),
                app,
                verifier: Self.verifier,
                world
            )
            #expect(token.status == .ok)
            #expect(Set(token.object.keys) == ["access_token", "token_type", "scope", "created_at"])
            #expect(token.headers[.cacheControl] == "no-store")
            let principal = try await world.principal(try token.text("access_token"))
            #expect(principal?.account?.username.text == "minji")
            #expect(principal?.scopes.description == "read write")
        }
    }

    @Test func showsTheCodeOutOfBand() async throws {
        try await AuthWorld.run { world in
            var browser = try await Self.browser("minji", world)
            let app = try await world.app(redirect: RedirectURI.outOfBand)
            let shown = try await browser.decide(Self.query(app, redirect: RedirectURI.outOfBand))
            #expect(shown.location.hasPrefix("/oauth/authorize/native?code="))
            let code = try #require(shown.redirected("code"))
            let page = try await browser.get(shown.location)
            #expect(page.page.contains(">\(code)</code>"))
            let token = try await Self.redeem(code, app, redirect: RedirectURI.outOfBand, world)
            #expect(token.status == .ok)
            #expect(try await browser.get("/oauth/authorize/native?code=%3Cscript%3E").status == .notFound)
        }
    }

    @Test func tellsTheAppOfARefusal() async throws {
        try await AuthWorld.run { world in
            var browser = try await Self.browser("minji", world)
            let app = try await world.app()
            let back = try await browser.decide(Self.query(app, "state=s"), "deny")
            #expect(back.redirected("error") == "access_denied")
            #expect(back.redirected("state") == "s")
            #expect(back.redirected("code") == nil)
        }
    }

    @Test func asksAgainWhenForced() async throws {
        try await AuthWorld.run { world in
            var browser = try await Self.browser("minji", world)
            let app = try await world.app()
            let answer = try await browser.get("/oauth/authorize?" + Self.query(app, "force_login=true"))
            #expect(answer.redirected("force") == "true")
            let form = try await browser.get(answer.location)
            #expect(form.status == .ok)
            #expect(form.field("form_token") != nil)
            #expect(answer.redirected("return_to")?.contains("force_login") == false)
        }
    }

    /// Attack list: a redirect URI that is not the registered one leads nowhere.
    @Test(arguments: [
        "https://APP.example/callback", "https://app.example/callback/", "https://app.example:443/callback",
        "https://app.example/callback?x=y", "https://app.example/callback#x", "https://app.example/x/../callback",
        "https://app.example@evil.example/callback", "https://evil.app.example/callback", "https://evil.example",
        "http://app.example/callback", "", "javascript:alert(1)", "urn:ietf:wg:oauth:2.0:oob",
    ])
    func redirectsOnlyToWhatIsRegistered(_ uri: String) async throws {
        try await AuthWorld.run { world in
            var browser = try await Self.browser("minji", world)
            let app = try await world.app()
            let query = Self.query(app, redirect: uri)
            for answer in [
                try await browser.get("/oauth/authorize?" + query),
                try await browser.post("/oauth/authorize?" + query, []),
            ] {
                #expect(answer.status == .badRequest)
                #expect(answer.headers[.location] == nil)
                #expect(!answer.page.contains("href=\"http"))
            }
        }
    }

    @Test func refusesBadRequestsWithoutRedirecting() async throws {
        try await AuthWorld.run { world in
            var browser = try await Self.browser("minji", world)
            let app = try await world.app(scopes: "read")
            let base = "client_id=\(app.id)&redirect_uri=\(AuthWorld.callback.percentEncoded)"
            for query in [
                base + "&response_type=token", base + "&response_type=code%20token", base,
                base + "&response_type=code&scope=write", base + "&response_type=code&scope=sudo",
                base + "&response_type=code&scope=read&code_challenge=\(Self.verifier)&code_challenge_method=plain",
                base + "&response_type=code&scope=read&code_challenge=\(Self.verifier)",
                base + "&response_type=code&scope=read&code_challenge=short&code_challenge_method=S256",
                base + "&response_type=code&scope=read&code_challenge_method=S256",
                "response_type=code&client_id=unknown&redirect_uri=\(AuthWorld.callback.percentEncoded)",
            ] {
                let answer = try await browser.get("/oauth/authorize?" + query)
                #expect(answer.status == .badRequest, "\(query)")
                #expect(answer.headers[.location] == nil)
            }
        }
    }

    @Test func takesACodeOnce() async throws {
        try await AuthWorld.run { world in
            var browser = try await Self.browser("minji", world)
            let app = try await world.app()
            let code = try #require(try await browser.decide(Self.query(app)).redirected("code"))
            let token = try await Self.redeem(code, app, world).text("access_token")
            #expect(try await world.principal(token) != nil)
            let second = try await Self.redeem(code, app, world)
            #expect(second.status == .badRequest)
            #expect(second.error == "invalid_grant")
            #expect(try await world.principal(token) == nil)
            #expect(try await world.recorded("auth.SessionRevoked.v1").count == 1)
            #expect(try await Self.redeem(code, app, world).error == "invalid_grant")
        }
    }

    @Test func redeemsOnceAtTheSameMoment() async throws {
        try await AuthWorld.run { world in
            var browser = try await Self.browser("minji", world)
            let app = try await world.app()
            let code = try #require(try await browser.decide(Self.query(app)).redirected("code"))
            let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                for _ in 0..<20 { group.addTask { try await Self.redeem(code, app, world) } }
                return try await group.reduce(into: [Answer]()) { $0.append($1) }
            }
            #expect(answers.filter { $0.status == .ok }.count == 1)
            #expect(answers.filter { $0.status == .badRequest }.count == 19)
            let token = try #require(answers.first { $0.status == .ok }).text("access_token")
            #expect(try await world.principal(token) == nil)
        }
    }

    @Test func refusesStolenAndStaleCodes() async throws {
        try await AuthWorld.run { world in
            var browser = try await Self.browser("minji", world)
            let app = try await world.app()
            let other = try await world.app()
            func code(_ more: String = "") async throws -> String {
                try #require(try await browser.decide(Self.query(app, more)).redirected("code"))
            }
            #expect(try await Self.redeem(try await code(), other, world).error == "invalid_grant")
            #expect(try await Self.redeem(try await code(), app, redirect: "app:/", world).error == "invalid_grant")
            #expect(try await Self.redeem(try await code(Self.challenge), app, world).error == "invalid_grant")
            let wrong = String(repeating: "a", count: 43)
            #expect(
                try await Self.redeem(try await code(Self.challenge), app, verifier: wrong, world).error
                    == "invalid_grant"
            )
            #expect(
                try await Self.redeem(try await code(), app, verifier: Self.verifier, world).error == "invalid_grant"
            )
            #expect(try await Self.redeem("unknown", app, world).error == "invalid_grant")
            let stale = try await code()
            world.clock.advance(.seconds(601))
            #expect(try await Self.redeem(stale, app, world).error == "invalid_grant")
        }
    }

    @Test func knowsItsClients() async throws {
        try await AuthWorld.run { world in
            let app = try await world.app()
            func ask(_ form: [(String, String)], _ headers: [(String, String)] = []) async throws -> Answer {
                try await world.send(.post, "/oauth/token", form: form, headers: headers)
            }
            let grant = ("grant_type", "client_credentials")
            #expect(try await ask([grant]).error == "invalid_client")
            #expect(try await ask([grant, ("client_id", app.id)]).status == .unauthorized)
            #expect(try await ask([grant, ("client_id", app.id), ("client_secret", "x")]).error == "invalid_client")
            #expect(try await ask([grant, ("client_id", "madang")]).error == "unauthorized_client")
            let basic = Data("\(app.id):\(app.secret)".utf8).base64EncodedString()
            let token = try await ask([grant], [("Authorization", "Basic \(basic)")])
            #expect(token.object["scope"] as? String == "read")
            #expect(try await ask([grant], [("Authorization", "Basic %%%")]).error == "invalid_client")
            let json = try await world.send(
                .post,
                "/oauth/token",
                json:
                    #"{"grant_type":"client_credentials","client_id":"\#(app.id)","client_secret":"\#(app.secret)","scope":"read write"}"#
            )
            #expect(json.object["scope"] as? String == "read write")
            let query = "grant_type=client_credentials&client_id=\(app.id)&client_secret=\(app.secret)&scope=push"
            #expect(try await world.send(.post, "/oauth/token?" + query).object["scope"] as? String == "push")
            let secret = [("client_id", app.id), ("client_secret", app.secret)]
            for unsupported in ["password", "implicit", "", "urn:ietf:params:oauth:grant-type:device_code"] {
                let answer = try await ask(
                    secret + [("grant_type", unsupported), ("username", "minji"), ("password", AuthWorld.password)]
                )
                #expect(answer.error == "unsupported_grant_type")
                #expect(answer.status == .badRequest)
            }
            #expect(try await ask(secret).error == "invalid_request")
            #expect(try await ask(secret + [("grant_type", "refresh_token")]).error == "unauthorized_client")
            #expect(try await ask(secret + [grant, ("scope", "admin:read")]).error == "invalid_scope")
            #expect(try await ask(secret + [("grant_type", "authorization_code")]).error == "invalid_request")
        }
    }

    @Test func revokes() async throws {
        try await AuthWorld.run { world in
            let app = try await world.app()
            let token = try await world.appToken(app)
            let other = try await world.app()
            func revoke(_ app: AuthWorld.RegisteredApp, _ token: String) async throws -> Answer {
                try await world.send(
                    .post,
                    "/oauth/revoke",
                    form: [("client_id", app.id), ("client_secret", app.secret), ("token", token)]
                )
            }
            #expect(try await revoke(other, token).status == .ok)
            #expect(try await world.principal(token) != nil)
            let answer = try await revoke(app, token)
            #expect(answer.status == .ok)
            #expect(answer.page == "{}")
            #expect(try await world.principal(token) == nil)
            #expect(try await revoke(app, "unknown").status == .ok)
            #expect(try await world.recorded("auth.SessionRevoked.v1").count == 1)
            let wrong = AuthWorld.RegisteredApp(id: app.id, secret: "x")
            #expect(try await revoke(wrong, token).error == "invalid_client")
        }
    }

    @Test func describesItself() async throws {
        try await AuthWorld.run { world in
            let answer = try await world.send(.get, "/.well-known/oauth-authorization-server")
            #expect(answer.object["issuer"] as? String == "http://localhost:3000")
            #expect(answer.object["code_challenge_methods_supported"] as? [String] == ["S256"])
            #expect(answer.object["response_types_supported"] as? [String] == ["code"])
            #expect(answer.object["app_registration_endpoint"] as? String == "http://localhost:3000/api/v1/apps")
            #expect(answer.object["authorization_response_iss_parameter_supported"] as? Bool == true)
        }
    }

    @Test func saysWhoSomebodyIs() async throws {
        try await AuthWorld.run { world in
            var browser = try await Self.browser("minji", world)
            let app = try await world.app()
            let query =
                "response_type=code&client_id=\(app.id)&redirect_uri=\(AuthWorld.callback.percentEncoded)&scope=profile"
            let code = try #require(try await browser.decide(query).redirected("code"))
            let token = try await Self.redeem(code, app, world).text("access_token")
            for method in [HTTPRequest.Method.get, .post] {
                let answer = try await world.send(method, "/oauth/userinfo", token: token)
                #expect(answer.object["preferred_username"] as? String == "minji")
                #expect(answer.object["sub"] as? String == "http://localhost:3000/users/minji")
                #expect(answer.object["iss"] as? String == "http://localhost:3000")
            }
            #expect(try await world.send(.get, "/api/v1/sessions", token: token).status == .forbidden)
        }
    }
}
