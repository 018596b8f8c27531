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
            "blocked_domains": "what may not be written, whoever wants to",
            "blocked_terms": "what may not be written, whoever wants to",
            "departure_answers": "which services have answered, by the number of the account",
            "document_texts": "of the place",
            "documents": "of the place",
            "former_usernames": "names that nobody can read",
            "issuer_revocations": "goes when the issuer has taken its token back",
            "issuer_visits": "of browsers, for ten minutes, or for a day with a name that an issuer told once",
            "newcomers": "who has no account",
            "taken_tokens": "until they expire",
        ],
        tombstones: [
            "audit": "what was done, by the number of the account",
            "letters": "that it was written to, by its number",
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
                // It outlives the account until it has gone, at the latest when services were waited for long enough.
                let due = dependencies.now() + DepartureWorker.patience
                for letter in try await LetterStore.claim(most: 10, at: due, lease: due, in: database)
                where letter.accountID == account {
                    _ = try await LetterStore.end(letter.id, .sent, because: nil, at: due, in: database)
                }
            }
        }
    }

    private let account = ErasureWalk.account

    private static let others = [
        "SELECT count(*) FROM letters WHERE kind = 'deleted' AND outcome = 'sent'": 1,
        "SELECT count(*) FROM letters WHERE due_at IS NOT NULL": 1,
        "SELECT count(*) FROM restricted_accounts": 1,
        "SELECT count(*) FROM accounts": 1,
        "SELECT count(*) FROM sessions": 1,
        "SELECT count(*) FROM access_tokens": 1,
        "SELECT count(*) FROM former_usernames": 1,
        "SELECT count(*) FROM audit WHERE id = 1 AND address = '' AND detail = ''": 1,
    ]
}
