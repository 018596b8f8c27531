// SPDX-License-Identifier: Apache-2.0
// What people type, and what it means.

import Support
import Testing
import TextAnalysis

@testable import SearchService

@Suite struct QueryTests {
    typealias Word = SearchQuery.Word

    @Test(arguments: [
        ("독서 모임", SearchQuery(words: [Word("독서"), Word("모임")], isTyping: true)),
        ("독서 ", SearchQuery(words: [Word("독서")])),
        (
            "\"독서 모임\" -광고 「夜の 散歩」",
            SearchQuery(words: [
                Word("독서 모임", isPhrase: true), Word("광고", isExcluded: true), Word("夜の 散歩", isPhrase: true),
            ])
        ),
        (
            "-\"two words\" x",
            SearchQuery(words: [Word("two words", isPhrase: true, isExcluded: true), Word("x")], isTyping: true)
        ),
        ("from:@mina has:image", SearchQuery(restrictions: [.init(.from("mina")), .init(.has(.image))])),
        (
            "-has:poll FROM:me swift",
            SearchQuery(
                words: [Word("swift")],
                restrictions: [.init(.has(.poll), isExcluded: true), .init(.from("me"))],
                isTyping: true
            )
        ),
        (
            "lang:KO in:#general 안녕",
            SearchQuery(
                words: [Word("안녕")],
                restrictions: [.init(.language("ko")), .init(.inside("general"))],
                isTyping: true
            )
        ),
        (
            "has:nothing before:soon x:y",
            SearchQuery(words: [Word("has:nothing"), Word("before:soon"), Word("x:y")], isTyping: true)
        ),
        ("\"never closed", SearchQuery(words: [Word("never closed", isPhrase: true)])),
        (
            "- -- \"\" from: has:",
            SearchQuery(words: [Word("-"), Word("-", isExcluded: true), Word("from:"), Word("has:")], isTyping: true)
        ),
        ("say\"hi there\"", SearchQuery(words: [Word("say"), Word("hi there", isPhrase: true)])),
        ("  \t\n", SearchQuery()),
        ("from：mina", SearchQuery(restrictions: [.init(.from("mina"))])),
    ])
    func `parses`(text: String, query: SearchQuery) { #expect(SearchQuery(text) == query) }

    @Test(arguments: [
        ("2026", 1_767_225_600_000, 1_798_761_600_000), ("2024-02", 1_706_745_600_000, 1_709_251_200_000),
        ("2024-02-29", 1_709_164_800_000, 1_709_251_200_000), ("2026-12-31", 1_798_675_200_000, 1_798_761_600_000),
    ])
    func `days`(text: String, start: Int64, end: Int64) throws {
        let day = try #require(Day(text))
        #expect(day.start == start && day.end == end && Day(day.description) == day)
    }

    @Test(arguments: ["26", "2026-13", "2025-02-29", "2026-1-1-1", "2026-", "1969", "二〇二六", "2026-00", "20261"])
    func `no days`(text: String) { #expect(Day(text) == nil) }

    @Test(arguments: TestSeed.list([1, 2026])) func `every text parses, to what its description parses to`(seed: UInt64)
    {
        var chance = TestSeed(seed)
        let pieces = [
            "\"", "-", ":", "from:", "has:image", "before:2026-01", "after:x", "독서", "読書", "word", " ", " ", "“", "」",
            "\u{301}", "@", "#t", "\0", "\u{3000}",
        ]
        for _ in 0..<500 {
            let text = (0..<Int.random(in: 0...30, using: &chance)).map { _ in
                pieces.randomElement(using: &chance) ?? ""
            }.joined()
            let query = SearchQuery(text)
            #expect(query.words.count <= SearchQuery.wordLimit && query.restrictions.count <= SearchQuery.filterLimit)
            #expect(SearchQuery(query.description) == query, "\(text) | \(query.description)")
            for word in query.words {
                for way in Wanted(loosely: word.text, isTyping: true)?.ways ?? [] {
                    #expect(way.patterns.allSatisfy { !$0.isEmpty })
                }
            }
        }
        let long = SearchQuery(String(repeating: "낱말 from:a ", count: 10_000))
        #expect(long.words.count == SearchQuery.wordLimit && long.restrictions.count == SearchQuery.filterLimit)
    }

    @Test(arguments: [
        ("도서관에서는", "도서관"), ("책을", "책"), ("독서모임", "독서|모임"), ("맛있는", "맛있"), ("食べたい", "食べ"), ("東京の天気", "東京|天気"),
        ("自然言語処理", "自然|言語処理"),
        ("도서과", "도서관"), ("도서ㄱ", "도서"), ("컨텐츠", "콘텐츠"), ("こども", "子供"), ("AI공부", " ai |공부"),
    ])
    func `a word may be meant as another`(typed: String, meant: String) throws {
        let wanted = try #require(Wanted(loosely: typed, isTyping: true))
        let ways = wanted.ways.map { way in way.patterns.map { String(scalars: $0) }.joined(separator: "|") }
        #expect(ways.contains(meant), "\(ways)")
        #expect(wanted.ways.first?.closeness == 1)
    }
}
