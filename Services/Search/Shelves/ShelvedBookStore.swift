// SPDX-License-Identifier: Apache-2.0
// Books of records that everybody may see: the newest word on each record, in whatever order it comes.

import Domain
import Events
import Postgres

enum ShelvedBookStore {
    /// - Parameter books: each record once.
    static func keep(_ books: [ShelvedBook], in transaction: some Transacting) throws {
        transaction.enqueue(
            """
            INSERT INTO shelved_books (record_id, version, shown, account_id, book_id, item)
            SELECT record_id, version, shown, account_id, book_id, item FROM unnest(
                \(books.map(\.record)), \(books.map(\.version)), \(books.map { $0.book != nil }), \(books.map(\.reader)),
                \(books.map { $0.book?.number ?? 0 }), \(try books.map { try $0.book?.json ?? "" })
            ) AS b (record_id, version, shown, account_id, book_id, item)
            ORDER BY record_id
            ON CONFLICT (record_id) DO UPDATE
            SET version = excluded.version, shown = excluded.shown, account_id = excluded.account_id, book_id = excluded.book_id,
                item = excluded.item, changed_at = now()
            WHERE excluded.version > shelved_books.version
                -- What is told again repairs what is not as it was told.
                OR excluded.version = shelved_books.version
                    AND (excluded.shown, excluded.account_id, excluded.book_id, excluded.item) IS DISTINCT FROM
                        (shelved_books.shown, shelved_books.account_id, shelved_books.book_id, shelved_books.item)
            """
        )
    }

    /// The numbers of the books that some records show by now.
    static func books(of records: [RecordID], in database: some Querying) async throws -> [Int64] {
        try await database.query(
            "SELECT DISTINCT b.book_id FROM shelved_books b WHERE b.record_id = ANY (\(records)) AND b.shown"
        ).all { try $0.next() }
    }

    /// Of each of some books the first record that shows it, which is its document; without books that none shows.
    static func first(of books: [Int64], in database: some Querying) async throws -> [FirstCopy] {
        let rows: [(RecordID, Int64, String, Int)] = try await database.query(
            """
            SELECT f.record_id, f.version, f.item, n.readers
            FROM unnest(\(books)) AS k (id)
            CROSS JOIN LATERAL (
                SELECT b.record_id, b.version, b.item FROM shelved_books b
                WHERE b.book_id = k.id AND b.shown
                ORDER BY b.record_id
                LIMIT 1
            ) f
            CROSS JOIN LATERAL (
                SELECT count(DISTINCT b.account_id) AS readers FROM (
                    SELECT b.account_id FROM shelved_books b
                    WHERE b.book_id = k.id AND b.shown
                    ORDER BY b.record_id
                    LIMIT 1000
                ) b
            ) n
            """
        ).all { (try $0.next(), try $0.next(), try $0.next(), try $0.next()) }
        return try rows.map {
            FirstCopy(record: $0.0, version: $0.1, book: try ShelfBookSnapshot(json: $0.2), readers: $0.3)
        }
    }

    /// Of each of some books the first record besides some: it was the book's document before these came.
    static func first(
        of books: [Int64],
        besides records: [RecordID],
        in database: some Querying
    ) async throws -> [RecordID] {
        try await database.query(
            """
            SELECT f.record_id
            FROM unnest(\(books)) AS k (id)
            CROSS JOIN LATERAL (
                SELECT b.record_id FROM shelved_books b
                WHERE b.book_id = k.id AND b.shown AND b.record_id <> ALL (\(records))
                ORDER BY b.record_id
                LIMIT 1
            ) f
            """
        ).all { try $0.next() }
    }

    /// The books of some records that everybody may see.
    static func shown(_ records: [RecordID], in database: some Querying) async throws -> [RecordID: ShelfBookSnapshot] {
        let rows: [(RecordID, String)] = try await database.query(
            "SELECT b.record_id, b.item FROM shelved_books b WHERE b.record_id = ANY (\(records)) AND b.shown"
        ).all { (try $0.next(), try $0.next()) }
        return Dictionary(try rows.map { ($0.0, try ShelfBookSnapshot(json: $0.1)) }) { $1 }
    }

    /// The numbers of some books in their order, behind one.
    static func books(after book: Int64, most: Int, in database: some Querying) async throws -> [Int64] {
        try await database.query(
            """
            SELECT DISTINCT b.book_id FROM shelved_books b WHERE b.shown AND b.book_id > \(book)
            ORDER BY b.book_id
            LIMIT \(most)
            """
        ).all { try $0.next() }
    }
}
