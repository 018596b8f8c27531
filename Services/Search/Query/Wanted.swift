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
    }

    package let ways: [Way]

    /// Without those that only say what an open one says as well.
    var deciding: [Way] {
        guard let open = ways.first(where: \.isOpen), let beginning = open.patterns.first else { return ways }
        return ways.filter { way in
            way.isOpen || way.closeness > open.closeness || way.patterns.count != 1
                || way.patterns.first?.starts(with: beginning) == false
        }
    }

    /// Enough of the ways to find all that any finds: whatever 도서관에서 is in, 도서관 is in as well.
    var broadest: [Way] {
        // Of many the most begin alike, and none holds another.
        guard (2...16).contains(ways.count) else { return ways }
        return ways.enumerated().filter { index, way in
            !ways.enumerated().contains { other, broader in
                other != index && broader.isOpen == way.isOpen && broader.patterns.count == 1
                    && way.patterns.contains { Self.holds($0, broader.patterns[0]) }
                    && (other < index || way.patterns != broader.patterns)
            }
        }.map(\.element)
    }

    private static func holds(_ pattern: [UInt32], _ part: [UInt32]) -> Bool {
        guard let first = part.first, part.count <= pattern.count else { return false }
        return (0...(pattern.count - part.count)).contains { start in
            pattern[start] == first && pattern[start..<(start + part.count)].elementsEqual(part)
        }
    }

    /// What was typed, exactly.
    package init?(exactly text: String) {
        guard let pattern = Self.pattern(text) else { return nil }
        ways = [Way(patterns: [pattern], closeness: 1)]
    }

    /// What was typed, with other spellings of it, and words that it may be the beginning of.
    package init?(_ text: String, begun expansions: [String] = []) {
        guard let pattern = Self.pattern(text) else { return nil }
        var ways = [Way(patterns: [pattern], closeness: 1)]
        for variant in Spellings.variants(of: text) {
            if let pattern = Self.pattern(variant) { ways.append(Way(patterns: [pattern], closeness: 0.9)) }
        }
        for word in expansions {
            if let pattern = Self.pattern(word) { ways.append(Way(patterns: [pattern], closeness: 0.8)) }
        }
        let written = AnalyzedText(text)
        if expansions.count > 1, let word = written.tokens.first, !word.isDense {
            let beginning = [0x20] + word.written.unicodeScalars.map(\.value)
            ways.append(Way(patterns: [beginning], closeness: 0.8, isOpen: true))
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
    package static func pattern(_ text: String) -> [UInt32]? {
        let written = AnalyzedText(text)
        guard let first = written.tokens.first, let last = written.tokens.last else { return nil }
        if let marked = written.marked.first { return Array(written.form[marked.place]) }
        let start = first.isDense ? first.place.lowerBound : first.place.lowerBound - 1
        let end = last.isDense ? last.place.upperBound : last.place.upperBound + 1
        return Array(written.form[max(0, start)..<min(end, written.form.count)])
    }
}

extension Wanted.Way {
    /// The terms that a document must have for each pattern to be there.
    package var terms: Set<Term> {
        patterns.reduce(into: []) { terms, pattern in
            if let first = pattern.first, let mark = AnalyzedText.Mark(rawValue: first), pattern.last == 0x3B {
                terms.insert(Term(mark: mark, pattern))
                return
            }
            for word in pattern.split(separator: 0x20) {
                guard let first = word.first else { continue }
                if !Self.isDense(first) {
                    terms.insert(Term(word: word))
                } else if word.count == 1 {
                    terms.insert(Term(dense: word))
                } else {
                    // Behind the last two a run may go on.
                    terms.formUnion(Term.pairs(of: word, isWhole: false))
                }
            }
        }
    }

    private static func isDense(_ scalar: UInt32) -> Bool { AnalyzedText.isDense(scalar) }
}
