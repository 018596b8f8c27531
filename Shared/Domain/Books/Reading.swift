// SPDX-License-Identifier: Apache-2.0
// What is said of the reading of a book.

/// How far somebody is with a book.
public enum ReadingState: String, Codable, Sendable, CaseIterable {
    /// To be read next.
    case planned
    case reading
    case finished
    /// Given up before the end.
    case abandoned
}

/// Who sees a record of reading.
public enum RecordVisibility: String, Codable, Sendable, CaseIterable {
    /// Its owner alone.
    case `private`
    case followers
    case `public`
}

/// Stars, from a half to five in halves.
public struct Rating: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// From 1 to 10.
    public let halves: Int

    public init?(halves: Int) {
        guard (1...10).contains(halves) else { return nil }
        self.halves = halves
    }

    /// Parses `4`, `4.5`, `4.0` or `4.50`; nil for anything that is no half from 0.5 to 5.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count <= 8, text.utf8.allSatisfy({ (48...57).contains($0) || $0 == 46 }),
            let stars = Double(String(text)), (0.5...5).contains(stars)
        else { return nil }
        let halves = Int(stars * 2)
        guard Double(halves) == stars * 2 else { return nil }
        self.init(halves: halves)
    }

    public static func < (left: Rating, right: Rating) -> Bool { left.halves < right.halves }

    /// As JSON writes it: `4` or `4.5`.
    public var description: String { halves.isMultiple(of: 2) ? "\(halves / 2)" : "\(halves / 2).5" }
}

/// A passage of a book that somebody wrote down.
public struct Quote: Codable, Hashable, Sendable {
    public let text: String
    public let page: Int?

    public init(text: String, page: Int? = nil) { (self.text, self.page) = (text, page) }
}
