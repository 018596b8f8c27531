// SPDX-License-Identifier: Apache-2.0
// How well people find what they mean, against what PostgreSQL has by itself, on the same documents.

import Domain
import Foundation
import Postgres
import Support
import Testing

@testable import SearchService

@Suite struct JudgedTests {
    @Test func `people find what they look for, in each language and better than by PostgreSQL alone`() async throws {
        let (documents, queries) = (try JudgedDocument.all(), try JudgedQuery.all())
        #expect(documents.count >= 300 && queries.count >= 150)
        let known = Set(documents.map(\.name))
        for query in queries {
            #expect(known.isSuperset(of: query.relevant) && !query.relevant.isEmpty, "\(query.text)")
        }
        try await withDatabase(migrations: SearchService.migrations, schema: "search") { database, _ in
            let ours = try await Ours(documents, database)
            let plain = try await Plain(documents, database)
            var lines: [String] = []
            for language in ["ko", "ja", "en"] {
                var scores: [String: Score] = [:]
                for query in queries where query.language == language {
                    let found = try await ours.find(query)
                    scores["ours", default: Score()].add(found, query)
                    scores["simple", default: Score()].add(try await plain.byWords(query), query)
                    scores["trigrams", default: Score()].add(try await plain.byTrigrams(query), query)
                    let missing = query.relevant.subtracting(found)
                    if !missing.isEmpty {
                        print("judged \(language): \(query.text): missing \(missing.sorted()), found \(found)")
                    }
                }
                let (ours, simple, trigrams) = (
                    scores["ours", default: Score()], scores["simple", default: Score()],
                    scores["trigrams", default: Score()]
                )
                lines.append("judged \(language): ours \(ours); to_tsvector('simple') \(simple); pg_trgm \(trigrams)")
                #expect(ours.recall >= 0.95, "\(language)")
                #expect(ours.recall >= max(simple.recall, trigrams.recall) + 0.1, "\(language)")
                #expect(ours.reciprocal >= max(simple.reciprocal, trigrams.reciprocal) + 0.05, "\(language)")
            }
            print(lines.joined(separator: "\n"))
        }
    }
}

private struct Score: CustomStringConvertible {
    private var queries = 0.0
    private var recalls = 0.0
    private var reciprocals = 0.0

    mutating func add(_ found: [String], _ query: JudgedQuery) {
        queries += 1
        recalls += Double(query.relevant.intersection(found.prefix(10)).count) / Double(min(10, query.relevant.count))
        if let first = found.firstIndex(where: query.relevant.contains) { reciprocals += 1 / Double(first + 1) }
    }

    var recall: Double { recalls / max(1, queries) }
    var reciprocal: Double { reciprocals / max(1, queries) }
    var description: String { "recall@10 \(three(recall)), MRR \(three(reciprocal))" }
    private func three(_ number: Double) -> String { String(format: "%.3f", number) }
}

private struct JudgedDocument: Sendable {
    let name: String
    let kind: SearchKind
    let language: String
    let text: String

    static func all() throws -> [Self] {
        try lines("documents.tsv").map { columns in
            let kinds: [String: SearchKind] = [
                "post": .post, "account": .account, "channel": .channel, "playground": .playground,
            ]
            return Self(name: columns[0], kind: try #require(kinds[columns[1]]), language: columns[2], text: columns[3])
        }
    }

    var isPost: Bool { kind == .post }
}

private struct JudgedQuery: Sendable {
    let language: String
    let isForPosts: Bool
    let text: String
    let relevant: Set<String>

    static func all() throws -> [Self] {
        try lines("queries.tsv").map {
            Self(
                language: $0[0],
                isForPosts: $0[1] == "post",
                text: $0[2],
                relevant: Set($0[3].split(separator: ",").map(String.init))
            )
        }
    }
}

private func lines(_ file: String) throws -> [[String]] {
    let text = try String(contentsOf: repositoryRoot.appending(path: "Tests/Fixtures/search/\(file)"), encoding: .utf8)
    return try text.split(separator: "\n").map { line in
        let columns = line.split(separator: "\t").map(String.init)
        try #require(columns.count == 4, "\(line)")
        return columns
    }
}

/// The index, as endpoints would ask it.
private struct Ours: Sendable {
    private let index: PostgresIndex
    private let names: [Int64: String]

    init(_ documents: [JudgedDocument], _ database: Database) async throws {
        index = PostgresIndex(database, patience: .seconds(30))
        names = Dictionary(uniqueKeysWithValues: documents.enumerated().map { (Int64($0.offset + 1), $0.element.name) })
        try await index.put(
            documents.enumerated().map { number, document in
                SearchDocument(
                    kind: document.kind,
                    id: Int64(number + 1),
                    version: 1,
                    language: document.language,
                    names: document.isPost ? [] : document.text.split(separator: "@").map(String.init),
                    text: document.text
                )
            }
        )
    }

    func find(_ query: JudgedQuery) async throws -> [String] {
        let ids: [Int64]
        if query.isForPosts {
            ids = try await index.find(SearchRequest(.post, SearchQuery(query.text), viewer: nil)).hits.map(\.id)
        } else {
            ids = try await index.complete(NameRequest(query.text, [.account, .channel, .playground], viewer: nil)).map(
                \.id
            )
        }
        return ids.prefix(10).compactMap { names[$0] }
    }
}

/// What PostgreSQL finds by itself.
private struct Plain: Sendable {
    private let database: Database

    init(_ documents: [JudgedDocument], _ database: Database) async throws {
        self.database = database
        _ = try await database.query("CREATE EXTENSION pg_trgm")
        _ = try await database.query("CREATE TABLE plain (name text, post boolean, body text)")
        _ = try await database.query(
            "INSERT INTO plain SELECT * FROM unnest(\(documents.map(\.name)), \(documents.map(\.isPost)), \(documents.map(\.text)))"
        )
    }

    func byWords(_ query: JudgedQuery) async throws -> [String] {
        try await database.query(
            """
            SELECT name FROM plain
            WHERE post = \(query.isForPosts) AND to_tsvector('simple', body) @@ websearch_to_tsquery('simple', \(query.text))
            ORDER BY ts_rank(to_tsvector('simple', body), websearch_to_tsquery('simple', \(query.text))) DESC, name LIMIT 10
            """
        ).all { try $0.next() }
    }

    func byTrigrams(_ query: JudgedQuery) async throws -> [String] {
        try await database.query(
            """
            SELECT name FROM plain WHERE post = \(query.isForPosts) AND (body ILIKE '%' || \(query.text) || '%' OR \(query.text) <% body)
            ORDER BY word_similarity(\(query.text), body) DESC, name LIMIT 10
            """
        ).all { try $0.next() }
    }
}
