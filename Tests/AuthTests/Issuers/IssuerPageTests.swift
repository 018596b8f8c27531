// SPDX-License-Identifier: Apache-2.0
// Signing in with an issuer in a browser.

import Domain
import Foundation
import HTTPTypes
import Outbox
import Postgres
import Support
import Synchronization
import Testing
import Web

@testable import AuthService

@Suite struct IssuerPageTests {
    /// From the button to where the issuer sends the browser back to.
    private static func visit(
        _ browser: inout TestBrowser,
        _ issuer: TestIssuer,
        as subject: String,
        returnTo: String = ""
    ) async throws -> String {
        let query = returnTo.isEmpty ? "" : "?return_to=\(returnTo.percentEncoded)"
        let away = try await browser.get("/auth/with/\(issuer.issuer.name)\(query)")
        #expect(away.status == .seeOther && away.headers[.cacheControl] == "no-store")
        let (state, code) = try issuer.agree(to: away.location, as: subject)
        return "/auth/with/\(issuer.issuer.name)/callback?state=\(state)&code=\(code)"
    }

    @Test func thePageHasAButtonForEach() async throws {
        try await TestIssuer.run("kakao") { world, _ in
            var browser = TestBrowser(world)
            for (language, label) in [
                ("en", "Continue with Kakao"), ("ko", "카카오 계정으로 계속하기"), ("ja", "カカオで続ける"),
            ] {
                let page = try await browser.get("/auth/sign_in?return_to=%2Fa%3Fb%3Dc", language: language)
                #expect(page.page.contains(label))
                #expect(page.page.contains("/auth/with/kakao?return_to=%2Fa%3Fb%3Dc&amp;lang=\(language)"))
                #expect(directives(page.headers[.contentSecurityPolicy]) == pagePolicy())
            }
        }
    }

    @Test func signsUpAndInAgain() async throws {
        try await TestIssuer.run { world, issuer in
            var browser = TestBrowser(world)
            let back = try await Self.visit(&browser, issuer, as: "mina", returnTo: "/somewhere")
            let arrived = try await browser.get(back)
            #expect(arrived.status == .seeOther && arrived.location.hasPrefix("/auth/newcomer?return_to=%2Fsomewhere"))
            let page = try await browser.get(arrived.location)
            #expect(page.status == .ok && page.page.contains("<h1>Choose a username</h1>"))
            let form = try #require(page.field("form_token"))
            // Each fault is named, nothing is lost by it.
            let empty = try await browser.post(
                "/auth/newcomer",
                [("form_token", form), ("username", "admin"), ("return_to", "/somewhere")]
            )
            #expect(empty.status == .unprocessableContent)
            #expect(empty.page.contains("id=\"username-fault\"") && empty.page.contains("id=\"agreement-fault\""))
            let forged = try await browser.post("/auth/newcomer", [("username", "mina"), ("agreement", "true")])
            #expect(forged.status == .forbidden)
            let joined = try await browser.post(
                "/auth/newcomer",
                [("form_token", form), ("username", "mina"), ("agreement", "true"), ("return_to", "/somewhere")]
            )
            #expect(joined.status == .seeOther && joined.location == "/somewhere")
            #expect(joined.headers[.registered] != nil)
            #expect(try await browser.get("/auth/sign_in").page.contains("@mina"))
            #expect(try await browser.get("/auth/newcomer").status == .gone)
            var other = TestBrowser(world)
            let entered = try await other.get(try await Self.visit(&other, issuer, as: "mina", returnTo: "/there"))
            #expect(entered.status == .seeOther && entered.location == "/there")
            #expect(try await other.get("/auth/sign_in").page.contains("@mina"))
            #expect(try await world.count("SELECT count(*) FROM accounts") == 1)
            #expect(try await world.count("SELECT count(*) FROM issuer_visits") == 0)
        }
    }

