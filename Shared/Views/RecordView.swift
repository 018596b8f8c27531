// SPDX-License-Identifier: Apache-2.0
// Records of reading as a client sees them.

package import Domain
package import Events

/// How far somebody was with a book on a day.
package struct ProgressView: ObjectView, Hashable {
    package let day: Day
    package let page: Int?
    /// From 0 to 100.
    package let percent: Int?

    package init(day: Day, page: Int?, percent: Int?) { (self.day, self.page, self.percent) = (day, page, percent) }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("day", day.description)
        json.member("page", page)
        json.member("percent", percent)
    }
}

/// One reading of a book.
package struct RecordView: ObjectView {
    package var id: RecordID
    /// As the app that made it called it; its owner alone sees it.
    package var clientID: String?
    /// Whose reading it is, where others see it.
    package var reader: AccountSnapshot?
    package var bookID: ShelfBookID
    /// Nil where books are told by themselves.
    package var book: BookView?
    package var state: ReadingState
    package var rating: Rating?
    package var oneLine: String?
    package var review: String?
    package var quotes: [Quote]
    package var startedOn: Day?
    package var endedOn: Day?
    /// The newest.
    package var page: Int?
    package var percent: Int?
    package var isFavourite: Bool
    package var visibility: RecordVisibility
    package var version: Int64
    package var updatedAt: Timestamp
    /// The newest day last; nil where it is not shown.
    package var progress: [ProgressView]?
    package var site: Site

    package init(
        id: RecordID,
        clientID: String? = nil,
        reader: AccountSnapshot? = nil,
        bookID: ShelfBookID,
        book: BookView?,
        state: ReadingState,
        rating: Rating? = nil,
        oneLine: String? = nil,
        review: String? = nil,
        quotes: [Quote] = [],
        startedOn: Day? = nil,
        endedOn: Day? = nil,
        page: Int? = nil,
        percent: Int? = nil,
        isFavourite: Bool = false,
        visibility: RecordVisibility = .private,
        version: Int64,
        updatedAt: Timestamp,
        progress: [ProgressView]? = nil,
        site: Site
    ) {
        self.id = id
        self.clientID = clientID
        self.reader = reader
        self.bookID = bookID
        self.book = book
        self.state = state
        self.rating = rating
        self.oneLine = oneLine
        self.review = review
        self.quotes = quotes
        self.startedOn = startedOn
        self.endedOn = endedOn
        self.page = page
        self.percent = percent
        self.isFavourite = isFavourite
        self.visibility = visibility
        self.version = version
        self.updatedAt = updatedAt
        self.progress = progress
        self.site = site
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("client_id", clientID)
        json.member("account", reader.map { AccountView($0, site: site) })
        json.member("book_id", bookID)
        json.member("book", book)
        json.member("state", state.rawValue)
        json.name("rating")
        if let rating { json.raw(rating.description.utf8) } else { json.null() }
        json.member("one_line", oneLine)
        json.member("review", review)
        json.array("quotes", quotes) { json, quote in
            json.member("text", quote.text)
            json.member("page", quote.page)
        }
        json.member("started_on", startedOn?.description)
        json.member("ended_on", endedOn?.description)
        json.member("year", endedOn?.year)
        json.member("month", endedOn?.month)
        json.member("page", page)
        json.member("percent", percent ?? percentOfPages)
        json.member("favourite", isFavourite)
        json.member("visibility", visibility.rawValue)
        json.member("version", version)
        json.member("created_at", id.timestamp)
        json.member("updated_at", updatedAt)
        if let progress { json.member("progress", progress) }
    }

    /// Where the page and the number of pages are known.
    private var percentOfPages: Int? {
        guard let page, let pages = book?.book.pages, pages > 0, page >= 0 else { return nil }
        return page >= pages ? 100 : Int(Double(page) * 100 / Double(pages))
    }
}

/// A book on somebody's shelf, with its newest record.
package struct ShelfBookView: ObjectView {
    package let book: BookView
    package let version: Int64
    package let records: Int
    package let newest: RecordView?

    package init(book: BookView, version: Int64, records: Int, newest: RecordView?) {
        self.book = book
        self.version = version
        self.records = records
        self.newest = newest
    }

    package func writeMembers(to json: inout JSONWriter) {
        book.writeMembers(to: &json)
        json.member("version", version)
        json.member("records_count", records)
        json.member("newest_record", newest)
    }
}
