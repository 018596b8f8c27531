// SPDX-License-Identifier: Apache-2.0
// Words that a beginning or a slip may have meant.

import Postgres
import TextAnalysis

enum WordStore {
    /// Keeps words that were written somewhere.
    static func keep(_ words: [String], in transaction: some Transacting) {
        let near = words.map { "{" + NameKeys.deletions($0).sorted().map(String.init).joined(separator: ",") + "}" }
        transaction.enqueue(
            """
            INSERT INTO words (word, near)
            SELECT w.word, CAST(w.near AS integer[]) FROM unnest(\(words), \(near)) AS w (word, near)
            WHERE NOT EXISTS (SELECT FROM words k WHERE k.word = w.word)
            ORDER BY w.word
            ON CONFLICT (word) DO NOTHING
            """
        )
    }

    /// Words that begin so.
    static func begun(_ text: String, in database: some Querying) async throws -> [String] {
        try await database.query(
            "SELECT word FROM words WHERE word > \(text) AND word < \(text + "\u{10FFFF}") ORDER BY word LIMIT 48"
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
