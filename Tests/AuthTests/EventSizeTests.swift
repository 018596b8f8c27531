// SPDX-License-Identifier: Apache-2.0
// Every event of auth at its limits fits the outbox.

import Domain
import Events
import Support
import Testing

@Suite struct EventSizeTests {
    private static func events() throws -> [any Event] {
        [
            AccountRegistered(
                accountID: .largest,
                username: try .largest(),
                language: .korean,
                createdAt: .largest
            ),
            SessionRevoked(sessionID: .largest, accountID: .largest),
            SessionEnded(sessionID: .largest, accountID: .largest),
            RoleGiven(accountID: .largest, role: .moderator, subjectVersion: .max),
            AccountLeaving(accountID: .largest, deletion: .largest, subjectVersion: .max),
            AccountDeleted(accountID: .largest),
            PrincipalChanged(accountID: .largest, subjectVersion: .max),
            BlockedTermChanged(
                termID: .largest,
                text: .wide(64),
                action: .refuse,
                seesThroughDigits: false,
                changedAt: .largest,
                subjectVersion: .max
            ),
            BlockedDomainChanged(
                domainID: .largest,
                domain: String(repeating: "d", count: 253),
                blocksMail: false,
                blocksLinks: false,
                changedAt: .largest,
                subjectVersion: .max
            ),
        ]
    }

    @Test func `every event of auth fits at its limits`() throws {
        try expectFitting(Self.events(), of: "auth")
    }
}
