// SPDX-License-Identifier: Apache-2.0
// Linking and unlinking issuers in a browser.

import Domain
import Foundation
import HTTPTypes
import Postgres
import Support
import Testing
import Web

@testable import AuthService

@Suite struct IdentitiesPageTests {
    private static let path = "/auth/identities"

    /// Where the page's link to an issuer leads.
    private static func linkTarget(_ page: Answer, _ issuer: TestIssuer) throws -> String {
        let start = try #require(page.page.range(of: "href=\"/auth/with/\(issuer.issuer.name)?link="))
        let target = page.page[start.lowerBound...].dropFirst(6).prefix { $0 != "\"" }
        return String(target).replacing("&amp;", with: "&")
    }

    /// From the page to where the issuer sends the browser back to.
    private static func visit(_ browser: inout TestBrowser, _ issuer: TestIssuer, as subject: String) async throws
        -> String
    {
        let away = try await browser.get(try linkTarget(try await browser.get(path), issuer))
        #expect(away.status == .seeOther, "\(away.page)")
        let (state, code) = try issuer.agree(to: away.location, as: subject)
        return "/auth/with/\(issuer.issuer.name)/callback?state=\(state)&code=\(code)"
    }

    @Test func whoHasJustSignedInLinksAndUnlinks() async throws {
        try await TestIssuer.run { world, issuer in
            _ = try await world.signUp("mina")
            var browser = TestBrowser(world)
            #expect(try await browser.get(Self.path).location.hasPrefix("/auth/sign_in?force=true&return_to="))
            _ = try await browser.signIn("mina")
            let back = try await Self.visit(&browser, issuer, as: "somebody")
            let linked = try await browser.get(back)
            #expect(linked.status == .seeOther && linked.location.hasPrefix(Self.path))
            let page = try await browser.get(Self.path)
            #expect(page.status == .ok && page.page.contains("somebody@example.org"))
            #expect(directives(page.headers[.contentSecurityPolicy]) == pagePolicy())
            // It signs her in from now on.
            var other = TestBrowser(world)
            let away = try await other.get("/auth/with/issuer")
            let (state, code) = try issuer.agree(to: away.location, as: "somebody")
            _ = try await other.get("/auth/with/issuer/callback?state=\(state)&code=\(code)")
            #expect(try await other.get("/auth/sign_in").page.contains("@mina"))
            let (form, id) = (try #require(page.field("form_token")), try #require(page.field("unlink")))
            #expect(try await browser.post(Self.path, [("unlink", id)]).status == .forbidden)
            let gone = try await browser.post(Self.path, [("form_token", form), ("unlink", id)])
            #expect(gone.status == .seeOther && gone.location.hasPrefix(Self.path))
            #expect(try await world.count("SELECT count(*) FROM identities") == 0)
            #expect(try await browser.post(Self.path, [("form_token", form), ("unlink", id)]).status == .notFound)
            #expect(try await browser.post(Self.path, [("form_token", form), ("unlink", "x")]).status == .notFound)
        }
    }

    @Test func whatIsOlderThanFiveMinutesProvesNothing() async throws {
        try await TestIssuer.run { world, issuer in
            _ = try await world.signUp("mina")
            var browser = TestBrowser(world)
            _ = try await browser.signIn("mina")
            let page = try await browser.get(Self.path)
            let form = try #require(page.field("form_token"))
            world.clock.advance(.seconds(301))
            for answer in [
                try await browser.get(Self.path),
                try await browser.post(Self.path, [("form_token", form), ("unlink", "1")]),
            ] {
                #expect(answer.status == .seeOther && answer.location.hasPrefix("/auth/sign_in?force=true"))
            }
            #expect(try await browser.get(try Self.linkTarget(page, issuer)).status == .forbidden)
            #expect(try await world.count("SELECT count(*) FROM issuer_visits") == 0)
        }
    }

    @Test func theLastWayInStays() async throws {
        try await TestIssuer.run { world, issuer in
            _ = try await world.join("mina", at: issuer)
            var browser = TestBrowser(world)
            let away = try await browser.get("/auth/with/issuer")
            let (state, code) = try issuer.agree(to: away.location, as: "mina")
            _ = try await browser.get("/auth/with/issuer/callback?state=\(state)&code=\(code)")
            let page = try await browser.get(Self.path)
            let (form, id) = (try #require(page.field("form_token")), try #require(page.field("unlink")))
            let refused = try await browser.post(Self.path, [("form_token", form), ("unlink", id)])
            #expect(refused.status == .conflict && refused.page.contains("only way into your account"))
            #expect(try await world.count("SELECT count(*) FROM identities") == 1)
        }
    }

    /// Nobody's account is linked with what somebody else chose.
    @Test func nobodyElseLinks() async throws {
        try await TestIssuer.run { world, issuer in
            for name in ["mina", "jun"] { _ = try await world.signUp(name) }
            _ = try await world.join("taken", at: issuer)
            var (victim, attacker) = (TestBrowser(world), TestBrowser(world))
            _ = try await victim.signIn("mina")
            _ = try await attacker.signIn("jun")
            // The link of another's page, a visit of another's browser, and an identity of another's account.
            let target = try Self.linkTarget(try await attacker.get(Self.path), issuer)
            #expect(try await victim.get(target).status == .forbidden)
            let back = try await Self.visit(&attacker, issuer, as: "attacker")
            #expect(try await victim.get(back).status == .forbidden)
            let taken = try await victim.get(try await Self.visit(&victim, issuer, as: "taken"))
            #expect(taken.status == .conflict)
            // Who has signed in as somebody else meanwhile links nothing.
            let mine = try await Self.visit(&victim, issuer, as: "mina's")
            _ = try await victim.signIn("jun")
            #expect(try await victim.get(mine).status == .forbidden)
            #expect(try await world.count("SELECT count(*) FROM identities") == 1)
        }
    }

    @Test func speaksThreeLanguages() async throws {
        try await TestIssuer.run("kakao") { world, _ in
            _ = try await world.signUp("mina")
            var browser = TestBrowser(world)
            _ = try await browser.signIn("mina")
            for (language, label) in [("en", "Link Kakao"), ("ko", "카카오 계정 연결하기"), ("ja", "カカオを連携する")] {
                let page = try await browser.get(Self.path, language: language)
                #expect(page.page.contains(label))
            }
            #expect(try await browser.get("/auth/sign_in").page.contains("/auth/identities"))
        }
    }
}
