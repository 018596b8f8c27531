// SPDX-License-Identifier: Apache-2.0
// Words that may not be written here, however they are written.

/// Finds words in texts: without case, width, accents and what nobody sees; a word of a script that parts its words by spaces only
/// as a whole word, one of Hangul, kana or Han wherever it stands. Linear in the text.
public struct TermMatcher: Sendable {
    /// Of one word.
    public static let longest = 64

    /// The words that may be dressed up with digits are looked for apart, in a text of which the digits were taken for letters.
    private let plain: Half
    private let dressed: Half

    /// A word that is looked for.
    public struct Word: Hashable, Sendable {
        public let text: String
        /// Whether digits and signs that look like letters count as these: `b4d` is `bad`.
        public let seesThroughDigits: Bool

        public init(_ text: String, seesThroughDigits: Bool = false) {
            self.text = text
            self.seesThroughDigits = seesThroughDigits
        }
    }

    private struct Half: Sendable {
        let tree: TermTree
        /// The place of each word of the tree among all.
        let places: [Int]
        let isDressed: Bool

        init(_ words: [Word], dressed: Bool) {
            places = words.indices.filter { words[$0].seesThroughDigits == dressed }
            isDressed = dressed
            tree = TermTree(places.map { TermMatcher.scalars(words[$0].text, dressed: dressed) })
        }

        func search(_ scalars: [UInt32], _ found: (Int) -> Bool) -> Bool {
            guard !tree.isEmpty else { return true }
            let text = isDressed ? scalars.map(TermMatcher.letter) : scalars
            var goesOn = true
            tree.search(text) { occurrence in
                // A sign behind a word ends it, also one that could stand for a letter.
                guard TermMatcher.isWhole(occurrence.range, in: scalars) else { return true }
                goesOn = found(places[occurrence.word])
                return goesOn
            }
            return goesOn
        }
    }

    public init(_ words: [Word]) {
        plain = Half(words, dressed: false)
        dressed = Half(words, dressed: true)
    }

    public var isEmpty: Bool { plain.tree.isEmpty && dressed.tree.isEmpty }

    /// Whether a text can be a word that is looked for: something is left of it, and not too much.
    public static func canFind(_ text: String) -> Bool {
        let scalars = scalars(text, dressed: false)
        return (1...longest).contains(scalars.count) && scalars.contains { Script.of($0) != .other }
    }

    /// Calls `found` with the place of a word among those given, once for each occurrence, until it returns false.
    public func search(_ text: String, _ found: (Int) -> Bool) {
        guard !isEmpty else { return }
        let scalars = TermMatcher.scalars(text, dressed: false)
        if plain.search(scalars, found) { _ = dressed.search(scalars, found) }
    }

    /// Folded, with one space for each run of white space, and none at the ends.
    static func scalars(_ text: String, dressed: Bool) -> [UInt32] {
        var scalars: [UInt32] = []
        for scalar in FoldedText(text).scalars {
            if Unicode.Scalar(scalar)?.properties.isDefaultIgnorableCodePoint == true { continue }
            if Script.of(scalar) != .space {
                scalars.append(dressed ? letter(scalar) : scalar)
            } else if scalars.last != 0x20, !scalars.isEmpty {
                scalars.append(0x20)
            }
        }
        if scalars.last == 0x20 { scalars.removeLast() }
        return scalars
    }

    /// The letter as which a scalar is read: digits, signs, and `l`, which the digit 1 is as well.
    static func letter(_ scalar: UInt32) -> UInt32 {
        switch scalar {
        case 0x30: 0x6F
        case 0x31, 0x6C, 0x21, 0x7C: 0x69
        case 0x33: 0x65
        case 0x34, 0x40: 0x61
        case 0x35, 0x24: 0x73
        case 0x37, 0x2B: 0x74
        case 0x38: 0x62
        default: scalar
        }
    }

    /// Whether no word goes on beyond the range that parts itself by spaces from others.
    static func isWhole(_ range: Range<Int>, in text: [UInt32]) -> Bool {
        !joins(range.lowerBound - 1, range.lowerBound, in: text)
            && !joins(range.upperBound - 1, range.upperBound, in: text)
    }

    private static func joins(_ left: Int, _ right: Int, in text: [UInt32]) -> Bool {
        guard text.indices.contains(left), text.indices.contains(right) else { return false }
        return isOfWord(text[left]) && isOfWord(text[right])
    }

    private static func isOfWord(_ scalar: UInt32) -> Bool {
        let script = Script.of(scalar)
        return script == .letter || script == .digit
    }
}
