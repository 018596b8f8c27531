// SPDX-License-Identifier: Apache-2.0

import Support
import Testing

@testable import TextAnalysis

@Suite struct OriginsTests {
    @Test(arguments: [
        ("Ｈｅｌｌｏ, 독서 모임!", "hello", "Ｈｅｌｌｏ"), ("Ｈｅｌｌｏ, 독서 모임!", "독서모임", "독서 모임"), ("독서 모임", "서모", "서 모"),
        ("two mice ran", "mouse", "mice"), ("two mice ran", "run", "ran"), ("#독서_모임 @mina", "# 독서 모임 ;", "독서_모임"),
        ("#독서_모임 @mina", "mina", "mina"), ("サーバー", "さーば", "サーバ"), ("e\u{301}te\u{301} ㄱㅏ", "ete", "e\u{301}te\u{301}"),
        ("it's 1,024 C++", "1024", "1,024"), ("it's 1,024 C++", "c++", "C++"),
        ("https://example.org/one", "example", "example"),
    ])
    func `a part of a form leads back to where it was written`(text: String, part: String, written: String) throws {
        let form = AnalyzedText(text).formText
        let place = try #require(form.firstRange(of: part), "\(form)")
        let octets =
            form.utf8.distance(
                from: form.startIndex,
                to: place.lowerBound
            )..<form.utf8.distance(from: form.startIndex, to: place.upperBound)
        let origins = try #require(Origins(of: text, form: Array(form.utf8)))
        let source = try #require(origins.source(of: octets))
        #expect(String(decoding: Array(text.utf8)[source], as: UTF8.self) == written)
        #expect(origins.source(of: 0..<0) == nil && origins.source(of: 900..<1000) == nil)
    }

    @Test(arguments: TestSeed.list([1, 2026])) func `every word of any text was written somewhere, in order`(
        seed: UInt64
    ) {
        var chance = TestSeed(seed)
        for _ in 0..<200 {
            let text = RandomText.make(&chance)
            let form = Array(AnalyzedText(text).formText.utf8)
            guard let origins = Origins(of: text, form: form) else {
                Issue.record("\(text)")
                continue
            }
            var last = 0
            for word in form.split(separator: 0x20) where ![[0x23], [0x40], [0x3B]].contains(Array(word)) {
                guard let source = origins.source(of: word.startIndex..<word.endIndex) else {
                    Issue.record("\(text)")
                    continue
                }
                #expect(source.lowerBound >= last && source.upperBound <= text.utf8.count, "\(text)")
                last = source.lowerBound
            }
        }
    }

    @Test(arguments: ["", " ", " hello ", " 독서 ", " 독서모임 hello ", " # 독서모임 ; "])
    func `the form of another text is not taken for its own`(form: String) {
        #expect(Origins(of: "독서 모임!", form: Array(form.utf8)) == nil)
    }
}
