// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/shelf: the books that somebody has, the newest first.

import Domain
import Postgres
import TextAnalysis
import Views
import Web

/// Somebody's books; with `q`, those in whose title, people, publisher or ISBN each of its words stands, whatever its case
/// and its width.
enum ListShelf {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let owner = try request.requireAccount().id
        let parameters = try request.parameters()
        let page = try parameters.page(default: 20, maximum: 40)
        let words = try words(parameters, dependencies.limits.library)
        let books = try await ShelfBookStore.page(page, of: owner, words: words, in: dependencies.database)
        let newest = try await RecordStore.newest(of: books.map(\.book.id), in: dependencies.database)
        return Answer.json(array: books.map { $0.view(newest: newest[$0.book.id], site: dependencies.site) })
            .linked(request, site: dependencies.site, books.map(\.book.id))
    }

    private static func words(_ parameters: Parameters, _ limits: LibraryLimits) throws -> [String] {
        guard let query = try parameters.text("q", limit: limits.query) else { return [] }
        let words = FoldedText(query).text.split(whereSeparator: \.isWhitespace)
        guard words.count <= limits.words else { throw Problem.invalid("q", "too_many") }
        return words.map(String.init)
    }
}

extension ListedBook {
    func view(newest: RecordRow?, site: Site) -> ShelfBookView {
        ShelfBookView(
            book: book.view(site: site),
            version: book.version,
            records: records,
            newest: newest?.view(site: site, withBook: false)
        )
    }
}
