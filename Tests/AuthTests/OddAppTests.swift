// SPDX-License-Identifier: Apache-2.0
// What some apps send: names with line breaks, scopes that few people can grant, no token to revoke.

import Domain
import HTTPTypes
import Postgres
import Support
import Testing
import Web

@testable import AuthService

extension OAuthTests {
    /// Pleroma-FE's registration: its name ends in a line break, and it asks for everything there is.
    @Test func registersAppsThatAskForMoreThanMostPeopleCanGrant() async throws {
        try await AuthWorld.run { world in
            let answer = try await world.send(
                .post,
                "/api/v1/apps",
                form: [
                    ("client_name", "PleromaFE___abc\r\ndef\n_2026-01-02"), ("redirect_uris", "https://a.example/cb"),
                    ("scopes", "read write follow push admin admin:read admin:write:reports"),
                ]
            )
            #expect(answer.status == .ok, "\(answer.page)")
            #expect(answer.object["name"] as? String == "PleromaFE___abc def _2026-01-02")
            #expect(
                (answer.object["scopes"] as? [String])?.suffix(3) == ["admin", "admin:read", "admin:write:reports"]
            )
        }
    }

    /// What is asked for and not granted is left out, and the token says so (RFC 6749, section 5.1).
    @Test(arguments: [
        (Role.user, "read write"), (.moderator, "read write admin:read"), (.admin, "read write admin:read"),
    ])
    func scopesOfAdministrationAreGrantedByRole(_ role: Role, _ granted: String) async throws {
        try await AuthWorld.run { world in
            let app = try await world.app(scopes: "read write admin")
            var browser = try await OAuthTests.browser("minji", world)
            _ = try await world.database.query("UPDATE accounts SET role = \(role)")
            let query = OAuthTests.query(app).replacing("read%20write", with: "read%20write%20admin:read")
            let page = try await browser.get("/oauth/authorize?\(query)").page
            #expect(page.contains("see what only administrators see") == (role != .user))
            let code = try #require(try await browser.decide(query).redirected("code"))
            let token = try await OAuthTests.redeem(code, app, world)
            #expect(try token.text("scope") == granted)
            let principal = try await world.principal(try token.text("access_token"))
            #expect(principal?.scopes.description == granted)
        }
    }

    /// The token that could is out of force for whoever asks next, and gateways are told to give up what they know of it;
    /// the others stay.
    @Test func whoMayAdministerNoLongerCannot() async throws {
        try await AuthWorld.run { world in
            let administration = Administration(
                database: world.database,
                ids: world.dependencies.ids,
                now: world.dependencies.now,
                logger: world.dependencies.logger
            )
            let app = try await world.app(scopes: "read write admin")
            var browser = try await OAuthTests.browser("minji", world)
            #expect(try await administration.give(.admin, to: "minji"))
            var tokens: [String] = []
            for scope in ["read%20admin:read", "admin:write", "read"] {
                let query = OAuthTests.query(app).replacing("read%20write", with: scope)
                let code = try #require(try await browser.decide(query).redirected("code"))
                tokens.append(try await OAuthTests.redeem(code, app, world).text("access_token"))
            }
            #expect(try await world.principal(tokens[0])?.scopes.description == "read admin:read")
            #expect(try await world.principal(tokens[0])?.account?.role == .admin)
            #expect(try await administration.give(.moderator, to: "minji"))
            #expect(try await world.principal(tokens[1])?.scopes.description == "admin:write")
            // A code that was granted before is redeemed after.
            let query = OAuthTests.query(app).replacing("read%20write", with: "read%20admin:read")
            let late = try #require(try await browser.decide(query).redirected("code"))

            #expect(try await administration.give(.user, to: "minji"))
            for token in tokens.prefix(2) { #expect(try await world.principal(token) == nil) }
            let kept = try await world.principal(tokens[2])
            #expect(kept?.scopes.description == "read" && kept?.account?.role == .user)
            #expect(try await world.recorded("auth.SessionRevoked.v1").count == 2)
            let token = try await OAuthTests.redeem(late, app, world).text("access_token")
            #expect(try await world.principal(token)?.scopes.description == "read")
        }
    }

    @Test func nothingIsLeftOfScopesThatSomebodyCannotGrant() async throws {
        try await AuthWorld.run { world in
            let app = try await world.app(scopes: "read admin")
            var browser = try await OAuthTests.browser("minji", world)
            let query = OAuthTests.query(app).replacing("read%20write", with: "admin")
            let asked = try await browser.get("/oauth/authorize?\(query)")
            #expect(asked.status == .badRequest && asked.page.contains("error=invalid_scope"), "\(asked.page)")
            // An app alone holds no role.
            for (scope, granted) in [("admin", nil), ("read admin", "read")] {
                let form = [
                    ("grant_type", "client_credentials"), ("client_id", app.id), ("client_secret", app.secret),
                    ("scope", scope),
                ]
                let answer = try await world.send(.post, "/oauth/token", form: form)
                #expect(answer.object["scope"] as? String == granted)
                if granted == nil { #expect(answer.error == "invalid_scope") }
            }
        }
    }

    /// TootSDK's logout() sends no token.
    @Test func revokesNothingWhereNothingIsNamed() async throws {
        try await AuthWorld.run { world in
            let app = try await world.app()
            for form in [[], [("token", "")]] {
                let own = [("client_id", app.id), ("client_secret", app.secret)] + form
                let answer = try await world.send(.post, "/oauth/revoke", form: own)
                #expect(answer.status == .ok && answer.page == "{}")
                let foreign = [("client_id", app.id), ("client_secret", "wrong")] + form
                #expect(try await world.send(.post, "/oauth/revoke", form: foreign).error == "invalid_client")
            }
            #expect(try await world.send(.post, "/oauth/revoke").error == "invalid_client")
        }
    }
}
