// SPDX-License-Identifier: Apache-2.0
// Whose an account is, whoever says so.

import Domain
import Foundation
import HTTPTypes
import Postgres
import Support
import Synchronization
import Testing
import Web

@testable import AuthService

@Suite struct IdentityTests {
    private static func link(_ json: String, _ token: String, _ world: AuthWorld) async throws -> Answer {
        try await world.send(.post, "/api/v1/account/identities", json: json, token: token)
    }

    private static let path = "/api/v1/account/identities"

    /// Whoever can have an issuer say an address is not yet who has it here.
    @Test func anAddressAloneTakesOverNothing() async throws {
        try await TestIssuer.run { world, issuer in
            _ = try await world.signUp("ada")
            let told: Members = ["email": "Ada@Example.com"]
            let arrived = try await world.arrive(issuer.token("stranger", told), at: issuer)
            #expect(arrived.status == .accepted && arrived.object["email_in_use"] as? Bool == true)
            let joined = try await world.finish(arrived.text("registration_token"), as: "stranger", at: issuer)
            let stranger = try #require(try await world.principal(joined.text("access_token"))?.account)
            #expect(stranger.username.text == "stranger")
            #expect(try await world.count("SELECT count(*) FROM accounts WHERE email IS NULL") == 1)
            _ = try await world.session("ada")
            // Without a password nobody gets in by one.
            let guess = try await world.send(
                .post,
                "/api/v1/sessions",
                form: [("username", "stranger"), ("password", "x")]
            )
            #expect(guess.status == .unauthorized && guess.object["code"] as? String == "wrong-password")
        }
    }

