// SPDX-License-Identifier: Apache-2.0
// That everything is found while an index lacks terms which a later release has.

import Domain
import Postgres
import Support
import Testing
import TextAnalysis

@testable import SearchService

@Suite struct TermUpgradeTests {
    private static let texts: [Int64: String] = [
        1: "독서모임에 갔다", 2: "a runner was running", 3: "mice and 図書館", 4: "a mouse, a mousse",
    ]
    /// What somebody types, and what is found.
    private static let questions: [(String, [Int64])] = [
        ("독서모임 ", [1]), ("runn", [2]), ("図書館 ", [3]), ("mous", [4, 3]), ("독서 갔다 ", [1]),
    ]

    private static func found(_ text: String, in database: Database) async throws -> [Int64] {
        var request = SearchRequest(.post, SearchQuery(text), viewer: nil)
        request.order = .newest
        return try await PostgresIndex(database, patience: .seconds(30)).find(request).hits.map(\.id)
    }

    private static func expectEverything(in database: Database) async throws {
        for (text, ids) in questions {
            let found = try await found(text, in: database)
            #expect(found == ids, "\(text)")
        }
    }

    private static func documents(version: Int64) -> [SearchDocument] {
        texts.map { SearchDocument(kind: .post, id: $0.key, version: version, text: $0.value) }
    }

    /// Documents as the release before wrote them.
    private static func run(_ body: @Sendable (Database) async throws -> Void) async throws {
        try await withDatabase(migrations: SearchService.migrations, schema: "search") { database, _ in
            try await PostgresIndex(database).put(documents(version: 1))
            var lists = Lists()
            lists.add(segment: .min)
            let first = lists
            let later = texts.values.flatMap { text -> [Int32] in
                let text = AnalyzedText(text)
                return text.closeTerms.subtracting(text.terms).flatMap { first.keys(of: $0.number, in: 0...0) }
            }
            _ = try await database.query(
                "UPDATE documents SET keys = ARRAY(SELECT k FROM unnest(keys) k WHERE k <> ALL (\(later)))"
            )
            _ = try await database.query("INSERT INTO term_upgrades DEFAULT VALUES")
            _ = try await database.query("INSERT INTO rebuilds (queue) VALUES ('search.index') ON CONFLICT DO NOTHING")
            try await body(database)
        }
    }

    @Test func `what was written before is found until it was told again, and afterwards`() async throws {
        try await Self.run { database in
            try await Self.expectEverything(in: database)
            try await PostgresIndex(database).put(Self.documents(version: 2))
            try await Self.expectEverything(in: database)
            _ = try await database.query("DELETE FROM term_upgrades")
            try await Self.expectEverything(in: database)
        }
    }

    @Test func `who looks by the new terms before all was told again finds little: the row is needed`() async throws {
        try await Self.run { database in
            _ = try await database.query("DELETE FROM term_upgrades")
            let found = try await Self.found("독서모임 ", in: database)
            #expect(found == [])
        }
    }

    @Test func `an upgrade ends with a rebuild that began after it`() async throws {
        try await Self.run { database in
            func ended(_ state: String, _ start: SQL) async throws -> Int {
                _ = try await database.query(
                    "UPDATE rebuilds SET state = \(state), started_at = \(start) WHERE queue = 'search.index'"
                )
                return try await TermUpgradeStore.end(in: database)
            }
            let before = try await ended("finished", "now() - interval '1 hour'")
            let meanwhile = try await ended("retelling", "now() + interval '1 hour'")
            let afterwards = try await ended("finished", "now() + interval '1 hour'")
            #expect((before, meanwhile, afterwards) == (0, 0, 1))
        }
    }
}
