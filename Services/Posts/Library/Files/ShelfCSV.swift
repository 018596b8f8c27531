// SPDX-License-Identifier: Apache-2.0
// A shelf as a table: Goodreads' columns, and ours for what they have no place for.

import Domain
import Web

/// Writes the rows of an export and reads those of an import, whose columns may be named as Goodreads, Rebit or we do.
enum ShelfCSV {
    /// The columns of Goodreads' export (goodreads.com/review/import), then ours.
    private static let columns: [(name: String, value: @Sendable (RecordRow) -> String)] = [
        ("Book Id", { $0.book.id.description }),
        ("Title", { $0.book.data.title }),
        ("Author", { $0.book.data.authors.first ?? "" }),
        ("Author l-f", { _ in "" }),
        ("Additional Authors", { $0.book.data.authors.dropFirst().joined(separator: ", ") }),
        ("ISBN", { $0.book.data.isbn?.text10 ?? "" }),
        ("ISBN13", { $0.book.data.isbn?.text13 ?? "" }),
        ("My Rating", { String((($0.content.rating?.halves ?? 0) + 1) / 2) }),
        ("Average Rating", { _ in "" }),
        ("Publisher", { $0.book.data.publisher ?? "" }),
        ("Binding", { _ in "" }),
        ("Number of Pages", { $0.book.data.pages.map(String.init) ?? "" }),
        ("Year Published", { $0.book.data.publishedOn.map { String($0.year) } ?? "" }),
        ("Original Publication Year", { _ in "" }),
        ("Date Read", { slashed($0.content.endedOn) }),
        ("Date Added", { slashed(Day($0.id.timestamp)) }),
        ("Bookshelves", { $0.content.state == .finished ? "" : shelf($0.content.state) }),
        ("Bookshelves with positions", { _ in "" }),
        ("Exclusive Shelf", { shelf($0.content.state) }),
        ("My Review", { $0.content.review ?? "" }),
        ("Spoiler", { _ in "" }),
        ("Private Notes", { _ in "" }),
        ("Read Count", { $0.content.state == .finished ? "1" : "0" }),
        ("Owned Copies", { _ in "0" }),
        ("Rating", { $0.content.rating?.description ?? "" }),
        ("One Line", { $0.content.oneLine ?? "" }),
        ("Started On", { $0.content.startedOn?.description ?? "" }),
        ("Favourite", { $0.content.isFavourite ? "true" : "false" }),
        ("Visibility", { $0.content.visibility.rawValue }),
        ("Translators", { $0.book.data.translators.joined(separator: ", ") }),
        ("Published On", { $0.book.data.publishedOn?.description ?? "" }),
        ("Language", { $0.book.data.language ?? "" }),
        ("Cover URL", { $0.book.data.coverURL ?? "" }),
        ("Link", { $0.book.data.link ?? "" }),
    ]

    static let header = CSV.line(columns.map(\.name))

    static func line(_ record: RecordRow) -> String { CSV.line(columns.map { $0.value(record) }) }

    private static func slashed(_ day: Day?) -> String { day?.description.replacing("-", with: "/") ?? "" }

    private static func shelf(_ state: ReadingState) -> String {
        switch state {
        case .planned: "to-read"
        case .reading: "currently-reading"
        case .finished: "read"
        case .abandoned: "abandoned"
        }
    }

    // MARK: Reading

    /// The names of columns, as rows are read by them: in lower case, with `_` for what is no letter.
    static func names(_ header: CSV.Row) -> [String] {
        header.fields.map { name in
            String(name.trimmed.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
        }
    }

    /// A row of an import.
    struct Row: Sendable {
        private let fields: [String: String]

        init(_ names: [String], _ fields: [String]) {
            self.fields = Dictionary(zip(names, fields.map(CSV.unguarded))) { first, _ in first }
        }

        /// The first of some columns in which something stands.
        private func text(_ names: String...) -> String {
            names.lazy.compactMap { fields[$0]?.trimmed }.first { !$0.isEmpty } ?? ""
        }

        /// A book and what is said of its reading, by the same rules as those of a request.
        func read(limits: LibraryLimits) throws -> (book: BookData, content: RecordContent) {
            var book = Parameters()
            try book.add("title", text("title"))
            for author in people(text("author", "authors"), text("additional_authors"), limits) {
                try book.add("authors[]", author)
            }
            for translator in people(text("translators", "translator"), "", limits) {
                try book.add("translators[]", translator)
            }
            try book.add("publisher", text("publisher"))
            try book.add("published_on", published)
            try book.add("isbn", isbn?.text13 ?? "")
            try book.add("description", text("description"))
            try book.add("pages", text("number_of_pages", "pages"))
            try book.add("language", text("language"))
            try book.add("cover_url", text("cover_url", "cover", "image"))
            try book.add("link", text("link"))
            var record = Parameters()
            try record.add("state", state.rawValue)
            try record.add("rating", rating)
            try record.add("one_line", text("one_line", "comment"))
            // Goodreads writes line breaks as HTML.
            try record.add(
                "review",
                text("my_review", "review").replacing("<br/>", with: "\n").replacing("<br />", with: "\n")
            )
            try record.add("started_on", day("started_on", "date_started", "start_date"))
            try record.add("ended_on", day("date_read", "ended_on", "end_date"))
            try record.add("favourite", text("favourite", "favorite", "is_favourite"))
            try record.add("visibility", text("visibility"))
            let draft = try RecordDraft(record, today: nil, limits: limits)
            return (try BookData(book, limits: limits), try draft.applied(to: RecordContent()))
        }

        /// Names with commas between them.
        private func people(_ first: String, _ others: String, _ limits: LibraryLimits) -> [String] {
            let names = [first, others].flatMap { $0.split(separator: ",").map { String($0.trimmed) } }
            return Array(names.filter { !$0.isEmpty }.prefix(limits.names))
        }

        /// Goodreads writes `="9788932917245"`. What is no ISBN is left out: shops write numbers of their own there.
        private var isbn: ISBN? {
            ["isbn13", "isbn", "isbn10"].lazy.compactMap { name in
                fields[name].flatMap { ISBN($0.filter { $0 != "=" && $0 != "\"" }) }
            }.first
        }

        private var published: String {
            let text = text("published_on", "pubdate", "year_published")
            return PartialDate(text.replacing("/", with: "-"))?.description ?? ""
        }

        /// Goodreads says 0 for none.
        private var rating: String {
            let text = text("rating", "my_rating")
            return text == "0" || text == "0.0" ? "" : text
        }

        private func day(_ names: String...) -> String {
            let text = names.lazy.map { self.text($0) }.first { !$0.isEmpty } ?? ""
            return text.replacing("/", with: "-")
        }

        private var state: ReadingState {
            switch text("state", "status", "exclusive_shelf").lowercased() {
            case "planned", "scheduled", "to-read", "to_read", "want to read": .planned
            case "reading", "currently-reading", "currently_reading": .reading
            case "finished", "read", "completed": .finished
            case "abandoned", "did-not-finish", "dnf", "stopped", "stopped-reading", "gave-up": .abandoned
            // A shelf of somebody's own.
            default: day("date_read", "ended_on", "end_date").isEmpty ? .planned : .finished
            }
        }
    }
}

extension Parameters {
    fileprivate mutating func add(_ name: String, _ text: String) throws {
        if !text.isEmpty { try add(name, text: Array(text.utf8)) }
    }
}
