// SPDX-License-Identifier: Apache-2.0
// Leaving for good with a browser.

import Domain
import Foundation
import HTTPTypes
import Postgres
import Support
import Testing
import Web

@testable import AuthService

@Suite struct DeletePageTests {
    private static let path = "/auth/account/delete"
    private static let left: SQL = "SELECT count(*) FROM departures"

    /// Somebody who came by an issuer and has no password.
    private static func arrived(_ world: AuthWorld, _ issuer: TestIssuer) async throws -> TestBrowser {
        _ = try await world.join("mina", at: issuer)
        var browser = TestBrowser(world)
        try await come(&browser, issuer)
        return browser
    }

    private static func come(_ browser: inout TestBrowser, _ issuer: TestIssuer) async throws {
        let away = try await browser.get("/auth/with/\(issuer.issuer.name)")
        let (state, code) = try issuer.agree(to: away.location, as: "mina")
        let back = try await browser.get("/auth/with/\(issuer.issuer.name)/callback?state=\(state)&code=\(code)")
        #expect(back.status == .seeOther, "\(back.page)")
    }

    @Test func whoIsNotSignedInSignsInFirst() async throws {
        try await AuthWorld.run { world in
            var browser = TestBrowser(world)
            for answer in [try await browser.get(Self.path), try await browser.post(Self.path, [])] {
                #expect(answer.status == .seeOther)
                #expect(answer.location.hasPrefix("/auth/sign_in?return_to=%2Fauth%2Faccount%2Fdelete"))
            }
            #expect(try await world.count(Self.left) == 0)
        }
    }

    @Test(arguments: [
        (Language.english, "<h1>Delete my account</h1>", "unless you sign in"),
        (.korean, "<h1>계정 삭제</h1>", "로그아웃되었습니다"),
        (.japanese, "<h1>アカウントを削除</h1>", "ログアウトしました"),
    ])
    func withThePasswordOnceMore(language: Language, title: String, word: String) async throws {
        try await AuthWorld.run { world in
            let token = try await world.signUp("minji")
            var browser = TestBrowser(world)
            _ = try await browser.signIn("minji")
            // A device left open is not enough, but the password always is.
            world.clock.advance(.seconds(3600))
            let page = try await browser.get(Self.path, language: language.rawValue)
            #expect(page.status == .ok && page.page.contains(title) && page.page.contains("@minji"))
            #expect(page.page.contains("<html lang=\"\(language.rawValue)\""))
            let day = (world.clock.now + .seconds(14 * 86_400)).date
            #expect(page.page.contains(day), "\(page.page)")
            #expect(page.page.contains("name=\"password\"") && !page.page.contains("force=true"))
            #expect(directives(page.headers[.contentSecurityPolicy]) == pagePolicy())
            let form = try #require(page.field("form_token"))
            func post(_ fields: [(String, String)]) async throws -> Answer {
                try await browser.post(Self.path, fields + [("lang", language.rawValue)], language: language.rawValue)
            }
            let forged = try await post([("form_token", "of another"), ("password", AuthWorld.password)])
            #expect(forged.status == .forbidden && forged.page.contains("role=\"alert\""))
            #expect(try await post([("password", AuthWorld.password)]).status == .forbidden)
            for wrong in ["", "not the password"] {
                let refused = try await post([("form_token", form), ("password", wrong)])
                #expect(refused.status.code >= 400 && refused.page.contains("role=\"alert\""), "\(wrong)")
            }
            #expect(try await world.count(Self.left) == 0)
            let asked = try await post([("form_token", form), ("password", AuthWorld.password)])
            #expect(asked.status == .ok && asked.page.contains(day) && asked.page.contains(title))
            #expect(asked.page.contains(word), "\(asked.page)")
            #expect(browser.cookies["madang_session"] == nil)
            #expect(try await world.count(Self.left) == 1)
            // Every other place is signed out, too.
            #expect(try await world.principal(token) == nil)
            #expect(try await browser.get(Self.path).status == .seeOther)
        }
    }

    @Test func withoutAPasswordWhoHasJustSignedIn() async throws {
        try await TestIssuer.run { world, issuer in
            var browser = try await Self.arrived(world, issuer)
            let page = try await browser.get(Self.path)
            #expect(page.status == .ok && !page.page.contains("name=\"password\"") && !page.page.contains("force=true"))
            let form = try #require(page.field("form_token"))
            #expect(try await browser.post(Self.path, [("form_token", "of another")]).status == .forbidden)
            #expect(try await world.count(Self.left) == 0)
            // What is older than a few minutes proves nothing.
            world.clock.advance(.seconds(301))
            let stale = try await browser.get(Self.path)
            #expect(stale.field("form_token") == nil && stale.page.contains("force=true"))
            #expect(stale.page.contains("Sign in once more"))
            let refused = try await browser.post(Self.path, [("form_token", form)])
            #expect(refused.status == .forbidden && refused.page.contains("confirm once more who you are"))
            #expect(try await world.count(Self.left) == 0)
            try await Self.come(&browser, issuer)
            let again = try await browser.get(Self.path)
            let asked = try await browser.post(Self.path, [("form_token", try #require(again.field("form_token")))])
            #expect(asked.status == .ok && browser.cookies["madang_session"] == nil)
            #expect(try await world.count(Self.left) == 1)
        }
    }
}
