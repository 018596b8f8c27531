// SPDX-License-Identifier: Apache-2.0
// What is said of the reading of a book.

/// How far somebody is with a book.
package enum ReadingState: String, Codable, Sendable, CaseIterable {
    /// To be read next.
    case planned
    case reading
    case finished
    /// Given up before the end.
    case abandoned
}

/// Who sees a record of reading.
package enum RecordVisibility: String, Codable, Sendable, CaseIterable {
    /// Its owner alone.
    case `private`
    case followers
    case `public`
}

/// Stars, from a half to five in halves.
package struct Rating: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// From 1 to 10.
    package let halves: Int

    package init?(halves: Int) {
        guard (1...10).contains(halves) else { return nil }
        self.halves = halves
    }

    /// Parses `4`, `4.5`, `4.0` or `4.50`; nil for anything that is no half from 0.5 to 5.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count <= 8, text.utf8.allSatisfy({ (48...57).contains($0) || $0 == 46 }),
            let stars = Double(String(text)), (0.5...5).contains(stars)
        else { return nil }
        let halves = Int(stars * 2)
        guard Double(halves) == stars * 2 else { return nil }
        self.init(halves: halves)
    }

    package static func < (left: Rating, right: Rating) -> Bool { left.halves < right.halves }

    /// As JSON writes it: `4` or `4.5`.
    package var description: String { halves.isMultiple(of: 2) ? "\(halves / 2)" : "\(halves / 2).5" }
}

/// A passage of a book that somebody wrote down.
package struct Quote: Codable, Hashable, Sendable {
    package let text: String
    package let page: Int?

    package init(text: String, page: Int? = nil) { (self.text, self.page) = (text, page) }
}
