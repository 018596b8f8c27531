// SPDX-License-Identifier: Apache-2.0
// A book as clients see it, in the catalogue and on shelves.

public import Domain

/// An edition of a book.
public struct BookView: ObjectView, Equatable {
    /// `isbn:9788932917245`, or who tells of it and what they call it; on a shelf a decimal number.
    public var id: String
    public var book: BookData
    /// Catalogues that tell of it, those first whose word counts first; none on a shelf.
    public var sources: [String]

    public init(id: String, _ book: BookData, sources: [String] = []) {
        self.id = id
        self.book = book
        self.sources = sources
    }

    public func writeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("title", book.title)
        json.member("authors", book.authors)
        json.member("translators", book.translators)
        json.member("publisher", book.publisher)
        json.member("published_on", book.publishedOn?.description)
        json.member("isbn13", book.isbn?.text13)
        json.member("isbn10", book.isbn?.text10)
        json.member("description", book.description)
        json.member("pages", book.pages)
        json.member("language", book.language)
        json.member("cover_url", book.coverURL)
        json.member("link", book.link)
        json.member("sources", sources)
    }
}
