// SPDX-License-Identifier: Apache-2.0
// Setting a password that somebody has forgotten.

import Domain
import Foundation
import HTTPTypes
import Outbound
import Postgres
import Support
import Testing
import Web

@testable import AuthService

@Suite struct PasswordResetTests {
    private static let other = "여섯 번째 강아지 milk"

    private static func ask(_ email: String, _ world: AuthWorld, from address: String = "192.0.2.9") async throws
        -> Answer
    {
        try await world.send(
            .post,
            "/api/v1/account/password_reset",
            form: [("email", email)],
            headers: [("X-Forwarded-For", address)]
        )
    }

    /// Asks, and returns what stands in the link of the letter.
    private static func link(_ name: String, _ world: AuthWorld, _ mailbox: Mailbox) async throws -> String {
        #expect(try await ask("\(name)@example.com", world).status == .ok)
        try await world.sendLetters()
        return try #require(await mailbox.letters.last { $0.token != nil }?.token)
    }

    private static func set(_ token: String, _ password: String, _ browser: inout TestBrowser) async throws -> Answer {
        let form = try await browser.get("/auth/password/reset?token=\(token)")
        guard form.status == .ok else { return form }
        return try await browser.post(
            "/auth/password/reset",
            [("form_token", form.field("form_token") ?? ""), ("token", token), ("password", password)]
        )
    }

    @Test func aLinkSetsAPasswordOnceAndSignsOut() async throws {
        let mailbox = Mailbox()
        try await AuthWorld.run(mail: try AuthWorld.mail(), mailbox: mailbox) { world in
            _ = try await world.signUp("minji")
            let session = try await world.session("minji")
            let token = try await Self.link("minji", world, mailbox)
            var browser = TestBrowser(world)
            let done = try await Self.set(token, Self.other, &browser)
            #expect(done.status == .ok, "\(done.page)")
            #expect(try await world.principal(session.access) == nil)
            #expect(try await world.recorded("auth.SessionEnded.v1").isEmpty == false)
            let old = try await world.send(
                .post,
                "/api/v1/sessions",
                form: [("username", "minji"), ("password", AuthWorld.password)]
            )
            #expect(old.status == .unauthorized)
            _ = try await world.session("minji", password: Self.other)
            // It is used up, and its owner is told.
            #expect(try await Self.set(token, AuthWorld.password, &browser).status == .gone)
            try await world.sendLetters()
            #expect(try await world.letters().contains("password_changed sent"))
            // Nobody who reads the database has what stands in a link.
            let kept = try await world.count(
                "SELECT count(*) FROM mail_links WHERE encode(hash, 'escape') LIKE \("%\(token)%")"
            )
            #expect(kept == 0)
        }
    }

    @Test func answersTheSameWhoeverIsAskedFor() async throws {
        let mailbox = Mailbox()
        try await AuthWorld.run(mail: try AuthWorld.mail(), mailbox: mailbox) { world in
            _ = try await world.signUp("minji")
            let known = try await Self.ask("minji@example.com", world)
            let unknown = try await Self.ask("nobody@example.com", world)
            #expect(known.status == .ok && unknown.status == .ok && known.body == unknown.body)
            try await world.sendLetters()
            #expect(try await world.letters().sorted() == ["password_reset sent", "password_reset unknown"])
            #expect(await mailbox.messages.map(\.recipient) == ["minji@example.com"])
            #expect(try await Self.ask("no address", world).faults("email") == ["ERR_INVALID"])
        }
    }

    @Test func theNewestLinkAloneCounts() async throws {
        let mailbox = Mailbox()
        try await AuthWorld.run(mail: try AuthWorld.mail(), mailbox: mailbox) { world in
            _ = try await world.signUp("minji")
            // The first is held up, and goes after the second.
            await mailbox.answer(.later(reason: "451 4.7.1"))
            _ = try await Self.ask("minji@example.com", world)
            try await world.sendLetters()
            let first = try #require(await mailbox.letters.last?.token)
            world.clock.advance(.seconds(5))
            let second = try await Self.link("minji", world, mailbox)
            #expect(first != second)
            world.clock.advance(.seconds(60))
            try await world.sendLetters()
            #expect(try await world.letters() == ["password_reset superseded", "password_reset sent"])
            var browser = TestBrowser(world)
            #expect(try await Self.set(first, Self.other, &browser).status == .gone)
            #expect(try await Self.set(second, Self.other, &browser).status == .ok)
        }
    }

