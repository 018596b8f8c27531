// SPDX-License-Identifier: Apache-2.0
// Words, runs, marks and names.

import Support
import Testing

@testable import TextAnalysis

@Suite struct AnalysisTests {
    @Test(arguments: [
        ("독서 모임에 갔다", " 독서모임에갔다 "), ("독서,모임", " 독서 모임 "), ("독서\n모임", " 독서 모임 "), ("AI공부 3월", " ai 공부 3 월 "),
        ("Cooking cookies, cooked!", " cook cookie cook "),
        ("I don't like Mina's C++ or C#", " i dont like mina c++ or c# "),
        ("오늘 #독서모임 @mina_kim 와", " 오늘 # 독서모임 ; @ mina kim ; 와 "), ("#swift", " # swift ; "), ("#1 #_ #", " 1 "),
        ("see https://www.example.org/swift-news?id=42 now", " see example org swift news id 42 now "),
        ("1,000원 3.14 v2.0.1", " 1000 원 3.14 v 2.0.1 "), ("サーバーとビール", " さーばーとびーる "), ("サーバー", " さーば "),
        ("ビール", " びーる "),
        ("ユーザー管理", " ゆーざ管理 "), ("東京 タワー", " 東京たわー "), ("l'amour café", " l amour cafe "), ("🎉🎉 축하", " 🎉 🎉 축하 "),
        ("", " "),
    ])
    func `reads`(text: String, form: String) { #expect(AnalyzedText(text).formText == form) }

    @Test(arguments: [
        ("cooking", "cook"), ("cooks", "cook"), ("baked", "bake"), ("baking", "bake"), ("hiking", "hike"),
        ("running", "run"), ("ran", "run"),
        ("children", "child"), ("studies", "study"), ("studying", "study"), ("making", "make"), ("hoping", "hope"),
        ("hopping", "hop"),
        ("falling", "fall"), ("boxes", "box"), ("dishes", "dish"), ("bus", "bus"), ("glass", "glass"), ("this", "this"),
        ("was", "be"),
        ("news", "news"), ("sing", "sing"), ("bring", "bring"), ("university", "universiti"), ("universe", "universe"),
        ("recipes", "recipe"),
        ("played", "play"), ("cities", "citi"), ("city", "citi"), ("practising", "practice"), ("movies", "movie"),
        ("happy", "happi"),
        ("changing", "change"), ("managed", "manage"), ("starting", "start"), ("swift", "swift"), ("learning", "learn"),
        ("loved", "love"),
        ("rainy", "raini"), ("tomatoes", "tomato"), ("red", "red"), ("need", "need"), ("wedding", "wedding"),
        ("opened", "open"),
    ])
    func `stems`(word: String, stem: String) { #expect(EnglishStem.of(word) == stem) }

    @Test func `a stem's terms are a document's terms, in any composition`() {
        let terms = AnalyzedText("책 읽기 café").terms
        #expect(AnalyzedText("책 읽기 cafe\u{301}").terms == terms)
        #expect(terms.contains(Term(dense: "책".unicodeScalars.map(\.value))))
        #expect(terms.contains(Term(dense: "책읽".unicodeScalars.map(\.value))))
        #expect(!terms.contains(Term(dense: "책기".unicodeScalars.map(\.value))))
        #expect(terms.count == 6)
    }

    @Test func `close terms are three scalars of a run, and how words begin, written or stemmed`() {
        let text = AnalyzedText("책 읽기 좋다 mice a")
        let close = text.closeTerms
        func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }
        let expected: [Term] =
            ["책읽기", "읽기좋", "기좋다"].map { Term(dense: scalars($0)) }
            + ["mi", "mic", "mice", "mo", "mou", "mous"].map { Term(beginning: scalars($0)) }
        #expect(close == text.terms.union(expected))
        #expect(close.count == text.terms.count + expected.count)
    }

    @Test(arguments: TestSeed.list([1, 2026])) func `any text is analysed`(seed: UInt64) {
        var chance = TestSeed(seed)
        for _ in 0..<200 {
            let text = RandomText.make(&chance)
            let analyzed = AnalyzedText(text)
            for token in analyzed.tokens { #expect(!token.place.isEmpty) }
            #expect(AnalyzedText(text).form == analyzed.form)
        }
    }
}

@Suite struct NameKeysTests {
    @Test(arguments: [
        ("관", "ㄱㅗㅏㄴ"), ("값", "ㄱㅏㅂㅅ"), ("꽃집", "ㄲㅗㅊㅈㅣㅂ"), ("Kim", "kim"), ("민수 K", "ㅁㅣㄴㅅㅜk"), ("ミナ", "みな"), ("ㄱㅘ", "ㄱㅗㅏ"),
    ])
    func `keys`(name: String, typed: String) { #expect(NameKeys.typed(name) == typed) }

    /// Every state of the keyboard on the way to a name is a beginning of it.
    @Test(arguments: [
        "관악산 등산 모임", "김민수", "고구마 굽는 마을", "값진 하루", "의왕 왜관 뷔페", "東京カメラ部", "Mina Kim", "ラーメン大好き", "카페 the Quiet",
    ])
    func `every beginning of a name finds it`(name: String) throws {
        let keys = NameKeys(name)
        let whole = try #require(keys.starts.first?.typed)
        var before: [UInt32] = []
        for scalar in FoldedText(name).scalars {
            for state in Self.states(scalar) {
                #expect(
                    whole.hasPrefix(NameKeys.typed(String(scalars: before + state))),
                    "\(String(scalars: before + state))"
                )
            }
            before.append(scalar)
        }
        let initials = try #require(keys.starts.first).initials ?? ""
        let isKorean =
            initials.unicodeScalars.count > 1 && initials.unicodeScalars.allSatisfy { Hangul.isConsonant($0.value) }
        for count in isKorean ? 2..<initials.unicodeScalars.count + 1 : 0..<0 {
            let typed = String(initials.unicodeScalars.prefix(count).map(Character.init))
            #expect(NameKeys.initials(typed: typed).map(initials.hasPrefix) == true)
        }
        // And with the first letter of the next syllable taken for an end: 곡 on the way to 고구마.
        #expect(NameKeys("고구마").starts[0].typed.hasPrefix(NameKeys.typed("곡")))
    }

    private static func states(_ scalar: UInt32) -> [[UInt32]] {
        guard Hangul.isSyllable(scalar), let initial = Hangul.initial(scalar) else { return [[scalar]] }
        let base = scalar - (scalar - 0xAC00) % 28
        // 과 is 고 first, 뷔 is 부, 의 is 으.
        let first: [UInt32: UInt32] = [9: 8, 10: 8, 11: 8, 14: 13, 15: 13, 16: 13, 19: 18]
        let vowel = (base - 0xAC00) / 28 % 21
        let start = first[vowel].map { base - (vowel - $0) * 28 } ?? base
        return [[initial], [start], [base], [scalar]]
    }

    @Test func `words and syllables within a name begin it as well`() {
        let starts = NameKeys("김민수 Photo Club").starts
        #expect(starts.map(\.position) == [0, 1, 2, 3, 8])
        #expect(starts[1].typed == "ㅁㅣㄴㅅㅜphotoclub" && starts[1].initials == "ㅁㅅphotoclub")
        #expect(
            NameKeys.initials(typed: "ㄱㅁㅅ") == "ㄱㅁㅅ" && NameKeys.initials(typed: "ㄱ") == nil
                && NameKeys.initials(typed: "ㄱa") == nil
        )
        #expect(NameKeys(String(repeating: "가", count: 5000)).starts.count == NameKeys.startLimit)
        #expect(NameKeys("!!! ...").starts.isEmpty && NameKeys.typed("\u{301}").isEmpty)
    }

    @Test(arguments: [
        ("mina", "mnia"), ("mina", "minna"), ("mina", "mika"), ("ㄱㅣㅁㅁㅣㄴㅅㅜ", "ㄱㅣㅁㅁㅣㄴㅅㅗ"),
        ("photographer", "photograper"),
    ])
    func `a slip shares a number`(name: String, typed: String) {
        #expect(!NameKeys.deletions(name).isDisjoint(with: NameKeys.deletions(typed)))
        #expect(NameKeys.slips(name, typed, most: 1) == 1)
        #expect(NameKeys.slips(name, "entirely", most: 2) == nil)
    }
}
