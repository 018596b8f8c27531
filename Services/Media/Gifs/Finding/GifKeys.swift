// SPDX-License-Identifier: Apache-2.0
// What GIFs are found by.

import TextAnalysis

/// Keys find candidates; patterns on the form decide, for two words may share a key.
struct GifKeys: Sendable {
    let keys: [Int32]
    let form: String

    /// Of an entry.
    init(_ text: GifText) {
        // A line each, so that nothing is found across two of them.
        let words = [text.title, text.altText] + text.tags + [text.category, text.subcategory]
        let analyzed = AnalyzedText(words.joined(separator: "\n"))
        let exact = text.tags + [text.title, text.category, text.subcategory].map { GifText.folded($0) }
        let facts = Set(exact.filter { !$0.isEmpty }.map(Self.exactly) + [Self.of(text.kind)])
        keys = analyzed.terms.union(facts).map(\.number).sorted()
        form = analyzed.formText
    }

    static func of(_ kind: GifKind) -> Term { Term(fact: "kind", kind.name) }

    /// What has the text as its whole title, category or tag.
    static func exactly(_ text: String) -> Term { Term(fact: "exactly", text) }
}

/// What somebody looks for.
struct GifQuery: Sendable {
    let kind: GifKind
    /// The strongest that is shown; milder ones are, too.
    let rating: GifRating
    /// Of its words.
    let words: [Int32]
    /// Patterns of LIKE, all of which the form must have.
    let patterns: [String]
    /// What makes an entry the best.
    let exact: [Int32]

    /// Nil where there is no word in the text.
    init?(_ text: String, _ kind: GifKind, _ rating: GifRating) {
        let text = text.filter { $0 != "#" && $0 != "@" }
        let analyzed = AnalyzedText(text)
        words = analyzed.terms.map(\.number).sorted()
        guard !words.isEmpty else { return nil }
        self.kind = kind
        self.rating = rating
        patterns = analyzed.tokens.map { token in
            let word = analyzed.text(of: token.place)
            return token.isDense ? "%\(word)%" : "% \(word) %"
        }
        exact = [GifKeys.exactly(GifText.folded(text)).number]
    }

    /// What has some of the words.
    init?(tags: [String], _ kind: GifKind, _ rating: GifRating) {
        self.init(tags.joined(separator: "\n"), kind, rating)
    }

    /// What all of the kind have.
    var kindKey: Int32 { GifKeys.of(kind).number }

    /// The keys that all must have.
    var keys: [Int32] { words + [kindKey] }
}
