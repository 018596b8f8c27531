// SPDX-License-Identifier: Apache-2.0
// Words that are looked for, held to a search that tries every place.

import Support
import Testing

@testable import TextAnalysis

@Suite struct TermTests {
    private func found(_ words: [String], in text: String, dressed: Bool = false) -> Set<Int> {
        var found: Set<Int> = []
        TermMatcher(words.map { TermMatcher.Word($0, seesThroughDigits: dressed) }).search(text) {
            found.insert($0)
            return true
        }
        return found
    }

    @Test(arguments: [
        ("bad", "This is bad.", true), ("bad", "BAD", true), ("bad", "ｂａｄ", true), ("bad", "b\u{200B}a\u{200D}d", true),
        ("bad", "bádly bád", true), ("bad", "badly", false), ("bad", "abad", false), ("bad", "bad1", false),
        ("bad", "bad은 안 돼요", true), ("bad", "그건bad야", true), ("bad", "#bad", true), ("bad", "bad_word", true),
        ("나쁜", "아주나쁜말", true), ("나쁜말", "나쁜 말", false), ("나쁜 말", "나쁜\n\t 말", true),
        ("\u{1102}\u{1161}", "나쁜", true), ("バカ", "ばかやろう", true), ("馬鹿", "大馬鹿者", true),
        ("ﬁne", "fine", true), ("e\u{301}", "é", true), ("bad", "", false), ("bad", "\u{FEFF}", false),
        ("😈", "a😈b", true),
    ])
    func `finds a word in the form in which it is meant`(word: String, text: String, isThere: Bool) {
        #expect(found([word], in: text) == (isThere ? [0] : []))
    }

    @Test(arguments: [
        ("bad", "b4d", true), ("bad", "8@D", true), ("kill", "k1ll", true), ("kill", "kiII", true),
        ("b4d", "bad", true),
        ("bad", "b4dly", false), ("total", "t0+a1", true),
    ])
    func `sees through digits where it is told to`(word: String, text: String, isThere: Bool) {
        #expect(found([word], in: text, dressed: true) == (isThere ? [0] : []))
        if word.allSatisfy(\.isLetter), text != "kiII" { #expect(found([word], in: text).isEmpty) }
    }

    @Test func `finds words within words and words that end alike`() {
        #expect(found(["가나다라", "나다", "다라", "라", "마"], in: "가나다라") == [0, 1, 2, 3])
        #expect(found(["a b c", "b", "c d"], in: "a b c d") == [0, 1, 2])
    }

    @Test func `stops when it is told to`() {
        var calls = 0
        TermMatcher([.init("가"), .init("나")]).search("가나가나") { _ in
            calls += 1
            return false
        }
        #expect(calls == 1)
    }

    @Test func `knows what can be looked for`() {
        #expect(TermMatcher.canFind("말"))
        #expect(TermMatcher.canFind(String(repeating: "말", count: 64)))
        for text in ["", " \n", "\u{200B}", "...", String(repeating: "말", count: 65)] {
            #expect(!TermMatcher.canFind(text), "\(text.debugDescription)")
        }
    }

    @Test func `agrees with a search that tries every place`() {
        var random = TestSeed()
        let alphabet = Array("ab가나ㄱカ1 _é\u{200B}\n".unicodeScalars)
        func text(_ most: Int) -> String {
            var view = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...most, using: &random) {
                view.append(alphabet[Int.random(in: 0..<alphabet.count, using: &random)])
            }
            return String(view)
        }
        for _ in 0..<2000 {
            let words = (0..<Int.random(in: 0...8, using: &random)).map { _ in text(4) }
            let searched = text(40)
            let naive = TermMatcher.scalars(searched, dressed: false)
            var expected: Set<[UInt32]> = []
            for word in words {
                let scalars = TermMatcher.scalars(word, dressed: false)
                guard !scalars.isEmpty, scalars.count <= naive.count else { continue }
                for start in 0...(naive.count - scalars.count) {
                    let range = start..<(start + scalars.count)
                    if Array(naive[range]) == scalars, TermMatcher.isWhole(range, in: naive) {
                        expected.insert(scalars)
                    }
                }
            }
            let seen = found(words, in: searched).map { TermMatcher.scalars(words[$0], dressed: false) }
            #expect(Set(seen) == expected, "\(words.debugDescription) in \(searched.debugDescription)")
        }
    }

    @Test func `takes as many steps as a text has scalars, whatever the words are`() {
        let words = (1...TermMatcher.longest).map { [UInt32](repeating: 0xAC00, count: $0) + [0xAC01] }
        let tree = TermTree(words)
        var calls = 0
        tree.search([UInt32](repeating: 0xAC00, count: 200_000)) { _ in
            calls += 1
            return true
        }
        #expect(calls == 0)
    }
}
