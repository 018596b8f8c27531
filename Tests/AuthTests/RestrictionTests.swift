// SPDX-License-Identifier: Apache-2.0
// Who is suspended gets in nowhere; who is frozen is said to be.

import Domain
import Events
import Foundation
import HTTPTypes
import Outbox
import Postgres
import Support
import Testing
import Web

@testable import AuthService

extension AuthWorld {
    /// Delivers what posts tells of an account.
    func hear(_ restrictions: [Restriction], of account: AccountID, version: Int64) async throws {
        let event = AccountRestricted(accountID: account, restrictions: restrictions, subjectVersion: version)
        let envelope = Envelope(id: EventID.new(), time: clock.now, traceparent: nil, data: event)
        try await Decisions.queue(dependencies).apply([Array(try JSONEncoder().encode(envelope))], in: database)
    }
}

@Suite struct RestrictionTests {
    private static func signIn(_ name: String, _ world: AuthWorld) async throws -> Answer {
        try await world.send(.post, "/api/v1/sessions", form: [("username", name), ("password", AuthWorld.password)])
    }

    @Test func `who is suspended is signed out everywhere and refused, until that is lifted`() async throws {
        try await AuthWorld.run { world in
            let token = try await world.signUp("minji")
            let session = try await world.session("minji")
            let account = try #require(try await world.principal(token)?.account?.id)
            try await world.hear([.suspended], of: account, version: 1)
            #expect(try await world.principal(token) == nil)
            #expect(try await world.principal(session.access) == nil)
            #expect(try await world.recorded("auth.SessionRevoked.v1").count == 2)
            let refreshed = try await world.send(
                .post,
                "/api/v1/sessions/refresh",
                form: [("refresh_token", session.refresh)]
            )
            #expect(refreshed.status.code >= 400)
            let refused = try await Self.signIn("minji", world)
            #expect(refused.status == .forbidden)
            #expect(refused.object["code"] as? String == "account-suspended")
            #expect(try await world.count("SELECT count(*) FROM sessions WHERE account_id = \(account)") == 0)
            // With a wrong password nobody learns of it.
            let wrong = try await world.send(
                .post,
                "/api/v1/sessions",
                form: [("username", "minji"), ("password", "another one")]
            )
            #expect(wrong.status == .unauthorized)
            try await world.hear([], of: account, version: 2)
            #expect(try await Self.signIn("minji", world).status == .ok)
        }
    }

    @Test func `who is about to leave may sign in`() async throws {
        try await AuthWorld.run { world in
            let token = try await world.signUp("minji")
            let account = try #require(try await world.principal(token)?.account?.id)
            try await world.hear([.leaving], of: account, version: 1)
            #expect(try await world.principal(token) != nil)
            #expect(try await Self.signIn("minji", world).status == .ok)
        }
    }

    @Test func `who is frozen is said to be, to everybody but auth itself`() async throws {
        try await AuthWorld.run { world in
            let token = try await world.signUp("minji")
            let account = try #require(try await world.principal(token)?.account?.id)
            #expect(try await world.principal(token)?.account?.isFrozen == false)
            try await world.hear([.frozen], of: account, version: 1)
            #expect(try await world.principal(token)?.account?.isFrozen == true)
            #expect(try await world.recorded("auth.PrincipalChanged.v1").count == 1)
            let answer = try await world.send(
                .post,
                "/internal/principal",
                json: #"{"token": "\#(token)", "audiences": ["auth", "posts"]}"#,
                headers: [("X-Madang-Internal", AuthWorld.secret)]
            )
            let statements = try #require(answer.object["principals"] as? [String: String])
            #expect(answer.object["frozen"] as? Bool == true)
            #expect(world.verifier.principal(try #require(statements["posts"]))?.account?.isFrozen == true)
            #expect(world.verifier.principal(try #require(statements["auth"]))?.account?.isFrozen == false)
            // What is told twice, or late, changes nothing.
            try await world.hear([.frozen], of: account, version: 1)
            try await world.hear([], of: account, version: 2)
            try await world.hear([.frozen], of: account, version: 1)
            #expect(try await world.principal(token)?.account?.isFrozen == false)
            #expect(try await world.recorded("auth.PrincipalChanged.v1").count == 2)
            #expect(try await world.count("SELECT count(*) FROM audit WHERE act = 'restricted'") == 2)
        }
    }

    /// Whoever signs in at the moment of the decision is signed out by it, or refused.
    @Test func `nobody slips in`() async throws {
        try await AuthWorld.run(limits: Limits(signInsPerAccount: 0, signInsPerAddress: 0)) {
            world in
            let token = try await world.signUp("minji")
            let account = try #require(try await world.principal(token)?.account?.id)
            for round in 0..<5 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<4 { group.addTask { _ = try await Self.signIn("minji", world) } }
                    group.addTask {
                        try await world.hear([.suspended], of: account, version: Int64(2 * round + 1))
                    }
                    try await group.waitForAll()
                }
                #expect(try await world.count("SELECT count(*) FROM sessions WHERE account_id = \(account)") == 0)
                try await world.hear([], of: account, version: Int64(2 * round + 2))
            }
        }
    }
}
