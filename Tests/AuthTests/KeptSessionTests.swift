// SPDX-License-Identifier: Apache-2.0
// Sessions of the app that keeps its refresh token, and what the gateway asks for it.

import Domain
import Foundation
import HTTPTypes
import Postgres
import Support
import Testing
import Web

@testable import AuthService

@Suite struct KeptSessionTests {
    private static func ask(_ path: String, _ json: String, _ world: AuthWorld) async throws -> Answer {
        try await world.send(
            .post,
            "/internal/" + path,
            json: json,
            headers: [("X-Madang-Internal", AuthWorld.secret)]
        )
    }

    private static func join(_ nickname: String, email: String = "mina@example.com", _ world: AuthWorld) async throws
        -> Answer
    {
        try await ask(
            "kept_sessions/join",
            #"{"email":"\#(email)","password":"\#(AuthWorld.password)","nickname":"\#(nickname)","locale":"ko"}"#,
            world
        )
    }

    private static func account(_ answer: Answer) -> [String: Any] {
        answer.object["account"] as? [String: Any] ?? [:]
    }

    private static func refresh(_ token: String, _ world: AuthWorld) async throws -> Answer {
        try await ask("kept_sessions/refresh", #"{"refresh_token":"\#(token)"}"#, world)
    }

    private static func signIn(_ password: String, device: String, _ world: AuthWorld) async throws -> Int {
        try await ask(
            "kept_sessions",
            #"{"email":"mina@example.com","password":"\#(password)","device_token":"\#(device)"}"#,
            world
        ).status.code
    }

    /// Whoever guesses does not lock out a device that has signed in, by any name that an app gives it.
    @Test func aDeviceThatHasSignedInIsKnownByItsName() async throws {
        try await AuthWorld.run { world in
            _ = try await Self.join("Mina", world)
            #expect(try await Self.signIn(AuthWorld.password, device: "phone", world) == 200)
            var answers: [Int: Int] = [:]
            for guess in 0..<12 {
                answers[try await Self.signIn("guess \(guess)", device: "elsewhere", world), default: 0] += 1
            }
            #expect(answers == [401: 10, 429: 2])
            #expect(try await Self.signIn(AuthWorld.password, device: "elsewhere", world) == 429)
            #expect(try await Self.signIn(AuthWorld.password, device: "", world) == 429)
            #expect(try await Self.signIn(AuthWorld.password, device: "phone", world) == 200)
            // A name alone lets nobody in; those that were seen last are remembered.
            #expect(try await Self.signIn("guess", device: "phone", world) == 401)
            world.clock.advance(.seconds(3_600))
            for device in 0..<12 {
                #expect(try await Self.signIn(AuthWorld.password, device: "tablet \(device)", world) == 200)
            }
            #expect(try await world.count("SELECT count(*) FROM known_devices") == 10)
        }
    }

    @Test func joinsByNickname() async throws {
        try await AuthWorld.run { world in
            let answer = try await Self.join("Mina Kim", world)
            #expect(answer.status == .ok)
            let account = Self.account(answer)
            #expect(account["username"] as? String == "mina_kim")
            #expect(account["email"] as? String == "mina@example.com")
            let principal = try #require(try await world.principal(try answer.text("access_token")))
            #expect(principal.account?.username.text == "mina_kim")
            #expect(principal.scopes.allows("write:chat") && principal.scopes.allows("write:accounts"))
            #expect(!principal.scopes.allows("write:statuses"))
            #expect(try await world.recorded("auth.AccountRegistered.v1").count == 1)
            // The name is taken: digits tell them apart. Names that nobody can spell in ASCII are buddies.
            let second = try await Self.join("Mina Kim", email: "kim@example.com", world)
            let name = try #require(Self.account(second)["username"] as? String)
            #expect(name.hasPrefix("mina_kim_") && name.count == "mina_kim_".count + 5)
            let korean = try await Self.join("미나", email: "secretname@example.com", world)
            #expect((Self.account(korean)["username"] as? String)?.hasPrefix("buddy_") == true)
            let reserved = try await Self.join("Admin", email: "x1@example.com", world)
            #expect((Self.account(reserved)["username"] as? String)?.hasPrefix("buddy_") == true)
        }
    }

    @Test func tellsWhatIsWrongWithAJoin() async throws {
        try await AuthWorld.run { world in
            _ = try await Self.join("mina", world)
            let taken = try await Self.join("other", world)
            #expect(taken.status == .unprocessableContent && taken.fields == ["email": "taken"])
            let bad = try await Self.ask("kept_sessions/join", #"{"email":"x","password":"short"}"#, world)
            #expect(bad.fields == ["email": "invalid", "nickname": "blank", "password": "too_short"])
            let long = String(repeating: "a", count: 31)
            #expect(try await Self.join(long, email: "l@example.com", world).fields == ["nickname": "too_long"])
            #expect(try await world.send(.post, "/internal/kept_sessions/join", json: "{}").status != .ok)
        }
        try await AuthWorld.run(registrations: .closed) { world in
            let refused = try await Self.join("mina", world)
            #expect(refused.status == .forbidden)
        }
    }

    @Test func keepsTheRefreshTokenUntilAFixedTime() async throws {
        try await AuthWorld.run { world in
            _ = try await Self.join("mina", world)
            let json = #"{"email":"MINA@example.com","password":"\#(AuthWorld.password)"}"#
            let session = try await Self.ask("kept_sessions", json, world)
            #expect(session.status == .ok)
            let token = try session.text("refresh_token")
            for _ in 0..<3 {
                world.clock.advance(.seconds(9 * 86_400))
                let next = try await Self.refresh(token, world)
                #expect(Set(next.object.keys) == ["access_token", "expires_in"])
                #expect(try await world.principal(try next.text("access_token"))?.account?.username.text == "mina")
            }
            #expect(try await world.principal(try session.text("access_token")) == nil)
            // Using it does not prolong it.
            world.clock.advance(.seconds(4 * 86_400))
            #expect(try await Self.refresh(token, world).error == "invalid_grant")
        }
    }

    @Test func refreshesAtTheSameMomentWithoutHarm() async throws {
        try await AuthWorld.run { world in
            let token = try await Self.join("mina", world).text("refresh_token")
            let tokens = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<5 { group.addTask { try await Self.refresh(token, world).text("access_token") } }
                var tokens: Set<String> = []
                for try await token in group { tokens.insert(token) }
                return tokens
            }
            #expect(tokens.count == 5)
            for token in tokens { #expect(try await world.principal(token) != nil) }
        }
    }

    @Test func endsWithItsSession() async throws {
        try await AuthWorld.run { world in
            let joined = try await Self.join("mina", world)
            let access = try joined.text("access_token")
            let id = try joined.text("session_id")
            let listed = try await world.send(.get, "/api/v1/sessions", token: access).list
            #expect(listed.count == 1 && "\(listed)".contains("Buddy Buddy"))
            #expect(try await world.send(.delete, "/api/v1/sessions/\(id)", token: access).status == .ok)
            #expect(try await world.principal(access) == nil)
            #expect(try await Self.refresh(try joined.text("refresh_token"), world).error == "invalid_grant")
            #expect(try await world.recorded("auth.SessionRevoked.v1").count == 1)
        }
    }

    @Test func keepsTheTwoKindsApart() async throws {
        try await AuthWorld.run { world in
            let kept = try await Self.join("mina", world).text("refresh_token")
            _ = try await world.signUp("minji")
            let rotating = try await world.session("minji").refresh
            #expect(try await Self.refresh(rotating, world).error == "invalid_grant")
            let own = try await world.send(.post, "/api/v1/sessions/refresh", json: #"{"refresh_token":"\#(kept)"}"#)
            #expect(own.error == "invalid_grant")
            let oauth = try await world.send(
                .post,
                "/oauth/token",
                form: [("grant_type", "refresh_token"), ("client_id", "buddy-buddy"), ("refresh_token", kept)]
            )
            #expect(oauth.status != .ok)
            // None of these attempts ended anything.
            #expect(try await Self.refresh(kept, world).status == .ok)
            let half = String(kept.prefix(43)) + String(kept.suffix(43).reversed())
            #expect(try await Self.refresh(half, world).error == "invalid_grant")
            for text in ["", "x", String(repeating: "a", count: 86), String(repeating: "한", count: 86)] {
                #expect(try await Self.refresh(text, world).error == "invalid_grant")
            }
        }
    }

    @Test func tellsTheAddressOnlyToAppsOfOurOwn() async throws {
        try await AuthWorld.run { world in
            let joined = try await Self.join("mina", world)
            let own = try await Self.ask("identity", #"{"session_id":"\#(try joined.text("session_id"))"}"#, world)
            #expect(own.object["email"] as? String == "mina@example.com")
            let other = try await world.signUp("minji")
            let session = try #require(try await world.principal(other)?.sessionID)
            let told = try await Self.ask("identity", #"{"session_id":"\#(session)"}"#, world)
            #expect(told.object["username"] as? String == "minji" && told.object["email"] is NSNull)
            #expect(try await Self.ask("identity", #"{"session_id":"1"}"#, world).status == .notFound)
        }
    }

    @Test func checksAddresses() async throws {
        try await AuthWorld.run { world in
            _ = try await Self.join("mina", world)
            #expect(try await Self.ask("emails/check", #"{"email":"free@example.com"}"#, world).status == .ok)
            let taken = try await Self.ask("emails/check", #"{"email":" Mina@Example.com "}"#, world)
            #expect(taken.fields == ["email": "taken"])
            #expect(try await Self.ask("emails/check", #"{"email":"x"}"#, world).fields == ["email": "invalid"])
        }
    }
}

extension Answer {
    /// What is wrong, by field.
    fileprivate var fields: [String: String] {
        var fields: [String: String] = [:]
        for field in object["fields"] as? [[String: String]] ?? [] { fields[field["name"] ?? ""] = field["code"] }
        return fields
    }
}
