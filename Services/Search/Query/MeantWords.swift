// SPDX-License-Identifier: Apache-2.0
// What the words of a query are looked for as.

import Postgres
import TextAnalysis

extension SearchQuery {
    var isEmpty: Bool { !words.contains { !$0.isExcluded } && restrictions.isEmpty }

    /// With whether somebody is still writing it.
    private var wantedWords: [(Word, Bool)] {
        words.enumerated().filter { !$0.element.isExcluded }.map {
            ($0.element, isTyping && $0.offset == words.count - 1)
        }
    }

    /// As they were typed.
    func strict(_ begun: [String]) -> [Wanted] {
        wantedWords.compactMap { word, isTyping in
            word.isPhrase ? Wanted(exactly: word.text) : Wanted(word.text, begun: isTyping ? begun : [])
        }
    }

    /// And what they may have been meant as.
    func loose(_ begun: [String], _ near: [String: [String]]) -> [Wanted] {
        wantedWords.compactMap { word, isTyping in
            word.isPhrase
                ? Wanted(exactly: word.text)
                : Wanted(
                    loosely: word.text,
                    begun: isTyping ? begun : [],
                    isTyping: isTyping,
                    near: near[word.text] ?? []
                )
        }
    }

    /// What the last word may be the beginning of, where spaces part words.
    func begun(in database: some Querying) async throws -> [String] {
        guard isTyping, let last = words.last, let word = last.written, word.unicodeScalars.count > 1 else { return [] }
        return try await WordStore.begun(word, in: database)
    }

    /// For words of five letters and more: what they may have been meant to be.
    func near(in database: some Querying) async throws -> [String: [String]] {
        var found: [String: [String]] = [:]
        for (word, _) in wantedWords where !word.isPhrase {
            guard let written = word.written, written.unicodeScalars.count >= 5, found[word.text] == nil else {
                continue
            }
            let most = written.unicodeScalars.count >= 8 ? 2 : 1
            let near = try await WordStore.near(NameKeys.deletions(written).sorted(), in: database)
            found[word.text] = near.filter { NameKeys.slips($0, written, most: most) != nil }
        }
        return found
    }
}

extension SearchQuery.Word {
    /// The only word of a text, where spaces part words.
    fileprivate var written: String? {
        let text = AnalyzedText(text)
        guard text.marked.isEmpty, text.tokens.count == 1, let token = text.tokens.first, !token.isDense else {
            return nil
        }
        return token.written
    }
}
