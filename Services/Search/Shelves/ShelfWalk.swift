// SPDX-License-Identifier: Apache-2.0
// Books whose document is missing.

import Outbox
import Postgres
import Synchronization

/// Goes through all books on shelves, some hundred a step, and puts their documents right: where a rebuild found that a book's first
/// record is no more, nothing else tells of the next one. Where it is, only the process knows: one that is new begins anew.
final class ShelfWalk: Sendable {
    /// How many books are looked at in a step.
    static let step = 200

    private let place = Mutex(Int64.min)
    private let index: any SearchIndex

    init(_ index: any SearchIndex) { self.index = index }

    static func sweep(_ index: any SearchIndex) -> Sweep {
        let walk = ShelfWalk(index)
        return Sweep("shelves", every: .seconds(60)) { try await walk.step(in: $0) }
    }

    /// - Returns: 0: nothing goes.
    func step(in database: Database) async throws -> Int {
        let books = try await ShelvedBookStore.books(after: place.withLock { $0 }, most: Self.step, in: database)
        if !books.isEmpty {
            try await database.transaction { transaction in
                // Nobody changes what books there are meanwhile.
                TurnStore.take(in: transaction)
                let changes = try await ShelvedBooks.changes(of: books, [], in: transaction)
                try await index.put(changes.documents, again: [], in: transaction)
            }
        }
        place.withLock { $0 = books.count < Self.step ? .min : books.last ?? .min }
        return 0
    }
}
