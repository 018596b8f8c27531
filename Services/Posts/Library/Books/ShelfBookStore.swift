// SPDX-License-Identifier: Apache-2.0
// The SQL on the books of shelves.

import Domain
import Postgres
import TextAnalysis

/// A book of a list, and how many records it has.
struct ListedBook: Sendable {
    let book: ShelfBook
    let records: Int
}

/// Statements about books of shelves; whoever writes holds the shelf.
enum ShelfBookStore {
    static func book(_ id: ShelfBookID, of owner: AccountID, in database: some Querying) async throws -> ListedBook? {
        try await database.query(
            "SELECT \(listed) FROM shelf_books b WHERE b.id = \(id) AND b.account_id = \(owner)"
        ).one(as: ListedBook.init)
    }

    /// The books of these keys, each with the place of its key.
    static func books(
        of keys: [[UInt8]],
        of owner: AccountID,
        in database: some Querying
    ) async throws -> [Int: ShelfBook] {
        let rows = try await database.query(
            """
            SELECT wanted.place, \(ShelfBook.columns)
            FROM unnest(\(keys)) WITH ORDINALITY wanted (key, place)
            CROSS JOIN LATERAL (
                SELECT b.* FROM shelf_books b WHERE b.account_id = \(owner) AND b.key = sha256(wanted.key) OFFSET 0
            ) b
            """
        ).all { (place: try $0.next(Int.self), book: try $0.next(ShelfBook.self)) }
        return Dictionary(rows.map { ($0.place - 1, $0.book) }) { first, _ in first }
    }

    /// Those of the books that are on the shelf.
    static func books(
        _ ids: [ShelfBookID],
        of owner: AccountID,
        in database: some Querying
    ) async throws -> [ShelfBook] {
        try await database.query(
            """
            SELECT \(ShelfBook.columns)
            FROM unnest(\(ids)) wanted (id)
            CROSS JOIN LATERAL (
                SELECT b.* FROM shelf_books b WHERE b.id = wanted.id AND b.account_id = \(owner) OFFSET 0
            ) b
            """
        ).all(ShelfBook.init(columns:))
    }

    /// The newest books first: those in whose texts every word stands somewhere.
    ///
    /// - Parameter words: folded.
    static func page(
        _ page: Page,
        of owner: AccountID,
        words: [String],
        in database: some Querying
    ) async throws -> [ListedBook] {
        let holds: SQL = words.isEmpty ? "" : "AND c.folded LIKE ALL (\(words.map(pattern)))"
        return try await database.query(
            """
            WITH page AS MATERIALIZED (
                SELECT c.* FROM shelf_books c WHERE c.account_id = \(owner) \(holds) AND \(page.cut("c.id"))
            )
            SELECT \(listed) FROM page b ORDER BY b.id DESC
            """
        ).all(as: ListedBook.init)
    }

    /// Of a book `b`.
    private static let listed: SQL = """
        \(ShelfBook.columns), (SELECT count(*) FROM reading_records r WHERE r.book_id = b.id)
        """

    private static func pattern(_ word: String) -> String {
        let escaped = word.replacing("\\", with: "\\\\").replacing("%", with: "\\%").replacing("_", with: "\\_")
        return "%\(escaped)%"
    }

    static func insert(_ book: ShelfBook, of owner: AccountID, in transaction: some Transacting) {
        let data = book.data
        transaction.enqueue(
            """
            INSERT INTO shelf_books (
                id, account_id, version, key, title, authors, translators, publisher, published_on, isbn, description,
                pages, language, cover_url, link, folded
            )
            VALUES (
                \(book.id), \(owner), \(book.version), sha256(\(data.key)), \(data.title), \(data.authors),
                \(data.translators), \(data.publisher), \(data.publishedOn), \(data.isbn), \(data.description),
                \(data.pages), \(data.language), \(data.coverURL), \(data.link), \(data.folded)
            )
            """
        )
    }

    static func update(_ book: ShelfBook, in transaction: some Transacting) {
        let data = book.data
        transaction.enqueue(
            """
            UPDATE shelf_books
            SET version = \(book.version), key = sha256(\(data.key)), title = \(data.title), authors = \(data.authors),
                translators = \(data.translators), publisher = \(data.publisher), published_on = \(data.publishedOn),
                isbn = \(data.isbn), description = \(data.description), pages = \(data.pages),
                language = \(data.language), cover_url = \(data.coverURL), link = \(data.link), folded = \(data.folded)
            WHERE id = \(book.id)
            """
        )
    }

    /// Takes a book off its shelf unless it has a record.
    ///
    /// - Returns: whether it is gone.
    static func deleteUnread(_ id: ShelfBookID, in transaction: some Transacting) async throws -> Bool {
        try await transaction.query(
            """
            DELETE FROM shelf_books b
            WHERE b.id = \(id) AND NOT EXISTS (SELECT FROM reading_records r WHERE r.book_id = b.id)
            """
        ).affected > 0
    }
}
