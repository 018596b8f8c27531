// SPDX-License-Identifier: Apache-2.0
// A book, whoever tells of it.

/// What is known of an edition of a book. All texts are plain: nothing in them is markup.
public struct BookData: Codable, Hashable, Sendable {
    public var title: String
    public var authors: [String]
    public var translators: [String]
    public var publisher: String?
    public var publishedOn: PartialDate?
    public var isbn: ISBN?
    public var description: String?
    public var pages: Int?
    /// BCP 47, such as `ko`.
    public var language: String?
    public var coverURL: String?
    /// A page on the book.
    public var link: String?

    public init(
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
    public var texts: [String] {
        [title] + authors + translators + [publisher, isbn?.text13, isbn?.text10].compactMap { $0 }
    }

    /// The same with what it did not know and another one does.
    public func filled(from other: BookData) -> BookData {
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
