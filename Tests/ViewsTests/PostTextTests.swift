// SPDX-License-Identifier: Apache-2.0
// Mentions, hashtags, links and HTML of texts, ordinary and hostile.

import Domain
import Events
import Support
import Testing

@testable import Views

let site = Site(domain: "localhost:3000", origin: "http://localhost:3000")

func html(_ text: String, _ names: String...) -> String {
    let mentions = names.enumerated().compactMap { index, name in
        Username(name).map { MentionSnapshot(id: AccountID(Int64(index)), username: $0) }
    }
    return PostText.html(text, mentions: mentions, site: site)
}

@Suite struct PostTextTests {
    @Test(arguments: [
        ("hi @minji and @Jun!", ["minji", "jun"]), ("@minji @MINJI", ["minji"]), ("@minji님 안녕", ["minji"]),
        ("안녕@minji", []), ("mail me@minji.com", []), ("@minji@localhost:3000 @jun@other.example", ["minji"]),
        ("(@minji)", ["minji"]), (".@minji.", ["minji"]), ("@", []), ("@@@@minji", ["minji"].filter { _ in false }),
        ("https://a.b/@minji", []), ("a/@minji", []), ("@min-ji", ["min"]),
        ("@" + String(repeating: "a", count: 31), []),
        ("「@minji」", ["minji"]), ("@minji@LOCALHOST:3000.", ["minji"]), ("\n@minji\n@jun", ["minji", "jun"]),
    ])
    func mentionsAreFound(_ text: String, _ names: [String]) {
        #expect(PostText.mentions(in: text, domain: "localhost:3000").map(\.text) == names)
    }

    @Test(arguments: [
        ("#Swift #swift #스위프트", ["swift", "스위프트"]), ("#123 #1a", ["1a"]), ("a#b", []), ("##", []), ("#", []),
        ("＃日本語 #カタカナ・テスト・", ["日本語", "カタカナ・テスト"]), ("https://a.b/#tag", []), ("&#39; &#x27;", []),
        ("#마당에서,", ["마당에서"]), ("(#a)", ["a"]), ("#a#b", ["a"]), ("#_", []), ("#a_b.", ["a_b"]), ("#é́x", ["é́x"]),
    ])
    func tagsAreFound(_ text: String, _ tags: [String]) {
        #expect(PostText.tags(in: text) == tags)
    }

    @Test func lengthCountsWhatAReaderSees() {
        #expect(PostText.length(of: "") == 0)
        #expect(PostText.length(of: "안녕 👩‍👩‍👧‍👦é") == 5)
        #expect(PostText.length(of: "see https://example.com/\(String(repeating: "a", count: 500))") == 27)
        #expect(PostText.length(of: "@minji@very.long.example hi") == 9)
        #expect(PostText.length(of: String(repeating: "가", count: 501)) == 501)
    }

    @Test(arguments: [
        ("see https://example.com.", "https://example.com"), ("(https://a.example/b_(c))", "https://a.example/b_(c)"),
        ("https://a.example/b)", "https://a.example/b"), ("https://example.com를 봐", "https://example.com"),
        ("HTTP://A.example/X?y=1&z=2#f!", "HTTP://A.example/X?y=1&z=2#f"),
        ("http://localhost:3000/@a", "http://localhost:3000/@a"),
        ("https://ko.wikipedia.org/wiki/마당、", "https://ko.wikipedia.org/wiki/마당"),
        ("<https://a.example>", "https://a.example"),
        ("http://한국.example/", "http://한국.example/"), ("\"https://a.example/\"", "https://a.example/"),
        ("https://a.example/[1]]", "https://a.example/[1]"),
    ])
    func linksEndWhereTheyEnd(_ text: String, _ url: String) {
        var scanner = PostTextScanner(text, domain: "")
        var found: [String] = []
        while let token = scanner.next() { if case .url = token.kind { found.append(scanner.text(token.range)) } }
        #expect(found == [url])
    }

    @Test(arguments: [
        "javascript:alert(1)", "http://", "https:///x", "ahttps://a.example", "ftp://a.example", "data:text/html,x",
        "http://user:pass@a.example", "http://user@a.example", "https://-", "http://.", "h", "http:",
    ])
    func noLinkIsMadeOf(_ text: String) {
        #expect(!html(text).contains("<a"))
    }

