// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/books: books by words, or by the number of one.

import Domain
import Views
import Web

enum SearchBooks {
    /// Offsets instead of cursors, as the apps page that were written for Naver's.
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let parameters = try request.parameters()
        let limit = try parameters.limit(default: 30, maximum: 50)
        let offset = Int(clamping: try parameters.seq("offset") ?? 0)
        let text = try parameters.string("q") ?? ""
        guard let query = BookQuery(text) else { throw Problem.invalid("q", "blank") }
        guard text.unicodeScalars.count <= BookQuery.longest else { throw Problem.invalid("q", "too_long") }
        if let isbn = query.isbn {
            let book = offset == 0 ? try await dependencies.books.book(isbn, dependencies) : nil
            return .json(array: book.map { [$0] } ?? [])
        }
        // Farther than the end nobody is asked.
        let page = offset..<(offset < BookCatalogue.places.upperBound ? offset + limit : offset)
        let shown = page.clamped(to: BookCatalogue.places)
        guard !shown.isEmpty else { return .json(array: [BookView]()) }
        let books = try await dependencies.books.list(query, upTo: shown.upperBound + 1, dependencies)
        let isMore = books.count > shown.upperBound && BookCatalogue.places.contains(shown.upperBound)
        return Answer.json(array: books.views(shown, site: dependencies.site)).linked(
            request,
            site: dependencies.site,
            next: isMore ? shown.upperBound : nil,
            previous: offset == 0 ? nil : max(0, offset - limit)
        )
    }
}