    @Test func whatBeganInOneBrowserEndsInNoOther() async throws {
        try await TestIssuer.run { world, issuer in
            var victim = TestBrowser(world)
            var attacker = TestBrowser(world)
            _ = try await victim.get("/auth/sign_in")
            let back = try await Self.visit(&attacker, issuer, as: "attacker")
            #expect(try await victim.get(back).status == .forbidden)
            #expect(victim.cookies["madang_newcomer"] == nil)
            // It is the attacker's own still, once.
            #expect(try await attacker.get(back).status == .seeOther)
            #expect(try await attacker.get(back).status == .forbidden)
            for state in ["", "abc", String(repeating: "a", count: 43)] {
                let answer = try await victim.get("/auth/with/issuer/callback?state=\(state)&code=abc")
                #expect(answer.status == .forbidden)
            }
        }
    }

    /// A code that somebody else was given is worth nothing with one's own state.
    @Test func aCodeOfAnotherVisitIsRefused() async throws {
        try await TestIssuer.run { world, issuer in
            var first = TestBrowser(world)
            var second = TestBrowser(world)
            let one = try await Self.visit(&first, issuer, as: "one")
            let two = try await Self.visit(&second, issuer, as: "two")
            let state = try #require(one.split(separator: "&").first)
            let code = try #require(two.split(separator: "&").last)
            #expect(try await first.get("\(state)&\(code)").status == .forbidden)
            #expect(try await world.count("SELECT count(*) FROM newcomers") == 0)
        }
    }

    @Test func aVisitIsOverAfterAWhile() async throws {
        try await TestIssuer.run { world, issuer in
            var browser = TestBrowser(world)
            let back = try await Self.visit(&browser, issuer, as: "mina")
            world.clock.advance(.seconds(601))
            #expect(try await browser.get(back).status == .forbidden)
            let again = try await Self.visit(&browser, issuer, as: "mina")
            #expect(try await browser.get(again).status == .seeOther)
            world.clock.advance(.seconds(3601))
            // The cookie is over; what was told of her is kept.
            #expect(try await browser.get("/auth/newcomer").status == .gone)
            #expect(try await world.count("SELECT count(*) FROM newcomers") == 1)
        }
    }

    @Test func whoSaysNoIsBackWhereTheyBegan() async throws {
        try await TestIssuer.run { world, issuer in
            var browser = TestBrowser(world)
            let away = try await browser.get("/auth/with/issuer?return_to=%2Fthere")
            let (state, _) = try issuer.agree(to: away.location, as: "mina")
            let answer = try await browser.get("/auth/with/issuer/callback?state=\(state)&error=access_denied")
            #expect(answer.status == .seeOther && answer.location == "/auth/sign_in?return_to=%2Fthere&lang=en")
        }
    }

    /// Two issuers can be confused by one who sends a browser back with the other's code (RFC 9207).
    @Test func anAnswerOfAnotherIssuerIsRefused() async throws {
        try await TestIssuer.run { world, issuer in
            var browser = TestBrowser(world)
            let back = try await Self.visit(&browser, issuer, as: "mina")
            #expect(try await browser.get(back + "&iss=https%3A%2F%2Fevil.example").status == .forbidden)
            let again = try await Self.visit(&browser, issuer, as: "mina")
            #expect(try await browser.get(again + "&iss=https%3A%2F%2Fissuer.example").status == .seeOther)
        }
    }

    @Test func anIssuerThatIsAwayIsAPage() async throws {
        try await TestIssuer.run { world, issuer in
            var browser = TestBrowser(world)
            let back = try await Self.visit(&browser, issuer, as: "mina")
            issuer.state.withLock { $0.isAway = true }
            let answer = try await browser.get(back)
            #expect(answer.status == .serviceUnavailable && answer.page.contains("<html lang=\"en\">"))
            world.clock.advance(.seconds(3 * 86_400))
            #expect(try await browser.get("/auth/with/issuer").status == .serviceUnavailable)
        }
    }

    @Test func aClosedPlaceTakesNobodyNew() async throws {
        try await TestIssuer.run(registrations: .closed) { world, issuer in
            var browser = TestBrowser(world)
            #expect(try await browser.get(Self.visit(&browser, issuer, as: "mina")).status == .forbidden)
            let answer = try await world.arrive(issuer.token("mina"), at: issuer)
            #expect(answer.status == .forbidden && answer.object["code"] as? String == "registrations-closed")
        }
    }
}

