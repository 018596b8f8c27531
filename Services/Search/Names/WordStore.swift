// SPDX-License-Identifier: Apache-2.0
// Words that a beginning or a slip may have meant.

import Postgres
import TextAnalysis

enum WordStore {
    /// Keeps words that were written somewhere.
    static func keep(_ words: [String], in transaction: some Transacting) {
        let near = words.map { NameKeys.deletions($0).sorted().arrayText }
        transaction.enqueue(
            """
            INSERT INTO words (word, near)
            SELECT w.word, CAST(w.near AS integer[]) FROM unnest(\(words), \(near)) AS w (word, near)
            ORDER BY w.word
            ON CONFLICT (word) DO NOTHING
            """
        )
    }

    /// Some words in their order.
    static func words(after word: String, most: Int, in database: some Querying) async throws -> [String] {
        try await database.query("SELECT word FROM words WHERE word > \(word) ORDER BY word LIMIT \(most)").all {
            try $0.next()
        }
    }

    /// Those of some words that no document has.
    ///
    /// - Parameter words: with the keys of the index under which a document would lie.
    static func unused(_ words: [(String, [Int32])], in database: some Querying) async throws -> [String] {
        let keys = words.map(\.1.arrayText)
        return try await database.query(
            """
            SELECT w.word FROM unnest(\(words.map(\.0)), \(keys)) AS w (word, keys)
            WHERE NOT EXISTS (SELECT FROM documents d WHERE d.keys && CAST(w.keys AS integer[]) AND NOT d.gone)
            """
        ).all { try $0.next() }
    }

    /// - Returns: how many went.
    static func forget(_ words: [String], in database: some Querying) async throws -> Int {
        try await database.query("DELETE FROM words WHERE word = ANY (\(words))").affected
    }

    /// How many words a beginning is completed to.
    static let begunLimit = 48

    /// The first words that begin so.
    static func begun(_ text: String, in database: some Querying) async throws -> [String] {
        try await database.query(
            "SELECT word FROM words WHERE word > \(text) AND word < \(text + "\u{10FFFF}") ORDER BY word LIMIT \(begunLimit)"
        ).all { try $0.next() }
    }

    /// Words that may differ by a slip from the one of which these are the numbers, in an order that no index has: a walk along
    /// one until there are enough would read every word.
    static func near(_ numbers: [Int32], in database: some Querying) async throws -> [String] {
        try await database.query(
            "SELECT word FROM words WHERE near && \(numbers) ORDER BY length(word), word LIMIT 64"
        ).all { try $0.next() }
    }
}
