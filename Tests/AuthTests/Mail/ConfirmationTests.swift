// SPDX-License-Identifier: Apache-2.0
// Addresses that people must confirm before they get in.

import Domain
import Foundation
import HTTPTypes
import Postgres
import Support
import Testing
import Web

@testable import AuthService

@Suite struct ConfirmationTests {
    private static func run(
        confirms: Bool = true,
        _ body: @escaping @Sendable (AuthWorld, Mailbox) async throws -> Void
    ) async throws {
        let mailbox = Mailbox()
        try await AuthWorld.run(mail: try AuthWorld.mail(confirms: confirms), mailbox: mailbox) { world in
            try await body(world, mailbox)
        }
    }

    private static func signIn(_ name: String, _ world: AuthWorld) async throws -> Answer {
        try await world.send(
            .post,
            "/api/v1/sessions",
            form: [("username", name), ("password", AuthWorld.password)]
        )
    }

    private static func confirm(_ token: String, _ browser: inout TestBrowser) async throws -> Answer {
        let form = try await browser.get("/auth/confirm?token=\(token)")
        guard form.status == .ok else { return form }
        return try await browser.post(
            "/auth/confirm",
            [("form_token", form.field("form_token") ?? ""), ("token", token)]
        )
    }

    @Test func nobodyGetsInBeforeTheButtonIsPressed() async throws {
        try await Self.run { world, mailbox in
            let token = try await world.signUp("minji")
            #expect(try await world.principal(token)?.scopes.scopes.isEmpty == true)
            try await world.sendLetters()
            world.clock.advance(.seconds(1))
            let refused = try await Self.signIn("minji", world)
            #expect(refused.status == .forbidden && refused.object["code"] as? String == "email-unconfirmed")
            try await world.sendLetters()
            // One that was asked for by signing up, one by signing in; the newest counts.
            let links = await mailbox.letters.compactMap(\.token)
            #expect(links.count == 2)
            var browser = TestBrowser(world)
            let link = try #require(links.last)
            // A program that looks through mail follows the link.
            #expect(try await world.send(.get, "/auth/confirm?token=\(link)").status == .ok)
            #expect(try await Self.signIn("minji", world).status == .forbidden)
            #expect(try await Self.confirm(link, &browser).status == .ok)
            #expect(try await Self.signIn("minji", world).status == .ok)
            #expect(try await world.principal(token)?.scopes.scopes.isEmpty == false)
            #expect(try await Self.confirm(link, &browser).status == .gone)
            let noted = try await world.count("SELECT count(*) FROM audit WHERE act = 'email_confirmed'")
            #expect(noted == 1)
        }
    }

    @Test func anAppAsksForTheLetterOnceMoreAndToAnotherAddress() async throws {
        try await Self.run { world, mailbox in
            let token = try await world.signUp("minji")
            _ = try await world.signUp("sora")
            func ask(_ email: String?) async throws -> Answer {
                try await world.send(
                    .post,
                    "/api/v1/emails/confirmations",
                    form: email.map { [("email", $0)] } ?? [],
                    token: token
                )
            }
            #expect(try await ask("sora@example.com").faults("email") == ["ERR_TAKEN"])
            #expect(try await ask("nonsense").status == .unprocessableContent)
            #expect(try await ask(nil).status == .ok)
            #expect(try await ask("minji@elsewhere.example").status == .ok)
            let state = try await world.send(.get, "/api/v1/emails/check_confirmation", token: token)
            #expect(state.page == "false")
            try await world.sendLetters()
            let letter = try #require(await mailbox.letters.last { $0.header("To") == "minji@elsewhere.example" })
            var browser = TestBrowser(world)
            #expect(try await Self.confirm(try #require(letter.token), &browser).status == .ok)
            let after = try await world.send(.get, "/api/v1/emails/check_confirmation", token: token)
            #expect(after.page == "true")
            #expect(try await ask(nil).status == .forbidden)
        }
    }

    @Test func thePageOfSigningUpSaysWhatIsNext() async throws {
        try await Self.run { world, mailbox in
            var browser = TestBrowser(world)
            let form = try await browser.get("/auth/sign_up")
            let done = try await browser.post(
                "/auth/sign_up",
                [("form_token", form.field("form_token") ?? "")] + AuthWorld.fields("minji")
            )
            #expect(done.status == .ok && done.page.contains("A letter is on its way"), "\(done.page)")
            #expect(browser.cookies["madang_session"] == nil)
            #expect(try await browser.signIn("minji").status == .forbidden)
            try await world.sendLetters()
            let link = try #require(await mailbox.letters.last?.token)
            #expect(try await Self.confirm(link, &browser).status == .ok)
            #expect(try await browser.signIn("minji").status == .seeOther)
        }
    }

    @Test func whoWasThereBeforeNeedNot() async throws {
        try await Self.run(confirms: false) { world, mailbox in
            _ = try await world.signUp("minji")
            #expect(try await Self.signIn("minji", world).status == .ok)
            #expect(try await world.count("SELECT count(*) FROM accounts WHERE confirmation_asked_at IS NOT NULL") == 0)
            try await world.sendLetters()
            #expect(await mailbox.letters.allSatisfy { $0.token == nil })
        }
    }

    @Test func anotherAddressIsNotConfirmedByAnOldLink() async throws {
        try await Self.run { world, mailbox in
            _ = try await world.signUp("minji")
            try await world.sendLetters()
            let link = try #require(await mailbox.letters.last?.token)
            _ = try await world.database.query("UPDATE accounts SET email = 'other@example.com'")
            var browser = TestBrowser(world)
            #expect(try await Self.confirm(link, &browser).status == .gone)
            #expect(try await Self.signIn("minji", world).status == .forbidden)
        }
    }

    @Test func settingAPasswordByALetterConfirms() async throws {
        try await Self.run { world, mailbox in
            _ = try await world.signUp("minji")
            _ = try await world.send(.post, "/api/v1/account/password_reset", form: [("email", "minji@example.com")])
            try await world.sendLetters()
            let reset = await mailbox.letters.last { $0.plain.contains("/auth/password/reset?token=") }
            let token = try #require(reset?.token)
            var browser = TestBrowser(world)
            let form = try await browser.get("/auth/password/reset?token=\(token)")
            let done = try await browser.post(
                "/auth/password/reset",
                [
                    ("form_token", form.field("form_token") ?? ""), ("token", token),
                    ("password", AuthWorld.password + " 2"),
                ]
            )
            #expect(done.status == .ok)
            _ = try await world.session("minji", password: AuthWorld.password + " 2")
        }
    }
}
