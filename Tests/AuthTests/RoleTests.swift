// SPDX-License-Identifier: Apache-2.0
// What auth tells of roles, and the links by which people appeal to decisions.

import Domain
import Events
import Foundation
import Logging
import Outbox
import Postgres
import Support
import Testing
import Web

@testable import AuthService

@Suite struct RoleTests {
    @Test func everyChangeOfARoleIsToldInANewVersion() async throws {
        try await AuthWorld.run { world in
            let dependencies = world.dependencies
            _ = try await world.signUp("minji")
            let administration = Administration(
                database: dependencies.database,
                ids: dependencies.ids,
                now: dependencies.now,
                logger: Logger(label: "auth")
            )
            for role in [Role.moderator, .moderator, .admin, .user] {
                _ = try await administration.give(role, to: "minji")
            }
            let told = try await recorded(RoleGiven.self, in: dependencies.database)
            #expect(told.map(\.role) == [.moderator, .admin, .user] && told.map(\.subjectVersion) == [1, 2, 3])
            #expect(Set(told.map(\.accountID)).count == 1)
            // Who held one is told again, too: somebody may know of it.
            let again = try await AccountStore.roles(after: Teller.Place(limit: 10), in: dependencies.database)
            #expect(again.map(\.role) == [.user] && again.map(\.subjectVersion) == [3])
        }
    }

    @Test func theLinkOfALetterIsForOneDecision() async throws {
        try await AuthWorld.run { world in
            let now = world.dependencies.now()
            func token(_ end: Timestamp?) throws -> String? {
                let letter = Letter.decision(
                    action: .suspend,
                    reason: "",
                    until: nil,
                    appealUntil: end,
                    decision: DecisionID(7)
                )
                return try AppealLink.token(for: letter, to: AccountID(8), world.dependencies)
            }
            #expect(try token(nil) == nil)
            #expect(try AppealLink.token(for: .deleted, to: AccountID(8), world.dependencies) == nil)
            let end = now + .seconds(60)
            let told = try #require(try token(end))
            let verifier = try #require(PrincipalVerifier(publicKey: world.dependencies.signer.publicKey))
            let appeal = verifier.appeal(told, at: now)
            #expect(appeal == AppealToken(decisionID: DecisionID(7), accountID: AccountID(8), expires: end))
        }
    }
}
