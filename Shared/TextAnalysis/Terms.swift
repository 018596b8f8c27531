// SPDX-License-Identifier: Apache-2.0
// The numbers under which an index keeps words.

/// A word or the first letters of one, a syllable, two or three that follow one another, or a fact about a document, as a number of 32
/// bits. Two may share one: an index finds candidates by them and looks at the words themselves before it answers.
public struct Term: Hashable, Sendable {
    public let number: Int32

    public init(word: some Sequence<UInt32>) { self.init(0x77, word) }
    public init(dense: some Sequence<UInt32>) { self.init(0x64, dense) }
    public init(beginning: some Sequence<UInt32>) { self.init(0x62, beginning) }
    public init(mark: AnalyzedText.Mark, _ text: some Sequence<UInt32>) { self.init(mark.rawValue, text) }
    /// A fact such as `from`, `7`.
    public init(fact: String, _ value: String) {
        self.init(0x66, "\(fact):\(value)".unicodeScalars.lazy.map(\.value))
    }

    /// FNV-1a of 64 bits, folded.
    private init(_ kind: UInt32, _ text: some Sequence<UInt32>) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func mix(_ value: UInt32) {
            hash = (hash ^ UInt64(value & 0xFFFF)) &* 0x100_0000_01B3
            hash = (hash ^ UInt64(value >> 16)) &* 0x100_0000_01B3
        }
        mix(kind)
        for scalar in text { mix(scalar) }
        hash ^= hash >> 29
        hash = hash &* 0xBF58_476D_1CE4_E5B9
        number = Int32(truncatingIfNeeded: hash >> 32)
    }
}

extension AnalyzedText {
    /// How many terms a document may have.
    public static let termLimit = 4096

    /// Each once: stems of words; of runs every scalar and every two that follow one another; hashtags and mentions whole.
    public var terms: Set<Term> {
        var terms: Set<Term> = []
        for token in tokens where terms.count < Self.termLimit {
            guard token.isDense else {
                terms.insert(Term(word: form[token.place]))
                continue
            }
            for index in token.place where terms.count < Self.termLimit {
                terms.insert(Term(dense: CollectionOfOne(form[index])))
                if index + 1 < token.place.upperBound { terms.insert(Term(dense: form[index...(index + 1)])) }
            }
        }
        for (mark, place) in marked where terms.count < Self.termLimit { terms.insert(Term(mark: mark, form[place])) }
        return terms
    }

    /// Of how many first letters of a word there is a term.
    public static let beginnings = 2...4
    /// How many scalars of a run that follow one another are a term at most.
    public static let longestGram = 3

    /// With `terms`, what tells documents apart where those are frequent: how words begin, and every three scalars of runs.
    public var closeTerms: Set<Term> {
        var terms = terms
        let limit = terms.count + 2 * Self.termLimit
        for token in tokens where terms.count < limit {
            if token.isDense {
                for end in token.place.dropFirst(Self.longestGram - 1) where terms.count < limit {
                    terms.insert(Term(dense: form[(end + 1 - Self.longestGram)...end]))
                }
            } else {
                // Of mice also how mouse begins.
                let (stem, written) = (form[token.place], token.written.unicodeScalars.map(\.value)[...])
                for letters in stem == written ? [stem] : [stem, written] {
                    for length in Self.beginnings where length <= letters.count {
                        terms.insert(Term(beginning: letters.prefix(length)))
                    }
                }
            }
        }
        return terms
    }
}
