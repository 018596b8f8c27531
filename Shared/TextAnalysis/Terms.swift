// SPDX-License-Identifier: Apache-2.0
// The numbers under which an index keeps words.

/// A word, a syllable, two syllables that follow one another, or a fact about a document, as a number of 32 bits. Two may share one:
/// an index finds candidates by them and looks at the words themselves before it answers.
package struct Term: Hashable, Comparable, Sendable {
    /// The number and, in the lowest 8 bits, `Tail.code`: one word is what hashing and sorting cost least of.
    private let packed: Int64

    /// What is known of the syllable behind two others. They are kept apart by it, so that a longer word is looked for among few
    /// documents.
    package enum Tail: Hashable, Sendable {
        case any
        /// Below `Tail.parts`.
        case part(UInt8)

        package static let parts: UInt8 = 8

        /// - Parameter scalar: nil for the end of a run.
        init(_ scalar: UInt32?) { self = .part(UInt8(truncatingIfNeeded: ((scalar ?? 0) &* 0x9E37_79B1) >> 29)) }
    }

    package var number: Int32 { Int32(truncatingIfNeeded: packed >> 8) }

    /// Of two syllables; nil for every other term.
    package var tail: Tail? {
        switch UInt8(truncatingIfNeeded: packed) {
        case 0: nil
        case 1: .any
        case let code: .part(code - 2)
        }
    }

    package init(word: some Sequence<UInt32>) { self.init(0x77, word) }
    package init(dense: some Sequence<UInt32>) { self.init(0x64, dense) }

    /// One that is known by its number alone, and stands for no two syllables.
    package init(number: Int32) { self.init(number, tail: nil) }

    private init(_ number: Int32, tail: Tail?) {
        let code: Int64 =
            switch tail {
            case nil: 0
            case .any: 1
            case .part(let part): Int64(part) + 2
            }
        packed = Int64(number) << 8 | code
    }

    package init(mark: AnalyzedText.Mark, _ text: some Sequence<UInt32>) { self.init(mark.rawValue, text) }
    /// A fact such as `from`, `7`.
    package init(fact: String, _ value: String) {
        self.init(0x66, "\(fact):\(value)".unicodeScalars.lazy.map(\.value))
    }

    /// This one, whatever is behind it.
    package var open: Term { tail == nil ? self : Term(number, tail: .any) }

    package static func < (left: Term, right: Term) -> Bool { left.packed < right.packed }

    /// Every two syllables of a run that follow one another.
    ///
    /// - Parameter isWhole: whether the run ends behind its last syllable, so that it is known what follows.
    package static func pairs(of run: ArraySlice<UInt32>, isWhole: Bool) -> [Term] {
        run.indices.dropLast().map { index in
            let next = index + 2 < run.endIndex ? run[index + 2] : nil
            let pair = Term(dense: run[index...(index + 1)])
            return Term(pair.number, tail: next == nil && !isWhole ? .any : Tail(next))
        }
    }

    /// Those of all runs of a form.
    package static func pairs(ofForm form: [UInt32]) -> [Term] {
        var pairs: [Term] = []
        var start = form.startIndex
        for index in form.indices where !AnalyzedText.isDense(form[index]) {
            if start + 1 < index { pairs += Term.pairs(of: form[start..<index], isWhole: true) }
            start = index + 1
        }
        return start + 1 < form.endIndex ? pairs + Term.pairs(of: form[start...], isWhole: true) : pairs
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
        self.init(number: Int32(truncatingIfNeeded: hash >> 32))
    }
}

extension AnalyzedText {
    /// How many terms a document may have, about.
    package static let termLimit = 4096

    /// Each once: stems of words; of runs every scalar and every two that follow one another; hashtags and mentions whole.
    package var terms: Set<Term> {
        var terms: Set<Term> = []
        for token in tokens where terms.count < Self.termLimit {
            guard token.isDense else {
                terms.insert(Term(word: form[token.place]))
                continue
            }
            let run = form[token.place]
            for (scalar, pair) in zip(run, Term.pairs(of: run, isWhole: true)) where terms.count < Self.termLimit {
                terms.insert(Term(dense: CollectionOfOne(scalar)))
                terms.insert(pair)
            }
            if let last = run.last { terms.insert(Term(dense: CollectionOfOne(last))) }
        }
        for (mark, place) in marked where terms.count < Self.termLimit { terms.insert(Term(mark: mark, form[place])) }
        return terms
    }
}
