// SPDX-License-Identifier: Apache-2.0
// Open Library (https://openlibrary.org/dev/docs/api/search).

import Domain
import JSON
import Outbound

/// Finds works, and of each the edition that fits best.
struct OpenLibraryBooks: BookSource {
    let access: BookAccess

    var name: BookSourceName { .openLibrary }

    private static let fields = [
        "key", "title", "author_name", "first_publish_year", "cover_i", "editions", "editions.key", "editions.title",
        "editions.subtitle", "editions.isbn", "editions.publisher", "editions.publish_date", "editions.language",
        "editions.cover_i", "editions.number_of_pages",
    ].joined(separator: ",").percentEncoded

    func path(_ call: BookCall) -> String {
        let words =
            switch call {
            case .part(let text, _): Self.plain(text)
            case .isbn(let isbn): "isbn:\(isbn)"
            }
        let range = call.range
        return "/search.json?q=\(words.percentEncoded)&fields=\(Self.fields)&limit=\(range.count)"
            + "&offset=\(range.lowerBound)"
    }

    func isNothing(_ answer: OutboundAnswer) -> Bool { answer.status == 400 || answer.status == 422 }

    /// Words alone: what their search reads as more than words is a space.
    private static func plain(_ text: String) -> String {
        String(text.map { #"+-&|!(){}[]^"~*?:\/"#.contains($0) ? " " : $0 })
    }

    func read(_ answer: RawJSON, to call: BookCall) -> ToldBooks? {
        guard let works = answer.member("docs")?.elements else { return nil }
        return ToldBooks(
            books: works.compactMap { book($0, call) },
            total: (answer.member("numFound") ?? answer.member("num_found"))?.count ?? 0
        )
    }

    private func book(_ work: RawJSON, _ call: BookCall) -> ToldBook? {
        let edition = work.member("editions")?.member("docs")?.elements?.first
        let numbers = (edition?.member("isbn")?.texts ?? []).compactMap { ISBN($0) }
        var isbn = numbers.first
        if case .isbn(let asked) = call, numbers.contains(asked) { isbn = asked }
        let titles = [edition?.member("title") ?? work.member("title"), edition?.member("subtitle")]
        let title = titles.compactMap { $0?.text }.filter { !$0.isEmpty }.joined(separator: ": ")
        guard let key = (edition ?? work).member("key")?.text, key.hasPrefix("/books/") || key.hasPrefix("/works/"),
            let id = key.split(separator: "/").last,
            var book = ToldBook(.openLibrary, id: String(id), isbn: isbn, title: title)
        else { return nil }
        book.authors = BookText.names(work.member("author_name")?.texts ?? [])
        book.publisher = BookText.line(edition?.member("publisher")?.texts.first, most: ToldBook.Limits.name)
        let date = edition?.member("publish_date")
        let year = edition == nil ? work.member("first_publish_year")?.integer.map(String.init) : nil
        book.publishedOn = BookText.date(date?.texts.first ?? date?.text ?? year)
        book.pages = edition?.member("number_of_pages")?.count.flatMap { ToldBook.Limits.pages.contains($0) ? $0 : nil }
        book.language = edition?.member("language")?.texts.first.flatMap(Self.language)
        if let cover = (edition?.member("cover_i") ?? work.member("cover_i"))?.integer, cover > 0 {
            book.coverURL = "https://covers.openlibrary.org/b/id/\(cover)-M.jpg"
        }
        book.link = BookText.url("https://openlibrary.org\(key)")
        return book
    }

    /// Libraries' codes (https://www.loc.gov/marc/languages) of what most books are in, as everybody else writes them.
    private static let languages = [
        "ara": "ar", "chi": "zh", "cze": "cs", "dan": "da", "dut": "nl", "eng": "en", "fin": "fi", "fre": "fr",
        "ger": "de", "gre": "el", "heb": "he", "hin": "hi", "hun": "hu", "ind": "id", "ita": "it", "jpn": "ja",
        "kor": "ko", "lat": "la", "nor": "no", "per": "fa", "pol": "pl", "por": "pt", "rum": "ro", "rus": "ru",
        "spa": "es", "swe": "sv", "tha": "th", "tur": "tr", "ukr": "uk", "vie": "vi",
    ]

    /// Nil for one that has no letters of its own there, such as undetermined.
    private static func language(_ code: String) -> String? { languages[code] }
}
