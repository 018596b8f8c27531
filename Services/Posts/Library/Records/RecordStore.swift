// SPDX-License-Identifier: Apache-2.0
// The SQL on records of reading.

import Domain
import Events
import Postgres
import Serving

/// Which records a list of somebody's own has, and what orders it.
enum RecordList: Hashable, Sendable {
    case all
    case inState(ReadingState)
    case favourites
    case ofBook(ShelfBookID)
    /// Those that ended in a year, or in a month of it.
    case ended(year: Int, month: Int?)

    fileprivate func holds(_ owner: AccountID) -> SQL {
        switch self {
        case .all: "r.account_id = \(owner)"
        case .inState(let state): "r.account_id = \(owner) AND r.state = \(state)"
        case .favourites: "r.account_id = \(owner) AND r.favourite_id IS NOT NULL"
        case .ofBook(let book): "r.account_id = \(owner) AND r.book_id = \(book)"
        case .ended(let year, nil): "r.account_id = \(owner) AND r.ended_on IS NOT NULL AND r.ended_year = \(year)"
        case .ended(let year, let month?):
            """
            r.account_id = \(owner) AND r.ended_on IS NOT NULL AND r.ended_year = \(year) AND r.ended_month = \(month)
            """
        }
    }

    fileprivate var order: SQL { self == .favourites ? "r.favourite_id" : "r.id" }
}

/// Statements about records; whoever writes holds the shelf.
enum RecordStore {
    static func record(_ name: RecordName, of owner: AccountID, in database: some Querying) async throws -> RecordRow? {
        let isNamed: SQL =
            switch name {
            case .id(let id): "r.id = \(id)"
            case .client(let id): "r.client_id = \(id)"
            }
        return try await database.query(
            """
            SELECT \(RecordRow.columns)
            FROM reading_records r
            \(RecordRow.joined)
            WHERE r.account_id = \(owner) AND \(isNamed)
            """
        ).one(RecordRow.init(columns:))
    }

    /// Those of the records that are there.
    static func records(
        _ ids: [RecordID],
        of owner: AccountID,
        in database: some Querying
    ) async throws -> [RecordRow] {
        try await database.query(
            """
            SELECT \(RecordRow.columns)
            FROM unnest(\(ids)) wanted (id)
            CROSS JOIN LATERAL (
                SELECT r.* FROM reading_records r WHERE r.id = wanted.id AND r.account_id = \(owner) OFFSET 0
            ) r
            \(RecordRow.joined)
            """
        ).all(RecordRow.init(columns:))
    }

    /// The newest record of each of the books.
    static func newest(of books: [ShelfBookID], in database: some Querying) async throws -> [ShelfBookID: RecordRow] {
        let rows = try await database.query(
            """
            SELECT \(RecordRow.columns)
            FROM unnest(\(books)) wanted (id)
            CROSS JOIN LATERAL (
                SELECT r.* FROM reading_records r WHERE r.book_id = wanted.id ORDER BY r.id DESC LIMIT 1
            ) r
            \(RecordRow.joined)
            """
        ).all(RecordRow.init(columns:))
        return Dictionary(rows.map { ($0.book.id, $0) }) { first, _ in first }
    }

    /// A page of a list of somebody's own, the newest first.
    static func page(
        _ page: Page,
        of list: RecordList,
        of owner: AccountID,
        in database: some Querying
    ) async throws -> [RecordRow] {
        try await database.query(
            """
            WITH page AS MATERIALIZED (
                SELECT r.* FROM reading_records r WHERE \(list.holds(owner)) AND \(page.cut(list.order))
            )
            SELECT \(RecordRow.columns) FROM page r \(RecordRow.joined) ORDER BY \(list.order) DESC
            """
        ).all(RecordRow.init(columns:))
    }

    /// A page of what somebody shows the viewer of their records, the newest first.
    static func shown(
        _ page: Page,
        of owner: AccountID,
        to viewer: AccountID?,
        in database: some Querying
    ) async throws -> [RecordRow] {
        try await database.query(
            """
            WITH page AS MATERIALIZED (
                SELECT r.*
                FROM reading_records r
                WHERE r.account_id = \(owner) AND r.visibility <> 'private' AND \(isVisible(to: viewer))
                    AND \(page.cut("r.id"))
            )
            SELECT \(RecordRow.columns) FROM page r \(RecordRow.joined) ORDER BY r.id DESC
            """
        ).all(RecordRow.init(columns:))
    }