    @Test func aLinkIsGoodForAnHour() async throws {
        let mailbox = Mailbox()
        try await AuthWorld.run(mail: try AuthWorld.mail(), mailbox: mailbox) { world in
            _ = try await world.signUp("minji")
            let token = try await Self.link("minji", world, mailbox)
            var browser = TestBrowser(world)
            #expect(try await browser.get("/auth/password/reset?token=\(token)").status == .ok)
            world.clock.advance(.seconds(3601))
            #expect(try await browser.get("/auth/password/reset?token=\(token)").status == .gone)
            for wrong in ["", "x", String(repeating: "a", count: 43), "%00"] {
                let status = try await browser.get("/auth/password/reset?token=\(wrong)").status
                #expect(status == .gone || status == .badRequest, "\(wrong)")
            }
        }
    }

    @Test func onlyAGoodPasswordIsTakenAndOnlyFromOurPage() async throws {
        let mailbox = Mailbox()
        try await AuthWorld.run(mail: try AuthWorld.mail(), mailbox: mailbox) { world in
            _ = try await world.signUp("minji")
            let token = try await Self.link("minji", world, mailbox)
            var browser = TestBrowser(world)
            let short = try await Self.set(token, "short", &browser)
            #expect(short.status == .unprocessableContent && short.field("token") == token)
            let foreign = try await browser.post(
                "/auth/password/reset",
                [("form_token", "x"), ("token", token), ("password", Self.other)]
            )
            #expect(foreign.status == .forbidden)
            _ = try await world.session("minji")
            #expect(try await Self.set(token, Self.other, &browser).status == .ok)
        }
    }

    @Test func whoIsLockedOutGetsInAgain() async throws {
        let mailbox = Mailbox()
        var limits = Limits()
        limits.signInsPerAccount = 2
        try await AuthWorld.run(limits: limits, mail: try AuthWorld.mail(), mailbox: mailbox) { world in
            _ = try await world.signUp("minji")
            for _ in 0..<3 {
                _ = try await world.send(
                    .post,
                    "/api/v1/sessions",
                    form: [("username", "minji"), ("password", "wrong wrong")]
                )
            }
            let token = try await Self.link("minji", world, mailbox)
            var browser = TestBrowser(world)
            #expect(try await Self.set(token, Self.other, &browser).status == .ok)
            _ = try await world.session("minji", password: Self.other)
        }
    }

    @Test func onePlaceAsksSoOften() async throws {
        try await AuthWorld.run(mail: try AuthWorld.mail()) { world in
            for number in 0..<10 { #expect(try await Self.ask("n\(number)@example.com", world).status == .ok) }
            let refused = try await Self.ask("n10@example.com", world)
            #expect(refused.status == .tooManyRequests && refused.headers[.retryAfter] != nil)
            #expect(try await Self.ask("n10@example.com", world, from: "192.0.2.10").status == .ok)
        }
    }

    @Test func whoHasNoPasswordIsSentNone() async throws {
        let mailbox = Mailbox()
        try await AuthWorld.run(mail: try AuthWorld.mail(), mailbox: mailbox) { world in
            _ = try await world.signUp("minji")
            _ = try await world.database.query("UPDATE accounts SET password_hash = NULL")
            _ = try await Self.ask("minji@example.com", world)
            try await world.sendLetters()
            #expect(try await world.letters() == ["password_reset unknown"])
            #expect(await mailbox.messages.isEmpty)
        }
    }

    @Test func thePageAsksToo() async throws {
        let mailbox = Mailbox()
        try await AuthWorld.run(mail: try AuthWorld.mail(), mailbox: mailbox) { world in
            _ = try await world.signUp("minji")
            var browser = TestBrowser(world)
            #expect(try await browser.get("/auth/sign_in").page.contains("/auth/password/new"))
            let form = try await browser.get("/auth/password/new")
            let asked = try await browser.post(
                "/auth/password/new",
                [("form_token", form.field("form_token") ?? ""), ("email", "minji@example.com")]
            )
            #expect(asked.status == .ok, "\(asked.page)")
            try await world.sendLetters()
            #expect(await mailbox.letters.count == 1)
        }
    }

    @Test func withoutAServerItSaysSo() async throws {
        try await AuthWorld.run { world in
            let answer = try await Self.ask("minji@example.com", world)
            #expect(answer.status == .forbidden && answer.object["code"] as? String == "mail-off")
            var browser = TestBrowser(world)
            #expect(try await browser.get("/auth/sign_in").page.contains("/auth/password/new") == false)
            #expect(try await browser.get("/auth/password/new").status == .forbidden)
        }
    }
}
