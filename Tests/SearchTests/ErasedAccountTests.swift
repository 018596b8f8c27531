// SPDX-License-Identifier: Apache-2.0
// Nothing of an account that was deleted is left in any table.

import Domain
import Outbox
import Postgres
import Support
import Testing

@testable import SearchService

@Suite struct ErasedAccountTests {
    private static let walk = ErasureWalk(
        "Search",
        migrations: SearchService.migrations,
        impersonal: [
            "askers": "numbers of which nobody can tell whose they are, for a week",
            "book_answers": "of catalogues",
            "book_asks": "of catalogues",
            "books": "of catalogues",
            "frequent": "how terms are kept",
            "links": "of pages, whoever links to them",
            "neighbouring_keys": "since when keys are neighbours",
            "places": "of chat, whoever is in them",
            "popular_queries": "what five people asked",
            "segments": "how documents are kept",
            "term_upgrades": "since when the index awaits a rebuild",
            "usage": "counted, of nobody",
            "usage_words": "counted, of nobody",
            "words": "the walk forgets those that no document has",
        ]
    )

    @Test func nothingOfItIsLeft() async throws {
        try await Self.walk.expect(others: Self.others) { database in
            let steps = EraseAccount.steps(PostgresIndex(database))
            _ = try await ErasureStep.finish(steps, of: ErasureWalk.account, in: database)
        }
    }

    private static let others = [
        "SELECT count(*) FROM documents WHERE id = 22 AND people = '{12}'": 1,
        // The book that another reads is theirs now.
        "SELECT count(*) FROM documents WHERE kind = 8 AND id = 52": 1,
        "SELECT count(*) FROM documents": 2,
        "SELECT count(*) FROM names WHERE kind = 1": 1,
        "SELECT count(*) FROM memberships": 1,
        "SELECT count(*) FROM popular": 1,
        "SELECT count(*) FROM shelved_books": 1,
    ]
}
