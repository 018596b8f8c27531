// SPDX-License-Identifier: Apache-2.0
// A book, whoever tells of it.

/// What is known of an edition of a book. All texts are plain: nothing in them is markup.
package struct BookData: Codable, Hashable, Sendable {
    package var title: String
    package var authors: [String]
    package var translators: [String]
    package var publisher: String?
    package var publishedOn: PartialDate?
    package var isbn: ISBN?
    package var description: String?
    package var pages: Int?
    /// BCP 47, such as `ko`.
    package var language: String?
    package var coverURL: String?
    /// A page on the book.
    package var link: String?

    package init(
        title: String,
        authors: [String] = [],
        translators: [String] = [],
        publisher: String? = nil,
        publishedOn: PartialDate? = nil,
        isbn: ISBN? = nil,
        description: String? = nil,
        pages: Int? = nil,
        language: String? = nil,
        coverURL: String? = nil,
        link: String? = nil
    ) {
        self.title = title
        self.authors = authors
        self.translators = translators
        self.publisher = publisher
        self.publishedOn = publishedOn
        self.isbn = isbn
        self.description = description
        self.pages = pages
        self.language = language
        self.coverURL = coverURL
        self.link = link
    }

    enum CodingKeys: String, SnakeCased {
        case title, authors, translators, publisher, publishedOn, isbn, description, pages, language, coverURL, link
    }

    /// What it is found by.
    package var texts: [String] {
        [title] + authors + translators + [publisher, isbn?.text13, isbn?.text10].compactMap { $0 }
    }

    /// The same with what it did not know and another one does.
    package func filled(from other: BookData) -> BookData {
        var book = self
        if book.authors.isEmpty { book.authors = other.authors }
        if book.translators.isEmpty { book.translators = other.translators }
        book.publisher = publisher ?? other.publisher
        book.publishedOn = publishedOn ?? other.publishedOn
        book.isbn = isbn ?? other.isbn
        book.description = description ?? other.description
        book.pages = pages ?? other.pages
        book.language = language ?? other.language
        book.coverURL = coverURL ?? other.coverURL
        book.link = link ?? other.link
        return book
    }
}