    @Test func markupIsWhatClientsExpect() {
        #expect(html("") == "")
        #expect(html("a\nb\n\nc\r\nd\n\n\n\ne") == "<p>a<br>b</p><p>c<br>d</p><p>e</p>")
        #expect(html("\n\na\n") == "<p>a</p>")
        #expect(
            html("@minji hi @nobody", "minji")
                == "<p><span class=\"h-card\"><a href=\"http://localhost:3000/@minji\" class=\"u-url mention\">"
                + "@<span>minji</span></a></span> hi @nobody</p>"
        )
        #expect(
            html("#마당")
                == "<p><a href=\"http://localhost:3000/tags/%EB%A7%88%EB%8B%B9\" class=\"mention hashtag\" rel=\"tag\">"
                + "#<span>마당</span></a></p>"
        )
        #expect(
            html("https://www.example.com/a?b=1&c=abcdefghijklmnopqrstuvwxyz")
                == "<p><a href=\"https://www.example.com/a?b=1&amp;c=abcdefghijklmnopqrstuvwxyz\" target=\"_blank\" "
                + "rel=\"nofollow noopener noreferrer\"><span class=\"invisible\">https://www.</span>"
                + "<span class=\"ellipsis\">example.com/a?b=1&amp;c=abcdefghij</span>"
                + "<span class=\"invisible\">klmnopqrstuvwxyz</span></a></p>"
        )
        #expect(PostText.inlineHTML("a\n<b>", mentions: [], site: site) == "a &lt;b&gt;")
    }

    @Test(arguments: [
        "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "https://a.example/\"onmouseover=\"alert(1)",
        "https://a.example/'onmouseover='alert(1)", "https://a.example/<script>", "#<b>", "@<b>", "&lt;script&gt;",
        "#a\"b",
        "https://a.example/?x=%22%3E<svg/onload=1>", "]]><!--", "@minji<script>",
    ])
    func nothingFromOutsideIsMarkup(_ text: String) {
        let markup = html(text, "minji")
        // Only the tags that we write ourselves may be there.
        let tags = markup.split(separator: "<").dropFirst(markup.hasPrefix("<") ? 0 : 1).map { $0.prefix { $0 != ">" } }
        for tag in tags {
            let name = tag.drop { $0 == "/" }.prefix { $0.isLetter }
            #expect(["p", "br", "a", "span"].contains(String(name)), "\(tag)")
            #expect(tag.filter { $0 == "\"" }.count % 2 == 0)
            for attribute in tag.split(separator: "\"").enumerated() where attribute.offset % 2 == 0 {
                #expect(!attribute.element.contains("on"), "\(tag)")
            }
        }
    }

    @Test(arguments: [
        "a", "@", "#", "@a", "#a", "@a@", "http://", "https://a.example/(", "h", "가", "#가", "e\u{301}", "\u{301}",
        "@a@b.", "#1",
        "#1・", "http://a@", ")", "https://a.example/))", "\n", "&", "👩‍👩‍👧‍👦", "＃", "http://h",
    ])
    func timeIsLinear(_ piece: String) {
        func cost(_ size: Int) -> Duration {
            let text = String(repeating: piece, count: size / piece.utf8.count)
            return processorTime {
                _ = PostText.html(text, mentions: [], site: site)
                _ = PostText.tags(in: text)
                _ = PostText.mentions(in: text, domain: "localhost:3000")
                _ = PostText.length(of: text)
            }
        }
        let (part, whole) = (cost(32 << 10), cost(256 << 10))
        // Eight times the text; a square would cost sixty-four times as much.
        #expect(whole < part * 24, "\(piece): \(part) for an eighth, \(whole) for the whole")
    }

    @Test func noMutationTraps() {
        let text = Array("안녕 @minji@localhost:3000 #마당 https://www.a.example/(x)?y=1. ＃日本・".utf8)
        var random = TestSeed()
        for _ in 0..<5000 {
            var bytes = text
            for _ in 0..<3 {
                guard let index = bytes.indices.randomElement(using: &random) else { continue }
                bytes[index] = .random(in: 0...255, using: &random)
            }
            let mutated = String(decoding: bytes.prefix(.random(in: 0...bytes.count, using: &random)), as: UTF8.self)
            _ = PostText.html(mutated, mentions: [], site: site)
            _ = PostText.tags(in: mutated)
            _ = PostText.length(of: mutated)
        }
    }
}
