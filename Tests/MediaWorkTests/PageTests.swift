// SPDX-License-Identifier: Apache-2.0
// What is read of pages, also of those that lie.

import Foundation
import MediaWork
import MediaWorker
import Support
import Testing

@Suite struct PageTests {
    private func facts(_ html: String, charset: String? = nil) -> PageFacts {
        Page.facts(of: Array(html.utf8), charset: charset)
    }

    /// The bytes of a text in another encoding, by iconv's name for it.
    private func bytes(_ text: String, _ encoding: String) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/iconv")
        process.arguments = ["-f", "UTF-8", "-t", encoding]
        let (input, output) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try input.fileHandleForWriting.close()
        defer { process.waitUntilExit() }
        return Array(try output.fileHandleForReading.readToEnd() ?? Data())
    }

    @Test func whatItSaysForOthersComesFirst() {
        let page = facts(
            """
            <html lang="en-GB"><head><title>Title</title><meta name=description content="about">
            <meta property="og:title" content="For others"><meta name="twitter:title" content="For Twitter">
            <meta property="og:image" content=" https://a.example/\n1.jpg "><meta name=author content=Mina>
            """
        )
        #expect(page.title == "For others")
        #expect(page.description == "about")
        #expect(page.image == "https://a.example/1.jpg")
        #expect(page.author == "Mina")
        #expect(page.language == "en-GB")
        #expect(facts("<title>\n  A   title \u{202E}&lt;b&gt;bold&lt;/b&gt; </title>").title == "A title bold")
        #expect(facts("<meta name='twitter:title' content='T'><title>no</title>").title == "T")
        #expect(facts("").title == nil)
        #expect(facts("just text").title == nil)
    }

    @Test(arguments: [
        ("euc-kr", "CP949", "마당에서 만나요 똠방각하"), ("ks_c_5601-1987", "CP949", "한국어"), ("Shift_JIS", "CP932", "庭で会おう①"),
        ("EUC-JP", "EUC-JP", "庭で会おう"), ("iso-2022-jp", "ISO-2022-JP", "庭で会おう"), ("utf-8", "UTF-8", "마당 庭 yard"),
        ("gb2312", "GB18030", "院子"), ("big5", "BIG5", "院子"), ("windows-1251", "CP1251", "двор"),
        ("latin1", "CP1252", "café"),
    ])
    func lettersOfOtherEncodingsAreRead(_ label: String, _ encoding: String, _ title: String) throws {
        let page = "<html><head><meta property='og:title' content='\(title)'></head></html>"
        #expect(Page.facts(of: try bytes(page, encoding), charset: label).title == title)
        for meta in ["<meta charset=\(label)>", "<meta http-equiv=Content-Type content='text/html; charset=\(label)'>"]
        {
            #expect(Page.facts(of: try bytes(meta + page, encoding), charset: nil).title == title)
        }
    }

    private static let korean = "마당에서 만나요. 오늘은 날씨가 참 좋네요 ㅋㅋ (서울=연합뉴스)"
    private static let japanese = "庭で会おう。今日はいい天気ですね（東京）①カタカナ"

    /// Of pages that do not say it.
    @Test(arguments: [
        ("CP949", korean), ("CP949", "똠방각하 펲시콜라 이야기를 들었습니다"), ("CP932", japanese), ("EUC-JP-MS", japanese),
        ("CP1252", "Café Zürich – naïve résumé über Ærø"), ("CP1252", "£10 at the “café”"),
        ("CP1252", "señor, ¿qué tal? ¡Sí!"),
    ])
    func lettersAreGuessed(_ encoding: String, _ title: String) throws {
        let page = try bytes("<html><head><title>\(title)</title></head><p>\(title)", encoding)
        #expect(Page.facts(of: page, charset: nil).title == title)
        // Wherever it is cut.
        for cut in 1...3 { #expect(Page.facts(of: page.dropLast(cut), charset: nil).title == title) }
    }

    /// What has no syllables of either is told by what the page says of its language, or by its country.
    @Test func whereItComesFromDecides() throws {
        let title = "東京都庁舎"
        for (encoding, other) in [("CP932", "EUC-JP-MS"), ("EUC-JP-MS", "CP932")] {
            let plain = "<title>\(title)</title>"
            let marked = "<html class=a lang='ja-JP'>\(plain)"
            #expect(
                Page.facts(of: try bytes(marked, encoding), charset: nil).title == title,
                "\(encoding) not \(other)"
            )
            #expect(Page.facts(of: try bytes(plain, encoding), charset: nil, host: "news.example.jp").title == title)
        }
        let hanja = "<title>大韓民國</title>"
        #expect(Page.facts(of: try bytes(hanja, "CP949"), charset: nil, host: "a.kr").title == "大韓民國")
        // Whatever the country, what is no such text stays what it was.
        let french = try bytes("<title>L’été à la plage</title>", "CP1252")
        for host in ["a.kr", "a.jp", "a.fr", nil] {
            #expect(Page.facts(of: french, charset: nil, host: host).title == "L’été à la plage", "\(host ?? "")")
        }
    }

    @Test func liesAboutLettersBreakNothing() throws {
        let title = "마당에서 만나요"
        let page = "<meta charset=euc-kr><title>\(title)</title>"
        // What is UTF-8 is UTF-8.
        for label in [
            "euc-kr", "shift_jis", "iso-2022-jp", "utf-16", "no such", "UTF-8\u{0}",
            String(repeating: "a", count: 100_000),
        ] {
            #expect(Page.facts(of: Array(page.utf8), charset: label).title == title)
        }
        let korean = try bytes("<title>\(title)</title>", "CP949")
        for label in ["utf-8", "shift_jis", "iso-2022-jp", "euc-jp", "big5", "gb18030", nil] {
            _ = Page.facts(of: korean, charset: label)
        }
        for count in 1...korean.count { _ = Page.facts(of: Array(korean.prefix(count)), charset: "euc-kr") }
        #expect(Page.facts(of: [0xFF, 0xFE] + (try bytes(page, "UTF-16LE")), charset: "utf-8").title == title)
        #expect(Page.facts(of: [0xEF, 0xBB, 0xBF] + Array(page.utf8), charset: "latin1").title == title)
    }

    @Test func whatIsCutIsReadAsFarAsItCame() {
        let page = "<title>마당</title><meta property=og:image content=/1.jpg>" + String(repeating: "<p>마", count: 10_000)
        let bytes = Array(page.utf8)
        for cut in 0..<8 {
            let facts = Page.facts(of: Array(bytes.dropLast(cut)), charset: nil)
            #expect(facts.title == "마당")
            #expect(facts.image == "/1.jpg")
        }
    }

    /// B11.
    @Test(arguments: [
        "<div>", "<b><i>", "<table><tr><td>", "<svg><g>", "<a<a", "&", "<!--", "<![CDATA[", "<?", "<meta ",
    ])
    func endlessNestingEnds(_ part: String) {
        let page = "<title>a</title>" + String(repeating: part, count: (1 << 20) / part.utf8.count)
        let cost = processorTime { #expect(facts(page).title == "a") }
        // Of a worker that may have ten; a mebibyte that says nothing takes a tenth of a second.
        #expect(cost < .seconds(10), "\(cost)")
    }

    @Test func deepPagesGoThroughTheWorkerProcess() async throws {
        let shop = try Workshop()
        let page = "<title>a</title>" + String(repeating: "<div>", count: 200_000)
        let outcome = try await shop.work(Data(page.utf8), purpose: .page)
        guard case .page(let facts) = outcome.report else {
            Issue.record("\(outcome.report)")
            return
        }
        #expect(facts.title == "a")
        #expect(try outcome.written().isEmpty)
    }

    @Test func aCardHasOnePictureThatDoesNotMove() async throws {
        let shop = try Workshop()
        let made = try await shop.work(try shop.animation("a.gif"), purpose: .card).made
        #expect(made.kind == .image)
        #expect(made.renditions.map(\.name) == ["medium"])
        #expect(try #require(made.renditions.first?.width) <= 800)
        #expect(made.blurhash != nil)
    }

    @Test func manyTitlesAreOne() {
        let many = facts(String(repeating: "<meta property=og:title content=a>", count: 30_000) + "<title>b</title>")
        #expect(many.title == "a")
        let names = (0..<20_000).map { "<meta name=n\($0) content=a>" }.joined()
        #expect(facts(names + "<title>b</title>").title == "b")
    }

    /// S22.
    @Test func titlesAreTextWithoutTags() {
        let vectors = [
            "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg/onload=alert(1)>",
            "<iframe src=javascript:alert(1)>",
            "\"><script>alert(1)</script>", "'><img src=x onerror=alert(1)//", "<scr<script>ipt>alert(1)</script>",
            "<<script>alert(1)",
            "</title><script>alert(1)</script>", "<a href=\"javascript:alert(1)\">a</a>", "<!--<script>-->", "<?php ?>",
            "<body onload=alert(1)>", "<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
            "<script\u{0}>",
            "<\u{200B}script>alert(1)</script>", "<scr\u{202E}ipt>", "&lt;script&gt;alert(1)&lt;/script&gt;",
        ]
        for vector in vectors {
            let escaped = vector.replacing("&", with: "&amp;").replacing("\"", with: "&quot;").replacing(
                "<",
                with: "&lt;"
            )
            for page in ["<title>a \(vector) b</title>", "<meta property=og:title content=\"a \(escaped) b\">"] {
                let title = facts(page).title ?? ""
                #expect(title.firstMatch(of: #/<[a-zA-Z/!?]/#) == nil, "\(vector): \(title)")
            }
        }
        #expect(PlainText.clean("1 < 2 and 3 > 2", most: 100) == "1 < 2 and 3 > 2")
        #expect(PlainText.clean("I <3 you", most: 100) == "I <3 you")
        #expect(PlainText.clean("👨‍👩‍👧 마당", most: 100) == "👨‍👩‍👧 마당")
        #expect(PlainText.clean(String(repeating: "a", count: 1000), most: 300)?.count == 300)
        #expect(
            PlainText.clean("a" + String(repeating: "\u{301}", count: 100_000), most: 300)?.unicodeScalars.count == 16
        )
    }
}
