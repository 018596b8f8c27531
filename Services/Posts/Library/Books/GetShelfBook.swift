// SPDX-License-Identifier: Apache-2.0
// GET and PUT /api/v1/shelf/books/:id: one book of a shelf.

import Domain
import Web

/// A book of somebody's own shelf.
enum GetShelfBook {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        try await answer(request.id(), of: request.requireAccount().id, dependencies)
    }

    static func answer(_ id: ShelfBookID, of owner: AccountID, _ dependencies: Dependencies) async throws -> Answer {
        let book = try await ShelfBookStore.book(id, of: owner, in: dependencies.database).found()
        let newest = try await RecordStore.newest(of: [id], in: dependencies.database)
        return .json(book.view(newest: newest[id], site: dependencies.site))
    }
}

/// Makes of a book what its owner says it is, as a whole; a book that the shelf has already is refused.
enum EditShelfBook {
    static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let account = try request.requireAccount()
        let id: ShelfBookID = try request.id()
        let data = try BookData(request.parameters(), limits: dependencies.limits.library)
        _ = try await ShelfWork.run(account, dependencies) { try await ShelfBooks.edit(id, data, $0) }
        return try await GetShelfBook.answer(id, of: account.id, dependencies)
    }
}
