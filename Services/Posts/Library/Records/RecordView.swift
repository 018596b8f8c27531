// SPDX-License-Identifier: Apache-2.0
// Records of reading as a client sees them.

import Domain
import Events
import Views

/// How far somebody was with a book on a day.
struct ProgressView: ObjectView, Hashable {
    let day: Day
    let page: Int?
    /// From 0 to 100.
    let percent: Int?

    func writeMembers(to json: inout JSONWriter) {
        json.member("day", day.description)
        json.member("page", page)
        json.member("percent", percent)
    }
}

/// One reading of a book.
struct RecordView: ObjectView {
    var id: RecordID
    /// As the app that made it called it; its owner alone sees it.
    var clientID: String?
    /// Whose reading it is, where others see it.
    var reader: AccountSnapshot?
    var bookID: ShelfBookID
    /// Nil where books are told by themselves.
    var book: BookView?
    var state: ReadingState
    var rating: Rating?
    var oneLine: String?
    var review: String?
    var quotes: [Quote] = []
    var startedOn: Day?
    var endedOn: Day?
    /// The newest.
    var page: Int?
    var percent: Int?
    var isFavourite: Bool = false
    var visibility: RecordVisibility = .private
    var version: Int64
    var updatedAt: Timestamp
    /// The newest day last; nil where it is not shown.
    var progress: [ProgressView]?
    var site: Site

    func writeMembers(to json: inout JSONWriter) {
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
struct ShelfBookView: ObjectView {
    let book: BookView
    let version: Int64
    let records: Int
    let newest: RecordView?

    func writeMembers(to json: inout JSONWriter) {
        book.writeMembers(to: &json)
        json.member("version", version)
        json.member("records_count", records)
        json.member("newest_record", newest)
    }
}
