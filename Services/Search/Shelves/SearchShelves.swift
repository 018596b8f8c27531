// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/search/books: books that people here show on their shelves.

import Calls
import Domain
import Events
import Views
import Web

/// Each book once, as the first record says that everybody may see. Who has it is not told.
enum SearchShelves {
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let parameters = try request.parameters()
        guard let text = try parameters.string("q") else { throw Problem.badRequest("q") }
        let question = SearchQuestion(
            text,
            [],
            limit: try parameters.limit(default: 20, maximum: 40),
            cursor: try parameters.string("cursor")
        )
        let viewer = request.principal?.account?.id
        let page = try await TitledPage.of(.book, question, viewer, dependencies)
        let ids = (page.hits.map(\.id) + page.named).map { RecordID($0) }
        let books = try await ShelvedBookStore.shown(ids, in: dependencies.bounded)
        // A book of which an earlier record comes in between the statements of a search is found by both.
        var shown: Set<Int64> = []
        let views = ids.compactMap { id in
            books[id].flatMap { shown.insert($0.number).inserted ? BookView($0, of: id) : nil }
        }
        return .json { json in
            json.member("books", views)
            json.member("next_cursor", page.next)
        }
    }
}

extension BookView {
    /// A book that no catalogue told of.
    fileprivate init(_ book: ShelfBookSnapshot, of record: RecordID) {
        self.init(
            id: book.isbn.map { "isbn:\($0)" } ?? "shelves:\(record)",
            BookData(
                title: book.title,
                authors: book.authors,
                publisher: book.publisher,
                isbn: book.isbn,
                coverURL: book.coverURL
            )
        )
    }
}
