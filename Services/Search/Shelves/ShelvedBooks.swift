// SPDX-License-Identifier: Apache-2.0
// What becomes of the documents of books when records of reading change.

import Domain
import Postgres

/// The document of a book is its first record's: the one of the lowest id that everybody may see. So it is what the records say,
/// in whatever order they were told of, and goes with the last of them.
enum ShelvedBooks {
    struct Changes: Sendable {
        var documents: [SearchDocument] = []
        /// Those that are not, or no more, the first of a book.
        var gone: [DocumentKey] = []
    }

    /// Keeps what is told of records.
    ///
    /// - Parameter told: each record once.
    static func keep(_ told: [ShelvedBook], in transaction: Transaction) async throws -> Changes {
        guard !told.isEmpty else { return Changes() }
        let records = told.map(\.record)
        let before = try await ShelvedBookStore.books(of: records, in: transaction)
        try ShelvedBookStore.keep(told, in: transaction)
        let books = Set(before).union(try await ShelvedBookStore.books(of: records, in: transaction)).sorted()
        let others = try await ShelvedBookStore.first(of: books, besides: records, in: transaction)
        return try await changes(of: books, records + others, in: transaction)
    }

    /// - Parameter records: that may have been the first of one of the books.
    static func changes(
        of books: [Int64],
        _ records: [RecordID],
        in transaction: some Querying
    ) async throws -> Changes {
        let first = books.isEmpty ? [] : try await ShelvedBookStore.first(of: books, in: transaction)
        let standing = Set(first.map(\.record))
        return Changes(
            documents: first.map(SearchDocument.init),
            gone: Set(records).subtracting(standing).sorted().map { DocumentKey(kind: .book, id: $0.rawValue) }
        )
    }
}
