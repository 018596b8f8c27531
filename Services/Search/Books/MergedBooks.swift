// SPDX-License-Identifier: Apache-2.0
// Books of several sources as one list.

import Domain
import Views

/// Each edition once, at the place where it came first.
struct MergedBooks {
    private var names: [String] = []
    /// What is told of each, as it came.
    private var told: [String: [ToldBook]] = [:]

    var count: Int { names.count }

    init(_ books: [ToldBook] = []) { for book in books { add(book) } }

    mutating func add(_ book: ToldBook) {
        if told[book.name] == nil { names.append(book.name) }
        told[book.name, default: []].append(book)
    }

    /// Adds the first of each source, then the second, and so on.
    ///
    /// - Parameter parts: in the order of their sources.
    mutating func add(inTurns parts: [[ToldBook]]) {
        for place in 0..<(parts.map(\.count).max() ?? 0) {
            for part in parts { if let book = part.dropFirst(place).first { add(book) } }
        }
    }

    /// Some of them as clients see them.
    ///
    /// - Parameter site: where their covers are shown.
    func views(_ range: Range<Int>, site: Site) -> [BookView] {
        names.dropFirst(range.lowerBound).prefix(range.count).compactMap { name in
            told[name].flatMap { MergedBooks.view($0, site: site) }
        }
    }

    /// Of what is told, the word of the source counts that comes first in their order; what it does not tell is asked of the next.
    /// Nil for nothing.
    private static func view(_ told: [ToldBook], site: Site) -> BookView? {
        // Two of a source stay as they came.
        let told = told.enumerated().sorted { ($0.element.source, $0.offset) < ($1.element.source, $1.offset) }
            .map(\.element)
        guard let first = told.first else { return nil }
        var shown = told.dropFirst().reduce(first.book) { $0.filled(from: $1.book) }
        shown.coverURL = site.cover(shown.coverURL)
        var sources: [String] = []
        for book in told where sources.last != book.source.rawValue { sources.append(book.source.rawValue) }
        return BookView(id: first.name, shown, sources: sources)
    }
}
