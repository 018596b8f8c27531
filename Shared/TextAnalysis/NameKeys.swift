// SPDX-License-Identifier: Apache-2.0
// Names and titles, as they are found while somebody types.

/// What a name is found by: the keys that write it, from its beginning or from within it; the consonants its syllables begin with
/// (초성); and what is left of its words when a key is left out, by which a word with a slip of the finger is found.
public struct NameKeys: Sendable {
    /// How much of a name is looked at, in keys.
    public static let limit = 64
    /// In how many places a name may be entered.
    public static let startLimit = 16

    public struct Start: Hashable, Sendable {
        /// How far from the beginning of the name, in scalars; 0 is the beginning.
        public let position: Int
        /// The keys from there to the end, such as ㄱㅣㅁㅁㅣㄴㅅㅜ.
        public let typed: String
        /// Such as ㄱㅁㅅ; nil where there are no syllables.
        public let initials: String?
    }

    public let starts: [Start]
    /// Of the whole and of each of its words.
    public let near: Set<Int32>
    /// The whole and each of its words, in keys.
    public let forms: [String]

    public init(_ name: String) {
        var scalars: [UInt32] = []
        var wordStarts: [Int] = []
        var isInWord = false
        for scalar in FoldedText(name, limit: Self.limit).scalars {
            let script = Script.of(scalar)
            guard script != .other && script != .space else {
                isInWord = false
                continue
            }
            if !isInWord { wordStarts.append(scalars.count) }
            isInWord = true
            scalars.append(scalar)
        }
        let entries = scalars.indices.filter { wordStarts.contains($0) || Script.of(scalars[$0]).isDense }
        starts = entries.prefix(Self.startLimit).map { position in
            let rest = scalars[position...]
            return Start(position: position, typed: Self.typed(rest), initials: Self.initials(rest))
        }
        let ends = wordStarts.dropFirst() + [scalars.count]
        let words = zip(wordStarts, ends).prefix(Self.startLimit).map { Self.typed(scalars[$0..<$1]) }
        forms = (words.count > 1 ? [Self.typed(scalars[...])] : []) + words
        near = forms.reduce(into: []) { $0.formUnion(Self.deletions($1)) }
    }

    /// What somebody has typed so far, in keys; empty where there is nothing to look for.
    public static func typed(_ text: String) -> String {
        typed(
            FoldedText(text, limit: limit).scalars.filter {
                let script = Script.of($0)
                return script != .other && script != .space
            }
        )
    }

    /// The consonants, where nothing else was typed, and more than one.
    public static func initials(typed text: String) -> String? {
        let scalars = FoldedText(text, limit: limit).scalars.filter { Script.of($0) != .space }
        guard scalars.count > 1, scalars.allSatisfy(Hangul.isConsonant) else { return nil }
        return String(scalars: scalars)
    }

    private static func typed(_ scalars: some Sequence<UInt32>) -> String {
        String(scalars: scalars.lazy.flatMap(Hangul.keys).prefix(limit))
    }

    private static func initials(_ scalars: some Collection<UInt32>) -> String? {
        guard scalars.contains(where: Hangul.isSyllable) else { return nil }
        // A third ㅇ in a row is folded away where it is typed.
        return String(
            scalars: scalars.reduce(into: []) { initials, scalar in
                let initial = Hangul.initial(scalar) ?? scalar
                if !initials.suffix(2).elementsEqual([initial, initial]) { initials.append(initial) }
            }
        )
    }

    // MARK: Slips

    /// From how many keys on a word may have a slip.
    public static let slipLength = 4

    /// The word, and the word without each of its keys, as numbers. Two words that differ by one key more, less or other, or by
    /// two that changed places, share one of them; so an index finds them without reading its words (Garbe's SymSpell does so too).
    public static func deletions(_ word: String) -> Set<Int32> {
        let scalars = word.unicodeScalars.map(\.value).prefix(24)
        guard scalars.count >= slipLength else { return [] }
        var numbers: Set<Int32> = [Term(fact: "near", String(scalars: scalars)).number]
        for index in scalars.indices {
            numbers.insert(Term(fact: "near", String(scalars: scalars[..<index] + scalars[(index + 1)...])).number)
        }
        return numbers
    }

    /// By how many slips two words differ: a key more, less or other, or two that changed places.
    ///
    /// - Returns: nil for more than `most`.
    public static func slips(_ left: String, _ right: String, most: Int) -> Int? {
        let (left, right) = (Array(left.unicodeScalars), Array(right.unicodeScalars))
        guard abs(left.count - right.count) <= most, left.count <= 64, right.count <= 64 else { return nil }
        var before: [Int] = []
        var last = Array(0...right.count)
        for (row, key) in left.enumerated() {
            var next = [row + 1]
            for (column, other) in right.enumerated() {
                var best = min(last[column + 1] + 1, next[column] + 1, last[column] + (key == other ? 0 : 1))
                if row > 0, column > 0, key == right[column - 1], left[row - 1] == other {
                    best = min(best, before[column - 1] + 1)
                }
                next.append(best)
            }
            (before, last) = (last, next)
        }
        guard let distance = last.last, distance <= most else { return nil }
        return distance
    }
}
