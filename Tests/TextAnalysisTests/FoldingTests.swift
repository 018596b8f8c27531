// SPDX-License-Identifier: Apache-2.0
// What is the same in a search, held to Unicode's own tables and to tables of ours.

import Foundation
import Support
import Testing

@testable import TextAnalysis

@Suite struct FoldingTests {
    @Test(arguments: [
        ("Ｍａｄａｎｇ２０２６", "madang2026"), ("ÀÉÎÕÜ ñ ç ø ł ß Æ", "aeiou n c o l ss ae"), ("ﬁne ① ㎏ ²", "fine 1 kg 2"),
        ("ｻｰﾊﾞｰ", "さーばー"), ("カタカナ", "かたかな"), ("ガギグ", "がぎぐ"), ("か\u{3099}は\u{309A}", "がぱ"), ("人々", "人人"),
        ("すゝめ いすゞ", "すすめ いすず"), ("ヴァイオリン", "ばいおりん"), ("すごーーーい", "すごーい"), ("ㅋㅋㅋㅋㅋ", "ㅋㅋ"), ("ｶﾞｷﾞ", "がぎ"),
        ("\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}", "한글"), ("ﾡﾢ", "ㄱㄲ"), ("國語 髙橋 渡邊", "国語 高橋 渡辺"),
        ("𝓜𝓪𝓭", "mad"),
        ("Ёлка Й", "елка и"), ("ΆΣς", "ασσ"), ("a\u{200D}b\u{FE0F}c\u{AD}d", "abcd"), ("👍🏽", "👍"), ("㈜마당", "(주)마당"),
    ])
    func `folds`(text: String, folded: String) { #expect(FoldedText(text).text == folded) }

    @Test func `agrees with Unicode's tables`() throws {
        let file = repositoryRoot.appending(path: "Tests/Fixtures/search/folding.tsv")
        var seen = 0
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            let scalar = try #require(UInt32(columns[0], radix: 16).flatMap(Unicode.Scalar.init))
            let folded = columns[1].split(separator: " ").compactMap { UInt32($0, radix: 16) }
            // What stands by itself in the tables and not here: old kanji, and a voicing mark with nothing to voice.
            guard !OldKanji.pairs.contains(where: { $0.0 == scalar.value || folded.contains($0.0) }),
                !folded.contains(where: Kana.isMark)
            else { continue }
            seen += 1
            // An iteration mark repeats what is before it; between two spaces there is nothing.
            #expect(FoldedText(" \(Character(scalar)) ").scalars == [0x20] + folded + [0x20], "\(columns[0])")
        }
        #expect(seen > 400)
    }

    @Test func `letters of Hangul are counted alike however they are coded`() {
        let single = FoldedText("ㄴㄴ나")
        #expect(FoldedText("ㄴㄴㄴ").scalars == FoldedText("ㄴㄴ").scalars)
        #expect(FoldedText("\u{1102}\u{1102}\u{1102}").scalars == FoldedText("ㄴㄴ").scalars)
        #expect(FoldedText("ㄴ\u{1102}\u{3134}\u{1102}").scalars == FoldedText("ㄴㄴ").scalars)
        // The third begins a syllable.
        #expect(FoldedText("\u{1102}\u{1102}\u{1102}\u{1161}").scalars == single.scalars)
        #expect(single.scalars.count == 3)
    }

    @Test(arguments: TestSeed.list([1, 2026, 5_344_900]))
    func `composed or not, once or twice: the same`(seed: UInt64) {
        var chance = TestSeed(seed)
        for _ in 0..<300 {
            let text = RandomText.make(&chance)
            let folded = FoldedText(text)
            #expect(FoldedText(text.decomposedStringWithCanonicalMapping).scalars == folded.scalars, "\(text)")
            #expect(FoldedText(text.precomposedStringWithCanonicalMapping).scalars == folded.scalars, "\(text)")
            let again = FoldedText(folded.text)
            #expect(again.scalars == folded.scalars, "\(text.unicodeScalars.map { String($0.value, radix: 16) })")
            #expect(
                folded.places.count == folded.scalars.count
                    && folded.places.allSatisfy { $0.upperBound <= text.utf8.count }
            )
        }
    }

    @Test func `hostile text stays small`() {
        let marks = "e" + String(repeating: "\u{301}", count: 10_000)
        #expect(FoldedText(marks).scalars == [0x65])
        #expect(AnalyzedText(marks).form.count < 5)
        let word = AnalyzedText(String(repeating: "x", count: 1_000_000))
        #expect(word.form.count <= AnalyzedText.wordLimit + 2 && word.tokens.count == 1)
        for piece in [
            "한", "a ", "#", "@", "#가", "https://", "'", "ﷺ", "a\u{301}", "ゞ", "カ\u{3099}", "1,000.", "👩‍💻", "\u{1100}",
        ] {
            let text = AnalyzedText(String(repeating: piece, count: 50_000))
            #expect(text.form.count <= 4 * AnalyzedText.limit, "\(piece)")
            #expect(text.terms.count <= AnalyzedText.termLimit + 1, "\(piece)")
            #expect(text.closeTerms.count <= 3 * AnalyzedText.termLimit + 8, "\(piece)")
        }
    }
}

/// Text out of everything that is treated in some way.
enum RandomText {
    private static let pieces: [String] =
        ["가", "관", "힣", "ㄱ", "ㅋㅋ", "\u{1100}", "\u{1161}", "\u{11AB}", "カ", "が", "ﾊﾞ", "ー", "ヴァ", "々", "ゝ", "漢字", "國"]
        + [
            "é", "e\u{301}", "Å", "ﬁ", "Ⅳ", "①", "abc", "running", "don't", "C++", "C#", "1,000", "3.14", "2026", "#태그",
            "@mina_kim",
        ]
        + [
            "https://example.org/a?b=c", " ", "  ", "\n", "!", "-", "\"", "👍🏽", "👩‍💻", "\u{200D}", "й", "ё", "ا\u{64E}",
            "क\u{93C}", "ไทย", "ệ", "\0",
        ]

    static func make(_ chance: inout TestSeed) -> String {
        (0..<Int.random(in: 0...14, using: &chance)).map { _ in pieces.randomElement(using: &chance) ?? "" }.joined()
    }
}
