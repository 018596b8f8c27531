// SPDX-License-Identifier: Apache-2.0
// Sessions, refresh tokens, passwords and who is behind a token.

import Domain
import Foundation
import HTTPTypes
import Outbox
import Postgres
import Support
import Testing
import Web

@testable import AuthService

@Suite struct SessionTests {
    private static func refresh(_ token: String, _ world: AuthWorld) async throws -> Answer {
        try await world.send(.post, "/api/v1/sessions/refresh", json: #"{"refresh_token": "\#(token)"}"#)
    }

    @Test func givesShortTokensToOurOwnApps() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            let answer = try await world.send(
                .post,
                "/api/v1/sessions",
                json: #"{"email": "MINJI@example.com", "password": "\#(AuthWorld.password)", "device_name": "내 전화기"}"#
            )
            #expect(answer.status == .ok)
            #expect(
                Set(answer.object.keys) == [
                    "access_token", "token_type", "scope", "created_at", "expires_in", "refresh_token", "session_id",
                    "device_token",
                ]
            )
            #expect(answer.object["expires_in"] as? Int == 900)
            let token = try answer.text("access_token")
            #expect(try await world.principal(token)?.account?.username.text == "minji")
            world.clock.advance(.seconds(901))
            #expect(try await world.principal(token) == nil)
            let next = try await Self.refresh(try answer.text("refresh_token"), world)
            #expect(next.status == .ok)
            #expect(try await world.principal(try next.text("access_token")) != nil)
            #expect(next.object["session_id"] as? String == answer.object["session_id"] as? String)
        }
    }

    @Test func endsTheSessionWhenARefreshTokenComesTwice() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            let first = try await world.session("minji")
            let second = try await Self.refresh(first.refresh, world)
            let third = try await Self.refresh(try second.text("refresh_token"), world)
            let reused = try await Self.refresh(first.refresh, world)
            #expect(reused.error == "invalid_grant")
            #expect(try await world.principal(try third.text("access_token")) == nil)
            #expect(try await world.principal(first.access) == nil)
            #expect(try await Self.refresh(try third.text("refresh_token"), world).error == "invalid_grant")
            #expect(try await world.recorded("auth.SessionRevoked.v1").count == 1)
        }
    }

    @Test func forgetsARefreshTokenThatLiesUnused() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            let session = try await world.session("minji")
            world.clock.advance(.seconds(30 * 86_400 + 1))
            #expect(try await Self.refresh(session.refresh, world).error == "invalid_grant")
            for broken in ["", "x", String(repeating: "a", count: 86), String(repeating: "가", count: 86)] {
                #expect(try await Self.refresh(broken, world).error == "invalid_grant")
            }
        }
    }

    @Test func refreshesForOurOwnOAuthApps() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            let app = App(
                id: try world.dependencies.ids.next(),
                clientID: "own-app",
                secretHash: nil,
                name: "Own",
                website: nil,
                scopes: ScopeSet(["read", "write"]),
                redirectURIs: ["own:/cb"],
                isFirstParty: true
            )
            try await world.database.transaction { try await AppStore.insert(app, now: world.clock.now, in: $0) }
            var browser = TestBrowser(world)
            _ = try await browser.signIn("minji")
            let base = "response_type=code&client_id=own-app&redirect_uri=own%3A%2Fcb&scope=read"
            #expect(try await browser.get("/oauth/authorize?" + base).status == .badRequest)
            let back = try await browser.decide(base + "&" + OAuthTests.challenge)
            let token = try await world.send(
                .post,
                "/oauth/token",
                form: [
                    ("grant_type", "authorization_code"), ("client_id", "own-app"), ("redirect_uri", "own:/cb"),
                    ("code", try #require(back.redirected("code"))), ("code_verifier", OAuthTests.verifier),
                ]
            )
            #expect(token.object["expires_in"] as? Int == 900)
            let refresh = try token.text("refresh_token")
            #expect(try await Self.refresh(refresh, world).error == "invalid_grant")
            let next = try await world.send(
                .post,
                "/oauth/token",
                form: [("grant_type", "refresh_token"), ("client_id", "own-app"), ("refresh_token", refresh)]
            )
            #expect(next.status == .ok)
            #expect(next.object["refresh_token"] as? String != refresh)
        }
    }

    @Test func listsAndEnds() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            let token = try await world.session("minji").access
            let other = try await world.session("minji")
            _ = try await world.signUp("jisoo")
            let stranger = try await world.session("jisoo").access
            let list = try await world.send(.get, "/api/v1/sessions", token: token).list
            #expect(list.count == 3)
            #expect(
                Set(list[0].keys) == [
                    "id", "app_name", "app_website", "device", "scopes", "created_at", "last_used_at", "current",
                ]
            )
            #expect(list[0]["device"] as? String == "Phone")
            #expect(list[0]["app_name"] as? String == "Madang")
            #expect(list.map { $0["current"] as? Bool } == [false, true, false])
            let id = try #require(list[0]["id"] as? String)
            #expect(try await world.send(.delete, "/api/v1/sessions/\(id)", token: stranger).status == .notFound)
            #expect(try await world.principal(other.access) != nil)
            #expect(try await world.send(.delete, "/api/v1/sessions/\(id)", token: token).status == .ok)
            #expect(try await world.principal(other.access) == nil)
            #expect(try await Self.refresh(other.refresh, world).error == "invalid_grant")
            #expect(try await world.send(.delete, "/api/v1/sessions/\(id)", token: token).status == .notFound)
            let event = try #require(try await world.recorded("auth.SessionRevoked.v1").first)
            #expect((event["data"] as? [String: Any])?["session_id"] as? String == id)
            let third = try await world.session("minji")
            #expect(try await world.send(.delete, "/api/v1/sessions", token: token).status == .ok)
            #expect(try await world.principal(third.access) == nil)
            #expect(try await world.principal(token) != nil)
            #expect(try await world.principal(stranger) != nil)
        }
    }

    @Test func changesThePassword() async throws {
        try await AuthWorld.run { world in
            let token = try await world.signUp("minji")
            let other = try await world.session("minji")
            var browser = TestBrowser(world)
            _ = try await browser.signIn("minji")
            func change(_ old: String, _ new: String) async throws -> Answer {
                try await world.send(
                    .post,
                    "/api/v1/accounts/change_password",
                    form: [("old_password", old), ("new_password", new)],
                    token: token
                )
            }
            #expect(try await change("wrong", "umbrella-otter-9").status == .unauthorized)
            #expect(try await change(AuthWorld.password, "password1").faults("new_password") == ["ERR_COMPROMISED"])
            #expect(try await change(AuthWorld.password, "umbrella-otter-9").status == .ok)
            #expect(try await world.principal(token) != nil)
            #expect(try await world.principal(other.access) == nil)
            #expect(try await Self.refresh(other.refresh, world).error == "invalid_grant")
            #expect(try await browser.get("/auth/sign_in").page.contains("name=\"password\""))
            #expect(try await world.recorded("auth.SessionRevoked.v1").count == 2)
            _ = try await world.session("minji", password: "umbrella-otter-9")
            let old = try await world.send(
                .post,
                "/api/v1/sessions",
                form: [("username", "minji"), ("password", AuthWorld.password)]
            )
            #expect(old.status == .unauthorized)
        }
    }

    @Test func tellsTheGatewayWhoAsks() async throws {
        try await AuthWorld.run { world in
            let token = try await world.signUp("minji")
            let body = #"{"token": "\#(token)"}"#
            let secret = [("X-Madang-Internal", AuthWorld.secret)]
            let answer = try await world.send(.post, "/internal/principal", json: body, headers: secret)
            #expect(
                Set(answer.object.keys) == ["principal", "expires", "session_id", "account_id", "username", "scopes"]
            )
            #expect(answer.object["expires"] as? Int == Int(world.clock.now.milliseconds) + 300_000)
            #expect(answer.object["scopes"] as? String == "read write")
            for headers in [[], [("X-Madang-Internal", "wrong")]] {
                let refused = try await world.send(.post, "/internal/principal", json: body, headers: headers)
                #expect(refused.status == .notFound)
            }
            let unknown = try await world.send(
                .post,
                "/internal/principal",
                json: #"{"token": "x"}"#,
                headers: secret
            )
            #expect(unknown.status == .unauthorized)
            let alone = try await world.appToken(try await world.app())
            let app = try await world.send(
                .post,
                "/internal/principal",
                json: #"{"token": "\#(alone)"}"#,
                headers: secret
            )
            #expect(app.object["account_id"] is NSNull)
            #expect(app.object["username"] is NSNull)
        }
    }

    @Test func saysWhetherAnAppOfOnesOwnAsks() async throws {
        try await AuthWorld.run { world in
            let letIn = try await world.signUp("minji")
            let alone = try await world.appToken(try await world.app())
            let own = try await world.session("minji").access
            for (token, isOwn) in [(own, true), (letIn, false), (alone, false)] {
                #expect(try await world.principal(token)?.isOwnApp == isOwn)
            }
            // Also to auth itself, which is told less of who is kept from things.
            let answer = try await world.send(
                .post,
                "/internal/principal",
                json: #"{"token": "\#(own)", "audiences": ["auth", "media"]}"#,
                headers: [("X-Madang-Internal", AuthWorld.secret)]
            )
            let statements = try #require(answer.object["principals"] as? [String: String])
            #expect(statements.count == 2)
            for statement in statements.values { #expect(world.verifier.principal(statement)?.isOwnApp == true) }
        }
    }

    @Test func signsAStatementForEachService() async throws {
        try await AuthWorld.run { world in
            let token = try await world.signUp("minji")
            func ask(_ audiences: String) async throws -> Answer {
                try await world.send(
                    .post,
                    "/internal/principal",
                    json: #"{"token": "\#(token)", "audiences": \#(audiences)}"#,
                    headers: [("X-Madang-Internal", AuthWorld.secret)]
                )
            }
            let answer = try await ask(#"["posts", "chat"]"#)
            #expect(answer.object["principal"] == nil)
            let signed = try #require(answer.object["principals"] as? [String: String])
            #expect(Set(signed.keys) == ["posts", "chat"])
            let key = world.dependencies.signer.publicKey
            for audience in ["posts", "chat"] {
                let made = PrincipalVerifier(publicKey: key, audience: audience, now: { world.clock.now })
                let verifier = try #require(made)
                for (name, value) in signed {
                    #expect((verifier.principal(value)?.account?.username.text == "minji") == (name == audience))
                }
            }
            for bad in [#"[""]"#, #"["\#(String(repeating: "a", count: 33))"]"#, "[[]]"] {
                #expect(try await ask(bad).status == .badRequest, "\(bad)")
            }
            #expect(try await ask("[]").object["principal"] is String)
        }
    }

    @Test func notesTheLastUseNowAndThen() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            let token = try await world.session("minji").access
            func lastUsed() async throws -> String? {
                try await world.send(.get, "/api/v1/sessions", token: token).list.first?["last_used_at"] as? String
            }
            let first = try await lastUsed()
            world.clock.advance(.seconds(60))
            #expect(try await lastUsed() == first)
            world.clock.advance(.seconds(300))
            #expect(try await lastUsed() == world.clock.now.rfc3339)
        }
    }

    @Test func storesNoSecret() async throws {
        try await AuthWorld.run { world in
            let token = try await world.signUp("minji")
            let session = try await world.session("minji")
            let hashes = try await world.database.query("SELECT hash FROM access_tokens").map { row in
                var columns = row.columns
                return try columns.next([UInt8].self)
            }
            #expect(hashes.contains(Secret.hash(token)))
            #expect(hashes.allSatisfy { $0.count == 32 })
            #expect(token.utf8.count == 43)
            #expect(session.refresh.utf8.count == 86)
            let passwords = try await world.count(
                "SELECT count(*) FROM accounts WHERE password_hash LIKE '$argon2id$v=19$m=19456,t=3,p=1$%'"
            )
            #expect(passwords == 1)
        }
    }

    @Test func purges() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            _ = try await world.session("minji")
            var browser = TestBrowser(world)
            _ = try await browser.signIn("minji", password: "wrong wrong")
            let sweeps = Sweeps.all(world.dependencies)
            for sweep in sweeps { #expect(try await sweep.finish(in: world.database) == 0) }
            world.clock.advance(.seconds(91 * 86_400))
            for sweep in sweeps { try await sweep.finish(in: world.database) }
            #expect(try await world.count("SELECT count(*) FROM sign_in_attempts") == 0)
            #expect(try await world.count("SELECT count(*) FROM refresh_tokens") == 0)
            // The app's own token for the person lasts; those of apps alone, unused for so long, do not.
            #expect(try await world.count("SELECT count(*) FROM sessions") == 1)
            #expect(try await world.count("SELECT count(*) FROM access_tokens") == 1)
        }
    }
}
