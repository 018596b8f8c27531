// SPDX-License-Identifier: Apache-2.0
// Steps of changes of the books of a shelf.

import Domain
import Web

/// A book comes onto a shelf with its first record and leaves it with its last.
enum ShelfBooks {
    /// The book of the shelf that is the same as one; it learns what it did not know, or comes onto the shelf.
    static func take(_ data: BookData, _ work: ShelfWork) async throws -> ShelfBook {
        let known = try await ShelfBookStore.books(of: [data.key], of: work.reader, in: work)[0]
        let taken = try take(data, known: known, work)
        if let known, taken != known { try await work.tell(changed: known.id) }
        return taken
    }

    /// - Parameter known: the book of the shelf that has the same key.
    static func take(_ data: BookData, known: ShelfBook?, _ work: ShelfWork) throws -> ShelfBook {
        guard var book = known else {
            let book = ShelfBook(id: try work.dependencies.ids.next(), version: work.next(), data: data)
            ShelfBookStore.insert(book, of: work.reader, in: work)
            return book
        }
        let filled = book.data.filled(from: data)
        // What would make another book of it stays unknown.
        guard filled != book.data, filled.key == book.data.key else { return book }
        book.data = filled
        book.version = work.next()
        ShelfBookStore.update(book, in: work)
        return book
    }

    /// Makes of a book what its owner says it is.
    static func edit(_ id: ShelfBookID, _ data: BookData, _ work: ShelfWork) async throws -> ShelfBook {
        var book = try await ShelfBookStore.book(id, of: work.reader, in: work).found().book
        guard data != book.data else { return book }
        let same = try await ShelfBookStore.books(of: [data.key], of: work.reader, in: work)[0]
        guard same == nil || same?.id == id else { throw Problem.invalid("title", "taken") }
        book.data = data
        book.version = work.next()
        ShelfBookStore.update(book, in: work)
        try await work.tell(changed: id)
        return book
    }

    /// Takes a book off the shelf that has no record any more.
    static func leave(_ id: ShelfBookID, _ work: ShelfWork) async throws {
        guard try await ShelfBookStore.deleteUnread(id, in: work) else { return }
        _ = work.bury(.book, id.rawValue)
    }
}
