// SPDX-License-Identifier: Apache-2.0
// GET /api/v1/books/:isbn: a book by its number.

import Domain
import Web

enum ShowBook {
    /// Ten digits or thirteen, with hyphens or without.
    @Sendable static func run(_ request: Request, _ dependencies: Dependencies) async throws -> Answer {
        let isbn = try ISBN(request.pathParameters["isbn"] ?? "").found()
        return .json(try await dependencies.books.book(isbn, dependencies).found())
    }
}