/// Apple, which tells a name once, by a form of its own.
@Suite struct AppleTests {
    private static let user = #"{"name":{"firstName":"미나","lastName":"김"},"email":"mina@privaterelay.appleid.com"}"#

    private static func post(_ browser: inout TestBrowser, _ issuer: TestIssuer, user: String?) async throws -> Answer {
        let away = try await browser.get("/auth/with/apple")
        let (state, code) = try issuer.agree(to: away.location, as: "mina")
        // It comes from Apple's page: without any of our cookies.
        let form = [("state", state), ("code", code)] + (user.map { [("user", $0)] } ?? [])
        return try await browser.world.send(.post, "/auth/with/apple/callback", form: form)
    }

    @Test func aNameThatIsToldOnceIsKept() async throws {
        try await TestIssuer.run("apple") { world, issuer in
            var browser = TestBrowser(world)
            let posted = try await Self.post(&browser, issuer, user: Self.user)
            #expect(posted.status == .seeOther && posted.headers[.setCookie] == nil)
            #expect(posted.location.hasPrefix("http://localhost:3000/auth/with/apple/callback?state="))
            let arrived = try await browser.get(String(posted.location.dropFirst("http://localhost:3000".count)))
            #expect(arrived.location.hasPrefix("/auth/newcomer"))
            // The browser is closed before a username is chosen. Days later Apple tells no name.
            world.clock.advance(.seconds(5 * 86_400))
            let later = try await world.arrive(issuer.token("mina", ["email": NSNull()]), at: issuer)
            #expect(try later.text("name") == "김미나" && later.text("email") == "mina@example.org")
            let name = try await world.count("SELECT count(*) FROM newcomers WHERE name = '김미나'")
            #expect(name == 1)
        }
    }

    /// Apple tells a name with the first consent alone; what comes between that and us must not lose it.
    @Test func aNameOutlivesAVisitOfWhichNobodyCame() async throws {
        try await TestIssuer.run("apple") { world, issuer in
            func back(_ posted: Answer) -> String { String(posted.location.dropFirst("http://localhost:3000".count)) }
            var browser = TestBrowser(world)
            let posted = try await Self.post(&browser, issuer, user: Self.user)
            issuer.state.withLock { $0.isAway = true }
            #expect(try await browser.get(back(posted)).status == .serviceUnavailable)
            issuer.state.withLock { $0.isAway = false }
            // The visit is over all the same.
            #expect(try await browser.get(back(posted)).status == .forbidden)
            world.clock.advance(.seconds(3600))
            let sweep = try #require(Sweeps.all(world.dependencies).first { $0.table == "issuer_visits" })
            _ = try await sweep.finish(in: world.database)
            // Nobody else is called so.
            var other = TestBrowser(world)
            _ = try await other.get(back(try await Self.post(&other, issuer, user: nil)))
            #expect(try await world.count("SELECT count(*) FROM newcomers WHERE name IS NULL") == 1)
            let again = try await browser.get(back(try await Self.post(&browser, issuer, user: nil)))
            #expect(again.location.hasPrefix("/auth/newcomer"), "\(again.page)")
            let page = try await browser.get(again.location)
            #expect(page.status == .ok)
            #expect(try await world.count("SELECT count(*) FROM newcomers WHERE name = '김미나'") == 1)
            #expect(try await world.count("SELECT count(*) FROM issuer_visits") == 0)
        }
    }

    @Test func aNameOfWhichNobodyCameIsForgottenAfterADay() async throws {
        try await TestIssuer.run("apple") { world, issuer in
            var browser = TestBrowser(world)
            let posted = try await Self.post(&browser, issuer, user: Self.user)
            issuer.state.withLock { $0.isAway = true }
            _ = try await browser.get(String(posted.location.dropFirst("http://localhost:3000".count)))
            issuer.state.withLock { $0.isAway = false }
            let sweeps = Sweeps.all(world.dependencies).filter { $0.table == "issuer_visits" }
            world.clock.advance(.seconds(86_000))
            for sweep in sweeps { _ = try await sweep.finish(in: world.database) }
            #expect(try await world.count("SELECT count(*) FROM issuer_visits WHERE name IS NOT NULL") == 1)
            world.clock.advance(.seconds(401))
            for sweep in sweeps { _ = try await sweep.finish(in: world.database) }
            #expect(try await world.count("SELECT count(*) FROM issuer_visits") == 0)
        }
    }

