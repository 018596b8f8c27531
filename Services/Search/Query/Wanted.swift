// SPDX-License-Identifier: Apache-2.0
// What a word of a query is looked for as.

package import TextAnalysis

/// One word or phrase: at least one of its ways must be found.
package struct Wanted: Sendable {
    package struct Way: Hashable, Sendable {
        /// Parts of an analysed form (`AnalyzedText.form`), all of which must be there.
        package let patterns: [[UInt32]]
        /// 1 for what was typed, less for what was made of it.
        package let closeness: Double
        /// Whether it stands for all words that begin so, of which the index knows some by other ways.
        package var isOpen = false
        /// What all words have in common for which an open way stands, where the index is asked for that instead of for each of them.
        package var beginning: Term?
    }

    package let ways: [Way]
    /// Of words that begin as what was typed.
    private static let begunCloseness = 0.8

    var open: Way? { ways.first(where: \.isOpen) }

    /// Without those that only say what an open one says as well.
    var deciding: [Way] {
        guard let open, let beginning = open.patterns.first else { return ways }
        return ways.filter { way in
            way.isOpen || way.closeness > open.closeness || way.patterns.count != 1
                || way.patterns.first?.starts(with: beginning) == false
        }
    }

    /// What was typed, exactly.
    package init?(exactly text: String) {
        guard let pattern = Self.pattern(text) else { return nil }
        ways = [Way(patterns: [pattern], closeness: 1)]
    }

    /// What was typed, with other spellings of it, and words that it may be the beginning of.
    ///
    /// - Parameter expansions: the first of these words, `WordStore.begunLimit` at most.
    package init?(_ text: String, begun expansions: [String] = []) {
        let written = AnalyzedText(text)
        guard let pattern = Self.pattern(written) else { return nil }
        var ways = [Way(patterns: [pattern], closeness: 1)]
        for variant in Spellings.variants(of: written) {
            if let pattern = Self.pattern(variant) { ways.append(Way(patterns: [pattern], closeness: 0.9)) }
        }
        for word in expansions {
            if let pattern = Self.pattern(word) {
                ways.append(Way(patterns: [pattern], closeness: Self.begunCloseness))
            }
        }
        if expansions.count > 1, let word = written.tokens.first, !word.isDense {
            let letters = word.written.unicodeScalars.map(\.value)
            let isKnown =
                letters.count <= AnalyzedText.beginnings.upperBound || expansions.count == WordStore.begunLimit
            let first = letters.prefix(AnalyzedText.beginnings.upperBound)
            ways.append(
                Way(
                    patterns: [[0x20] + letters],
                    closeness: Self.begunCloseness,
                    isOpen: true,
                    beginning: isKnown && first.count >= AnalyzedText.beginnings.lowerBound
                        ? Term(beginning: first) : nil
                )
            )
        }
        self.ways = Self.unique(ways)
    }

    /// As well what it is without its ending, its parts where it is a compound, and words that are nearly the same.
    package init?(loosely text: String, begun expansions: [String] = [], isTyping: Bool, near: [String] = []) {
        guard let strict = Wanted(text, begun: expansions) else { return nil }
        var ways = strict.ways
        for word in near {
            if let pattern = Self.pattern(word) { ways.append(Way(patterns: [pattern], closeness: 0.5)) }
        }
        let written = AnalyzedText(text)
        if written.marked.isEmpty, written.tokens.count == 1, let token = written.tokens.first, token.isDense {
            let scalars = Array(written.form[token.place])
            if isTyping {
                for syllable in Unfinished.completions(scalars) {
                    ways.append(Way(patterns: [syllable], closeness: 0.8))
                }
            }
            for (parts, closeness) in LooseForms.of(scalars) { ways.append(Way(patterns: parts, closeness: closeness)) }
        } else if written.marked.isEmpty, written.tokens.count > 1 {
            // AI공부 is looked for as AI and 공부, apart.
            let parts = written.tokens.map { token in
                token.isDense ? Array(written.form[token.place]) : [0x20] + written.form[token.place] + [0x20]
            }
            ways.append(Way(patterns: parts, closeness: 0.6))
        }
        self.ways = Self.unique(ways)
    }

    private static func unique(_ ways: [Way]) -> [Way] {
        var seen: Set<[[UInt32]]> = []
        return ways.filter { seen.insert($0.patterns).inserted }.prefix(80).map(\.self)
    }

    /// The part of a form that a text is found by: open at an end where there is a run, because a run goes on; between spaces where
    /// there is a word.
    package static func pattern(_ text: String) -> [UInt32]? { pattern(AnalyzedText(text)) }

    private static func pattern(_ written: AnalyzedText) -> [UInt32]? {
        guard let first = written.tokens.first, let last = written.tokens.last else { return nil }
        if let marked = written.marked.first { return Array(written.form[marked.place]) }
        let start = first.isDense ? first.place.lowerBound : first.place.lowerBound - 1
        let end = last.isDense ? last.place.upperBound : last.place.upperBound + 1
        return Array(written.form[max(0, start)..<min(end, written.form.count)])
    }
}

extension Wanted.Way {
    /// `patterns` in UTF-8, as forms are kept.
    var octets: [[UInt8]] { patterns.map { Array(String(scalars: $0).utf8) } }

    /// The terms that a document must have for each pattern to be there; of a run only its longest, which say what shorter ones say.
    ///
    /// - Parameter close: with those of `AnalyzedText.closeTerms`.
    func terms(close: Bool) -> Set<Term> {
        let longest = close ? AnalyzedText.longestGram : 2
        return terms { word in min(word.count, longest)...min(word.count, longest) }
    }

    /// Whether it is there wherever a single term is.
    func isOneTerm(close: Bool) -> Bool {
        guard patterns.count == 1, let pattern = patterns.first, terms(close: close).count == 1 else { return false }
        return switch pattern.first {
        case 0x20: pattern.last == 0x20
        case let first? where AnalyzedText.isDense(first): pattern.count <= (close ? AnalyzedText.longestGram : 2)
        case let first?: AnalyzedText.Mark(rawValue: first) != nil
        case nil: false
        }
    }

    /// As `terms`, with those that these say as well.
    func allTerms(close: Bool) -> Set<Term> {
        let longest = close ? AnalyzedText.longestGram : 2
        return terms { word in min(word.count, 2)...min(word.count, longest) }
    }

    /// - Parameter lengths: of terms of a run.
    private func terms(_ lengths: (ArraySlice<UInt32>) -> ClosedRange<Int>) -> Set<Term> {
        patterns.reduce(into: []) { terms, pattern in
            if let first = pattern.first, let mark = AnalyzedText.Mark(rawValue: first), pattern.last == 0x3B {
                terms.insert(Term(mark: mark, pattern))
                return
            }
            for word in pattern.split(separator: 0x20) {
                guard let first = word.first, AnalyzedText.isDense(first) else {
                    terms.insert(Term(word: word))
                    continue
                }
                for length in lengths(word) {
                    for index in word.indices.dropLast(length - 1) {
                        terms.insert(Term(dense: word[index..<(index + length)]))
                    }
                }
            }
        }
    }
}