    /// One record, if the viewer may see it, and whose it is.
    static func shown(
        _ id: RecordID,
        to viewer: AccountID?,
        in database: some Querying
    ) async throws -> (record: RecordRow, reader: AccountSnapshot)? {
        try await database.query(
            """
            SELECT \(RecordRow.columns), \(AccountSnapshot.columns)
            FROM reading_records r
            \(RecordRow.joined)
            JOIN accounts a ON a.id = r.account_id
            WHERE r.id = \(id) AND \(isVisible(to: viewer))
            """
        ).one { (try $0.next(), try $0.next()) }
    }

    /// Those of some records that the viewer may see, in their order, each with whose it is.
    static func found(
        _ ids: [RecordID],
        to viewer: AccountID?,
        in database: some Querying
    ) async throws -> [(record: RecordRow, reader: AccountSnapshot)] {
        try await database.query(
            """
            SELECT \(RecordRow.columns), \(AccountSnapshot.columns)
            FROM unnest(\(ids)) WITH ORDINALITY AS w (id, place)
            CROSS JOIN LATERAL (SELECT r.* FROM reading_records r WHERE r.id = w.id OFFSET 0) r
            \(RecordRow.joined)
            CROSS JOIN LATERAL (SELECT a.* FROM accounts a WHERE a.id = r.account_id OFFSET 0) a
            WHERE \(isVisible(to: viewer))
            ORDER BY w.place
            """
        ).all { (try $0.next(), try $0.next()) }
    }

    /// The newest records of a book that others may see.
    static func shown(of book: ShelfBookID, most: Int, in database: some Querying) async throws -> [RecordRow] {
        try await database.query(
            """
            SELECT \(RecordRow.columns)
            FROM (
                SELECT r.* FROM reading_records r
                WHERE r.book_id = \(book) AND r.visibility <> 'private'
                ORDER BY r.id DESC
                LIMIT \(most)
            ) r
            \(RecordRow.joined)
            ORDER BY r.id
            """
        ).all(RecordRow.init(columns:))
    }

    /// Whether the viewer may see the record `r`, by the one rule of posts: followers see what a private post is, and what is for
    /// its owner alone is a direct post that names nobody.
    private static func isVisible(to viewer: AccountID?) -> SQL {
        let visibility: SQL = """
            CASE r.visibility WHEN 'followers' THEN 'private' WHEN 'private' THEN 'direct' ELSE r.visibility END
            """
        return Visible.post(by: "r.account_id", visibility, mentioning: "'{}'", to: "\(viewer)")
    }

    /// Whose record it is.
    static func owner(of id: RecordID, in database: some Querying) async throws -> AccountID? {
        try await database.query("SELECT account_id FROM reading_records WHERE id = \(id)").one { try $0.next() }
    }

    /// How many records a shelf has.
    static func count(of owner: AccountID, in database: some Querying) async throws -> Int {
        try await database.query("SELECT count(*) FROM reading_records WHERE account_id = \(owner)").number()
    }

    /// When and how far the records of some books were read.
    static func readings(of books: [ShelfBookID], in database: some Querying) async throws -> [Reading] {
        try await database.query(
            "SELECT book_id, state, started_on, ended_on FROM reading_records WHERE book_id = ANY (\(books))"
        ).all(as: Reading.init(bookID:state:startedOn:endedOn:))
    }

    static func insert(_ record: RecordRow, in transaction: some Transacting) throws {
        let content = record.content
        transaction.enqueue(
            """
            INSERT INTO reading_records (
                id, account_id, book_id, client_id, version, state, rating, one_line, review, quotes, started_on,
                ended_on, favourite_id, visibility, updated_at
            )
            VALUES (
                \(record.id), \(record.readerID), \(record.book.id), \(record.clientID), \(record.version),
                \(content.state), \(content.rating), \(content.oneLine), \(content.review),
                \(try JSONB(snapshot: content.quotes)), \(content.startedOn), \(content.endedOn),
                \(record.favouriteID), \(content.visibility), \(record.updatedAt)
            )
            """
        )
    }

    static func update(_ record: RecordRow, in transaction: some Transacting) throws {
        let content = record.content
        transaction.enqueue(
            """
            UPDATE reading_records
            SET version = \(record.version), state = \(content.state), rating = \(content.rating),
                one_line = \(content.oneLine), review = \(content.review),
                quotes = \(try JSONB(snapshot: content.quotes)), started_on = \(content.startedOn),
                ended_on = \(content.endedOn), favourite_id = \(record.favouriteID),
                visibility = \(content.visibility), updated_at = \(record.updatedAt)
            WHERE id = \(record.id)
            """
        )
    }

    /// With its progress and its earlier texts.
    static func delete(_ id: RecordID, in transaction: some Transacting) {
        transaction.enqueue("DELETE FROM reading_records WHERE id = \(id)")
    }
}
