// SPDX-License-Identifier: Apache-2.0
// A record of reading as its row has it.

import Domain
import Events
import Postgres
import Serving
import Views

/// A record, its book, and how far its reader was on the newest day.
struct RecordRow: Columned, Hashable {
    let id: RecordID
    let readerID: AccountID
    let clientID: ClientID?
    var version: Int64
    var content: RecordContent
    /// Its place among favourites.
    var favouriteID: Int64?
    var updatedAt: Timestamp
    var page: Int?
    var percent: Int?
    var book: ShelfBook

    static let columns: SQL = """
        r.id, r.account_id, r.client_id, r.version, r.state, r.rating, r.one_line, r.review, r.quotes, r.started_on,
        r.ended_on, r.visibility, r.favourite_id, r.updated_at, p.page, p.percent, \(ShelfBook.columns)
        """

    /// Joins to a record `r` what else is read with it.
    static let joined: SQL = """
        CROSS JOIN LATERAL (SELECT b.* FROM shelf_books b WHERE b.id = r.book_id OFFSET 0) b
        LEFT JOIN LATERAL (
            SELECT p.page, p.percent FROM reading_progress p WHERE p.record_id = r.id ORDER BY p.day DESC LIMIT 1
        ) p ON true
        """
}

extension RecordRow {
    init(columns: inout Columns) throws {
        id = try columns.next()
        readerID = try columns.next()
        clientID = try columns.next()
        version = try columns.next()
        content = RecordContent(
            state: try columns.next(),
            rating: try columns.next(),
            oneLine: try columns.next(),
            review: try columns.next(),
            quotes: try columns.next(JSONB.self).snapshot(),
            startedOn: try columns.next(),
            endedOn: try columns.next(),
            visibility: try columns.next()
        )
        favouriteID = try columns.next()
        content.isFavourite = favouriteID != nil
        updatedAt = try columns.next()
        page = try columns.next()
        percent = try columns.next()
        book = try columns.next()
    }

    /// - Parameters:
    ///   - reader: whose reading it is, where others look at it; they do not see how its app calls it.
    ///   - progress: the days of the record, where they are shown.
    ///   - withBook: false where books are told by themselves.
    ///   - isExported: whether it leaves this Madang: then covers are at their own addresses.
    func view(
        site: Site,
        reader: AccountSnapshot? = nil,
        progress: [Progress]? = nil,
        withBook: Bool = true,
        isExported: Bool = false
    ) -> RecordView {
        RecordView(
            id: id,
            clientID: reader == nil ? clientID?.description : nil,
            reader: reader,
            bookID: book.id,
            book: withBook ? book.view(site: isExported ? nil : site) : nil,
            state: content.state,
            rating: content.rating,
            oneLine: content.oneLine,
            review: content.review,
            quotes: content.quotes,
            startedOn: content.startedOn,
            endedOn: content.endedOn,
            page: page,
            percent: percent,
            isFavourite: content.isFavourite,
            visibility: content.visibility,
            version: version,
            updatedAt: updatedAt,
            progress: progress?.map { ProgressView(day: $0.day, page: $0.page, percent: $0.percent) },
            site: site
        )
    }

    /// What others may know of it; nil where only its owner may see it.
    var snapshot: RecordSnapshot? {
        guard content.visibility != .private else { return nil }
        return RecordSnapshot(
            id: id,
            accountID: readerID,
            book: book.snapshot,
            state: content.state,
            ratingHalves: content.rating?.halves,
            oneLine: content.oneLine,
            review: content.review,
            startedOn: content.startedOn,
            endedOn: content.endedOn,
            visibility: content.visibility,
            // What is known of its book may have changed since; both count the changes of one shelf.
            version: max(version, book.version)
        )
    }
}
