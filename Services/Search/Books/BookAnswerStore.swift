// SPDX-License-Identifier: Apache-2.0
// What sources of books answered.

import Domain
import Foundation
import Postgres
import Serving

/// An answer, without those of its books that were forgotten since.
struct KeptBooks: Columned {
    let source: BookSourceName
    let books: [ToldBook]
    let total: Int
    let isFresh: Bool

    static let columns: SQL = "a.source, a.items, a.total, a.is_fresh"

    init(columns: inout Columns) throws {
        source = try columns.next()
        let items: [String] = try columns.next()
        books = try items.map { try JSONDecoder().decode(ToldBook.self, from: Data($0.utf8)) }
        total = try columns.next()
        isFresh = try columns.next()
    }
}

extension BookSourceName: ColumnWord {}

enum BookAnswerStore {
    /// Those that there are.
    ///
    /// - Parameters:
    ///   - hashes: of who is asked for what.
    ///   - oldest: what was answered before counts for nothing.
    static func answers(
        _ hashes: [[UInt8]],
        at now: Timestamp,
        since oldest: Timestamp,
        in database: some Querying
    ) async throws -> [KeptBooks] {
        try await database.query(
            """
            SELECT \(KeptBooks.columns)
            FROM (
                SELECT k.source, k.total, k.fresh_until > \(now) AS is_fresh,
                    ARRAY(
                        SELECT b.item
                        FROM unnest(k.ids) WITH ORDINALITY AS w (id, place)
                        JOIN books b ON b.source = k.source AND b.id = w.id
                        ORDER BY w.place
                    ) AS items
                FROM book_answers k
                WHERE k.hash = ANY (\(hashes)) AND k.fresh_until IS NOT NULL AND k.touched_at > \(oldest)
            ) a
            """
        ).all { try $0.next() }
    }

    /// Whether it is answered newly.
    static func isFresh(_ hash: [UInt8], at now: Timestamp, in database: some Querying) async throws -> Bool {
        try await database.query(
            "SELECT fresh_until > \(now) FROM book_answers WHERE hash = \(hash) AND fresh_until > \(now)"
        )
        .one { try $0.next() } ?? false
    }

    /// Takes it upon oneself to ask; false where somebody does already, or it is known.
    static func claim(
        _ hash: [UInt8],
        of source: BookSourceName,
        at now: Timestamp,
        until lease: Timestamp,
        in database: some Querying
    ) async throws -> Bool {
        try await database.query(
            """
            INSERT INTO book_answers AS a (hash, source, touched_at, leased_until)
            VALUES (\(hash), \(source.rawValue), \(now), \(lease))
            ON CONFLICT (hash) DO UPDATE SET leased_until = excluded.leased_until
            WHERE coalesce(a.fresh_until <= \(now), true) AND coalesce(a.leased_until <= \(now), true)
            """
        ).affected == 1
    }

    /// Lets others ask, after nobody answered.
    static func release(_ hash: [UInt8], in database: some Querying) async throws {
        _ = try await database.query("UPDATE book_answers SET leased_until = NULL WHERE hash = \(hash)")
    }

    static func keep(
        _ answer: ToldBooks,
        as hash: [UInt8],
        of source: BookSourceName,
        at now: Timestamp,
        fresh end: Timestamp,
        in transaction: some Transacting
    ) {
        transaction.enqueue(
            """
            INSERT INTO book_answers (hash, source, ids, total, touched_at, fresh_until)
            VALUES (\(hash), \(source.rawValue), \(answer.books.map(\.id)), \(answer.total), \(now), \(end))
            ON CONFLICT (hash) DO UPDATE
            SET ids = excluded.ids, total = excluded.total, touched_at = excluded.touched_at,
                fresh_until = excluded.fresh_until, leased_until = NULL
            """
        )
    }

    static let aged = AgedRows(of: "book_answers", by: "hash", since: "touched_at")
}
