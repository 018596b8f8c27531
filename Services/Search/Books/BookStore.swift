// SPDX-License-Identifier: Apache-2.0
// What sources told of books.

import Domain
import Postgres
import Serving

enum BookStore {
    /// Keeps what a source tells now.
    ///
    /// - Parameter books: of one source, each once.
    static func keep(_ books: [ToldBook], at now: Timestamp, in transaction: some Transacting) throws {
        transaction.enqueue(
            """
            INSERT INTO books AS b (source, id, isbn, item, terms, told_at)
            SELECT k.source, k.id, nullif(k.isbn, ''), k.item, CAST(k.terms AS integer[]), \(now)
            FROM unnest(
                \(books.map(\.source.rawValue)), \(books.map(\.id)), \(books.map { $0.isbn?.text13 ?? "" }),
                \(try books.map { try $0.json }), \(books.map(\.terms.arrayText))
            ) AS k (source, id, isbn, item, terms)
            ORDER BY k.source, k.id
            ON CONFLICT (source, id) DO UPDATE
            SET isbn = excluded.isbn, item = excluded.item, terms = excluded.terms, told_at = excluded.told_at
            """
        )
    }

    /// What is told of an edition since a moment, the newest first.
    static func books(of isbn: ISBN, since oldest: Timestamp, in database: some Querying) async throws -> [ToldBook] {
        try await database.query(
            """
            SELECT \(ToldBook.columns)
            FROM books b
            WHERE b.isbn = \(isbn.text13) AND b.told_at > \(oldest)
            ORDER BY b.told_at DESC, b.source, b.id
            LIMIT 20
            """
        ).all { try $0.next() }
    }

    /// Some that were told of since a moment and have all these terms, the newest first.
    static func books(having terms: [Int32], since oldest: Timestamp, in database: some Querying) async throws
        -> [ToldBook]
    {
        try await database.query(
            """
            SELECT \(ToldBook.columns)
            FROM (
                SELECT k.source, k.id, k.item, k.told_at FROM books k
                WHERE k.terms @> \(terms) AND k.told_at > \(oldest)
                LIMIT 1000
            ) b
            ORDER BY b.told_at DESC, b.source, b.id
            LIMIT 200
            """
        ).all { try $0.next() }
    }

    static let aged = AgedRows(of: "books", by: "source, id", since: "told_at")
}
