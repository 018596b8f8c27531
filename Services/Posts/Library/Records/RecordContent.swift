// SPDX-License-Identifier: Apache-2.0
// What somebody says of one reading of a book, and the rules of it.

import Domain
import Web

/// What a record says; its progress stands beside it.
struct RecordContent: Hashable, Sendable {
    var state = ReadingState.planned
    var rating: Rating?
    var oneLine: String?
    var review: String?
    var quotes: [Quote] = []
    var startedOn: Day?
    var endedOn: Day?
    var isFavourite = false
    var visibility = RecordVisibility.private

    /// Whether it counts as a book that was read, and when.
    var finishedOn: Day? { state == .finished ? endedOn : nil }
}

/// How far somebody was with a book on a day.
struct Progress: Hashable, Sendable {
    let day: Day
    let page: Int?
    /// From 0 to 100.
    let percent: Int?

    /// Whether it says that nothing was read that day.
    var isNone: Bool { page == nil && percent == nil }
}

/// What a write says of a record, known to be allowed; what it does not name stays as it is.
struct RecordDraft: Hashable, Sendable {
    /// The version that the writer knew; nil for whatever there is.
    var base: Int64?
    /// The book of a record that is made.
    var book: BookData?
    var bookID: ShelfBookID?
    var state: ReadingState?
    var rating = Change<Rating>.keep
    var oneLine = Change<String>.keep
    var review = Change<String>.keep
    var quotes: [Quote]?
    var startedOn = Change<Day>.keep
    var endedOn = Change<Day>.keep
    var isFavourite: Bool?
    var visibility: RecordVisibility?
    /// For each of these days the newest word.
    var progress: [Progress] = []
    /// Where the reader is; then a reading that begins or ends without a date does so on this day.
    var today: Day?
}

extension RecordDraft {
    /// - Parameter today: where the reader is, if that is known.
    init(_ parameters: Parameters, today: Day?, limits: LibraryLimits) throws {
        base = try parameters.seq("version")
        book = try parameters.nested("book").map { try BookData($0, limits: limits) }
        bookID = try parameters.id("book_id")
        state = try parameters.word("state")
        rating = try parameters.change("rating") { parameters in
            guard let text = try parameters.string("rating") else { return nil }
            guard let rating = Rating(text) else { throw Problem.invalid("rating", "inclusion") }
            return rating
        }
        oneLine = try parameters.change("one_line") { try $0.line("one_line", limit: limits.oneLine) }
        review = try parameters.change("review") { try $0.prose("review", limit: limits.review) }
        if parameters.clears("quotes") {
            quotes = []
        } else {
            quotes = try parameters.list("quotes").map { try RecordDraft.quotes($0, limits) }
        }
        startedOn = try parameters.change("started_on") { try $0.day("started_on") }
        endedOn = try parameters.change("ended_on") { try $0.day("ended_on") }
        isFavourite = try parameters.boolean("favourite")
        visibility = try parameters.word("visibility")
        progress = try RecordDraft.progress(parameters.list("progress") ?? [], limits)
        self.today = today
    }

    private static func quotes(_ list: [Parameters], _ limits: LibraryLimits) throws -> [Quote] {
        guard list.count <= limits.quotes else { throw Problem.invalid("quotes", "too_many") }
        return try list.map { quote in
            guard let text = try quote.prose("text", limit: limits.quote) else {
                throw Problem.invalid("quotes", "blank")
            }
            return Quote(text: text, page: try quote.number("page", in: 0...limits.pages))
        }
    }

    private static func progress(_ list: [Parameters], _ limits: LibraryLimits) throws -> [Progress] {
        guard list.count <= limits.days else { throw Problem.invalid("progress", "too_many") }
        return try list.map { entry in
            guard let day = try entry.day("day") else { throw Problem.invalid("day", "blank") }
            return try Progress(entry, on: day, limits: limits)
        }
    }

    /// What the record says once this is written.
    func applied(to before: RecordContent) throws -> RecordContent {
        var after = before
        after.state = state ?? before.state
        after.rating = rating.applied(to: before.rating)
        after.oneLine = oneLine.applied(to: before.oneLine)
        after.review = review.applied(to: before.review)
        after.quotes = quotes ?? before.quotes
        after.startedOn = startedOn.applied(to: before.startedOn)
        after.endedOn = endedOn.applied(to: before.endedOn)
        after.isFavourite = isFavourite ?? before.isFavourite
        after.visibility = visibility ?? before.visibility
        if let today, after.state != before.state {
            if after.state == .reading, startedOn == .keep { after.startedOn = before.startedOn ?? today }
            if after.state == .finished, endedOn == .keep, before.endedOn == nil {
                // Who writes down a later beginning has not ended before it.
                after.endedOn = max(today, after.startedOn ?? today)
            }
        }
        if let start = after.startedOn, let end = after.endedOn, end < start {
            var problem = Problem.invalid("ended_on", "invalid")
            problem.detail = [
                .english: "A reading cannot end before it begins.",
                .korean: "독서를 마친 날이 시작한 날보다 앞설 수 없습니다.",
                .japanese: "読み終えた日を、読み始めた日より前にすることはできません。",
            ]
            throw problem
        }
        return after
    }

    /// The days of a record once this is written, the newest last.
    func applied(to before: [Progress], limits: LibraryLimits) throws -> [Progress] {
        guard !progress.isEmpty else { return before }
        var days = Dictionary(before.map { ($0.day, $0) }) { _, last in last }
        for entry in progress { days[entry.day] = entry.isNone ? nil : entry }
        guard days.count <= limits.days else { throw Problem.invalid("progress", "too_many") }
        return days.values.sorted { $0.day < $1.day }
    }

    /// The texts of a record that its writer did not know and that this replaces.
    func losing(_ before: RecordContent, version: Int64, after: RecordContent) -> [EarlierText] {
        guard let base, base != version else { return [] }
        var lost: [EarlierText] = []
        if let text = before.oneLine, text != after.oneLine { lost.append(EarlierText(field: .oneLine, text: text)) }
        if let text = before.review, text != after.review { lost.append(EarlierText(field: .review, text: text)) }
        let quotes = before.quotes.filter { !after.quotes.contains($0) }
        return lost + quotes.map { EarlierText(field: .quotes, text: $0.text) }
    }
}

extension Progress {
    init(_ parameters: Parameters, on day: Day, limits: LibraryLimits) throws {
        self.day = day
        page = try parameters.clears("page") ? nil : parameters.number("page", in: 0...limits.pages)
        percent = try parameters.clears("percent") ? nil : parameters.number("percent", in: 0...100)
    }
}

/// A text of a record that lost to a later write.
struct EarlierText: Hashable, Sendable {
    enum Field: String, Sendable {
        case oneLine = "one_line"
        case review, quotes
    }

    let field: Field
    let text: String
}
