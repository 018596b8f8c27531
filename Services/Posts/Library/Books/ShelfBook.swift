// SPDX-License-Identifier: Apache-2.0
// A book on somebody's shelf, and what they say of it.

import Domain
import Events
import Postgres
import TextAnalysis
import Views
import Web

extension BookData {
    /// The same for books that are one on a shelf: the ISBN, else title and authors, folded.
    var key: [UInt8] {
        if let isbn { return Array("isbn:\(isbn.text13)".utf8) }
        return Array("text:\(([title] + authors).map { FoldedText($0).text }.joined(separator: "\n"))".utf8)
    }

    /// What is looked for in a shelf.
    var folded: String { FoldedText(texts.joined(separator: "\n")).text }
}

/// A book on somebody's shelf.
struct ShelfBook: Columned, Hashable {
    let id: ShelfBookID
    var version: Int64
    /// The shelf's own copy, which no catalogue changes.
    var data: BookData

    static let columns: SQL = """
        b.id, b.version, b.title, b.authors, b.translators, b.publisher, b.published_on, b.isbn, b.description, b.pages,
        b.language, b.cover_url, b.link
        """
}

extension ShelfBook {
    init(columns: inout Columns) throws {
        id = try columns.next()
        version = try columns.next()
        data = try columns.read(BookData.init)
    }

    /// - Parameter site: where its cover is shown; nil for the picture's own address.
    func view(site: Site?) -> BookView {
        var shown = data
        if let site { shown.coverURL = site.cover(data.coverURL) }
        return BookView(id: id.description, shown)
    }

    /// Authors whom events name, beside whom there must be room for a review.
    static let toldAuthors = 10

    var snapshot: ShelfBookSnapshot {
        ShelfBookSnapshot(
            id: id,
            title: data.title,
            authors: Array(data.authors.prefix(ShelfBook.toldAuthors)),
            publisher: data.publisher,
            isbn: data.isbn,
            coverURL: data.coverURL
        )
    }
}

extension BookData {
    /// A book as a request has it, in the members of `BookView`.
    init(_ parameters: Parameters, limits: LibraryLimits) throws {
        guard let title = try parameters.line("title", limit: limits.title) else {
            throw Problem.invalid("title", "blank")
        }
        self.init(title: title)
        authors = try BookData.names("authors", parameters, limits)
        translators = try BookData.names("translators", parameters, limits)
        publisher = try parameters.line("publisher", limit: limits.publisher)
        publishedOn = try BookData.read("published_on", parameters) { PartialDate($0) }
        isbn =
            try BookData.read("isbn13", parameters) { ISBN($0) } ?? BookData.read("isbn10", parameters) { ISBN($0) }
            ?? BookData.read("isbn", parameters) { ISBN($0) }
        description = try parameters.prose("description", limit: limits.bookDescription)
        pages = try parameters.clears("pages") ? nil : parameters.number("pages", in: 1...limits.pages)
        language = try BookData.read("language", parameters) { LanguageCode($0)?.text }
        coverURL = try BookData.address("cover_url", parameters, limits)
        link = try BookData.address("link", parameters, limits)
    }

    private static func read<Value>(
        _ name: String,
        _ parameters: Parameters,
        _ parse: (String) -> Value?
    ) throws -> Value? {
        guard let text = try parameters.string(name)?.trimmed, !text.isEmpty else { return nil }
        guard let value = parse(text) else { throw Problem.invalid(name, "invalid") }
        return value
    }

    private static func names(_ name: String, _ parameters: Parameters, _ limits: LibraryLimits) throws -> [String] {
        let names = try parameters.strings(name) ?? []
        guard names.count <= limits.names else { throw Problem.invalid(name, "too_many") }
        return try names.compactMap { text in
            guard !text.utf8.contains(0) else { throw Problem.invalid(name, "invalid") }
            guard text.unicodeScalars.count <= limits.name else { throw Problem.invalid(name, "too_long") }
            let line = text.visibleLine
            return line.isEmpty ? nil : line
        }
    }

    private static func address(_ name: String, _ parameters: Parameters, _ limits: LibraryLimits) throws -> String? {
        guard let given = try parameters.string(name)?.trimmed, !given.isEmpty else { return nil }
        // An app sends a book as it came.
        let text = CoverLink.source(of: given) ?? given
        guard text.utf8.count <= limits.address else { throw Problem.invalid(name, "too_long") }
        guard let address = LinkURL.canonical(text), address.utf8.count <= limits.address else {
            throw Problem.invalid(name, "invalid")
        }
        return address
    }
}