    @Test func linkingTakesAProofAndIsOneAccounts() async throws {
        try await TestIssuer.run { world, issuer in
            let app = try await world.signUp("ada")
            let ada = try await world.session("ada").access
            let password = #""password":"\#(AuthWorld.password)""#
            func asked(_ more: String = "") throws -> String {
                #"{"issuer":"issuer","id_token":"\#(try issuer.token("mina"))"\#(more.isEmpty ? "" : ",")\#(more)}"#
            }
            // The app of somebody else may do none of it.
            for answer in [
                try await world.send(.get, Self.path, token: app), try await Self.link(asked(password), app, world),
            ] { #expect(answer.status == .forbidden) }
            #expect(try await Self.link(asked(), ada, world).object["code"] as? String == "proof-needed")
            #expect(try await Self.link(asked(#""password":"wrong""#), ada, world).status == .unauthorized)
            let other = #"{"issuer":"nobody","id_token":"a",\#(password)}"#
            #expect(try await Self.link(other, ada, world).status == .notFound)
            let linked = try await Self.link(asked(password), ada, world)
            #expect(linked.status == .ok && linked.list.first?["issuer"] as? String == "issuer", "\(linked.page)")
            // The same again changes nothing.
            #expect(try await Self.link(asked(password), ada, world).list.count == 1)
            let entered = try await world.arrive(issuer.token("mina"), at: issuer)
            #expect(try await world.principal(entered.text("access_token"))?.account?.username.text == "ada")
            _ = try await world.signUp("jun")
            let jun = try await world.session("jun").access
            #expect(try await Self.link(asked(password), jun, world).object["code"] as? String == "identity-taken")
            let id = try #require(linked.list.first?["id"] as? String)
            let foreign = try await world.send(
                .delete,
                "\(Self.path)/\(id)",
                form: [("password", AuthWorld.password)],
                token: jun
            )
            #expect(foreign.status == .notFound)
        }
    }

    @Test func aProofIsNewAndOnesOwn() async throws {
        try await TestIssuer.run { world, issuer in
            let mina = try await world.join("mina", at: issuer)
            _ = try await world.join("jun", at: issuer)
            func set(_ token: String) async throws -> Int {
                try await world.send(
                    .post,
                    "/api/v1/accounts/change_password",
                    json:
                        #"{"new_password":"\#(AuthWorld.password)","proof":{"issuer":"issuer","id_token":"\#(token)"}}"#,
                    token: mina
                ).status.code
            }
            #expect(try await set(issuer.token("jun")) == 401)
            #expect(try await set(issuer.token("mina", ["iat": world.clock.now.seconds - 301])) == 401)
            #expect(try await set("a.b.c") == 401)
            #expect(try await set(issuer.token("mina")) == 200)
            // From now on the password is what is asked for.
            #expect(try await set(issuer.token("mina")) == 422)
        }
    }

    @Test func manyFirstSignInsMakeOneAccount() async throws {
        try await TestIssuer.run { world, issuer in
            let registrations = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<6 {
                    let token = try issuer.token("mina")
                    group.addTask { try await world.arrive(token, at: issuer).text("registration_token") }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(try await world.count("SELECT count(*) FROM newcomers") == 1)
            let codes = try await withThrowingTaskGroup(of: Int.self) { group in
                for (index, registration) in registrations.enumerated() {
                    group.addTask {
                        try await world.finish(registration, as: "mina_\(index)", at: issuer).status.code
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.sorted() == [200] + Array(repeating: 410, count: 5))
            #expect(try await world.count("SELECT count(*) FROM accounts") == 1)
            #expect(try await world.count("SELECT count(*) FROM identities") == 1)
            #expect(try await world.recorded("auth.AccountRegistered.v1").count == 1)
        }
    }

    @Test func whatIsHeldUntilAUsernameIsChosenCannotBeMade() async throws {
        try await TestIssuer.run { world, issuer in
            let registration = try await world.arrive(issuer.token("mina"), at: issuer).text("registration_token")
            let parts = registration.split(separator: ".").map(String.init)
            let later = try #require(Int64(parts[1])) + 1
            for forged in [
                "\(parts[0]).\(later).\(parts[2])", "1.\(parts[1]).\(parts[2])", "a", "..", registration + "a",
            ] {
                #expect(try await world.finish(forged, as: "mina", at: issuer).status == .gone, "\(forged)")
            }
            // A name that is taken, reserved or none is said, and the next try counts.
            _ = try await world.signUp("ada")
            for name in ["ada", "admin", "", "a b"] {
                let answer = try await world.finish(registration, as: name, at: issuer)
                #expect(answer.status == .unprocessableContent && !answer.faults("username").isEmpty, "\(name)")
            }
            world.clock.advance(.seconds(3599))
            #expect(try await world.finish(registration, as: "mina", at: issuer).status == .ok)
            let late = try await world.arrive(issuer.token("jun"), at: issuer).text("registration_token")
            world.clock.advance(.seconds(3600))
            #expect(try await world.finish(late, as: "jun", at: issuer).status == .gone)
        }
    }

    @Test func whoAgreesIsNotedToHave() async throws {
        try await TestIssuer.run { world, issuer in
            _ = try await world.join("mina", at: issuer)
            #expect(try await world.count("SELECT count(*) FROM consents WHERE way = 'issuer'") == 2)
        }
    }

    /// What is given back when they leave is kept for them, too.
    @Test func keepsWhatAppleGaveAnAppThatKeepsItsRefreshToken() async throws {
        try await TestIssuer.run("apple") { world, issuer in
            for subject in ["mina", "mina"] {
                let code = issuer.code(.init(client: TestIssuer.app, subject: subject))
                let token = try issuer.token(subject)
                let answer = try await world.send(
                    .post,
                    "/internal/kept_sessions/issuer",
                    json: #"{"issuer":"apple","id_token":"\#(token)","authorization_code":"\#(code)"}"#,
                    headers: [("X-Madang-Internal", AuthWorld.secret)]
                )
                #expect(answer.status == .ok, "\(answer.page)")
                let kept = try await world.count(
                    "SELECT count(*) FROM identities WHERE sealed_token IS NOT NULL AND client_id = 'madang-ios'"
                )
                #expect(kept == 1)
            }
            #expect(issuer.state.withLock { $0.refreshTokens } == 2)
        }
    }

    /// An app that knows no usernames has its person in at once.
    @Test func signsInForAnAppThatKeepsItsRefreshToken() async throws {
        try await TestIssuer.run("kakao") { world, issuer in
            func ask(_ json: String) async throws -> Answer {
                try await world.send(
                    .post,
                    "/internal/kept_sessions/issuer",
                    json: json,
                    headers: [("X-Madang-Internal", AuthWorld.secret)]
                )
            }
            func body(_ name: String) throws -> String {
                #"{"issuer":"\#(name)","id_token":"\#(try issuer.token("mina"))","nickname":"Mina","device_token":"phone"}"#
            }
            #expect(try await ask(body("apple")).object["code"] as? String == "issuer-not-named")
            let first = try await ask(body("kakao"))
            #expect(first.status == .ok, "\(first.page)")
            let account = first.object["account"] as? [String: Any]
            #expect(account?["username"] as? String == "mina" && first.object["refresh_token"] is String)
            // The app shows nothing that one could agree to, and so nobody has.
            #expect(try await world.count("SELECT count(*) FROM consents") == 0)
            let second = try await ask(body("kakao"))
            #expect((second.object["account"] as? [String: Any])?["id"] as? String == account?["id"] as? String)
            #expect(try await ask(#"{"issuer":"kakao","id_token":"a.b.c"}"#).status == .unauthorized)
            #expect(try await ask(#"{"issuer":"kakao"}"#).status == .unprocessableContent)
            #expect(try await world.count("SELECT count(*) FROM accounts") == 1)
        }
    }
}
