// SPDX-License-Identifier: Apache-2.0
// Signing in: pages, forms of other sites, and guessing.

import Domain
import Foundation
import HTTPTypes
import Postgres
import Support
import Testing
import Web
import WebPages

@testable import AuthService

@Suite struct SignInTests {
    private static func attempt(_ name: String, _ password: String, _ address: String, _ world: AuthWorld) async throws
        -> Answer
    {
        try await world.send(
            .post,
            "/api/v1/sessions",
            form: [("username", name), ("password", password)],
            headers: [("X-Forwarded-For", address)]
        )
    }

    @Test func saysTheSameForAnUnknownNameAndAWrongPassword() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            let wrong = try await Self.attempt("minji", "wrong wrong", "192.0.2.1", world)
            let unknown = try await Self.attempt("nobody", "wrong wrong", "192.0.2.1", world)
            #expect(wrong.status == .unauthorized)
            #expect(wrong.status == unknown.status)
            #expect(wrong.page == unknown.page)
        }
    }

    @Test func limitsGuessingAtAnAccount() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            for name in ["minji", "nobody"] {
                let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                    for index in 0..<40 {
                        group.addTask {
                            try await Self.attempt(name, "guess \(index)", "198.51.100.\(index)", world).status.code
                        }
                    }
                    return try await group.reduce(into: [Int]()) { $0.append($1) }
                }
                #expect(statuses.filter { $0 == 401 }.count == 10)
                #expect(statuses.filter { $0 == 429 }.count == 30)
            }
            let refused = try await Self.attempt("minji", AuthWorld.password, "192.0.2.9", world)
            #expect(refused.status == .tooManyRequests)
            #expect(Int(refused.headers[.retryAfter] ?? "") == 900)
            let mail = try await Self.attempt("minji@example.com", AuthWorld.password, "192.0.2.9", world)
            #expect(mail.status == .tooManyRequests)
            world.clock.advance(.seconds(901))
            #expect(try await Self.attempt("minji", AuthWorld.password, "192.0.2.9", world).status == .ok)
        }
    }

    @Test func limitsGuessingFromAnAddress() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            var statuses: [Int] = []
            for index in 0..<40 {
                // One network of IPv6 is one address.
                let address = "2001:db8:0:1::\(String(index, radix: 16))"
                statuses.append(try await Self.attempt("name\(index)", "guess", address, world).status.code)
            }
            #expect(statuses.filter { $0 == 401 }.count == 30)
            #expect(
                try await Self.attempt("minji", AuthWorld.password, "2001:db8:0:1::1", world).status == .tooManyRequests
            )
            #expect(try await Self.attempt("minji", AuthWorld.password, "2001:db8:0:2::1", world).status == .ok)
        }
    }

    @Test func doesNotCountSuccess() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            for _ in 0..<12 {
                #expect(try await Self.attempt("minji", AuthWorld.password, "192.0.2.1", world).status == .ok)
            }
        }
    }

    @Test func letsAKnownBrowserInWhileOthersGuess() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            var browser = TestBrowser(world)
            #expect(try await browser.signIn("minji").status == .seeOther)
            for index in 0..<15 { _ = try await Self.attempt("minji", "guess", "198.51.100.\(index)", world) }
            var stranger = TestBrowser(world)
            stranger.address = "192.0.2.77"
            #expect(try await stranger.signIn("minji").status == .tooManyRequests)
            #expect(try await browser.signIn("minji").status == .seeOther)
        }
    }

    @Test func refusesFormsOfOtherSites() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            var browser = TestBrowser(world)
            let login = [("username", "minji"), ("password", AuthWorld.password)]
            #expect(try await browser.post("/auth/sign_in", login).status == .forbidden)
            var other = TestBrowser(world)
            let foreign = try #require(try await other.get("/auth/sign_in").field("form_token"))
            #expect(try await browser.post("/auth/sign_in", login + [("form_token", foreign)]).status == .forbidden)
            #expect(browser.cookies["madang_session"] == nil)
            _ = try await browser.signIn("minji")
            #expect(try await browser.post("/auth/sign_out", [("form_token", foreign)]).status == .forbidden)
            let app = try await world.app()
            let query =
                "response_type=code&client_id=\(app.id)&redirect_uri=\(AuthWorld.callback.percentEncoded)&scope=read"
            let forged = try await browser.post("/oauth/authorize?" + query, [("decision", "approve")])
            #expect(forged.status == .forbidden)
            #expect(try await world.count("SELECT count(*) FROM authorization_codes") == 0)
        }
    }

    @Test func keepsItsCookiesSafe() async throws {
        try await AuthWorld.run(origin: "https://madang.example") { world in
            _ = try await world.signUp("minji")
            var browser = TestBrowser(world)
            let answer = try await browser.signIn("minji")
            let cookies = answer.headers[values: .setCookie]
            #expect(cookies.contains { $0.hasPrefix("__Host-madang_session=") })
            for cookie in cookies {
                for attribute in ["Path=/", "HttpOnly", "SameSite=Lax", "Secure"] {
                    #expect(cookie.contains("; \(attribute)"), "\(cookie)")
                }
            }
        }
    }

    @Test func leadsOnlyToLocalPlaces() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            for place in ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)"] {
                var browser = TestBrowser(world)
                let answer = try await browser.signIn("minji", returnTo: place)
                #expect(answer.location == "/auth/sign_in?lang=en")
                let again = try await browser.get("/auth/sign_in?return_to=\(place.percentEncoded)")
                #expect(again.headers[.location] == nil)
            }
        }
    }

    @Test func signsOut() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            var browser = TestBrowser(world)
            _ = try await browser.signIn("minji")
            let stolen = browser
            let page = try await browser.get("/auth/sign_in")
            #expect(page.page.contains("@minji"))
            let form = try #require(page.field("form_token"))
            #expect(try await browser.post("/auth/sign_out", [("form_token", form)]).status == .seeOther)
            #expect(browser.cookies["madang_session"] == nil)
            var thief = stolen
            #expect(try await !thief.get("/auth/sign_in").page.contains("@minji"))
            #expect(try await world.recorded("auth.SessionRevoked.v1").count == 1)
        }
    }

    @Test func signsUpOnAPage() async throws {
        try await AuthWorld.run { world in
            var browser = TestBrowser(world)
            let form = try #require(try await browser.get("/auth/sign_up?lang=ko").field("form_token"))
            let extra = [("form_token", form), ("lang", "ko"), ("return_to", "/oauth/authorize?x=y")]
            let wrong = try await browser.post(
                "/auth/sign_up",
                AuthWorld.fields("minji", password: "12345678") + extra
            )
            #expect(wrong.status == .unprocessableContent)
            #expect(wrong.page.contains(PageText.text("fault_compromised", .korean)))
            #expect(wrong.page.contains("lang=\"ko\""))
            #expect(!wrong.page.contains("12345678"))
            let done = try await browser.post("/auth/sign_up", AuthWorld.fields("minji") + extra)
            #expect(done.status == .seeOther)
            #expect(done.location == "/oauth/authorize?x=y")
            #expect(try await browser.get("/auth/sign_in").page.contains("@minji"))
            #expect(try await world.recorded("auth.AccountRegistered.v1").count == 1)
        }
    }

    @Test func whoHasSignedUpIsShownAWayOn() async throws {
        try await AuthWorld.run { world in
            var browser = TestBrowser(world)
            let page = try await browser.get("/auth/sign_up?lang=ja")
            for link in ["/rules?lang=ja", "/privacy-policy?lang=ja"] {
                #expect(page.page.contains("href=\"\(link)\""))
            }
            let form = try #require(page.field("form_token"))
            let extra = [("form_token", form), ("lang", "ja")]
            let done = try await browser.post("/auth/sign_up", AuthWorld.fields("minji") + extra)
            #expect(done.status == .seeOther)
            // The gateway lets posts make the profile before the browser is told.
            let told = try #require(done.headers[.registered]?.split(separator: " "))
            #expect(told.count == 2 && told.last == "minji")
            let next = done.location
            #expect(next == "/auth/sign_in?new=true&lang=ja")
            let welcome = try await browser.get(next).page
            #expect(welcome.contains(PageText.text("account_ready", .japanese)))
            #expect(welcome.contains(#"href="/@minji?lang=ja""#))
            #expect(
                welcome.contains(#"class="address""#) && welcome.contains(">\(world.dependencies.site.domain)</code>")
            )
        }
    }

    @Test func aProblemIsAPageForABrowser() async throws {
        try await AuthWorld.run { world in
            let path = "/oauth/authorize/native?code=x"
            let page = try await world.send(.get, path, headers: [("Accept", "text/html"), ("Accept-Language", "ko")])
            #expect(page.status == .notFound && page.headers[.contentType] == "text/html; charset=utf-8")
            #expect(page.page.contains("<html lang=\"ko\">"))
            #expect(try await world.send(.get, path).page.hasPrefix("{"))
            // What apps ask for is never a page.
            let token = try await world.send(.post, "/oauth/token", form: [], headers: [("Accept", "text/html")])
            #expect(token.page.hasPrefix("{"))
        }
    }

    @Test func everyFaultIsASentence() {
        for (key, text) in PageText.words.all(.english)
        where key.hasPrefix("fault_") || key.hasPrefix("advice_") || key.hasPrefix("wrong_") {
            #expect(text.first?.isUppercase == true && text.last == ".", "\(key): \(text)")
        }
    }

    @Test func speaksTheReadersLanguage() async throws {
        try await AuthWorld.run { world in
            var browser = TestBrowser(world)
            for (language, word) in [("en", "Sign in"), ("ko", "로그인"), ("ja", "ログイン")] {
                #expect(try await browser.get("/auth/sign_in", language: language).page.contains("<h1>\(word)</h1>"))
                #expect(
                    try await browser.get("/auth/sign_in?lang=\(language)", language: "fr").page.contains(
                        "<h1>\(word)</h1>"
                    )
                )
            }
            let page = try await browser.get("/auth/sign_in?return_to=%2Fa%22%3E%3Cscript%3E")
            #expect(!page.page.contains("<script"))
            let headers = page.headers
            #expect(directives(headers[.contentSecurityPolicy]) == pagePolicy())
            #expect(headers[.cacheControl] == "no-store")
            #expect(!page.page.contains("http://") && !page.page.contains("https://"))
        }
    }

    @Test func escapesWhatAppsSay() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            var browser = TestBrowser(world)
            _ = try await browser.signIn("minji")
            let app = try await world.send(
                .post,
                "/api/v1/apps",
                form: [("client_name", "<script>alert(1)</script>\"'"), ("redirect_uris", "app:/cb")]
            )
            let page = try await browser.get(
                "/oauth/authorize?response_type=code&client_id=\(try app.text("client_id"))&redirect_uri=app:/cb"
                    + "&state=%22%3E%3Cscript%3E"
            )
            #expect(page.status == .ok)
            #expect(!page.page.contains("<script"))
            #expect(page.page.contains("&lt;script&gt;"))
            #expect(directives(page.headers[.contentSecurityPolicy]) == pagePolicy(formTarget: " app:"))
        }
    }

    /// What somebody typed comes back as they typed it, and as nothing else.
    @Test func escapesWhatSomebodyTyped() async throws {
        try await AuthWorld.run { world in
            var browser = TestBrowser(world)
            // No code that a page carries begins so.
            let typed = #"<i>"zebra' &amp;"#
            for path in ["/auth/sign_up", "/auth/sign_in"] {
                let form = try #require(try await browser.get(path).field("form_token"))
                let answer = try await browser.post(
                    path,
                    [
                        ("form_token", form), ("username", typed), ("email", typed), ("password", typed),
                        ("return_to", "/a" + typed), ("lang", "ja" + typed),
                    ]
                )
                #expect(answer.status.code >= 400, "\(path)")
                #expect(!answer.page.contains("<i>") && !answer.page.contains("\"zebra"), "\(path)")
                #expect(answer.page.contains("value=\"&lt;i&gt;&quot;zebra"), "\(path)")
                #expect(answer.page.contains("<html lang=\"ja\">"), "\(path)")
                #expect(directives(answer.headers[.contentSecurityPolicy]) == pagePolicy(), "\(path)")
            }
        }
    }
}