    @Test func readsNames() {
        #expect(GivenName.apple(Self.user) == "김미나")
        #expect(GivenName.apple(#"{"name":{"firstName":"Ada","lastName":"Lovelace"}}"#) == "Ada Lovelace")
        #expect(GivenName.apple(#"{"name":{"firstName":" ","lastName":null}}"#) == nil)
        #expect(GivenName.apple("{") == nil && GivenName.apple(nil) == nil && GivenName.apple("[]") == nil)
        #expect(GivenName.plain("a\u{202E}b\n") != nil)
        #expect(GivenName.plain(String(repeating: "가", count: 100))?.count == 30)
    }

    @Test func itsWholeLife() async throws {
        try await TestIssuer.run("apple") { world, issuer in
            let code = issuer.code(.init(client: TestIssuer.app, subject: "mina"))
            let token = try await world.join("mina", at: issuer, code: code)
            #expect(try await world.count("SELECT count(*) FROM identities WHERE sealed_token IS NOT NULL") == 1)
            let id = try #require(
                try await world.send(.get, "/api/v1/account/identities", token: token).list.first?["id"] as? String
            )
            let path = "/api/v1/account/identities/\(id)"
            func proof() throws -> String { #""proof":{"issuer":"apple","id_token":"\#(try issuer.token("mina"))"}"# }
            #expect(try await world.send(.delete, path, token: token).object["code"] as? String == "proof-needed")
            let refused = try await world.send(.delete, path, json: "{\(try proof())}", token: token)
            #expect(refused.status == .conflict && refused.object["code"] as? String == "last-way-in")
            // A password is another way in.
            let password = "다섯 마리 고양이 tea"
            let set = try await world.send(
                .post,
                "/api/v1/accounts/change_password",
                json: #"{"new_password":"\#(password)",\#(try proof())}"#,
                token: token
            )
            #expect(set.status == .ok, "\(set.page)")
            _ = try await world.session("mina", password: password)
            let wrong = try await world.send(.delete, path, form: [("password", "a wrong one")], token: token)
            #expect(wrong.status == .unauthorized)
            let gone = try await world.send(.delete, path, form: [("password", password)], token: token)
            #expect(gone.status == .ok, "\(gone.page)")
            #expect(try await world.count("SELECT count(*) FROM identities") == 0)
            // What Apple gave is given back, however long Apple is away.
            let worker = RevocationWorker(dependencies: world.dependencies)
            issuer.state.withLock { $0.isAway = true }
            #expect(try await worker.step())
            #expect(try await worker.step() == false)
            issuer.state.withLock { $0.isAway = false }
            world.clock.advance(.seconds(61))
            #expect(try await worker.step())
            #expect(issuer.state.withLock { $0.revoked } == ["refresh-1"])
            #expect(try await world.count("SELECT count(*) FROM issuer_revocations") == 0)
            #expect(try await worker.step() == false)
            // Whoever comes again is somebody new.
            #expect(try await world.arrive(issuer.token("mina"), at: issuer).status == .accepted)
        }
    }

    private static func news(
        _ type: String,
        _ issuer: TestIssuer,
        at moment: Int64,
        id: String = UUID().uuidString
    ) throws -> String {
        let event = #"{"type":"\#(type)","sub":"mina","event_time":\#(moment)}"#
        let key = try #require(issuer.state.withLock { $0.keys.last })
        return try key.token([
            "iss": issuer.issuer.address, "aud": TestIssuer.app, "iat": issuer.clock.now.seconds, "jti": id,
            "events": event,
        ])
    }

