// SPDX-License-Identifier: Apache-2.0
// An answer to a refresh that got lost, and everything that only looks like one.

import Domain
import Foundation
import HTTPTypes
import Postgres
import Support
import Testing
import Web

@testable import AuthService

@Suite struct RefreshGraceTests {
    private static func refresh(_ token: String, _ world: AuthWorld) async throws -> Answer {
        try await world.send(.post, "/api/v1/sessions/refresh", json: #"{"refresh_token": "\#(token)"}"#)
    }

    private static func session(_ world: AuthWorld) async throws -> (access: String, refresh: String) {
        _ = try await world.signUp("minji")
        return try await world.session("minji")
    }

    @Test func aLostAnswerDoesNotEndTheSession() async throws {
        try await AuthWorld.run { world in
            let first = try await Self.session(world)
            let lost = try await Self.refresh(first.refresh, world)
            world.clock.advance(.seconds(30))
            let again = try await Self.refresh(first.refresh, world)
            #expect(again.status == .ok)
            #expect(try await world.principal(try again.text("access_token")) != nil)
            #expect(try await world.principal(first.access) != nil)
            // What nobody has received is withdrawn.
            #expect(try await world.principal(try lost.text("access_token")) == nil)
            // Nothing is special about the pair that came of it.
            let next = try await Self.refresh(try again.text("refresh_token"), world)
            #expect(next.status == .ok)
            #expect(try await world.recorded("auth.SessionRevoked.v1").isEmpty)
        }
    }

    @Test func thereIsOneChance() async throws {
        try await AuthWorld.run { world in
            let first = try await Self.session(world)
            _ = try await Self.refresh(first.refresh, world)
            let second = try await Self.refresh(first.refresh, world)
            #expect(second.status == .ok)
            #expect(try await Self.refresh(first.refresh, world).error == "invalid_grant")
            #expect(try await Self.refresh(try second.text("refresh_token"), world).error == "invalid_grant")
            #expect(try await world.principal(try second.text("access_token")) == nil)
            #expect(try await world.recorded("auth.SessionRevoked.v1").count == 1)
        }
    }

    @Test func whatWasWithdrawnEndsTheSession() async throws {
        try await AuthWorld.run { world in
            let first = try await Self.session(world)
            let lost = try await Self.refresh(first.refresh, world)
            let second = try await Self.refresh(first.refresh, world)
            #expect(try await Self.refresh(try lost.text("refresh_token"), world).error == "invalid_grant")
            #expect(try await world.principal(try second.text("access_token")) == nil)
        }
    }

    @Test func aSuccessorThatWasUsedLeavesNoChance() async throws {
        // Its access token was shown, or its refresh token was.
        for isAccess in [true, false] {
            try await AuthWorld.run { world in
                let first = try await Self.session(world)
                var newest = try await Self.refresh(first.refresh, world)
                if isAccess {
                    #expect(try await world.principal(try newest.text("access_token")) != nil)
                } else {
                    newest = try await Self.refresh(try newest.text("refresh_token"), world)
                }
                #expect(try await Self.refresh(first.refresh, world).error == "invalid_grant")
                #expect(try await world.principal(try newest.text("access_token")) == nil)
                #expect(try await world.recorded("auth.SessionRevoked.v1").count == 1)
            }
        }
    }

    @Test func theChanceIsShort() async throws {
        try await AuthWorld.run { world in
            let first = try await Self.session(world)
            _ = try await Self.refresh(first.refresh, world)
            world.clock.advance(.seconds(60))
            #expect(try await Self.refresh(first.refresh, world).error == "invalid_grant")
            #expect(try await world.recorded("auth.SessionRevoked.v1").count == 1)
        }
    }

    /// A copy of the previous release rotates without noting the predecessor.
    @Test func whatAnOlderCopyRotatedHasNoChance() async throws {
        try await AuthWorld.run { world in
            let first = try await Self.session(world)
            _ = try await Self.refresh(first.refresh, world)
            let other = Secret(bytes: Dependencies.systemRandomBytes(32))
            _ = try await world.database.query("UPDATE refresh_tokens SET current_hash = \(other.hash)")
            #expect(try await Self.refresh(first.refresh, world).error == "invalid_grant")
            #expect(try await world.recorded("auth.SessionRevoked.v1").count == 1)
        }
    }

    /// Whatever the order, at most two get an answer, and with a third the session is over.
    @Test func holdsAtTheSameMoment() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            for count in [2, 3, 8] {
                let session = try await world.session("minji")
                let ended = try await world.recorded("auth.SessionRevoked.v1").count
                let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
                    for _ in 0..<count { group.addTask { try await Self.refresh(session.refresh, world) } }
                    return try await group.reduce(into: [Answer]()) { $0.append($1) }
                }
                let granted = answers.filter { $0.status == .ok }
                #expect(granted.count == 2)
                var alive = 0
                for answer in granted where try await world.principal(try answer.text("access_token")) != nil {
                    alive += 1
                }
                #expect(alive == (count == 2 ? 1 : 0))
                #expect(try await world.recorded("auth.SessionRevoked.v1").count == ended + (count == 2 ? 0 : 1))
            }
        }
    }

    /// The answer's access token is shown at the same moment as the predecessor: either of them, never both.
    @Test func theSuccessorShownAtTheSameMoment() async throws {
        try await AuthWorld.run { world in
            _ = try await world.signUp("minji")
            for _ in 0..<10 {
                let session = try await world.session("minji")
                let successor = try await Self.refresh(session.refresh, world).text("access_token")
                async let shown = world.principal(successor)
                async let repeated = Self.refresh(session.refresh, world)
                let (seen, answer) = try await (shown != nil, repeated)
                if answer.status == .ok {
                    #expect(!seen)
                    #expect(try await world.principal(try answer.text("access_token")) != nil)
                } else {
                    #expect(try await world.principal(successor) == nil)
                }
            }
        }
    }
}
