// SPDX-License-Identifier: Apache-2.0
// A book as clients see it, in the catalogue and on shelves.

package import Domain

/// An edition of a book. All texts are plain: nothing in them is markup.
package struct BookView: ObjectView, Equatable {
    /// `isbn:9788932917245`, or who tells of it and what they call it; on a shelf a decimal number.
    package var id: String
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
    /// Catalogues that tell of it, those first whose word counts first; none on a shelf.
    package var sources: [String]

    package init(
        id: String,
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
        link: String? = nil,
        sources: [String] = []
    ) {
        self.id = id
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
        self.sources = sources
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("title", title)
        json.member("authors", authors)
        json.member("translators", translators)
        json.member("publisher", publisher)
        json.member("published_on", publishedOn?.description)
        json.member("isbn13", isbn?.text13)
        json.member("isbn10", isbn?.text10)
        json.member("description", description)
        json.member("pages", pages)
        json.member("language", language)
        json.member("cover_url", coverURL)
        json.member("link", link)
        json.member("sources", sources)
    }
}