    private static func tell(_ token: String, _ world: AuthWorld) async throws -> Int {
        try await world.send(.post, "/auth/with/apple/notifications", json: #"{"payload":"\#(token)"}"#).status.code
    }

    @Test func whoEndsItAtAppleIsSignedOut() async throws {
        try await TestIssuer.run("apple") { world, issuer in
            let token = try await world.join("mina", at: issuer)
            let past = world.clock.now.seconds - 3600
            // Told of before the account was linked.
            #expect(try await Self.tell(Self.news("consent-revoked", issuer, at: past), world) == 200)
            #expect(try await world.principal(token) != nil)
            let news = try Self.news("consent-revoked", issuer, at: world.clock.now.milliseconds)
            #expect(try await Self.tell(news, world) == 200)
            #expect(try await world.principal(token) == nil)
            #expect(try await world.recorded("auth.SessionRevoked.v1").count >= 1)
            // The last way in stays hers; in again she stays in, though the same is told again.
            let back = try await world.arrive(issuer.token("mina"), at: issuer)
            #expect(back.status == .ok)
            #expect(try await Self.tell(news, world) == 200)
            #expect(try await world.principal(back.text("access_token")) != nil)
            #expect(try await world.count("SELECT count(*) FROM audit WHERE act = 'identity_revoked'") == 1)
        }
    }

    @Test func whereThereIsAnotherWayInTheLinkGoes() async throws {
        try await TestIssuer.run("apple") { world, issuer in
            _ = try await world.signUp("ada")
            let session = try await world.session("ada").access
            let body =
                #"{"issuer":"apple","id_token":"\#(try issuer.token("mina"))","password":"\#(AuthWorld.password)"}"#
            let linked = try await world.send(.post, "/api/v1/account/identities", json: body, token: session)
            #expect(linked.status == .ok && linked.list.count == 1, "\(linked.page)")
            world.clock.advance(.seconds(10))
            let deleted = try Self.news("account-delete", issuer, at: world.clock.now.seconds)
            #expect(try await Self.tell(deleted, world) == 200)
            #expect(try await world.count("SELECT count(*) FROM identities") == 0)
            #expect(try await world.principal(session) == nil)
            _ = try await world.session("ada")
        }
    }

    @Test func mailThatDoesNotArriveIsNoted() async throws {
        try await TestIssuer.run("apple") { world, issuer in
            _ = try await world.join("mina", at: issuer)
            let now = world.clock.now.seconds
            func arrives() async throws -> Bool {
                try await world.count("SELECT count(*) FROM identities WHERE mail_arrives") == 1
            }
            #expect(try await Self.tell(Self.news("email-disabled", issuer, at: now + 5), world) == 200)
            #expect(try await arrives() == false)
            // Late.
            #expect(try await Self.tell(Self.news("email-enabled", issuer, at: now + 4), world) == 200)
            #expect(try await arrives() == false)
            #expect(try await Self.tell(Self.news("email-enabled", issuer, at: now + 6), world) == 200)
            #expect(try await arrives())
            #expect(try await Self.tell(Self.news("something-new", issuer, at: now), world) == 200)
        }
    }

    @Test func newsOfOthersAreNone() async throws {
        try await TestIssuer.run("apple") { world, issuer in
            let token = try await world.join("mina", at: issuer)
            let now = issuer.clock.now.seconds
            let forged = try TestKey.ec("first").token([
                "iss": issuer.issuer.address, "aud": TestIssuer.app, "iat": now,
                "events": #"{"type":"account-delete","sub":"mina","event_time":\#(now + 5)}"#,
            ])
            #expect(try await Self.tell(forged, world) == 401)
            // A token of the same person is no news.
            #expect(try await Self.tell(issuer.token("mina"), world) == 401)
            #expect(try await Self.tell("a.b.c", world) == 401)
            #expect(try await Self.tell("", world) != 200)
            let old = try Self.news("account-delete", issuer, at: now + 5)
            world.clock.advance(.seconds(2 * 3600))
            #expect(try await Self.tell(old, world) == 401)
            world.clock.advance(.seconds(-2 * 3600))
            #expect(try await world.principal(token) != nil)
        }
    }
}
