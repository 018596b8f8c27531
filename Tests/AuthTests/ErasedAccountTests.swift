// SPDX-License-Identifier: Apache-2.0
// Nothing of an account that was deleted is left in any table.

import Domain
import Outbox
import Postgres
import Support
import Testing

@testable import AuthService

@Suite struct ErasedAccountTests {
    private static let walk = ErasureWalk(
        "Auth",
        migrations: AuthService.migrations,
        impersonal: [
            "apps": "whoever uses them",
            "departure_answers": "which services have answered, by the number of the account",
            "former_usernames": "names that nobody can read",
            "issuer_revocations": "goes when the issuer has taken its token back",
            "issuer_visits": "of browsers, for ten minutes",
            "newcomers": "who has no account",
            "taken_tokens": "until they expire",
        ],
        tombstones: [
            "audit": "what was done, by the number of the account",
            "departures": "that it was deleted, by its number",
        ]
    )

    @Test func nothingOfItIsLeft() async throws {
        try await AuthWorld.run { world in
            let dependencies = world.dependencies
            try await Self.walk.expect(others: Self.others) { database in
                try await database.transaction { try await Departures.begin(account, dependencies, in: $0) }
                while try await database.transaction({ try await RemainsStore.emptyNotes(of: account, in: $0) }) > 0 {}
                try await database.transaction { try await Departures.finish(account, dependencies, in: $0) }
            }
        }
    }

    private let account = ErasureWalk.account

    private static let others = [
        "SELECT count(*) FROM accounts": 1,
        "SELECT count(*) FROM sessions": 1,
        "SELECT count(*) FROM access_tokens": 1,
        "SELECT count(*) FROM former_usernames": 1,
        "SELECT count(*) FROM audit WHERE id = 1 AND address = '' AND detail = ''": 1,
    ]
}
